"""What ``--export`` of sbatch hands on: https://slurm.schedmd.com/sbatch.html#OPT_export.

How it is read: ``env_merge_filter`` in Slurm's src/common/env.c; src/sbatch/sbatch.c calls it for any other value.
"""

from __future__ import annotations

import re

from mngen.manifest.judging.slurm_options import extra_options
from mngen.manifest.model import Target

_ITEM = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*")+""")


def exports(target: Target) -> list[tuple[str, str]]:
    """Return every ``--export`` of a job with its field, the typed one first."""
    found = [(f"slurm.extra.{o.index}", o.value or "") for o in extra_options(target) if o.name == "--export"]
    typed = target.slurm.fields.get("export")
    return [("slurm.export", typed), *found] if isinstance(typed, str) else found


def exported(value: str) -> list[tuple[str, str | None]]:
    """Return the names in a list, each with its value if it has one; none for ``ALL``, ``NONE`` and ``NIL``."""
    items = (item.partition("=") for item in _ITEM.findall(value))
    return [(name, text.strip("'\"") if equals else None) for name, equals, text in items if not _is_word(name)]


def hands_on_all(value: str) -> bool:
    """Tell whether a list has the word for the whole environment of the shell that submits."""
    return any(item.upper() == "ALL" for item in _ITEM.findall(value))


def begins_with_all(value: str) -> bool:
    """Tell whether that word stands where sbatch(1) has it."""
    return value.partition(",")[0].upper() == "ALL"


def hands_on_nothing(value: str) -> bool:
    """Tell whether a value is one of the words for nothing of that environment."""
    return value.upper() in {"NONE", "NIL"}


def _is_word(name: str) -> bool:
    return name.upper() in {"ALL", "NONE", "NIL"}
