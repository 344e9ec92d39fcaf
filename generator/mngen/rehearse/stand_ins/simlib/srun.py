"""`srun`: lays out a step, asks each node's daemon for its tasks, carries streams and signals.

Behaviour seen on Slurm 22.05.8: TERM, HUP and QUIT kill the tasks (SIGKILL, status 137); USR1 and USR2 reach what
hears them (`kernel.heard_by`); one INT only prints; `--kill-on-bad-exit` terminates the others; the status is the
highest, and that of a task which a signal ended is above any other.
"""

import os
import select
import signal
import socket
import sys
import time
from typing import Any

from simlib import frames, slurm_step, wire
from simlib.options import RefusedError
from simlib.place import Sim


class Step:
    """A running step, seen from `srun`."""

    def __init__(self, sim: Sim, plan: dict[str, Any]) -> None:
        self.sim = sim
        self.plan = plan
        self.controls: dict[int, socket.socket] = {}
        self.inboxes: dict[int, frames.Inbox] = {}
        self.outboxes: dict[int, frames.Outbox] = {}
        self.statuses: dict[int, int] = {}
        self.first_end: float | None = None
        self.last_interrupt = 0.0
        self.terminated = False
        self.labs = []
        for rank, node in enumerate(plan["node_of"]):
            ours, theirs = socket.socketpair()
            args = {
                "argv": plan["argv"],
                "env": plan["envs"][rank],
                "cwd": plan["cwd"],
                "rank": rank,
                "job": plan["job"],
                "step": plan["id"],
                "kill_wait": sim.config["slurm"]["kill_wait"],
                "pyxis": plan["pyxis"],
            }
            self.labs.append(
                wire.ask_lab(
                    str(sim.root), {"do": "call", "function": "stepd", "node": node, "args": args}, (theirs.fileno(),)
                )
            )
            theirs.close()
            self.controls[rank] = ours
            self.inboxes[rank] = frames.Inbox(ours)
            self.outboxes[rank] = frames.Outbox(os.dup(ours.fileno()))

    def tell(self, frame: bytes) -> None:
        """Queue a frame for every task that still runs."""
        for rank, outbox in self.outboxes.items():
            if rank not in self.statuses:
                outbox.add(frame)

    def terminate(self) -> None:
        """Ask the daemons to end all tasks."""
        if not self.terminated:
            self.terminated = True
            print(
                f"srun: launch/slurm: _step_signal: Terminating StepId={self.plan['job']}.{self.plan['id']}",
                file=sys.stderr,
            )
            self.tell(frames.pack(frames.TERMINATE))

    def on_signal(self, number: int) -> None:
        """What `srun` does with a signal of its own."""
        if number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            print("srun: forcing job termination", file=sys.stderr, flush=True)
            if not self.sim.peek(f"job-{self.plan['job']}").get("ending"):  # a job that ends has its own order
                self.tell(frames.pack(frames.SIGNAL, b"9"))
        elif number == signal.SIGINT:
            if time.monotonic() - self.last_interrupt < 1:
                print("srun: sending Ctrl-C to step", file=sys.stderr, flush=True)
                self.tell(frames.pack(frames.SIGNAL, b"2"))
            else:
                print("srun: interrupt (one more within 1 sec to abort)", file=sys.stderr, flush=True)
            self.last_interrupt = time.monotonic()
        else:
            self.tell(frames.pack(frames.SIGNAL, str(int(number)).encode()))

    def from_task(self, rank: int) -> None:
        """Output and end of one task."""
        inbox = self.inboxes[rank]
        for kind, data in inbox.read():
            if kind in (frames.STDOUT, frames.STDERR):
                self._print(rank, kind, data)
            elif kind == frames.EXIT:
                self._ended(rank, int(data))
        if inbox.ended and rank not in self.statuses:
            self._ended(rank, signal.SIGKILL)

    def _print(self, rank: int, kind: bytes, data: bytes) -> None:
        if self.plan["label"]:
            data = b"".join(f"{rank}: ".encode() + line for line in data.splitlines(keepends=True))
        target = self.plan["outputs"].get(rank, 1) if kind == frames.STDOUT else self.plan["errors"].get(rank, 2)
        try:
            while data:
                data = data[os.write(target, data) :]
        except OSError:
            return

    def _ended(self, rank: int, status: int) -> None:
        self.statuses[rank] = status
        code = wire.exit_status(status)
        where = f"srun: error: {self.plan['node_of'][rank]}: task {rank}: "
        if os.WIFSIGNALED(status):
            print(where + signal.strsignal(os.WTERMSIG(status)), file=sys.stderr, flush=True)
        elif code:
            print(where + f"Exited with exit code {code}", file=sys.stderr, flush=True)
        if self.first_end is None:
            self.first_end = time.monotonic()
        if code and self.plan["kill_on_bad_exit"] and len(self.statuses) < len(self.controls):
            self.terminate()

    def loop(self, stdin: int | None, wake: int) -> int:
        """Serve until every task has ended; the highest status."""
        while len(self.statuses) < len(self.controls):
            live = {self.controls[rank].fileno(): rank for rank in self.controls if rank not in self.statuses}
            readers = [wake, *live] + ([] if stdin is None else [stdin])
            writers = {self.outboxes[rank].fd: rank for rank in live.values() if self.outboxes[rank].waiting()}
            ready, writable = _poll(readers, list(writers), 0.5)
            for fd in ready:
                if fd == wake:
                    for number in os.read(wake, 64):
                        self.on_signal(number)
                elif fd == stdin:
                    stdin = self._feed(fd)
                elif fd in live:
                    self.from_task(live[fd])
            for fd in writable:
                self.outboxes[writers[fd]].flush()
            if (
                self.first_end is not None
                and self.plan["wait"]
                and time.monotonic() > self.first_end + self.plan["wait"]
            ):
                self.terminate()
        # A signal counts for more than any status (_task_finish in srun's launch.c).
        return max((os.WIFSIGNALED(status), wire.exit_status(status)) for status in self.statuses.values())[1]

    def _feed(self, fd: int) -> int | None:
        data = os.read(fd, 65536)
        for rank, outbox in self.outboxes.items():
            if self.plan["stdin"] in ("all", rank):
                outbox.add(frames.pack(frames.STDIN, data))
        return fd if data else None


