"""What this machine must have before the labs can be made on it, and commands that end with this process."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PROBE = Path(__file__).resolve().parent / "lab" / "probe.sh"
HELPER = "/usr/lib/apt/apt-helper"
CHILDREN: set["subprocess.Popen[str]"] = set()
SPACE = 5 << 30  # bytes that all roots and environments take while they are made
MEMORY = 6 << 30  # bytes, for eight nodes with Ray
PROCESSORS = 2  # Ray gives its processes half a minute to start, which one alone does not always keep


class Unavailable(RuntimeError):
    """This machine cannot have something; the text is one line for the user."""


def check_machine() -> None:
    """Refuse a machine on which the labs cannot run.

    Raises:
        Unavailable: It is not Debian's, this is not root, or something is missing.
    """
    if os.geteuid() != 0:
        raise Unavailable("needs root, for namespaces and Slurm's daemons; run: sudo make test-real")
    if shutil.which("apt-get") is None:
        raise Unavailable("needs Debian: Slurm and the container engines come from its packages")
    for tool in ("unshare", "setpriv", "nsenter"):
        if shutil.which(tool) is None:
            raise Unavailable(f"needs {tool}, from the package util-linux")
    try:
        alone("bash", str(PROBE), namespaces=("--net", "--uts", "--ipc"))
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"this machine refuses what the nodes need: {last(error.stderr)}") from None
    processors = len(os.sched_getaffinity(0))
    if processors < PROCESSORS:
        raise Unavailable(f"needs {PROCESSORS} processors; this machine has {processors}")
    memory = min(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *_limits())
    if memory < MEMORY:
        raise Unavailable(f"needs {MEMORY >> 30} GB of memory; this machine has {memory >> 20} MB")


def _limits() -> list[int]:
    """Bytes of memory that the control group of this process may have, where it has one."""
    files = [Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")]
    return [int(text) for file in files if file.exists() and (text := file.read_text().strip()).isdigit()]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much time there is.

    Attributes:
        within: Seconds from the beginning; `None` for as much as it takes.
        began: When it began, as `time.monotonic` has it.
    """

    within: int | None
    began: float

    def check(self, needed: int) -> None:
        """Refuse to begin what takes so many seconds and cannot end in time.

        Raises:
            Unavailable: There is too little time left.
        """
        if self.within is None:
            return
        left = self.within - int(time.monotonic() - self.began)
        if left < needed:
            raise Unavailable(f"needs {-(-needed // 60)} minutes; {max(0, left // 60)} are left")


def check_sources(suites: Iterable[str], folder: Path) -> None:
    """Refuse a machine that cannot fetch what is not made yet.

    Raises:
        Unavailable: A suite or Ray cannot be had from here, or there is no room for them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < SPACE:
        raise Unavailable(f"needs {SPACE >> 30} GB of disk in {folder}; {free >> 20} MB are free")
    _check_suites(sorted(suites))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=1", "--timeout=15"]
    done = subprocess.run([*pip, "index", "versions", "ray"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"pip cannot get ray: {last(done.stderr)}")


def _check_suites(suites: Sequence[str]) -> None:
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    reasons = []
    for mirror in dict.fromkeys(listed):
        missing = [reason for suite in suites if (reason := _not_there(f"{mirror}dists/{suite}/InRelease"))]
        if not missing:
            return
        reasons += missing
    reason = (reasons or ["there are none"])[0]
    raise Unavailable(f"needs a mirror of Debian among this machine's package sources: {reason}")


def _not_there(address: str) -> str:
    """Why apt cannot fetch a file; nothing if it can."""
    with tempfile.TemporaryDirectory() as scratch:
        options = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=15", "-o", "APT::Sandbox::User=root"]
        command = [HELPER, *options, "download-file", address, f"{scratch}/file"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("E: ")]
    return (errors or ["not fetched"])[0].removeprefix("E: ") if done.returncode else ""


def alone(*command: str, namespaces: Sequence[str] = ()) -> None:
    """Run a command in namespaces of its own, which end with it and with this process."""
    run("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private", *namespaces, *command)


def has_freezer() -> bool:
    """Whether the kernel has cgroup v1's freezer, which Slurm's proctrack/cgroup works with where there is no systemd."""
    rows = [line.split() for line in Path("/proc/cgroups").read_text().splitlines()]
    return any(row[0] == "freezer" and row[1] != "0" for row in rows)


def run(*command: str) -> None:
    """Run a command that ends with this process.

    Raises:
        subprocess.CalledProcessError: It failed, or was ended.
    """
    with subprocess.Popen(
        ["setpriv", "--pdeathsig=KILL", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        CHILDREN.add(child)
        try:
            said = child.communicate()[1]
        finally:
            CHILDREN.discard(child)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command, stderr=said)


def last(text: str) -> str:
    """The last line that a failed command said."""
    return (text.strip() or "no message").splitlines()[-1]
