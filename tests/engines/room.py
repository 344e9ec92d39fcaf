"""A room: real container engines in namespaces of their own, which end with this process."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAYER = ROOT / ".cache" / "engines" / "layer"
ROOM = "/srv/room"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
PLAIN = "127.0.0.1:5000"
"""A registry without TLS, and Docker Hub's mirror."""
LOCKED = "10.77.0.1:5443"
"""A registry with TLS and a login, whose certificate Docker knows."""
UNTRUSTED = "10.77.0.1:5444"
"""A registry whose certificate nobody knows."""
USER, PASSWORD = "ci", "s3cret-of-ci"
SETTINGS = {
    "PATH": f"{ROOT}/.venv/bin:{PATH}",
    "LANG": "C.UTF-8",
    "DOCKER_HOST": "unix:///run/docker.sock",
    "CONTAINERS_CONF": f"{ROOM}/containers.conf",
    "CONTAINERS_REGISTRIES_CONF": f"{ROOM}/registries.conf",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class RoomError(RuntimeError):
    """The room did not start, or a command in it failed."""


class Room:
    """One room.

    Attributes:
        pid: Its first process, as the host numbers it.
    """

    def __init__(self) -> None:
        self.pid = 0
        self._process: subprocess.Popen[str] | None = None
        self._groups: set[Path] = set()

    def start(self) -> None:
        """Start it; nothing is left when that fails.

        Raises:
            RoomError: It did not start.
        """
        self._groups = control_groups()
        # The kernel kills unshare when this process dies, and unshare takes the room with it.
        enter = ["setpriv", "--pdeathsig=KILL", "unshare", "--fork", "--kill-child", "--propagation=private"]
        self._process = subprocess.Popen(
            [*enter, "--pid", "--mount", "--net", "--uts", "--ipc", "bash", str(HERE / "room.sh")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"PATH": PATH, "LAYER": str(LAYER), "ROOT": str(ROOT)},
            start_new_session=True,
        )
        try:
            self._wait(self._process)
        except BaseException:
            self.close()
            raise

    def _wait(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        limit = threading.Timer(90, process.kill)
        limit.start()
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                if line.startswith("pid "):
                    self.pid = int(line.split()[1])
                if line == "ready\n":
                    return
            raise RoomError("the room did not start:\n" + "".join(said))
        finally:
            limit.cancel()

    def close(self) -> None:
        """End everything; returns when the room's processes are gone."""
        process, self._process = self._process, None
        if process is None:
            return
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait(30)
        if process.stdout:
            process.stdout.close()
        for group in control_groups() - self._groups:
            with contextlib.suppress(OSError):  # of another room, and in use
                group.rmdir()

    def path(self, inside: str) -> Path:
        """A path inside the room, as the host reaches it. Never resolve it: that would leave the room."""
        return Path(f"/proc/{self.pid}/root{inside}")

    def command(
        self, argv: Sequence[str], *, user: str = "root", cwd: str = ROOM, env: dict[str, str] | None = None
    ) -> list[str]:
        """The command line that runs something inside."""
        home = "/root" if user == "root" else f"{ROOM}/{user}"
        variables = SETTINGS | {"HOME": home, "USER": user} | (env or {})
        become = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        enter = ["nsenter", f"--target={self.pid}", "-m", "-n", "-u", "-i", "-p"]
        return [*enter, "env", "-i", "-C", cwd, *(f"{k}={v}" for k, v in variables.items()), *become, *argv]

    def run(
        self,
        *argv: str,
        user: str = "root",
        cwd: str = ROOM,
        env: dict[str, str] | None = None,
        stdin: str = "",
        check: bool = True,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command and take its output.

        Raises:
            RoomError: It failed, and `check` was asked for.
        """
        command = self.command(argv, user=user, cwd=cwd, env=env)
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300, check=False)
        if check and done.returncode:
            raise RoomError(f"{' '.join(argv)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done


def control_groups() -> set[Path]:
    """Control groups of podman's builds, which it leaves behind empty: they are in no namespace of the room."""
    return {group for pattern in ("buildah-*", "*/buildah-*") for group in Path("/sys/fs/cgroup").glob(pattern)}


def main() -> int:
    """Run one command in a room of its own, for trying things: room.py COMMAND..."""
    room = Room()
    try:
        room.start()
        return subprocess.run(room.command(sys.argv[1:]), check=False).returncode
    finally:
        room.close()


if __name__ == "__main__":
    sys.exit(main())
