"""slurmstepd: runs one task of a step on its node, apart from `srun`.

Seen on Slurm 22.05: signals reach every process of the step under proctrack/linuxproc; when `srun` is killed the tasks are killed at once;
what a task leaves behind dies with the step under proctrack/cgroup and lives on under proctrack/linuxproc.
"""

import os
import select
import signal
import socket
import time
from typing import Any

from simlib import frames, kernel, pyxis, wire
from simlib.options import RefusedError
from simlib.place import Sim


def _exec(sim: Sim, args: dict[str, Any], pipes: tuple[int, int, int]) -> None:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    time.sleep(sim.fault("task_delay", 0))
    for target, fd in enumerate(pipes):
        os.dup2(fd, target)
    os.closerange(3, 256)
    env = sim.local(dict(args["env"], SLURM_TASK_PID=str(os.getpid())))
    if args.get("pyxis"):
        try:
            env = pyxis.enter(sim, args["pyxis"], env)
        except RefusedError as error:
            os.write(2, f"slurmstepd: error: {error}\n".encode())
            os._exit(1)
    else:
        try:
            os.chdir(args["cwd"])
        except OSError as error:
            os.write(
                2,
                f"slurmstepd: error: couldn't chdir to `{args['cwd']}': {error.strerror}: going to /tmp instead\n".encode(),
            )
            os.chdir("/tmp")
    try:
        os.execvpe(args["argv"][0], args["argv"], env)
    except OSError as error:
        os.write(2, f"slurmstepd: error: execve(): {args['argv'][0]}: {error.strerror}\n".encode())
        os._exit(2)


class Task:
    """One task and its streams."""

    def __init__(self, sim: Sim, args: dict[str, Any], control: socket.socket) -> None:
        self.args = args
        self.proctrack: str = sim.config["slurm"]["proctrack"]
        self.control = control
        self.inbox = frames.Inbox(control)
        self.kill_at: float | None = None
        self.status: int | None = None
        stdin_read, stdin_write = os.pipe()
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        self.outputs = {out_read: frames.STDOUT, err_read: frames.STDERR}
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _exec(sim, args, (stdin_read, out_write, err_write))
            finally:
                os._exit(1)
        for fd in (stdin_read, out_write, err_write):
            os.close(fd)
        self.stdin = frames.Outbox(stdin_write)
        self.say(frames.STARTED, str(self.pid).encode())

    def say(self, kind: bytes, data: bytes) -> None:
        """Send a frame to `srun`, if it still listens."""
        try:
            self.control.sendall(frames.pack(kind, data))
        except OSError:
            return

    def tell(self, number: int) -> None:
        """Signal what of the step hears a signal."""
        kernel.signal_all(kernel.heard_by(os.getpid(), self.proctrack), number)

    def terminate(self) -> None:
        """What slurmd does to a step that must end."""
        self.tell(signal.SIGCONT)
        self.tell(signal.SIGTERM)
        self.kill_at = time.monotonic() + self.args["kill_wait"]

    def from_srun(self) -> None:
        """Obey frames; without `srun` the step has no owner and is killed."""
        for kind, data in self.inbox.read():
            if kind == frames.STDIN:
                self.stdin.add(data)
                self.stdin.closing = self.stdin.closing or not data
            elif kind == frames.SIGNAL:
                self.tell(int(data))
            elif kind == frames.TERMINATE:
                self.terminate()
        if self.inbox.ended:
            kernel.kill_tree(os.getpid())

    def copy(self, fd: int) -> bool:
        """Forward output; False at its end."""
        data = os.read(fd, 65536)
        if data:
            self.say(self.outputs[fd], data)
            return True
        os.close(fd)
        del self.outputs[fd]
        return False

    def reap(self) -> None:
        """Collect ended processes, the task among them."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.pid:
                self.status = status

    def drain(self) -> None:
        """The output that was written before the end."""
        while self.outputs:
            ready, _, _ = select.select(list(self.outputs), [], [], 0)
            if not ready:
                return
            for fd in ready:
                self.copy(fd)

    def loop(self, wake: int) -> None:
        """Serve the task until it ends."""
        while self.status is None:
            watched = [wake, *self.outputs] + ([] if self.inbox.ended else [self.control.fileno()])
            writers = [self.stdin.fd] if self.stdin.waiting() else []
            ready, writable, _ = select.select(watched, writers, [], 0.2)
            for fd in ready:
                if fd == wake:
                    os.read(wake, 4096)
                elif fd == self.control.fileno():
                    self.from_srun()
                elif fd in self.outputs:
                    self.copy(fd)
            if writable or self.stdin.closing:
                self.stdin.flush()
            if self.kill_at is not None and time.monotonic() > self.kill_at:
                kernel.signal_all(kernel.descendants(os.getpid()), signal.SIGKILL)
            self.reap()


def run(sim: Sim, args: dict[str, Any], fds: list[int]) -> int:
    """Run one task; called in a process of the lab that is already on the node."""
    kernel.prctl(kernel.PR_SET_NAME, b"sim-stepd")
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    with sim.locked(f"steps-{args['job']}") as steps:
        steps.setdefault(args["step"], {"tasks": {}})["tasks"][str(args["rank"])] = os.getpid()
    task = Task(sim, args, socket.socket(fileno=fds[0]))
    task.loop(wake_read)
    if sim.config["slurm"]["proctrack"] == "cgroup":
        kernel.kill_tree(os.getpid())
    task.drain()
    with sim.locked(f"steps-{args['job']}") as steps:
        tasks = steps.get(args["step"], {"tasks": {}})["tasks"]
        tasks.pop(str(args["rank"]), None)
        if task.inbox.ended and not tasks:  # its `srun` was killed and cannot do this
            steps.pop(args["step"], None)
    task.say(frames.EXIT, str(task.status).encode())
    return wire.exit_status(task.status or 0)
