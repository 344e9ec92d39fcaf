"""What ran of the whole matrix is kept, and counts only for the files that ran."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tests" / "real")
    return importlib.import_module("ledger")


def few(ledger: ModuleType) -> list[str]:
    """Cells of two examples, one of them on two generations of Slurm."""
    names = {cell.name for cell in ledger.matrix()}
    wanted = [
        "minimal-slurm-none-1-dual-slurm24.11-ray2.49.2",
        "minimal-slurm-none-1-ipv6-slurm26.05-ray2.49.2",
        "verl-gsm8k-slurm-sif-apptainer-2-dual-slurm20.11-ray2.49.2",
    ]
    assert names.issuperset(wanted)
    return wanted


def ran(ledger: ModuleType, names: list[str]) -> dict[str, object]:
    """As if these had run with the files of today."""
    cells = [cell for cell in ledger.matrix() if cell.name in names]
    return {name: ledger.Ran(files, "24.11.5", 15) for name, files in ledger.today(cells).items()}


def test_a_cell_counts_for_the_files_that_ran(ledger: ModuleType) -> None:
    first, second, third = few(ledger)
    kept = ran(ledger, [first, second, third])
    assert kept[first].files == kept[second].files != kept[third].files
    kept[first] = ledger.Ran("0123456789abcdef", "24.11.5", 15)
    assert {cell.name for cell in ledger.current(kept)} == {second, third}
    left = {cell.name for cell in ledger.left(kept)}
    assert len(left) == len(ledger.matrix()) - 2
    assert first in left


def test_every_combination_is_one_cell(ledger: ModuleType) -> None:
    factors = importlib.import_module("cells").FACTORS
    found = {tuple(getattr(cell, name) for name in factors) for cell in ledger.matrix()}
    assert len(found) == len(ledger.matrix()) == len({cell.name for cell in ledger.matrix()}) == 480


def test_what_is_written_is_read(ledger: ModuleType, tmp_path: Path) -> None:
    """In the order of the matrix, without cells that are gone; a file that is not there is an empty one."""
    path = tmp_path / "ran.tsv"
    assert ledger.read(path) == {}
    kept = ran(ledger, few(ledger))
    ledger.write({**kept, "gone": ledger.Ran("0", "1", 2)}, path)
    assert ledger.read(path) == kept
    assert path.read_text().startswith(ledger.HEAD)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_ledgers_the_files_of_today_win(ledger: ModuleType, order: tuple[int, int]) -> None:
    first, second, _ = few(ledger)
    new = ran(ledger, [first, second])
    old = {first: ledger.Ran("0123456789abcdef", "24.11.5", 9), second: new[second]}
    both = [new, old]
    assert ledger.merge(*(both[index] for index in order)) == new


def test_the_page_and_the_ledger_are_of_today(ledger: ModuleType) -> None:
    """`make docs` writes the page; a cell that the matrix no longer has is not kept."""
    page = importlib.import_module("whole_page")
    assert (ROOT / "docs/whole-matrix.md").read_text() == page.page()
    assert set(ledger.read()) <= {cell.name for cell in ledger.matrix()}
