"""The page with what ran."""

import collections
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Rows = Sequence[dict[str, Any]]
HEAD = """# What ran for real

Written by `make matrix`: generated files, unchanged, on a real Slurm whose nodes have networks, processes, host names and
folders of their own, with a real Ray on them (`tests/real`). The driver is replaced through the manifest by one that runs
a task, an actor without a GPU and a task on a fake GPU on every node, and tells what arguments it got. Every run also
asserts that nothing of the job is left on any node: no process, container, file, mount, socket or network link.

"""
CELLS = """
## Every way into an image, network, number of nodes, Slurm and Ray

A pairwise cover: whatever two of these columns have in common occurs in one row at least. Ray 2.49.2 knows no token. Ray
is the package alone, where a job is sent (`search-r1`, `ray-manual`) `ray[default]`. Docker and Podman run on each node,
Podman without root; *prefix* is Apptainer as a command before the command. Seconds are from `sbatch` to the job's end, on
one machine that is all of the nodes.

| example | runtime | nodes | network | Slurm | Ray | end | s |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
GOLDENS = """
## The other examples

What the cover has no place for. `everything` is a reference and no workload: programs of a few lines stand for its
services and steps. The cluster has its reservation, licenses, features, specialized cores and threads, nodes to leave out,
a time to end by, the names with a suffix and Slingshot's device. It keeps no accounts and has one switch, so account, QOS,
wckey, priority and switches are taken without effect. Replaced in the manifest were CPUs, Ray's version, the sizes of
shared memory and object store, every other fabric, locked memory without a limit, the hour to wait, the array by its first
job, the list of nodes, `ib0` by `eth0`, what a registry or a module system would bring, where the endpoint's file goes, and
Shifter by Apptainer; `dock` asks for its GPUs by an option of the user's, since no AMD driver lists them here.

| example | runtime | nodes | network | Slurm | Ray | end | s |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
PYXIS = """
## pyxis

It is no package, so these ran with a stand-in for it, which takes the options that pyxis documents, refuses others, and
enters the unpacked image by Apptainer, with the files of the node that enroot mounts (`tests/real/stub/pyxis`). The Slurm
below it is the real one.

| example | runtime | nodes | network | Slurm | Ray | end | s |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
WRAPPERS = """
## SkyPilot, dstack and machines without a scheduler

The text that these systems put around the files, with their variables, on two of the same nodes.

| example | launcher | network | Ray | end |
| --- | --- | --- | --- | --- |
"""
RUNTIMES = ("none", "apptainer", "docker", "podman", "prefix")
FAULTS = """
## What goes wrong

Each has one end, whatever the runtime; `tests/real/real_*.py` says what else is asserted. Below a runtime are the seconds
from `sbatch` to the job's end. crun, by which Podman starts and ends containers, may leave an empty `/tmp/crun.XXXXXX` when
Slurm kills it in that instant, and no other program can tell whose it is; a run that finds one has failed.

| what | network | end | none | apptainer | docker | podman | prefix |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
REST = """
## What else was asked

| what | of | end |
| --- | --- | --- |
"""


def _what(row: dict[str, Any]) -> str:
    name, _, parameters = row["name"].removeprefix("real_").partition("[")
    detail = parameters.rstrip("]").replace(row.get("path", "-"), "").strip("-")
    return name.replace("_", " ") + (f" ({detail})" if detail else "")


def _result(row: dict[str, Any]) -> str:
    return str(row.get("end", "")) if row["outcome"] == "passed" else f"**{row['outcome']}**"


def _line(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |\n"


def _version(row: dict[str, Any]) -> str:
    return str(row.get("version", row.get("slurm", "")))


def _named(rows: Rows, kind: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["name"].startswith(f"real_{kind}[")]


def _cells(rows: Rows) -> str:
    """The lines of a table of cells."""
    keys = ("path", "runtime", "nodes", "net")
    firsts = ((row.get(key, "") for key in keys) for row in rows)
    lasts = ((_version(row), row.get("ray", ""), _result(row), row.get("took", "")) for row in rows)
    return "".join(_line(*first, *last) for first, last in zip(firsts, lasts, strict=True))


def _faults(rows: Rows) -> str:
    """One line for each fault, network and end, with the runtimes beside each other."""
    took: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in rows:
        line = took.setdefault((_what(row), row.get("net", ""), _result(row)), {})
        line[row["runtime"]] = str(row.get("took", "yes"))
    return FAULTS + "".join(_line(*what, *(line.get(each, "") for each in RUNTIMES)) for what, line in took.items())


def _rest(rows: Rows) -> str:
    """What no single runtime belongs to."""
    others = (row for row in rows if row.get("runtime") not in RUNTIMES)
    return REST + "".join(_line(_what(row), row.get("runtime", ""), _result(row)) for row in others)


def page(rows: Rows) -> str:
    """The page's text."""
    passed = collections.Counter(row["outcome"] for row in rows)["passed"]
    cells, goldens, pyxis, wrappers = (_named(rows, kind) for kind in ("cell", "golden", "pyxis", "wrapper"))
    faults = [row for row in rows if row not in (*cells, *goldens, *pyxis, *wrappers)]
    text = HEAD + f"{passed} of {len(rows)} runs ended as expected: {len(cells)} cells of the matrix, "
    text += f"{len(goldens)} other examples, {len(pyxis)} with a stand-in for pyxis, "
    text += f"{len(wrappers)} with other launchers, {len(faults)} with faults, neighbours and other questions.\n"
    text += CELLS + _cells(cells) + GOLDENS + _cells(goldens) + PYXIS + _cells(pyxis) + WRAPPERS
    for row in wrappers:
        text += _line(*(row.get(key, "") for key in ("path", "runtime", "net", "ray")), _result(row))
    return text + _faults([row for row in faults if row.get("runtime") in RUNTIMES]) + _rest(faults)


def write(rows: Rows, path: Path) -> None:
    """Write the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(rows))
