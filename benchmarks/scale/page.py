"""The page about jobs of many nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from run import Sample

HEAD = """# Many nodes

`make bench-scale` writes this page. `golden/minimal` runs on nodes that are namespaces of one machine, with a program
that only joins in place of Ray. *slurmctld* is a real Slurm {slurm} with a slurmd on each node, *stand-in* what
`mngen rehearse` has in Slurm's place; with both every node runs the whole file. *Replay* is for more nodes than one
machine can be: batch shell and head run, and what the other nodes do towards them is done without their shells. Calls
are those that the job's programs make to Slurm's controller from submission to end; one step starts all nodes, so they
do not grow. Seconds are from the batch shell to the driver. They grow here, since the nodes' shells take turns on one
machine's processors; nodes of their own start at the same time.

| controller | nodes | calls | s |
| --- | --- | --- | --- |
"""
MISSING = """
## When nodes are missing

The nodes that did not join within `ray.ready_timeout` are named, up to forty of them, in one line; the job ends with
status 75.

"""


def write(samples: Sequence[Sample], slurm: str, path: Path) -> None:
    """Write the page."""
    text = HEAD.format(slurm=slurm)
    for each in samples:
        if not each.missing:
            text += f"| {each.controller} | {each.nodes:,} | {each.calls} | {each.seconds:.1f} |\n"
    text += MISSING
    for each in samples:
        if each.missing:
            text += f"{each.controller}, {each.nodes:,} nodes:\n\n```text\n{each.line}\n```\n\n"
    path.write_text(text.rstrip() + "\n")
