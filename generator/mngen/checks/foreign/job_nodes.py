"""How many nodes a job or a task asks for, where that is a plain number."""

from __future__ import annotations

from mngen.checks.foreign.document import Document
from mngen.checks.foreign.script import Script
from mngen.manifest.whole_numbers import whole_number


def nodes_of_job(script: Script) -> int | None:
    """Return the nodes that the directives of a batch script ask for; not of a job of several parts."""
    if not script.directives or any("hetjob" in item.words for item in script.directives):
        return None
    return whole_number(script.slurm.value("--nodes") or "")


def nodes_of_task(document: Document) -> int | None:
    """Return the nodes of a SkyPilot task or a dstack configuration."""
    item = document.get("num_nodes") or document.get("nodes")
    return whole_number(item.text or "") if item is not None else None
