"""BuildKit through ``docker buildx build``, which reports as lines of JSON.

The lines are BuildKit's ``SolveStatus`` (https://github.com/moby/buildkit/blob/master/client/graph.go), printed for
``--progress rawjson``, which buildx has from 0.13 on.
"""

from __future__ import annotations

import base64
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mngen.build import commands, process
from mngen.build.fault import BuilderError, StepFailedError
from mngen.build.job import Job
from mngen.build.redact import Redact
from mngen.build.watch import Step, Watch

_NAME = re.compile(r"\[(?:(?P<stage>[^\s\]]+) )? *(?P<number>\d+)/(?P<total>\d+)\] (?P<text>.*)", re.DOTALL)
_PLACE = re.compile(r"\S*Dockerfile:(\d+)")
_STATUS = re.compile(r"did not complete successfully: exit code: (\d+)")


def build(job: Job, watch: Watch, redact: Redact) -> str:
    """Build, and push when the job says so; return the digest that BuildKit gives the image.

    Raises ``StepFailedError`` when an instruction failed, ``BuilderError`` for anything else.
    """
    with tempfile.TemporaryDirectory(prefix="mngen-") as folder:
        metadata = Path(folder) / "metadata.json"
        command = commands.buildx(job, "--progress", "rawjson", "--metadata-file", str(metadata))
        log = Log(watch, redact)
        status = process.stream(command, log.take)
        if status != 0:
            raise log.fault(job)
        known: dict[str, Any] = json.loads(metadata.read_text(encoding="utf-8")) if metadata.exists() else {}
    return str(known.get("containerimage.digest", ""))


class Log(Struct):
    """What has been read so far."""

    watch: Watch
    redact: Redact
    steps: dict[str, Step] = field(default_factory=dict)
    """Instructions by vertex."""
    names: dict[str, str] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    pushes: set[str] = field(default_factory=set)
    failed: str = ""
    """The vertex that failed first."""
    error: str = ""
    words: list[str] = field(default_factory=list)
    """Lines that are no JSON: what the client itself says at the end."""
    _partial: dict[str, bytes] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Read one line of output."""
        if line.startswith("{"):
            try:
                status = json.loads(line)
            except ValueError:
                self.words.append(self.redact(line))
                return
            for vertex in status.get("vertexes") or ():
                self._vertex(vertex)
            for entry in status.get("logs") or ():
                self._log(entry["vertex"], base64.b64decode(entry.get("data") or ""))
        elif line.strip():
            self.words.append(self.redact(line))

    def fault(self, job: Job) -> StepFailedError | BuilderError:
        """Return what went wrong."""
        said = "\n".join(self.words)
        name = self.names.get(self.failed, "")
        step = self.steps.get(self.failed)
        match = _STATUS.search(self.error)
        text = self.error or said
        # A full disk also shows as a step that failed; what helps is room, not another step.
        if step is not None and not step.text.startswith("FROM ") and "no space left on device" not in text:
            place = _PLACE.search(said)
            line = int(place[1]) if place else 0
            return StepFailedError(step, text, int(match[1]) if match else None, line)
        pushing = job.push and bool(re.match(r"(?:pushing|exporting)\b", name))
        return BuilderError("\n".join(filter(None, (text, said if text != said else ""))), pushing=pushing)

    def _vertex(self, vertex: dict[str, Any]) -> None:
        digest, name = vertex["digest"], self.redact(vertex.get("name", ""))
        self.names[digest] = name
        if vertex.get("started") and digest not in self.steps:
            match = _NAME.fullmatch(name)
            if match:
                count = int(match["number"]), int(match["total"])
                self.steps[digest] = Step(match["text"], *count, match["stage"] or "")
                self.watch.started(self.steps[digest])
            elif name.startswith("pushing ") and digest not in self.pushes:
                self.pushes.add(digest)
                self.watch.note(name)
        error = vertex.get("error", "")
        if error and not self.failed and not error.endswith("context canceled"):
            self.failed, self.error = digest, self.redact(error)
        step = self.steps.get(digest)
        if vertex.get("completed") and step is not None and digest not in self.ended:
            self._flush(digest, step)
            self.ended.add(digest)
            step.cached = bool(vertex.get("cached"))
            if not error:
                self.watch.ended(step)

    def _log(self, digest: str, data: bytes) -> None:
        step = self.steps.get(digest)
        if step is None:
            return
        *lines, rest = (self._partial.get(digest, b"") + data).split(b"\n")
        self._partial[digest] = rest
        for line in lines:
            self._say(step, line)

    def _flush(self, digest: str, step: Step) -> None:
        rest = self._partial.pop(digest, b"")
        if rest:
            self._say(step, rest)

    def _say(self, step: Step, raw: bytes) -> None:
        line = self.redact(raw.decode("utf-8", "replace").rstrip("\r"))
        step.say(line)
        self.watch.said(step, line)
