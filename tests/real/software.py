"""What the labs need, below .cache/real: a layer of Debian packages, and an environment for each Ray.

The machine itself stays as it is: packages are installed into an overlay of its root file system.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from jobs import ROOT
from lab_files import LAB

HERE = Path(__file__).resolve().parent
CACHE = ROOT / ".cache" / "real"
LAYER = CACHE / "debian"
RAY = CACHE / "ray"
RELABEL = HERE / "lab" / "glibc_relabel.py"
# The nodes' users cannot always reach the checkout, and an environment does not move: so it is made where the nodes
# will see it, in a mount namespace that has nothing else there.
MAKE_RAY = r"""
set -eu
mount -t tmpfs tmpfs /srv
mkdir -p "$1"
mount --bind "$2" "$1"
/usr/bin/python3 -m venv --without-pip "$1/ray-$3"
"$4" -m pip --python "$1/ray-$3/bin/python" install --quiet "ray[default]==$3"
"""


class Unavailable(RuntimeError):
    """This machine cannot have something; the text is one line for the user."""


def check_machine() -> None:
    """Refuse a machine on which the labs cannot run.

    Raises:
        Unavailable: It is not Debian's, this is not root, or something is missing.
    """
    if os.geteuid() != 0:
        raise Unavailable("needs root, for namespaces and Slurm's daemons; run: sudo make test-real")
    if shutil.which("apt-get") is None or not Path("/usr/bin/python3").exists():
        raise Unavailable("needs Debian with its python3: Slurm comes from Debian's packages")
    try:
        _alone("true")
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"needs namespaces, which this machine refuses: {_last(error.stderr)}") from None


def make_layer() -> None:
    """Install the packages, unless that was done with the same list on the same machine.

    Raises:
        Unavailable: They cannot be had.
    """
    script = HERE / "lab" / "layer.sh"
    parts = [script, RELABEL, Path("/etc/os-release"), Path("/var/lib/dpkg/status")]
    _make(
        "packages of Slurm and Apptainer",
        LAYER,
        b"".join(part.read_bytes() for part in parts),
        str(script),
        str(LAYER),
        str(RELABEL),
    )


def make_rays(versions: Sequence[str]) -> None:
    """Make the environments that are not there yet.

    Raises:
        Unavailable: pip failed.
    """
    RAY.mkdir(parents=True, exist_ok=True)
    for version in versions:
        words = ["-c", MAKE_RAY, "make", f"{LAB}/ray", str(RAY), version, sys.executable]
        _make(f"Ray {version}", RAY / f"ray-{version}", MAKE_RAY.encode(), *words)


def _make(what: str, folder: Path, key: bytes, *script: str) -> None:
    """Run a bash script that makes a folder, once for each key."""
    mark, digest = folder.with_name(f"{folder.name}.made-from"), hashlib.sha256(key).hexdigest()
    if mark.exists() and mark.read_text() == digest:
        return
    sys.stderr.write(f"test-real: getting {what}\n")
    mark.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        _alone("bash", *script)
    except subprocess.CalledProcessError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unavailable(f"cannot get {what}: {_last(error.stderr)}") from None
    mark.write_text(digest)


def _alone(*command: str) -> None:
    """Run a command in mount and process namespaces, which end with it and with this process."""
    enter = [
        "setpriv",
        "--pdeathsig=KILL",
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--propagation=private",
    ]
    subprocess.run([*enter, *command], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def _last(text: str) -> str:
    """The last line that a failed command said."""
    return (text.strip() or "no message").splitlines()[-1]
