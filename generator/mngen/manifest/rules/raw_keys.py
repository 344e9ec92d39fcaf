"""Keys of ``raw`` that the task file of SkyPilot or dstack does not know where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.cloud_keys import RESOURCES, TASK, in_raw
from mngen.manifest.judging.finding import warning
from mngen.manifest.model import Target

_NAMES = {"skypilot": "SkyPilot", "dstack": "dstack"}


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about them: both clients refuse the whole file. Private keys of SkyPilot's begin with ``_``."""
    if target.kind not in TASK or not target.raw:
        return
    yield from _unknown(target, target.raw, TASK[target.kind], "")
    resources = target.raw.get("resources")
    if isinstance(resources, Mapping):
        yield from _unknown(target, resources, RESOURCES[target.kind], "resources.")


def _unknown(target: Target, block: Mapping[str, Any], known: frozenset[str], around: str) -> Iterator[Diagnostic]:
    client = _NAMES[target.kind]
    place = "its `resources`" if around else "the top of a task"
    for key, value in block.items():
        if key in known or key.startswith("_"):
            continue
        field = f"raw.{around}{key}"
        message = f"{field}: {client} knows no key `{key}` at {place}, and refuses the file"
        yield warning(target, "MN312", field, message, hint=_mend(target.kind, key, value, known, around))


def _mend(kind: str, key: str, value: Any, known: frozenset[str], around: str) -> str:
    from mngen.manifest.nearest import nearest  # noqa: PLC0415 - few manifests have such a key

    written = in_raw(kind, key, value)
    if written is not None:
        return f"write `{written}`"
    elsewhere = TASK[kind] if around else RESOURCES[kind]
    if key in elsewhere:
        return f"write it {'at the top of `raw`' if around else 'in `resources` of `raw`'}"
    close = nearest(key, known)
    return f"did you mean `{close}`?" if close else "remove it, or write what the client's reference calls it"
