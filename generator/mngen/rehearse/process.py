"""Processes and jobs inside a simulated cluster."""

from __future__ import annotations

import json
import select
import socket
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from mngen.rehearse.stand_ins.simlib import wire

FINAL = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
KILL = 9
"""SIGKILL. Windows has no name for it, and reads this module for the help."""


class Result(Struct, frozen=True):
    """A finished process."""

    status: int
    stdout: str
    stderr: str


class JobResult(Struct, frozen=True):
    """A finished job.

    `status` is the batch script's exit status, `state` Slurm's word, `log` the text of its output file,
    `leftovers` the processes that are still there a moment later (each with node, pid, argv).
    """

    status: int
    state: str
    log: str
    submitted: Result
    leftovers: list[dict[str, Any]]
    job: dict[str, Any]


class Nodes(Protocol):
    """What processes and jobs need of the cluster that they are in."""

    root: Path
    sockets: list[socket.socket]

    def kill(self, pids: list[int], number: int = ...) -> None:
        """Signal processes."""

    def run(self, argv: list[str], *, timeout: float = ..., **where: Any) -> Result:
        """Run a process to its end."""

    def wait_for(self, condition: Any, timeout: float = ..., what: str = ...) -> Any:
        """Poll until something is true."""

    def processes(self) -> list[dict[str, Any]]:
        """Processes in the cluster now."""

    def story(self) -> str:
        """Everything worth reading after a failure."""


class Process:
    """A process inside the cluster."""

    def __init__(
        self, cluster: Nodes, argv: list[str], *, node: str, env: dict[str, str], cwd: Path, stdin: Any
    ) -> None:
        self.cluster = cluster
        folder = Path(tempfile.mkdtemp(dir=cluster.root / "spool"))
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("w") as out, self.err.open("w") as err:
            if stdin is None or isinstance(stdin, str):
                (folder / "in").write_text(stdin or "")
                stdin = (folder / "in").open()
            message = {"do": "run", "node": node, "argv": argv, "env": env, "cwd": str(cwd)}
            self.sock = wire.ask_lab(str(cluster.root), message, (stdin.fileno(), out.fileno(), err.fileno()))
            stdin.close()
        cluster.sockets.append(self.sock)
        self.pid: int = wire.receive(self.sock)[0]["pid"]
        self.status: int | None = None

    def signal(self, number: int) -> None:
        """Signal the process itself."""
        self.cluster.kill([self.pid], number)

    def poll(self) -> int | None:
        """Its status, None while it runs."""
        if self.status is None and select.select([self.sock], [], [], 0)[0]:
            self.status = wire.receive(self.sock)[0]["exit"]
        return self.status

    def wait(self, timeout: float = 10.0) -> Result:
        """Its end; TimeoutError, with the story, where it does not come."""
        if self.status is None and not select.select([self.sock], [], [], timeout)[0]:
            texts = (
                f"still running after {timeout} s",
                self.out.read_text(errors="replace"),
                self.err.read_text(errors="replace"),
            )
            raise TimeoutError("\n".join([*texts, self.cluster.story()]))
        status = self.poll()
        self.sock.close()
        return Result(status or 0, self.out.read_text(errors="replace"), self.err.read_text(errors="replace"))


class Job:
    """A submitted job."""

    def __init__(self, cluster: Nodes, submitted: Result) -> None:
        self.cluster = cluster
        self.submitted = submitted
        said = submitted.stdout.strip()
        own = self.cluster.root / "state" / f"job-{said}.json"
        # Of an array's tasks one is run, whose number is the next.
        self.id = said if own.exists() or not said.isdigit() else str(int(said) + 1)

    def entry(self) -> dict[str, Any]:
        """Slurm's view of the job."""
        path = self.cluster.root / "state" / f"job-{self.id}.json"
        found: dict[str, Any] = json.loads(path.read_text()) if self.id and path.exists() else {}
        return found

    def log(self) -> str:
        """The job's output so far."""
        path = Path(self.entry().get("stdout_path", "/nonexistent"))
        return path.read_text(errors="replace") if path.exists() else ""

    def wait_log(self, text: str, timeout: float = 10.0) -> None:
        """Wait until a text is in the output."""
        self.cluster.wait_for(lambda: text in self.log(), timeout, f"{text!r} in the log")

    def cancel(self, *options: str) -> None:
        """`scancel`, with options such as `--signal=USR1`, `--batch`."""
        self.cluster.run(["scancel", *options, self.id])

    def kill_batch_shell(self) -> None:
        """`kill -9` of the batch script."""
        self.cancel("--batch", "--signal=KILL")

    def wait(self, timeout: float = 20.0) -> JobResult:
        """The job's end."""
        if not self.id:
            return JobResult(self.submitted.status, "REFUSED", "", self.submitted, [], {})
        self.cluster.wait_for(lambda: self.entry().get("state") in FINAL, timeout, f"the end of job {self.id}")
        entry = self.entry()
        leftovers = self.cluster.processes()
        if leftovers:
            time.sleep(0.1)
            leftovers = self.cluster.processes()
        status = entry["exit_code"] if not entry["exit_signal"] else 128 + entry["exit_signal"]
        return JobResult(status, entry["state"], self.log(), self.submitted, leftovers, entry)
