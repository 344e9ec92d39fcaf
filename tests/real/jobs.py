"""Jobs as a user has them: an example is rendered, brought to the cluster, submitted and followed."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lab_files
from lab import Lab, LabError, wait_until
from software import ROOT

MNGEN = Path(sys.executable).parent / "mngen"
ENDED = {
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "TIMEOUT",
}
VERDICT = re.compile(r"^mngen-verdict (\{.*\})$", re.MULTILINE)
# Ray waits half a minute for its own processes and has no option for that (`ray/_private/node.py`): a machine that is
# busy otherwise is not the job's fault.
RAYS_LIMIT = "The current node timed out during startup"
REPORT = re.compile(r"^(?:\(\w+ pid=\d+\) )?driver-report (\{.*\})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A target of a checked-in example, with what a site would change in it.

    Attributes:
        name: Folder below golden/.
        target: Name of the target.
        sets: Arguments of `--set`.
        overlay: Text of an overlay file.
        files: More files beside the manifest, by path.
    """

    name: str = "minimal"
    target: str = "slurm"
    sets: tuple[str, ...] = ()
    overlay: str = ""
    files: dict[str, str] = field(default_factory=dict)

    def render(self, folder: Path, *options: str) -> str:
        """Render into a copy of the example's folder, with more options; what mngen said.

        Raises:
            LabError: It has errors.
        """
        shutil.copytree(ROOT / "golden" / self.name, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("out"))
        for path, text in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        overlay = []
        if self.overlay:
            (folder / "overlay.yaml").write_text(self.overlay)
            overlay = ["--overlay", "overlay.yaml"]
        sets = [word for each in self.sets for word in ("--set", each)]
        command = [
            str(MNGEN),
            "render",
            "manifest.yaml",
            "-o",
            "out",
            "--target",
            self.target,
            *overlay,
            *sets,
            *options,
        ]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        if done.returncode:
            raise LabError(done.stdout + done.stderr)
        return done.stdout + done.stderr


@dataclass(slots=True)
class Job:
    """A submitted job.

    Attributes:
        lab: Where it runs.
        number: Slurm's number.
        folder: The manifest's folder, as the lab sees it.
        user: Who submitted it.
    """

    lab: Lab
    number: str
    folder: str
    user: str
    began: float = field(default_factory=time.monotonic)

    def show(self) -> dict[str, str]:
        """What `scontrol show job` says, one item a word."""
        argv = ("scontrol", "--oneliner", "show", "job", self.number)
        done = self.lab.run(*argv, check=False)
        if done.returncode:  # on a busy machine the controller may close a connection before it is used
            done = self.lab.run(*argv)
        text = done.stdout
        return dict(word.partition("=")[::2] for word in text.split() if "=" in word)

    def log(self) -> str:
        """The job's messages and output so far."""
        shown = self.show()
        # Slurm 26.05 names the messages' file only where it is another one.
        paths = [self.lab.path(name) for name in dict.fromkeys((shown.get("StdErr"), shown["StdOut"])) if name]
        return "".join(path.read_text(errors="replace") for path in paths if path.exists())

    def wait_for_log(self, text: str, seconds: float = 180) -> None:
        """Wait until the output has a text."""
        wait_until(f"{text!r} in the log of job {self.number}", lambda: text in self.log() or self.ended(), seconds)
        assert text in self.log(), f"the job ended without {text!r}:\n{self.log()}"

    def ended(self) -> bool:
        """Whether it has ended on all nodes."""
        return self.show()["JobState"] in ENDED

    def wait(self, seconds: float = 240) -> "Outcome":
        """Wait for the end."""
        wait_until(f"job {self.number} ends", self.ended, seconds, poll=0.5)
        shown, log = self.show(), self.log()
        return Outcome(shown["JobState"], shown["ExitCode"], log, time.monotonic() - self.began)

    def cancel(self) -> None:
        """Run `scancel` as its user."""
        self.lab.run("scancel", self.number, user=self.user)

    def nodes(self) -> list[str]:
        """The names of its nodes, the head first."""
        return self.lab.run("scontrol", "show", "hostnames", self.show()["NodeList"]).stdout.split()

    def pids(self, node: str, pattern: str, user: str | None = None) -> list[str]:
        """Processes on a node whose command line matches, oldest first, as that node numbers them.

        Those of the job's user, of another, or, with an empty name, of all.
        """
        owner = self.user if user is None else user
        of_user = ("--uid", owner) if owner else ()
        return self.lab.run("pgrep", *of_user, "--full", pattern, node=node, check=False).stdout.split()

    def kill(self, node: str, pattern: str, signal: str = "KILL") -> None:
        """Send a signal to such processes, of which there has to be one at least; a container's run as its own user."""
        pids = self.pids(node, pattern) or self.pids(node, pattern, user="")
        assert pids, f"nothing on {node} matches {pattern}"
        self.lab.run("kill", f"-{signal}", *pids, node=node)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended.

    Attributes:
        state: Slurm's word for it.
        exit_code: `STATUS:SIGNAL`, as Slurm has it.
        log: Its output.
        seconds: From submission to the end.
    """

    state: str
    exit_code: str
    log: str
    seconds: float

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The verdict of each attempt."""
        return [json.loads(text) for text in VERDICT.findall(self.log)]

    @property
    def report(self) -> dict[str, Any]:
        """What the driver of the last attempt said.

        Raises:
            AssertionError: It said nothing.
        """
        found = REPORT.findall(self.log)
        assert found, f"no report of the driver in:\n{self.log}"
        report: dict[str, Any] = json.loads(found[-1])
        return report

    def expect(self, state: str, status: int, reason: str) -> None:
        """Assert the state, the exit status and the last verdict."""
        said = {key: self.verdicts[-1][key] for key in ("status", "reason")} if self.verdicts else None
        got = (self.state, self.exit_code, said)
        assert got == (state, f"{status}:0", {"status": status, "reason": reason}), f"{got}\n{self.log}"


def submit(
    lab: Lab, example: Example, args: Sequence[str] = (), *, user: str = "alice", env: Sequence[str] = ()
) -> Job:
    """Render an example, bring it to the user's home and run its `submit.sh` there."""
    where = f"{lab_files.HOME}/{user}/work"
    with tempfile.TemporaryDirectory() as scratch:
        example.render(Path(scratch))
        lab.give(Path(scratch), where, user)
    return send(lab, where, example.target, args, user=user, env=env)


def patient(start: Callable[[], Job]) -> Outcome:
    """How a job ended; it is started again, once, when its Ray met the limit of its own."""
    outcome = start().wait()
    return start().wait() if RAYS_LIMIT in outcome.log else outcome


def send(
    lab: Lab, folder: str, target: str, args: Sequence[str] = (), *, user: str = "alice", env: Sequence[str] = ()
) -> Job:
    """Run the `submit.sh` of a target that is rendered in a folder of the lab."""
    said = lab.run(f"{folder}/out/{target}/submit.sh", *args, user=user, env=env, cwd=folder).stdout
    match = re.match(r"job (\d+) is submitted\n", said)
    assert match, said
    return Job(lab, match[1], folder, user)
