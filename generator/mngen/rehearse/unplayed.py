"""Container tools that a file written by hand starts, and that nobody plays here."""

from __future__ import annotations

import shutil

from mngen.checks.foreign.document import Document
from mngen.rehearse.layout import SYSTEM_FOLDERS

_TOOLS = frozenset(
    {"ch-run", "charliecloud", "crun", "enroot", "nerdctl", "podman-hpc", "runc", "sarus", "shifter", "udocker"}
)


def unplayed(document: Document) -> tuple[str, ...]:
    """Return those that are called and not there; nodes have what lies in this machine's folders of programs."""
    called = {call.program.partition(" ")[0] for script in document.scripts for call in script.calls}
    there = ":".join(SYSTEM_FOLDERS)
    return tuple(name for name in sorted(called & _TOOLS) if shutil.which(name, path=there) is None)
