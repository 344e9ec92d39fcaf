"""One image from its rendered files to the digest in its registry."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from mngen.build import buildx, credentials, engines, instructions, podman, registry, sdk
from mngen.build.advice import advise
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.fault import BuilderError, StepFailedError
from mngen.build.job import Job
from mngen.build.names import location, registry_of
from mngen.build.redact import Redact
from mngen.build.watch import Count, Step, Watch
from mngen.diagnostics import Diagnostic, Severity
from mngen.errors import FindingsError
from mngen.images import dockerfile, order
from mngen.manifest.image import Image

PUSHES = 5
"""How often a push is tried. BuildKit and docker try a layer again by themselves, but never a manifest."""


class StepFailure(FindingsError):
    """An instruction of the image failed; ``tail`` is what it printed last."""

    def __init__(self, diagnostic: Diagnostic, tail: Sequence[str]) -> None:
        super().__init__((diagnostic,))
        self.tail = tuple(tail)


class Built(Struct, frozen=True, kw_only=True):
    """What came of a build."""

    image: Image
    builder: str
    references: tuple[str, ...]
    digests: dict[str, str] = field(default_factory=dict)
    """By reference, the digest that the registry has for it now; empty without a push."""
    count: Count
    seconds: float


class Worker(Struct, frozen=True):
    """Builds and pushes with one builder."""

    builder: str
    watch: Watch
    redact: Redact
    ca_bundle: str = ""
    pause: float = 2.0
    """Seconds before the second try of a push; each later pause is about twice as long."""

    def make(self, job: Job) -> Built:
        """Build, push when the job says so, and read the digests back.

        Raises ``StepFailure`` for a fault of the image, ``BuildFailure`` for what stands in its way.
        """
        began, watch = time.monotonic(), _Counting(self.watch)
        try:
            told = self._build(job, watch)
        except StepFailedError as fault:
            raise step_failure(job, fault) from fault
        digests = {reference: self._read_back(reference, told.get(reference, "")) for reference in told}
        return Built(
            image=job.image,
            builder=self.builder,
            references=job.references,
            digests=digests,
            count=watch.count,
            seconds=time.monotonic() - began,
        )

    def _build(self, job: Job, watch: Watch) -> dict[str, str]:
        """Return what was pushed, with the digests that the builder gives it."""
        if self.builder == "buildx":
            build = partial(self._typed, job, partial(buildx.build, job, watch, self.redact))
            if job.push:
                return dict.fromkeys(job.references, self._trying(build))
            build()
            return {}
        module = podman if self.builder == "podman" else sdk
        self._typed(job, partial(module.build, job, watch, self.redact))
        names = job.references if job.push else ()
        pushes = {name: partial(self._typed, job, partial(module.push, name, watch, self.redact)) for name in names}
        return {name: self._trying(push) for name, push in pushes.items()}

    def _typed(self, job: Job, action: Callable[[], str | None]) -> str:
        try:
            return action() or ""
        except BuilderError as error:
            raise classify(error.said, self._scene(job, error)) from error

    def _scene(self, job: Job, error: BuilderError) -> Scene:
        reference = error.reference or _meant(job, error)
        host = registry_of(reference)
        return Scene(
            program="podman" if self.builder == "podman" else "docker",
            doing="push" if error.pushing else "build",
            reference=reference,
            registry=host,
            logged_in=credentials.login(host).known,
            address=engines.address(self.builder),
        )

    def _trying(self, push: Callable[[], str]) -> str:
        """Push, again and again with growing pauses while that can help."""
        from tenacity import RetryCallState, Retrying, retry_if_exception  # noqa: PLC0415 - only for pushes
        from tenacity.stop import stop_after_attempt  # noqa: PLC0415
        from tenacity.wait import wait_exponential, wait_random  # noqa: PLC0415

        def tell(state: RetryCallState) -> None:
            error = state.outcome.exception() if state.outcome else None
            pause = state.next_action.sleep if state.next_action else 0
            message = error.message if isinstance(error, BuildFailure) else ""
            self.watch.note(f"{message}; push {state.attempt_number + 1} of {PUSHES} in {pause:.0f} s")

        retrying = Retrying(
            stop=stop_after_attempt(PUSHES),
            wait=wait_exponential(multiplier=self.pause, max=60) + wait_random(0, self.pause / 2),
            retry=retry_if_exception(lambda error: isinstance(error, BuildFailure) and error.passing),
            before_sleep=tell,
            reraise=True,
        )
        return retrying(push)

    def _read_back(self, reference: str, told: str) -> str:
        """Return the digest that the registry has; what the builder told must be the same."""
        found = self._ask(reference)
        if told and told != found:
            raise BuildFailure(
                "digest-differs",
                f"`{reference}` is {found} in its registry, but {told} was pushed",
                hint="somebody else pushes to this tag; give each build a tag of its own",
            )
        return found

    def _ask(self, reference: str) -> str:
        """Ask the registry from here, else through the engine: it may stand where this process cannot reach."""
        try:
            return registry.read_digest(reference, self.ca_bundle)
        except BuildFailure as failure:
            if self.builder == "podman" or failure.kind == "base-unknown":
                raise
            try:
                return sdk.distribution_digest(reference)
            except BuilderError:
                raise failure from None


class _Counting:
    """A watch that counts, and hands on what it sees."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.count = Count()

    def started(self, step: Step) -> None:
        self._watch.started(step)

    def said(self, step: Step, line: str) -> None:
        self._watch.said(step, line)

    def ended(self, step: Step) -> None:
        self.count.add(step)
        self._watch.ended(step)

    def note(self, text: str) -> None:
        self._watch.note(text)


def _meant(job: Job, error: BuilderError) -> str:
    """Return the reference that an error is about: one that it names, else the likely one."""
    bases = [stage.base for stage in order.recipe(job.image).stages]
    names = job.references if error.pushing else bases
    for name in names:
        place = location(name)
        if place is not None and (name in error.said or f"{place.path}:{place.tag}" in error.said):
            return name
    return names[0] if error.pushing else names[-1]


def step_failure(job: Job, fault: StepFailedError) -> StepFailure:
    """Return the failure of an instruction, or of a definition file's section, with the place it came from."""
    image = job.image
    read = instructions.read(Path(job.dockerfile).read_text(encoding="utf-8"))
    found = None if fault.step.text.startswith("%") else _instruction(read, fault)
    name = instructions.origin(dockerfile.places(image), found) if found else ""
    ended = "failed" if fault.status is None else f"ended with status {fault.status}"
    place = f", line {found.line} of {job.dockerfile}" if found else ""
    said = " ".join(fault.step.text.split())
    shown = said if len(said) <= 100 else f"{said[:100]}…"
    made = f"image.{name}" if name else "the image"
    last = fault.step.lines or fault.reason.splitlines()
    helps = advise(last, fault.status)
    diagnostic = Diagnostic(
        "MN602",
        Severity.ERROR,
        f"{made}: `{shown}` {ended}{place}",
        image.span(name),
        helps or "what the step said last stands above; nothing was pushed",
    )
    return StepFailure(diagnostic, last[-20:])


def _instruction(read: Sequence[instructions.Instruction], fault: StepFailedError) -> instructions.Instruction | None:
    if fault.line:
        return instructions.at_line(read, fault.line)
    if fault.stage:
        return next((one for one in read if (one.stage, one.number) == (fault.stage, fault.number)), None)
    # The classic builder counts through all stages.
    return read[fault.number - 1] if 0 < fault.number <= len(read) else None
