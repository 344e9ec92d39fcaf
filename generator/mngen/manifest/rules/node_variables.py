"""Variables of the node that a manifest names, on nodes that get nothing of the submitting shell."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import note
from mngen.manifest.judging.placed_texts import cluster_texts
from mngen.manifest.model import Target
from mngen.manifest.text import Text

_CLOUD = {"skypilot": "SKYPILOT_", "dstack": "DSTACK_"}
_EVERYWHERE = frozenset({"HOME", "PATH", "USER", "LOGNAME", "HOSTNAME", "PWD", "SHELL", "LANG", "TMPDIR", "UID"})


def check(target: Target) -> Iterator[Diagnostic]:
    """Note those that neither every node has nor the manifest hands over."""
    prefix = _CLOUD.get(target.kind)
    if prefix is None:
        return
    built = target.built_image
    known = {*_EVERYWHERE, *(secret.name for secret in target.secrets)}
    known |= {*built.env.image, *built.env.prepend} if built is not None else set()
    for field, text in (*cluster_texts(target), *_others(target)):
        for ref in text.refs:
            name = ref.removeprefix("env.")
            if ref.startswith("env.") and name not in known and not name.startswith(prefix):
                known.add(name)
                message = f"{field} needs {name} of the node, and {target.kind} hands over nothing of your shell"
                hint = f"right if the image sets it; else write its value into the manifest: env: {{{name}: …}}"
                yield note(target, "MN301", field, message, hint=hint)


def _others(target: Target) -> Iterator[tuple[str, Text]]:
    if target.workdir is not None:
        yield "workdir", target.workdir
    yield from ((f"env_files.{index}", text) for index, text in enumerate(target.env_files))
