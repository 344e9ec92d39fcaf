"""What of the whole matrix has run, kept over runs: hours of work that may be stopped, and gone on with.

A line stands for one cell that ended as expected, with a digest of the launch file and its `submit.sh`. When a change of
mngen changes those, the digest is another one and the cell has to run again; no other change costs a run.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cells import COVER, MORE, Cell, whole
from jobs import Example

PATH = Path(__file__).resolve().parent / "ran.tsv"
FILES = ("job.sbatch", "submit.sh")
HEAD = "cell\tfiles\tslurm\tseconds\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a cell ran.

    Attributes:
        files: The digest of the files that ran.
        slurm: The exact version of Slurm.
        seconds: From `sbatch` to the job's end.
    """

    files: str
    slurm: str
    seconds: int


Ledger = Mapping[str, Ran]


def matrix() -> list[Cell]:
    """All cells of the whole matrix, those of the cover first."""
    return [*COVER, *MORE, *whole()]


def digest(folder: Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a target's files."""
    texts = (folder.joinpath(name).read_bytes() for name in FILES)
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


@cache
def _today(path: str, ray: str, nodes: int, full: bool) -> str:
    example: Example = Cell(path, "", nodes, "", "", ray, full).example()
    with tempfile.TemporaryDirectory() as scratch:
        example.render(Path(scratch), "--no-lint")
        return digest(Path(scratch, "out", example.target))


def today(cells: Iterable[Cell]) -> dict[str, str]:
    """The digest of each cell's files, by its name, as this mngen renders them.

    Networks and generations of Slurm have the same files, which are rendered once.
    """
    keys = {cell.name: (cell.path, cell.ray, cell.nodes, cell.full) for cell in cells}
    with ThreadPoolExecutor() as pool:
        found = dict(zip(set(keys.values()), pool.map(lambda key: _today(*key), set(keys.values())), strict=True))
    return {name: found[key] for name, key in keys.items()}


def read(path: Path = PATH) -> dict[str, Ran]:
    """What a ledger has, by the name of the cell; nothing when there is no file."""
    if not path.exists():
        return {}
    lines = path.read_text().removeprefix(HEAD).splitlines()
    rows = (line.split("\t") for line in lines)
    return {name: Ran(files, slurm, int(seconds)) for name, files, slurm, seconds in rows}


def write(ledger: Ledger, path: Path = PATH) -> None:
    """Write a ledger, in the order of the matrix and without cells that it no longer has."""
    rows = ((cell.name, ledger[cell.name]) for cell in matrix() if cell.name in ledger)
    lines = (f"{name}\t{ran.files}\t{ran.slurm}\t{ran.seconds}\n" for name, ran in rows)
    new = path.with_suffix(".new")
    new.write_text(HEAD + "".join(lines))
    new.replace(path)


def current(ledger: Ledger) -> list[Cell]:
    """The cells that ran with the files of today."""
    files = today(cell for cell in matrix() if cell.name in ledger)
    return [cell for cell in matrix() if cell.name in files and ledger[cell.name].files == files[cell.name]]


def left(ledger: Ledger) -> list[Cell]:
    """The cells that have to run."""
    done = set(current(ledger))
    return [cell for cell in matrix() if cell not in done]


def merge(*ledgers: Ledger) -> dict[str, Ran]:
    """One ledger from several; where more than one has a cell, the one with today's files wins."""
    files = today(matrix())
    merged: dict[str, Ran] = {}
    for ledger in ledgers:
        for name, ran in ledger.items():
            if name in files and (name not in merged or ran.files == files[name]):
                merged[name] = ran
    return merged


if __name__ == "__main__":  # `ledger.py FILE …` takes over what ran in other checkouts
    write(merge(read(), *(read(Path(name)) for name in sys.argv[1:])))
