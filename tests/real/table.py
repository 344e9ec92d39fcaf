"""The table of results."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HEAD = """# What ran for real

Written by `make test-real`: generated files, submitted with `sbatch` to a real Slurm whose nodes have networks,
processes, host names and folders of their own, with a real Ray on them. The driver is replaced through the manifest by
one that runs a task and an actor without a GPU on every node. Every cell also asserts that nothing of the job is left
on any node: no process, file, mount, socket or network link.

"""


def _row(row: dict[str, Any]) -> str:
    what = row["name"].removeprefix("real_").partition("[")[0].replace("_", " ")
    cells = [
        what,
        row.get("path", ""),
        row.get("runtime", "none"),
        row.get("net", ""),
        row.get("nodes", ""),
        row.get("ray", ""),
        row.get("end", ""),
        row.get("took", ""),
        {"passed": "as expected"}.get(row["outcome"], row["outcome"]),
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def write(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the page."""
    slurm = subprocess.run(["sinfo", "--version"], capture_output=True, text=True, check=False).stdout.split()[-1:]
    passed = sum(row["outcome"] == "passed" for row in rows)
    lines = [
        f"Slurm {''.join(slurm)}; {passed} of {len(rows)} cells as expected. Seconds are from `sbatch` to the end of the job.",
        "",
        "| what | example | runtime | network | nodes | Ray | end | s | result |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *map(_row, rows),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "\n".join(lines) + "\n")
