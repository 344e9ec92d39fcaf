"""The page with what of the whole matrix ran."""

import statistics
from collections.abc import Sequence

import ledger
from cells import FACTORS, Cell

HEAD = """# The whole matrix

Written by `make docs` from `tests/real/ran.tsv`, in which `make test-real-all` keeps each cell that ended as expected, with
a digest of its launch file and `submit.sh`. A cell whose files have changed since then counts as one that ran, and runs
again the next time. What a run asserts, and a cover of all pairs with every column, is in [matrix.md](matrix.md).

"""
TABLE = """
Every way into an image, number of nodes and generation of Slurm, each with three networks (IPv4, IPv6 alone, both) and two
releases of Ray ({rays}): how many of the six ran, and the median of the seconds from `sbatch` to the
job's end on one machine that is all of the nodes. Cells may run two clusters at once, which makes them slower.

| runtime | nodes | {slurms} |
| --- | --- |{rules}
"""
NOTHING = "-"


def _share(cells: Sequence[Cell], kept: ledger.Ledger) -> str:
    """How many of some cells ran, and their time."""
    took = [kept[cell.name].seconds for cell in cells if cell.name in kept]
    return f"{len(took)} of {len(cells)}, {statistics.median_low(took)} s" if took else NOTHING


def page() -> str:
    """The page's text."""
    kept, cells = ledger.read(), ledger.matrix()
    ran, today = [cell for cell in cells if cell.name in kept], ledger.current(kept)
    runtimes, nodes, slurms, rays = (FACTORS[name] for name in ("runtime", "nodes", "slurm", "ray"))
    text = HEAD + f"{len(ran)} of {len(cells)} cells ran, {len(today)} of them with exactly the files of today.\n"
    text += TABLE.format(
        rays=" and ".join(map(str, rays)),
        slurms=" | ".join(f"Slurm {slurm}" for slurm in slurms),
        rules=" --- |" * len(slurms),
    )
    for runtime in runtimes:
        for count in nodes:
            row = [cell for cell in cells if (cell.runtime, cell.nodes) == (runtime, count)]
            shares = (_share([cell for cell in row if cell.slurm == slurm], kept) for slurm in slurms)
            text += f"| {runtime} | {count} | " + " | ".join(shares) + " |\n"
    return text
