"""A real Slurm cluster on this machine: nodes are sets of Linux namespaces inside an outer set, the lab.

Nothing of it is on the host: files lie in a tmpfs of the lab. Ending one process, the lab's first one, ends every
process, link and mount; the kernel does that by itself when the test run dies, however it dies.
"""

import contextlib
import errno
import itertools
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import lab_files
import software
from lab_files import HOME, LAB, Shape

HERE = Path(__file__).resolve().parent
# What a login shell would have; nothing of the test run's own environment goes in.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
INIT = ["bash", str(HERE / "lab" / "lab-init.sh")]
NAMESPACES = ["--pid", "--mount", "--net", "--uts", "--ipc"]
CGROUPS = Path("/sys/fs/cgroup")
NUMBERS = itertools.count()


class LabError(RuntimeError):
    """The lab did not start, or a command in it failed."""


def wait_until(what: str, done: Callable[[], bool], seconds: float, poll: float = 0.2) -> None:
    """Wait for a condition.

    Raises:
        LabError: It did not become true in time.
    """
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise LabError(f"not within {seconds:g} s: {what}")
        time.sleep(poll)


def _removed(folder: Path) -> bool:
    """Whether a control group could be removed: it may count its last process for a moment longer than anybody else."""
    try:
        folder.rmdir()
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


def _remove_groups(name: str) -> None:
    for folder in sorted(CGROUPS.glob(f"**/{name}/**/"), reverse=True):
        wait_until(f"{folder} is empty", lambda folder=folder: _removed(folder), 60)


def remove_stale_groups() -> None:
    """Remove the control groups of runs that were killed: all that a lab has outside of its namespaces."""
    for name in {folder.name for folder in CGROUPS.glob("**/mngen-real-*/")}:
        if not Path("/proc", name.split("-")[2]).exists():
            _remove_groups(name)


class Lab:
    """One cluster.

    Attributes:
        shape: What was asked for.
        pid: The lab's first process, as the host numbers it.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.roots = software.roots(shape.slurm)
        # Docker puts its containers there, below each controller of the machine.
        self.cgroup = f"mngen-real-{os.getpid()}-{next(NUMBERS)}"
        self.settings = {
            "PATH": PATH,
            "NET": shape.net,
            "GPUS": str(shape.gpus),
            "ROOTS": ":".join(map(str, self.roots)),
            "IMAGE": str(software.ENGINES),
            "RAYS": str(software.RAY),
            "ENGINE": shape.engine,
            "DATA": "1" if shape.data_network else "",
            "CGROUP": f"/{self.cgroup}",
            "TRACKING": "cgroup" if shape.cgroup else "",
        }
        self.pid = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; nothing is left when that fails.

        Raises:
            LabError: It did not start.
        """
        # The kernel kills unshare when this process dies, and unshare takes the lab with it.
        command = [
            "setpriv",
            "--pdeathsig=KILL",
            "unshare",
            "--fork",
            "--kill-child",
            *NAMESPACES,
            "--propagation=private",
        ]
        self._process = subprocess.Popen(
            [*command, *INIT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.settings,
            start_new_session=True,  # Ctrl-C is for the test run, which ends the lab in good order
        )
        try:
            self._start(self._process)
        except BaseException:
            self.close()
            raise

    def _start(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        limit = threading.Timer(self.shape.patience + 30, process.kill)
        limit.start()
        said = []
        try:
            with process.stdin as stream:
                stream.write(lab_files.archive(self.shape, self.roots))
            for raw in process.stdout:
                line = raw.decode(errors="replace").strip()
                said.append(line)
                if line.startswith("pid "):
                    self.pid = int(line.split()[1])
                if line == "ready":
                    break
            else:
                raise LabError("the lab did not start:\n" + "\n".join(said))
        finally:
            limit.cancel()
        wait_until("all nodes are idle", lambda: self.idle() == self.shape.nodes, self.shape.patience)

    def close(self) -> None:
        """End everything; returns when the lab's processes are gone."""
        process, self._process = self._process, None
        if process is None:
            return
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        else:
            process.kill()
        try:
            process.wait(120)
        finally:
            if process.stdout:
                process.stdout.close()
        _remove_groups(self.cgroup)

    def path(self, inside: str) -> Path:
        """A path inside the lab, as the host reaches it. Never resolve it: that would leave the lab."""
        return Path(f"/proc/{self.pid}/root{inside}")

    def node_pid(self, node: str) -> str:
        """The first process of a node, as the lab numbers it."""
        return self.path(f"{LAB}/nodes/{node}/pid").read_text().strip()

    def command(
        self,
        argv: Sequence[str],
        *,
        node: str | None = None,
        user: str = "root",
        env: Sequence[str] = (),
        cwd: str = "/",
    ) -> list[str]:
        """The command line that runs something on the login node or on a node."""
        enter = ["nsenter", f"--target={self.pid}", "-m", "-n", "-u", "-i", "-p"]
        if node:
            enter += ["nsenter", f"--target={self.node_pid(node)}", "-m", "-n", "-u", "-i", "-p"]
        home = "/root" if user == "root" else f"{HOME}/{user}"
        variables = [f"PATH={PATH}", f"HOME={home}", f"USER={user}", f"LOGNAME={user}", "LANG=C.UTF-8", *env]
        become = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [*enter, "env", "-i", *variables, *become, "env", "-C", cwd, *argv]

    def run(
        self,
        *argv: str,
        node: str | None = None,
        user: str = "root",
        env: Sequence[str] = (),
        cwd: str = "/",
        check: bool = True,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command and take its output.

        Raises:
            LabError: It failed, and `check` was asked for.
        """
        done = subprocess.run(
            self.command(argv, node=node, user=user, env=env, cwd=cwd),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if check and done.returncode:
            raise LabError(f"{' '.join(argv)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def idle(self) -> int:
        """How many nodes could take a job."""
        lines = self.run("sinfo", "--noheader", "--partition=main", "--format=%D %T", check=False).stdout.splitlines()
        return sum(int(count) for count, state in (line.split() for line in lines) if state == "idle")

    def crash(self, node: str) -> None:
        """End a node as a power cut would: all its processes at once."""
        self.run("kill", "-KILL", self.node_pid(node))

    def give(self, source: Path, target: str, user: str) -> None:
        """Copy a folder into the lab for a user."""
        shutil.copytree(source, self.path(target), symlinks=True, dirs_exist_ok=True)
        number = str(lab_files.USERS[user])
        self.run("chown", "--recursive", "--no-dereference", f"{number}:{number}", target)

    def folders(self, user: str, *paths: str) -> None:
        """Make folders of a user, wherever they are."""
        if paths:
            self.run("install", "--directory", f"--owner={user}", f"--group={user}", *paths)

    def save_logs(self, folder: Path) -> None:
        """Copy what Slurm, the nodes and jobs logged to a folder of the host."""
        folder.mkdir(parents=True, exist_ok=True)
        said = [*self.path(f"{LAB}/log").glob("*"), *self.path(f"{LAB}/nodes").glob("*/*.*")]
        for path in [*said, *self.path(lab_files.HOME).glob("*/work/**/*.out")]:
            if path.is_file():
                shutil.copy(path, folder / f"{path.parent.name}-{path.name}")
