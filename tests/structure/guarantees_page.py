"""docs/guarantees.md, made from guarantees.yaml: what is promised, on which way to run, and which tests show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).with_name("guarantees.yaml")
WAYS = ("none", "apptainer", "docker", "podman", "pyxis", "prefix", "skypilot", "dstack", "manual")
"""A Slurm job by its runtime, then the other kinds of target."""
EXAMPLES = {
    "none": "minimal/out/slurm/job.sbatch",
    "apptainer": "verl-amd-slurm/out/apptainer/job.sbatch",
    "docker": "verl-amd-slurm/out/docker/job.sbatch",
    "podman": "verl-amd-slurm/out/podman/job.sbatch",
    "pyxis": "verl-gsm8k-slurm/out/pyxis/job.sbatch",
    "prefix": "verl-gsm8k-slurm/out/shifter/job.sbatch",
    "skypilot": "verl-gsm8k-skypilot/out/gcp/boot.sh",
    "dstack": "verl-dstack/out/unattended/boot.sh",
    "manual": "ray-manual/out/hosts/head.sh",
}
"""A rendered file of each way, for tests that look at those."""

INTRODUCTION = """\
# Guarantees

What a generated launch file promises, on every way to run it. `none` to `prefix` are the runtimes of a Slurm job. Each
cell is *full*, or says how the way differs, or why the promise does not apply there; below it are the tests that show
it, named as `pytest` takes them, from the folder `tests/`. They run the generated files, whole, on a simulated cluster.
Where a part of a promise has tests on `none` alone, it is done by lines that all ways have in common.

This page is written from `tests/structure/guarantees.yaml`; change the data, then run `make docs`.
"""


@dataclass(frozen=True)
class Cell:
    """One guarantee on one way."""

    way: str
    text: str
    """``full``, or how it differs, or why it does not apply."""
    word: str
    """``full``, ``differs`` or ``-``, for the table."""
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Guarantee:
    """One promise."""

    id: str
    title: str
    promise: str
    cells: tuple[Cell, ...]


@cache
def guarantees() -> tuple[Guarantee, ...]:
    """Every guarantee, from the data."""
    rows = yaml.load(DATA.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return tuple(
        Guarantee(row["id"], row["title"], row["promise"], tuple(_cell(row, way) for way in WAYS)) for row in rows
    )


def _cell(row: dict[str, Any], way: str) -> Cell:
    said = row["cells"].get(way, "full")
    text = said.removeprefix("no: ")
    word = "-" if text != said else "full" if said == "full" else "differs"
    tests = [entry if isinstance(entry, dict) else {"test": entry} for entry in row["tests"]]
    names = (entry["test"] for entry in tests if way in entry.get("ways", WAYS))
    if word == "-":
        return Cell(way, f"Does not apply: {text}", word, ())
    return Cell(way, text, word, tuple(n.replace("{way}", way).replace("{example}", EXAMPLES[way]) for n in names))


def page() -> str:
    """The whole page."""
    lines = [INTRODUCTION, "| | " + " | ".join(WAYS) + " |", "| --- |" + " --- |" * len(WAYS)]
    for one in guarantees():
        link = f"{one.id} {one.title}".lower().replace(" ", "-").replace("'", "").replace(",", "")
        cells = " | ".join(cell.word for cell in one.cells)
        lines.append(f"| [{one.id}](#{link}) {one.title} | {cells} |")
    for one in guarantees():
        lines += [
            "",
            f"## {one.id} {one.title}",
            "",
            one.promise,
            "",
            "| way | how far | tests |",
            "| --- | --- | --- |",
        ]
        for cell in one.cells:
            tests = "<br>".join(f"`{test}`" for test in cell.tests)
            lines.append(f"| {cell.way} | {cell.text} | {tests} |")
    return "\n".join(lines) + "\n"
