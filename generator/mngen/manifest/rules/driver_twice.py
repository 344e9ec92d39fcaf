"""An argument ``a.b=value`` of the driver that is given twice, with two values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import warning
from mngen.manifest.judging.placed_texts import commands
from mngen.manifest.model import Target
from mngen.manifest.text import spelled

_NAME = r"[A-Za-z_]\w*(?:\.\w+)+"
"""A name in Hydra's form (https://hydra.cc/docs/advanced/override_grammar/basic/), where the last one counts."""
_LAYERS = {"driver.command": "own", "driver.args": "own", "driver.extra_args": "extra"}
"""What is written in one go; a layer's ``extra_args`` may replace what it stands on, as ``resume.args`` does."""


def check(target: Target) -> Iterator[Diagnostic]:
    """Warn about the last of them, which is the one that counts."""
    given: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for field, text in commands(target)[0]:
        word = spelled(text)
        name, equals, value = word.partition("=")
        layer = _LAYERS.get(field.rpartition(".")[0])
        if equals and "." in name and layer is not None:
            given.setdefault((layer, name.lstrip("+")), []).append((field, word, value))
    for (_, name), found in given.items():
        field, word, value = found[-1]
        before = next((one for one in found if one[2] != value), None)
        if before is not None and re.fullmatch(_NAME, name):
            message = f"{name} is given twice, {before[1]} and {word}: the last one counts"
            yield warning(target, "MN310", field, message, hint=f"remove {before[1]}", other=(before[0],))
