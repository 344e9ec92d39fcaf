"""Characters in directives that nobody can see: they cannot be escaped there, as they are in a script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.judging.slurm_options import directive_values
from mngen.manifest.model import Target


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse directives whose text is not what a reader of the job file sees."""
    if target.kind != "slurm":
        return
    values = directive_values(target)
    values.update({f"slurm.extra.{index}": word for index, word in enumerate(target.slurm.extra)})
    for field, value in values.items():
        found = next((char for char in value if not char.isprintable()), None)
        if found is not None:
            name = unicodedata.name(found, "a character without a name")
            message = f"{field} holds U+{ord(found):04X} ({name}), which a reader of the job file cannot see"
            yield finding(target, "MN254", field, message, hint="write the value without it")
