"""One run of ``mngen build-image``: build, push, make SIFs, and tell what came of it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mngen.build import credentials, engines
from mngen.build.abilities import refuse_ignored
from mngen.build.commands import Command
from mngen.build.failures import BuildFailure
from mngen.build.job import Job
from mngen.build.names import registry_of
from mngen.build.platforms import refuse_several
from mngen.build.redact import redactor
from mngen.build.run import Built, StepFailure, Worker
from mngen.build.sif import Sif, SifWorker
from mngen.build.watch import Watch
from mngen.cli import locks
from mngen.cli.progress import watching
from mngen.cli.reporting import Findings, Report
from mngen.cli.ui import Ui
from mngen.errors import MngenError
from mngen.images import contract
from mngen.images.lock_file import Lock
from mngen.images.lock_file import Made as LockedMade
from mngen.report.json_report import finding


class Made(Struct, frozen=True):
    """What one job gave: an image, a SIF, or both."""

    job: Job
    built: Built | None
    sif: Sif | None


class Choices(Struct, kw_only=True):
    """What the command line asks of a run, beside the jobs."""

    form: str
    builder: str
    sif: bool
    ca_bundle: str


class Building(Struct):
    """The run: its findings, and what was made so far."""

    ui: Ui
    findings: Findings
    choices: Choices
    made: list[Made] = field(default_factory=list)

    def run(self, jobs: Sequence[Job]) -> int:
        """Do it and return the exit status; what was made before a failure is told too."""
        try:
            engines.require_libraries()
            builders = [engines.choose(job.image, self.choices.builder) for job in jobs]
            for job, builder in zip(jobs, builders, strict=True):
                refuse_ignored(job, builder, self.choices.ca_bundle)
                refuse_several(job, builder, sif=self.choices.sif)
            if self.choices.sif:
                engines.require("apptainer")
            for job, builder in zip(jobs, builders, strict=True):
                self._make(job, builder)
        except (BuildFailure, StepFailure) as failure:
            return self._failed(failure)
        finally:
            self._keep()
        self.ui.data(self._text() if self.choices.form == "text" else self._json())
        return 0

    def _keep(self) -> None:
        """Keep digests of what was pushed and made in the lock file, also when a later image failed."""
        if not self.made:
            return
        folder = Path(self.made[0].job.context)
        _, _, changed = locks.change(folder, lambda lock: lock.under(self._pinned(folder)))
        if changed:
            self.ui.say(f"{locks.path_of(folder)}: digests kept; `mngen render` pins launch files to what was pushed")

    def _pinned(self, folder: Path) -> Lock:
        lock, day = Lock(), locks.today()
        for made in self.made:
            description = contract.digest(made.job.image)
            for reference, digest in (made.built.digests if made.built else {}).items():
                lock = lock.with_pushed(reference, LockedMade(digest=digest, description=description, seen=day))
            if made.sif:
                path = os.path.relpath(made.sif.path, folder)
                lock = lock.with_sif(path, LockedMade(digest=made.sif.sha256, description=description, seen=day))
        return lock

    def _make(self, job: Job, builder: str) -> None:
        bases = [job.image.base, *(stage.base for stage in job.image.stages)]
        hosts = [registry_of(name) for name in (*job.references, *bases)]
        redact = redactor(credentials.secret_texts(hosts, job.secrets))
        with watching(self.ui) as watch:
            if builder == "apptainer":
                self.ui.say(f"{job.image.variant}: {Path(job.sif)} with apptainer")
                self.made.append(Made(job, None, SifWorker(watch, redact).from_definition(job, Path(job.sif))))
                return
            self.ui.say(f"{job.image.variant}: {job.image.reference} with {builder}")
            built = Worker(builder, watch, redact, self.choices.ca_bundle).make(job)
            sif = self._sif(job, built, watch, redact) if self.choices.sif else None
        self.made.append(Made(job, built, sif))
        self.ui.say(_summary(built))

    def _sif(self, job: Job, built: Built, watch: Watch, redact: Any) -> Sif:
        return SifWorker(watch, redact).from_image(job, built, Path(job.sif))

    def _failed(self, failure: BuildFailure | StepFailure) -> int:
        if isinstance(failure, StepFailure):
            self.ui.problem("".join(f"  | {line}\n" for line in failure.tail))
            self.findings = Findings(sources=self.findings.sources)
            self.findings.add(failure.diagnostics)
            Report(self.ui, "text").emit(self.findings)
        else:
            self.ui.failed(failure.message, failure.hint)
        if self.choices.form == "json":
            self.ui.data(self._json(failure))
        return failure.exit_code

    def _text(self) -> str:
        lines = []
        for made in self.made:
            for reference in made.built.references if made.built else ():
                digest = made.built.digests.get(reference, "") if made.built else ""
                lines.append(f"{reference}@{digest}" if digest else reference)
            if made.sif:
                lines.append(made.sif.path)
        return "".join(f"{line}\n" for line in lines)

    def _json(self, failure: MngenError | None = None) -> str:
        document: dict[str, Any] = {"format": 1, "dry_run": False, "images": [_row(made) for made in self.made]}
        if failure is not None:
            document["error"] = _error(failure)
        return json.dumps(document, indent=2) + "\n"


def dry_run(planned: Sequence[tuple[Job, Sequence[Command]]], form: str) -> str:
    """Return the command lines of a run, for people or for programs."""
    if form == "text":
        return "".join(f"{one.text}\n" for _, found in planned for one in found)
    images = [
        {
            "variant": job.image.variant,
            "reference": job.image.reference,
            "commands": [_command(one) for one in found],
        }
        for job, found in planned
    ]
    return json.dumps({"format": 1, "dry_run": True, "images": images}, indent=2) + "\n"


def _command(command: Command) -> dict[str, Any]:
    read = {"input": list(command.input)} if command.input else {}
    return {"argv": list(command.argv), "env": dict(command.env), **read}


def _summary(built: Built) -> str:
    count = built.count
    return f"{built.image.variant}: {count.steps} steps, {count.cached} of them cached, {built.seconds:.1f} s"


def _row(made: Made) -> dict[str, Any]:
    row: dict[str, Any] = {"variant": made.job.image.variant, "reference": made.job.image.reference}
    if made.built:
        count = made.built.count
        row |= {
            "builder": made.built.builder,
            "names": [{"reference": name, "digest": made.built.digests.get(name)} for name in made.built.references],
            "steps": {"total": count.steps, "cached": count.cached, "ran": count.ran},
            "seconds": round(made.built.seconds, 2),
        }
    if made.sif:
        row["sif"] = {
            "path": made.sif.path,
            "sha256": made.sif.sha256.removeprefix("sha256:"),
            "source": made.sif.source,
        }
    return row


def _error(failure: MngenError) -> dict[str, Any]:
    if isinstance(failure, StepFailure):
        return {"kind": "step-failed", "finding": finding(failure.diagnostics[0]), "tail": list(failure.tail)}
    kind = failure.kind if isinstance(failure, BuildFailure) else "unknown"
    return {"kind": kind, "message": failure.message, "hint": failure.hint}
