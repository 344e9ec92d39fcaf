"""Builds, pushes and reads images with real container engines; `make test-real` calls this.

Packages are kept below .cache/engines and nothing is installed on the machine itself. What a run makes lives in
namespaces that the kernel ends when this process dies, whichever way.

usage: run.py --get            fetch what is needed, and no more
       run.py [PYTEST ...]     with arguments for pytest, such as -k podman
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

import pytest
from room import HERE, LAYER, ROOT

RELABEL = ROOT / "tests" / "real" / "lab" / "glibc_relabel.py"


class Unavailable(RuntimeError):
    """This machine cannot run it; the text is one line for the user."""


def check_machine() -> None:
    """Refuse a machine on which no room can be made.

    Raises:
        Unavailable: It is not Debian's, or this is not root.
    """
    if os.geteuid() != 0:
        raise Unavailable("needs root, for namespaces and container engines; run: sudo make test-real")
    if shutil.which("apt-get") is None:
        raise Unavailable("needs Debian: the engines come from its packages")


def make_layer() -> None:
    """Install the packages, unless that was done with the same list on the same machine.

    Raises:
        Unavailable: They cannot be had.
    """
    script, mark = HERE / "layer.sh", LAYER.with_name("made-from")
    parts = (script, RELABEL, Path("/etc/os-release"))
    key = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
    if mark.exists() and mark.read_text() == key:
        return
    sys.stderr.write("engines: getting docker, podman, apptainer and a registry\n")
    mark.unlink(missing_ok=True)
    shutil.rmtree(LAYER, ignore_errors=True)
    LAYER.parent.mkdir(parents=True, exist_ok=True)
    alone = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"]
    command = [*alone, "--propagation=private", "bash", str(script), str(LAYER), str(RELABEL)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(LAYER, ignore_errors=True)
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise Unavailable(f"cannot get the engines: {last}")
    mark.write_text(key)


def interrupted(number: int, _frame: FrameType | None) -> None:
    """Let a signal unwind the run as Ctrl-C does."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> int:
    """The exit status: pytest's own, or 3 when this machine cannot run it."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        check_machine()
        make_layer()
        if sys.argv[1:] == ["--get"]:
            return 0
    except Unavailable as error:
        sys.stderr.write(f"engines: {error}\n")
        return 3
    except KeyboardInterrupt:
        return 130
    return int(pytest.main(["-c", str(HERE / "pytest.ini"), "--rootdir", str(HERE), "-v", *sys.argv[1:], str(HERE)]))


if __name__ == "__main__":
    sys.exit(main())
