"""Docker's classic builder through its Python SDK, on Docker's socket or on podman's.

The SDK speaks to the classic builder alone (https://github.com/docker/docker-py/issues/2230). A push that fails
raises nothing there: it is an item of the stream.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from mngen.build.fault import BuilderError, StepFailedError
from mngen.build.job import Job
from mngen.build.open_step import OpenStep
from mngen.build.redact import Redact
from mngen.build.watch import Step, Watch
from mngen.images import dockerfile
from mngen.manifest.base_image import parse_reference

if TYPE_CHECKING:
    from docker import APIClient

_STEP = re.compile(r"(?:\[(?P<stage>\d+)/\d+\] )?(?:Step|STEP) (?P<number>\d+)/(?P<total>\d+) ?: (?P<text>.*)")
_CACHED = re.compile(r" ---> Using cache|--> Using cache \w+")
_NOISE = re.compile(r"(?: ---> |--> |Removing intermediate container |COMMIT |Successfully (?:built|tagged) )")
PATIENCE = 60
"""Seconds without a word after which a request that is no build fails; builds and pushes are not bounded by it."""


@contextmanager
def client() -> Iterator[APIClient]:
    """Connect to the engine that DOCKER_HOST or the current context names. Raises ``BuilderError``."""
    from docker import APIClient  # noqa: PLC0415 - heavy
    from docker.constants import DEFAULT_DOCKER_API_VERSION  # noqa: PLC0415
    from docker.errors import DockerException  # noqa: PLC0415
    from docker.utils import kwargs_from_env  # noqa: PLC0415

    settings: dict[str, Any] = {"base_url": address(), "timeout": PATIENCE, **kwargs_from_env()}
    path = str(settings["base_url"] or "unix:///var/run/docker.sock").removeprefix("unix://")
    if path.startswith("/") and not Path(path).exists():
        raise BuilderError(f"Cannot connect to the Docker daemon at unix://{path}: there is no such socket")
    try:
        # Asked by a client of its own: one that finds out by itself leaves its socket open when there is no engine.
        with closing(APIClient(**settings, version=DEFAULT_DOCKER_API_VERSION)) as first:
            spoken = first.version(api_version=False)["ApiVersion"]
        with closing(APIClient(**settings, version=spoken)) as api:
            yield api
    except DockerException as error:
        raise BuilderError(str(getattr(error, "explanation", None) or error)) from error
    except OSError as error:
        raise BuilderError(str(error)) from error


def address() -> str | None:
    """Return the address of the client's current context, as the command line client would take it."""
    from docker.context import ContextAPI  # noqa: PLC0415 - heavy
    from docker.errors import DockerException  # noqa: PLC0415

    try:
        context = ContextAPI.get_current_context()
    except (DockerException, OSError, ValueError):
        return None
    return str(context.Host)


def build(job: Job, watch: Watch, redact: Redact) -> None:
    """Build, and give the image all its names. Raises ``StepFailedError`` or ``BuilderError``."""
    with client() as api, _context(job) as (context, name):
        stream = api.build(
            fileobj=context,
            custom_context=True,
            dockerfile=name,
            tag=job.image.reference,
            rm=True,
            forcerm=True,
            nocache=job.no_cache,
            platform=job.platform or job.image.platform or None,
            cache_from=list(job.cache_from) or None,
            decode=True,
        )
        log = Log(watch, redact)
        # Closing the stream, also on Ctrl-C, ends the build in the engine.
        with closing(stream):
            for item in stream:
                log.take(item)
        log.close()
        for reference in job.tags:
            found = parse_reference(reference)
            api.tag(job.image.reference, found.name if found else reference, found.tag if found else None)


def push(reference: str, watch: Watch, redact: Redact) -> str:
    """Push one name; return the digest that the engine gives it, empty where it does not tell.

    Raises ``BuilderError`` when the registry or the engine refused.
    """
    found = parse_reference(reference)
    name, tag = (found.name, found.tag) if found else (reference, "")
    digest, error = "", ""
    with client() as api:
        watch.note(f"pushing {reference}")
        with closing(api.push(name, tag=tag or None, stream=True, decode=True)) as stream:
            for item in stream:
                error = error or str(item.get("error") or "")
                digest = str((item.get("aux") or {}).get("Digest") or digest)
    if error:
        raise BuilderError(redact(error), pushing=True, reference=reference)
    return digest


def distribution_digest(reference: str) -> str:
    """Return the digest that the engine reads from the registry. Raises ``BuilderError``."""
    from docker.errors import DockerException  # noqa: PLC0415 - heavy

    with client() as api:
        try:
            ask: Callable[[str], dict[str, Any]] = api.inspect_distribution
            known = ask(reference)
            return str(known["Descriptor"]["digest"])
        except (DockerException, KeyError) as error:
            raise BuilderError(str(error)) from error


@contextmanager
def _context(job: Job) -> Iterator[tuple[Any, str]]:
    """Pack what the Dockerfile copies; give the archive, and the name of the Dockerfile in it, which no copy has.

    The SDK's own reading of ignore files is no use: it always lets ``Dockerfile`` and ``.dockerignore`` through
    (https://github.com/docker/docker-py/blob/main/docker/utils/build.py).
    """
    from docker.utils.build import create_archive  # noqa: PLC0415 - heavy

    root = Path(job.context).resolve()
    files = sorted({path for source in dockerfile.sources(job.image) for path in _below(root, source)})
    name = "Dockerfile"
    while name in files:
        name = f"mngen.{name}"
    text = Path(job.dockerfile).read_text(encoding="utf-8")
    with closing(create_archive(root=str(root), files=files, extra_files=[(name, text)])) as archive:
        yield archive, name


def _below(root: Path, source: str) -> Iterator[str]:
    """Yield a path of the folder, and all below it; links stay links. One that is absent the builder names itself."""
    place = root / source
    if os.path.lexists(place):
        yield PurePath(source).as_posix()
    for folder, folders, files in () if place.is_symlink() else os.walk(place):
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in (*folders, *files))


class Log(OpenStep):
    """What has been read so far."""

    def take(self, item: dict[str, Any]) -> None:
        """Read one item of the stream. Raises ``StepFailedError`` or ``BuilderError``."""
        if item.get("error"):
            raise self._fault(item)
        for raw in str(item.get("stream") or "").splitlines():
            self._line(self.redact(raw))

    def _line(self, line: str) -> None:
        match = _STEP.fullmatch(line)
        if match:
            self.begin(Step(match["text"], int(match["number"]), int(match["total"]), match["stage"] or ""))
        elif self.step is not None and _CACHED.fullmatch(line):
            self.step.cached = True
        elif line and not _NOISE.match(line):
            self.say(line)

    def _fault(self, item: dict[str, Any]) -> StepFailedError | BuilderError:
        text = self.redact(str(item["error"]))
        code = (item.get("errorDetail") or {}).get("code")
        if self.step is None or self.step.text.startswith("FROM ") or "no space left on device" in text:
            return BuilderError(text)
        status = int(code) if code else None
        if status is None and (match := re.search(r"(?:exit status|exit code:?) (\d+)", text)):
            status = int(match[1])
        stage = int(self.step.stage or 0)
        return StepFailedError(self.step, text, status, stage=stage, number=self.step.number)
