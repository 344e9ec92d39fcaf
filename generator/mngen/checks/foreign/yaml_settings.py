"""The variables that a SkyPilot or dstack file sets."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document
from mngen.checks.foreign.stages import Setting

_KEYS = ("env", "envs", "secrets")


def yaml_settings(document: Document) -> Iterator[Setting]:
    """Yield what ``env``, ``envs`` and ``secrets`` set, as a map or as a list of ``NAME=value``."""
    for key in _KEYS:
        held = document.get(key)
        if held is None:
            continue
        for name, item in held.fields.items():
            if item.text is not None and not item.null:
                yield Setting(name, item.text, item.line)
        for item in held.entries:
            name, _, value = (item.text or "").partition("=")
            yield Setting(name, value, item.line)
