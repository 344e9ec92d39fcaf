"""Other tools that write such files: HPCCM writes one Dockerfile, TorchX shows one sbatch script."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

from processes import Command

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache" / "bench"
REQUIREMENTS = HERE / "requirements.txt"


def environment() -> Path:
    """Return the folder of programs of the tools' environment, made anew when the versions or Python changed."""
    mark = CACHE / "made-from"
    key = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    if not mark.exists() or mark.read_text() != key:
        venv.create(CACHE / "venv", clear=True, with_pip=True)
        pip = [str(CACHE / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", "--requirement", str(REQUIREMENTS)], check=True)
        mark.write_text(key)
    return CACHE / "venv" / "bin"


def hpccm(programs: Path) -> Command:
    """Write the Dockerfile of a recipe with a base, packages, a variable and a folder."""
    return Command([str(programs / "hpccm"), "--recipe", str(HERE / "recipe.hpccm"), "--format", "docker"])


def torchx(programs: Path) -> Command:
    """Show the sbatch script of one training program on two nodes, without submitting it."""
    job = ["run", "--dryrun", "-s", "slurm", "dist.ddp", "-j", "2x8", "--script", "train.py"]
    return Command([str(programs / "torchx"), *job])
