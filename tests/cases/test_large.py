"""A thousand nodes: what the job says of those that are missing stays readable."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "templates" / "shell" / "cluster.py"
# Nodes join in three waves and 37 never do.
RAY = """
import itertools
counts = itertools.chain([1, 500], itertools.repeat(963))
def is_initialized(): return True
def nodes():
    return [{"NodeName": f"gpu{number:04}", "Resources": {"GPU": 8.0}, "Alive": True} for number in range(next(counts))]
"""


def test_37_of_1000_nodes_are_missing(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text(RAY)
    names = [f"gpu{number:04}" for number in range(1000)]
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "CLUSTER_NODES": " ".join(names)}
    words = ["10.0.0.1:6379", str(tmp_path / "ready"), "1000", "8000", "2", "fail"]
    done = subprocess.run([sys.executable, SCRIPT, *words], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (75, "")
    first, middle, last = done.stdout.splitlines()
    assert last == f"963 of 1000 nodes, 7704 of 8000 GPUs; missing: {','.join(names[963:])}"
    assert middle.endswith("gpu0539 and 460 more")
    assert first.startswith("1 of 1000 nodes, 8 of 8000 GPUs; missing: gpu0001,gpu0002,")
    assert max(map(len, (first, middle, last))) < 400
