"""A thousand nodes: what the job says of those that are missing stays readable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "templates" / "shell" / "cluster.py"
RAY = """
def is_initialized(): return True
def nodes():
    return [{"NodeName": f"gpu{number:04}", "Resources": {"GPU": 8.0}, "Alive": True} for number in range(JOINED)]
"""
NAMES = [f"gpu{number:04}" for number in range(1000)]


@pytest.mark.parametrize(
    ("joined", "state"),
    [
        (963, f"963 of 1000 nodes, 7704 of 8000 GPUs; missing: {','.join(NAMES[963:])}"),
        (500, f"500 of 1000 nodes, 4000 of 8000 GPUs; missing: {','.join(NAMES[500:540])} and 460 more"),
    ],
)
def test_many_of_1000_nodes_are_missing(tmp_path: Path, joined: int, state: str) -> None:
    (tmp_path / "ray.py").write_text(RAY.replace("JOINED", str(joined)))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = ["10.0.0.1:6379", str(tmp_path / "ready"), "1000", "8000", "1", "fail", " ".join(NAMES)]
    done = subprocess.run([sys.executable, SCRIPT, *words], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (75, "")
    assert done.stdout == state + "\n"
    assert len(state) < 400


def test_nodes_whose_names_are_not_known_are_missing_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text(RAY.replace("JOINED", "1"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = ["10.0.0.1:6379", str(tmp_path / "ready"), "2", "16", "1", "fail", ""]
    done = subprocess.run([sys.executable, SCRIPT, *words], env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "1 of 2 nodes, 8 of 16 GPUs; missing: ?\n"
