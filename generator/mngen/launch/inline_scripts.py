"""Shell text in a command of the manifest: the word that ``bash -c`` runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.manifest.judging.shell_words import script_place
from mngen.manifest.model import Target
from mngen.manifest.text import Text
from mngen.plan import UserText

_SHELLS = frozenset({"bash", "sh", "dash"})
_PARSES = re.compile(r"[-+][A-Za-z]*O")
"""Options that may change what the shell can parse, as ``-O extglob`` does."""


def inline_scripts(target: Target) -> Iterator[UserText]:
    """Yield the scripts in the driver's and the services' commands, for bash to parse and nobody to lint."""
    driver = target.driver
    parts = {"command": driver.command, "args": driver.args, "extra_args": driver.extra_args}
    yield from _in(
        target, [(f"driver.{name}", i, text) for name, texts in parts.items() for i, text in enumerate(texts)]
    )
    for service in target.services:
        words = [(f"services.{service.name}.command", index, text) for index, text in enumerate(service.command)]
        yield from _in(target, words)


def _in(target: Target, words: Sequence[tuple[str, int, Text]]) -> Iterator[UserText]:
    place = _place([text.literal or "" for _, _, text in words])
    if place is not None and place < len(words):
        field, index, text = words[place]
        # What a placeholder stands for is put in before the shell parses the word; most values are one word.
        body = "".join(part if isinstance(part, str) else "x" for part in text.parts)
        yield UserText(f"{field}[{index}]", body, target.span(f"{field}.{index}"), linted=False)


def _place(words: Sequence[str]) -> int | None:
    """Return where bash's script stands among a command's words, or ``None`` where it gets none that can be judged."""
    place = script_place(words) if words and words[0].rpartition("/")[2] in _SHELLS else None
    return None if any(map(_PARSES.match, words[1:place])) else place