def _poll(readers: list[int], writers: list[int], seconds: float) -> tuple[list[int], list[int]]:
    """What `select` does, for more descriptors than its 1,024: the readers and writers that need not wait."""
    poll = select.poll()
    wanted = dict.fromkeys(readers, select.POLLIN)
    for fd in writers:
        wanted[fd] = wanted.get(fd, 0) | select.POLLOUT
    for fd, events in wanted.items():
        poll.register(fd, events)
    found = dict(poll.poll(seconds * 1000))
    over = select.POLLERR | select.POLLHUP
    ready = [fd for fd in readers if found.get(fd, 0) & (select.POLLIN | over)]
    return ready, [fd for fd in writers if found.get(fd, 0) & (select.POLLOUT | over)]


def main(root: str) -> int:
    """Run `srun`."""
    sim = Sim(root)
    sim.record_call("srun", sys.argv[1:])
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for number in (
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGQUIT,
        signal.SIGINT,
        signal.SIGUSR1,
        signal.SIGUSR2,
        signal.SIGCONT,
    ):
        signal.signal(number, lambda *_: None)
    try:
        plan = slurm_step.plan(sim, sys.argv[1:])
        if plan is None:
            return 0
        slurm_step.claim(sim, plan)
    except RefusedError as error:
        print(f"srun: error: {error}", file=sys.stderr)
        return error.status
    try:
        step = Step(sim, plan)
        if plan["stdin"] is None:
            step.tell(frames.pack(frames.STDIN))
        return step.loop(None if plan["stdin"] is None else 0, wake_read)
    finally:
        slurm_step.release(sim, plan)
