"""The page about guarantees is current, names tests that exist, and covers every cell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from guarantees_page import DATA, WAYS, guarantees, page
from repository import ROOT

TESTS = ROOT / "tests"


def test_the_page_is_current() -> None:
    assert (ROOT / "docs/guarantees.md").read_text(encoding="utf-8") == page(), "run `make docs`"


def test_there_are_twelve_on_nine_ways() -> None:
    assert [one.id for one in guarantees()] == [f"G{number}" for number in range(1, 13)]
    assert all(tuple(cell.way for cell in one.cells) == WAYS for one in guarantees())


@pytest.mark.parametrize("one", guarantees(), ids=lambda one: one.id)
def test_every_cell_says_something_and_has_a_test(one) -> None:
    for cell in one.cells:
        assert cell.text == "full" or cell.text.endswith("."), cell
        assert bool(cell.tests) == (cell.word != "-"), cell
        assert len(set(cell.tests)) == len(cell.tests), cell


def test_every_test_exists() -> None:
    named = {test for one in guarantees() for cell in one.cells for test in cell.tests}
    files = sorted({test.partition("::")[0] for test in named})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += [str(TESTS / file) for file in files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    known = {line.removeprefix("tests/") for line in done.stdout.splitlines() if "::" in line}
    assert known, done.stdout + done.stderr
    assert sorted(named - known) == []


def test_the_ways_are_those_that_tests_run() -> None:
    ways = (TESTS / "behaviour/ways.py").read_text()
    assert all(f'"{way}"' in ways for way in WAYS)
    assert DATA.is_file()
