"""A SIF, from the definition file or from the image that was just built; Apptainer needs no privileges for either."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from mngen.build import commands, process
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.fault import BuilderError, StepFailedError
from mngen.build.job import Job
from mngen.build.names import location
from mngen.build.open_step import OpenStep
from mngen.build.redact import Redact
from mngen.build.run import Built, step_failure
from mngen.build.watch import Step, Watch
from mngen.images import apptainer

_SECTION = re.compile(r"while running %?(?P<section>\w+) section: exit status (?P<status>\d+)")
_TEST = re.compile(r"failed to execute %test script: exit status (?P<status>\d+)")
_LEVEL = re.compile(r"(?:INFO|WARNING|FATAL|ERROR|VERBOSE): +(?P<text>.*)")


class Sif(Struct, frozen=True):
    """A SIF that was built."""

    path: str
    sha256: str
    source: str
    """What it was built from: a definition file, or ``docker-daemon:``, ``oci-archive:``, ``docker:`` and a name."""


class SifWorker(Struct, frozen=True):
    """Builds SIFs."""

    watch: Watch
    redact: Redact

    def from_definition(self, job: Job, target: Path) -> Sif:
        """Build from the definition file. Raises ``StepFailure`` or ``BuildFailure``."""
        return self._build(job, target, job.definition, None)

    def from_image(self, job: Job, built: Built, target: Path) -> Sif:
        """Build from an image that an engine or a registry has; its self-test becomes ``%test``."""
        with _source(job, built) as source, tempfile.TemporaryDirectory(prefix="mngen-") as folder:
            definition = Path(folder) / "image.def"
            definition.write_text(apptainer.wrapping(job.image, *source), encoding="utf-8")
            return self._build(job, target, f"{source[0]}:{source[1]}", str(definition))

    def _build(self, job: Job, target: Path, source: str, definition: str | None) -> Sif:
        # A name of its own until it is whole: Apptainer leaves what it has when it is killed.
        part = target.with_name(f".{target.name}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        log = _Log(self.watch, self.redact)
        try:
            command = commands.apptainer(job, str(part.absolute()), definition, tests=definition is not None)
            status = process.stream(command, log.take)
            if status != 0:
                raise log.fault()
            part.replace(target)
        except StepFailedError as fault:
            raise step_failure(job, fault) from fault
        except BuilderError as error:
            raise _typed(error, job, source) from error
        finally:
            part.unlink(missing_ok=True)
        log.close()
        return Sif(str(target), f"sha256:{file_digest(target)}", source)


def file_digest(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal digits."""
    with path.open("rb") as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def _source(job: Job, built: Built) -> Iterator[tuple[str, str]]:
    """Yield the bootstrap agent and the name under which Apptainer finds the image."""
    pushed = built.digests.get(job.image.reference)
    place = location(job.image.reference)
    if pushed and place is not None:
        yield "docker", f"{place.name}@{pushed}"
    elif built.builder == "podman":
        with tempfile.TemporaryDirectory(prefix="mngen-") as folder:
            archive = f"{folder}/image.tar"
            argv = ("podman", "save", "--quiet", "--format", "oci-archive", "--output", archive, job.image.reference)
            status, said = process.capture(argv, seconds=3600)
            if status != 0:
                raise BuilderError(said)
            yield "oci-archive", archive
    else:
        yield "docker-daemon", job.image.reference


def _typed(error: BuilderError, job: Job, source: str) -> BuildFailure:
    place = location(job.image.base)
    scene = Scene(
        program="apptainer",
        reference=job.image.base if source == job.definition else job.image.reference,
        registry=place.host if place else "",
        address=os.environ.get("DOCKER_HOST", ""),
    )
    return classify(error.said, scene)


class _Log(OpenStep):
    def take(self, raw: str) -> None:
        """Read one line of output: Apptainer's own words have a level in front."""
        line = re.sub(r"\x1b\[[0-9;]*m", "", self.redact(raw))
        match = _LEVEL.fullmatch(line)
        self.keep(match["text"] if match else line)
        if match and match["text"].startswith(("Running ", "Starting build", "Creating SIF", "Copying ")):
            self.begin(Step(match["text"]))
        elif not match:
            self.say(line)

    def fault(self) -> StepFailedError | BuilderError:
        """Return what went wrong."""
        said = "\n".join(self.lines)
        match = _TEST.search(said) or _SECTION.search(said)
        if match is None or "no space left on device" in said:
            return BuilderError(said)
        section = match.groupdict().get("section") or "test"
        step = Step(f"%{section}", lines=list(self.step.lines) if self.step else [])
        return StepFailedError(step, said, int(match["status"]))
