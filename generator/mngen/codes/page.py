"""``docs/errors.md``: every diagnostic code with its remedy, made from the registry."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.codes.labels import label
from mngen.codes.registry import CODES

_HEAD = """# What mngen complains about

Every finding has a code. `mngen explain CODE` prints the same words as this page, which is made from the registry in
`generator/mngen/codes/`; change them there, then run `make docs`. Codes that begin with SC or DL are those of
[ShellCheck](https://www.shellcheck.net/wiki/) and [hadolint](https://github.com/hadolint/hadolint#rules).

An error fails the command with exit status 1. A warning does so with `--strict`. A note never does.
"""

_FAMILIES = (
    ("MN1", "The manifest's text, schema, placeholders and layers"),
    ("MN2", "Rules across fields"),
    ("MN3", "More rules across fields"),
    ("MN4", "Checks of rendered files"),
    ("MN5", "The output folder"),
    ("MN6", "Building images"),
    ("MN7", "Files written by hand (`mngen lint`)"),
    ("MN8", "Images that the manifest describes"),
    ("MN9", "Files written by hand: image recipes, and files of one call (`mngen lint`)"),
)


def page() -> str:
    """Return the whole page."""
    return "\n".join([_HEAD, *(line for prefix, title in _FAMILIES for line in _family(prefix, title))]).rstrip() + "\n"


def _family(prefix: str, title: str) -> Iterator[str]:
    codes = sorted(code for code in CODES if code.startswith(prefix))
    if not codes:
        return
    yield f"## {title}\n"
    for code in codes:
        entry = CODES[code]
        yield f"### {code}: {entry.title}\n"
        yield f"{entry.explanation}\n"
        if entry.example:
            yield f"{label(code)}:\n\n```\n{entry.example}\n```\n"
