"""``podman build`` and ``podman push``, which report in plain words."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from mngen.build import commands, process
from mngen.build.commands import Command
from mngen.build.fault import BuilderError, StepFailedError
from mngen.build.job import Job
from mngen.build.open_step import OpenStep
from mngen.build.redact import Redact
from mngen.build.watch import Step, Watch

_STEP = re.compile(r"(?:\[(?P<stage>\d+)/\d+\] )?STEP (?P<number>\d+)/(?P<total>\d+): (?P<text>.*)")
_CACHED = re.compile(r"--> Using cache \w+")
_FAILED = re.compile(r"^Error: .*\bbuilding at STEP ", re.MULTILINE)
_STATUS = re.compile(r"while running runtime: exit status (\d+)\s*$")


def build(job: Job, watch: Watch, redact: Redact) -> None:
    """Build. Raises ``StepFailedError`` when an instruction failed, ``BuilderError`` for anything else."""
    log = Log(watch, redact)
    status = process.stream(commands.podman(job), log.take)
    if status != 0:
        raise log.fault()
    log.close()


def push(reference: str, watch: Watch, redact: Redact) -> str:
    """Push one name; return the digest that podman gives it. Raises ``BuilderError``."""
    with tempfile.TemporaryDirectory(prefix="mngen-") as folder:
        digest = Path(folder) / "digest"
        lines: list[str] = []
        watch.note(f"pushing {reference}")
        command: Command = commands.push("podman", reference, "--digestfile", str(digest))
        if process.stream(command, lambda line: lines.append(redact(line))) != 0:
            raise BuilderError("\n".join(lines[-20:]), pushing=True, reference=reference)
        return digest.read_text(encoding="utf-8").strip() if digest.exists() else ""


class Log(OpenStep):
    """What has been read so far."""

    def take(self, raw: str) -> None:
        """Read one line of output."""
        line = self.redact(raw)
        self.keep(line)
        match = _STEP.fullmatch(line)
        if match:
            self.begin(Step(match["text"], int(match["number"]), int(match["total"]), match["stage"] or ""))
        elif self.step is not None and _CACHED.fullmatch(line):
            self.step.cached = True
        elif not line.startswith(("--> ", "COMMIT ")):
            self.say(line)

    def fault(self) -> StepFailedError | BuilderError:
        """Return what went wrong."""
        said = "\n".join(self.lines)
        match = _FAILED.search(said)
        # A full disk also shows as a step that failed; what helps is room, not another step.
        if match is None or self.step is None or "no space left on device" in said:
            return BuilderError(said)
        reason = said[match.start() :]
        self.step.lines = [line for line in self.step.lines if not line.startswith("Error: ")]
        status = _STATUS.search(reason)
        stage = int(self.step.stage or 1)
        return StepFailedError(
            self.step, reason, int(status[1]) if status else None, stage=stage, number=self.step.number
        )
