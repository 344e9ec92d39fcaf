"""How long users wait: the median of some runs of each command, in a process of its own, as they run it."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RUNS = 5


def commands(out: Path) -> dict[str, list[str]]:
    """Return the command lines to measure, by name."""
    design = str(GOLDEN / "design" / "manifest.yaml")
    every = [str(path) for path in sorted(GOLDEN.glob("*/manifest.yaml"))]
    return {
        "--version": ["--version"],
        "--help": ["--help"],
        "explain slurm.time": ["explain", "slurm.time"],
        "validate design": ["validate", design],
        "validate design, no linters": ["validate", "--no-lint", design],
        "render design": ["render", design, "-o", str(out / "design")],
        "render design, no linters": ["render", "--no-lint", design, "-o", str(out / "design")],
        "render all examples": ["render", *every, "-o", str(out / "all")],
    }


def seconds(arguments: list[str]) -> float:
    """Run one command and return how long it took."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "mngen", "-q", *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"mngen {' '.join(arguments)}: {done.stderr.decode()}")
    return time.perf_counter() - start


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in commands(Path(folder)).items():
            times = sorted(seconds(arguments) for _ in range(RUNS))
            print(f"{name:<30} {statistics.median(times):6.2f} s   (best {times[0]:.2f})")


if __name__ == "__main__":
    main()
