"""The real runs on a machine that cannot have what they need: a missing precondition, and no failed test."""

import importlib
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_a_download_that_fails_is_a_missing_precondition(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever is being fetched: one line that names it, and nothing of it is left."""
    monkeypatch.syspath_prepend(ROOT / "tests" / "real")
    machine, software = importlib.import_module("machine"), importlib.import_module("software")
    for name in ("CACHE", "RAY", "BASE", "ENGINES"):
        monkeypatch.setattr(software, name, tmp_path / name)

    def fail(*command: str) -> None:
        raise subprocess.CalledProcessError(100, command, stderr="first\nE: Failed to fetch it  Connection timed out\n")

    monkeypatch.setattr(machine, "run", fail)
    jobs = {
        "Debian 12": lambda: software.get_all([], {}),
        "Ray 2.60.0": lambda: software._make_ray("2.60.0", "ray"),
        "what mngen imports": software.get_mngen,
    }
    for what, job in jobs.items():
        with pytest.raises(machine.Unavailable) as error:
            job()
        assert str(error.value) == f"cannot get {what}: E: Failed to fetch it  Connection timed out"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_time_is_judged_by_what_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the fetch, and after it, since that may have been slow."""
    monkeypatch.syspath_prepend(ROOT / "tests" / "real")
    machine = importlib.import_module("machine")
    began = time.monotonic()
    machine.Budget(1000, began).check(990)
    machine.Budget(None, began).check(10**6)
    machine.Budget(1000, began - 300).check(690)
    with pytest.raises(machine.Unavailable, match="needs 11 minutes; 8 are left"):
        machine.Budget(1000, began - 500).check(660)


def test_every_target_with_a_slurm_runs_for_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is in a cell of the page, or says why not; and none says so that is in one, or is gone."""
    monkeypatch.syspath_prepend(ROOT / "tests" / "real")
    cells = importlib.import_module("cells")
    there = {f"{path.parts[-4]}/{path.parts[-2]}" for path in ROOT.glob("golden/*/out/*/job.sbatch")}
    run = {cell.path for cell in (*cells.COVER, *cells.MORE, *cells.GOLDENS, *cells.PYXIS)}
    forgotten = there - run - set(cells.NOT_RUN)
    how = "give each a place in tests/real/sites.py and a cell in tests/real/cells.py, or a reason in NOT_RUN there"
    assert not forgotten, f"{how}: {', '.join(sorted(forgotten))}"
    assert not run & set(cells.NOT_RUN)
    assert not (run | set(cells.NOT_RUN)) - there
