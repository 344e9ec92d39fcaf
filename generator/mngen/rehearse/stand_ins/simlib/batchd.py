"""slurmd's part in a batch job: runs the script on the first node, ends steps, obeys scancel and requeue.

Order of signals as seen on Slurm 22.05: whatever ends a job sends CONT and TERM to every process of its steps and
of the batch step, and KILL after KillWait; `scancel -s` reaches steps only, with `-b` the batch shell only.
"""

import os
import select
import shutil
import signal
import time
from pathlib import Path
from typing import Any

from simlib import kernel, slurm_env
from simlib.place import Sim

LIMIT_S = 30
"""From the warning to the end where the harness lets a job reach its limit."""


class BatchJob:
    """One job on its first node."""

    def __init__(self, sim: Sim, job_id: str, wake: int) -> None:
        self.sim = sim
        self.id = job_id
        self.wake = wake
        self.job: dict[str, Any] = sim.peek(f"job-{job_id}")
        self.pid = 0
        self.kill_at: float | None = None
        self.why = ""
        self.timers: list[tuple[float, dict[str, Any]]] = []

    def update(self, **fields: Any) -> None:
        """Change the job's entry."""
        with self.sim.locked(f"job-{self.id}") as job:
            job.update(fields)
        self.job = self.sim.peek(f"job-{self.id}")

    def note(self, text: str) -> None:
        """A line of slurmstepd in the job's output."""
        if self.job["stderr_path"] and Path(self.job["stderr_path"]).exists():
            with Path(self.job["stderr_path"]).open("a") as out:
                out.write(
                    f"slurmstepd-{self.job['nodes'][0]}: error: *** JOB {self.id} ON {self.job['nodes'][0]} {text} ***\n"
                )

    def open_outputs(self) -> tuple[int, int] | None:
        """Files for stdout and stderr; None where Slurm cannot open them (before 23.02 it makes no folder)."""
        fds = []
        append = self.job["open_mode"] == "append"
        for path in (self.job["stdout_path"], self.job["stderr_path"]):
            if self.sim.version("slurm") >= (23, 2):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            mode = os.O_APPEND if append or fds else os.O_TRUNC | os.O_APPEND
            try:
                fds.append(os.open(path, os.O_WRONLY | os.O_CREAT | mode, 0o644))
            except OSError:
                return None
        return fds[0], fds[1]

    def start(self) -> bool:
        """Copy the script to the spool folder and start it."""
        spool = self.sim.root / "spool" / self.job["nodes"][0] / f"job{int(self.id):05d}"
        spool.mkdir(parents=True, exist_ok=True)
        script = spool / "slurm_script"
        shutil.copyfile(self.job["script"], script)
        script.chmod(0o700)
        outputs = self.open_outputs()
        if outputs is None:
            return False
        env = {**self.job["submit_env"], **slurm_env.batch(self.sim.config, self.job, self.job["restarts"])}
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self._exec(script, env, outputs)
            finally:
                os._exit(126)
        for fd in outputs:
            os.close(fd)
        return True

    def _exec(self, script: Path, env: dict[str, str], outputs: tuple[int, int]) -> None:
        os.setsid()
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(outputs[0], 1)
        os.dup2(outputs[1], 2)
        os.closerange(3, 256)
        try:
            os.chdir(self.job["chdir"])
        except OSError:
            os.write(2, f"slurmstepd: error: couldn't chdir to `{self.job['chdir']}': going to /tmp instead\n".encode())
            os.chdir("/tmp")
        env["SLURM_TASK_PID"] = str(os.getpid())
        os.execve(script, [str(script), *self.job["args"]], self.sim.local(env))

    def step_processes(self) -> list[int]:
        """Every process of every step, on all nodes."""
        found = []
        for step in self.sim.peek(f"steps-{self.id}").values():
            for daemon in step["tasks"].values():
                found += kernel.descendants(daemon)
        return found

    def step_hears(self) -> list[int]:
        """Those of its steps' processes that get a signal other than KILL."""
        daemons = [pid for step in self.sim.peek(f"steps-{self.id}").values() for pid in step["tasks"].values()]
        return [pid for daemon in daemons for pid in kernel.heard_by(daemon, self.sim.config["slurm"]["proctrack"])]

    def end(self, why: str, note: str) -> None:
        """Begin to end everything of this job."""
        if self.kill_at is None:
            self.why = self.why or why
            self.update(ending=True)
            if note:
                self.note(note)
            everything = self.step_hears() + kernel.heard_by(os.getpid(), self.sim.config["slurm"]["proctrack"])
            kernel.signal_all(everything, signal.SIGCONT)
            kernel.signal_all(everything, signal.SIGTERM)
            self.kill_at = time.monotonic() + self.sim.config["slurm"]["kill_wait"]

    def obey(self, command: dict[str, Any]) -> None:
        """One command of scancel, scontrol or a timer."""
        do = command["do"]
        if do == "cancel":
            self.end("CANCELLED", "CANCELLED AT 2026-01-01T00:00:00")
        elif do == "timeout":
            self.end("TIMEOUT", "CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT")
        elif do == "time_limit":
            warned = self.job["signal"]
            if warned:
                self.obey({"do": "signal", "full": False, **warned})
            self.timers.append((time.monotonic() + (LIMIT_S if warned else 0), {"do": "timeout"}))
        elif do == "requeue":
            self.end("REQUEUE", "CANCELLED AT 2026-01-01T00:00:00 DUE TO JOB REQUEUE")
            # It brings back a job that is being cancelled, too: _job_requeue_op, "support requeue of done/exit/exiting
            # jobs", https://github.com/SchedMD/slurm/blob/master/src/slurmctld/job_mgr.c
            self.why = "REQUEUE"
        elif do == "signal":
            if command["batch"] or command["full"]:
                kernel.signal_all([self.pid], command["number"])
            if not command["batch"]:
                kernel.signal_all(self.step_hears(), command["number"])

    def commands(self) -> None:
        """Commands that have come, and timers that are due."""
        with self.sim.locked(f"commands-{self.id}") as queue:
            due = queue.pop("list", [])
        now = time.monotonic()
        due += [command for at, command in self.timers if at <= now]
        self.timers = [(at, command) for at, command in self.timers if at > now]
        for command in due:
            self.obey(command)

    def reap(self) -> int | None:
        """The script's wait status once it has ended."""
        status = None
        while True:
            try:
                pid, ended = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return status
            if pid == 0:
                return status
            if pid == self.pid:
                status = ended

    def attempt(self) -> int:
        """Run the script once; its wait status."""
        now = time.monotonic()
        self.timers = []
        if self.job["limit"]:
            warn, kill = self.job["limit"]
            if self.job["signal"]:
                self.timers.append((now + warn, {"do": "signal", "full": False, **self.job["signal"]}))
            self.timers.append((now + kill, {"do": "timeout"}))
        status = None
        while status is None:
            ready, _, _ = select.select([self.wake], [], [], 0.05 if self.timers or self.kill_at else 1.0)
            if ready:
                os.read(self.wake, 4096)
            self.commands()
            if self.kill_at is not None and time.monotonic() > self.kill_at:
                kernel.signal_all(self.step_processes() + kernel.descendants(os.getpid()), signal.SIGKILL)
            status = self.reap()
        return status

    def finish_steps(self) -> None:
        """After the script: what is left of steps gets TERM, then KILL; the batch step is emptied as proctrack does."""
        deadline = self.kill_at or time.monotonic() + self.sim.config["slurm"]["kill_wait"]
        self.update(ending=True)
        left = self.step_hears()
        if left and self.kill_at is None:
            kernel.signal_all(left, signal.SIGCONT)
            kernel.signal_all(left, signal.SIGTERM)
        while self.step_processes():
            if time.monotonic() > deadline:
                kernel.signal_all(self.step_processes(), signal.SIGKILL)
            time.sleep(0.02)
            self.reap()
        if self.sim.config["slurm"]["proctrack"] == "cgroup":
            kernel.kill_tree(os.getpid())


def run(sim: Sim, args: dict[str, Any], _fds: list[int]) -> int:
    """Run a job to its end, again after each requeue."""
    kernel.prctl(kernel.PR_SET_NAME, b"sim-batchd")
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    for number in (signal.SIGCHLD, signal.SIGUSR1):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    while True:
        batch = BatchJob(sim, args["job"], wake_read)
        batch.update(state="RUNNING", ending=False, daemon=os.getpid(), started=time.time())
        if not batch.start():
            batch.update(state="FAILED", reason="JobLaunchFailure", exit_code=1, exit_signal=0)
            return 1
        status = batch.attempt()
        batch.finish_steps()
        code, number = (0, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (os.WEXITSTATUS(status), 0)
        if batch.why == "REQUEUE" and batch.job["restarts"] < 5:
            batch.update(state="PENDING", reason="BeginTime", restarts=batch.job["restarts"] + 1)
            time.sleep(sim.config["slurm"]["requeue_delay"])
            continue
        state = batch.why or ("COMPLETED" if code == 0 and number == 0 else "FAILED")
        batch.update(state=state, exit_code=code, exit_signal=number)
        return 0
