"""Python environments with a real Ray each, below .cache/real; made once, kept between runs."""

import shutil
import subprocess
import sys
from collections.abc import Sequence

from lab_files import LAB
from plugin import ENVIRONMENTS

# The nodes' users cannot always reach the checkout, and an environment does not move: so it is made where the nodes
# will see it, in a mount namespace that has nothing else there.
MAKE = r"""
set -eu
mount -t tmpfs tmpfs /srv
mkdir -p "$1"
mount --bind "$2" "$1"
/usr/bin/python3 -m venv --without-pip "$1/ray-$3"
"$4" -m pip --python "$1/ray-$3/bin/python" install --quiet "ray[default]==$3"
touch "$1/ray-$3/complete"
"""


class Unavailable(RuntimeError):
    """An environment cannot be made; the text is one line for the user."""


def make(versions: Sequence[str]) -> None:
    """Make what is not there yet.

    Raises:
        Unavailable: pip failed.
    """
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    for version in versions:
        folder = ENVIRONMENTS / f"ray-{version}"
        if (folder / "complete").exists():
            continue
        shutil.rmtree(folder, ignore_errors=True)
        script = ["bash", "-c", MAKE, "make", f"{LAB}/ray", str(ENVIRONMENTS), version, sys.executable]
        command = ["unshare", "--mount", "--propagation=private", *script]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip() or "no output").splitlines()[-1]
            raise Unavailable(f"cannot install Ray {version}: {last}")
