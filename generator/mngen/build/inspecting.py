"""What an image or a SIF says of itself: its labels, and what the torch guard recorded inside."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mngen.build import engines, process, sdk
from mngen.build.failures import BuildFailure, Scene, classify
from mngen.build.fault import BuilderError
from mngen.build.names import location
from mngen.build.registry import Registry
from mngen.images.contract import LABEL_PREFIX
from mngen.images.guard import RECORD


class Seen(Struct, frozen=True):
    """One image: where it was found, its labels, and the torch inside where that could be read."""

    name: str
    where: str
    """``registry``, ``docker`` (podman behind Docker's interface too), ``podman`` or ``sif``."""
    digest: str
    """The registry's digest; empty for a SIF."""
    labels: Mapping[str, str] = field(default_factory=dict)
    torch: Mapping[str, Any] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, str]:
        """The contract's facts, by their short names; empty for an image that mngen did not describe."""
        prefix = f"{LABEL_PREFIX}."
        return {name.removeprefix(prefix): value for name, value in self.labels.items() if name.startswith(prefix)}


def look(name: str, ca_bundle: str = "") -> Seen:
    """Read a SIF by its path, else an image in its registry, else one that an engine here has.

    Raises ``BuildFailure`` when it is nowhere, or cannot be read.
    """
    if name.endswith(".sif") or Path(name).is_file():
        return _sif(name)
    place = location(name)
    if place is None:
        raise BuildFailure(
            "no-reference", f"`{name}` is neither a file nor an image", hint="write PATH.sif or NAME:TAG"
        )
    try:
        registry = Registry(place.host, ca_bundle=ca_bundle)
        found = registry.find(place)
        return Seen(name, "registry", found.digest, registry.labels(place, found))
    except BuildFailure as failure:
        for local in (_docker, _podman):
            with suppress(BuildFailure, BuilderError):
                return local(name)
        raise failure from None


def _sif(path: str) -> Seen:
    if not Path(path).is_file():
        raise BuildFailure("no-file", f"there is no file `{path}`", hint="`mngen build-image --sif` makes one")
    engines.require("apptainer")
    labels = json.loads(_apptainer("inspect", "--json", "--labels", path) or "{}")
    attributes = ((labels.get("data") or {}).get("attributes") or {}).get("labels") or {}
    torch = _record(_apptainer("exec", "--contain", path, "sh", "-c", f"cat {RECORD} 2>/dev/null || true"))
    return Seen(path, "sif", "", {str(name): str(value) for name, value in attributes.items()}, torch)


def _apptainer(*words: str) -> str:
    status, said = process.capture(("apptainer", "--quiet", *words), seconds=600, merge=False)
    if status != 0:
        raise classify(said, Scene(program="apptainer", doing="read", reference=words[-1]))
    return said


def _docker(name: str) -> Seen:
    from docker.errors import DockerException  # noqa: PLC0415 - heavy

    with sdk.client() as api:
        try:
            ask: Callable[[str], dict[str, Any]] = api.inspect_image
            known = ask(name)
            container = api.create_container(name, command=["true"])["Id"]
            try:
                torch = _record(_file_of(api, container))
            finally:
                api.remove_container(container)
        except DockerException as error:
            raise BuilderError(str(error)) from error
    labels = (known.get("Config") or {}).get("Labels") or {}
    return Seen(name, "docker", _repository_digest(known), labels, torch)


def _file_of(api: Any, container: str) -> str:
    """Return the text of the record in a container that never ran; empty when there is none."""
    from docker.errors import NotFound  # noqa: PLC0415 - heavy

    try:
        stream, _ = api.get_archive(container, RECORD)
    except NotFound:
        return ""
    with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
        member = archive.extractfile(archive.getmembers()[0])
        return member.read().decode("utf-8", "replace") if member else ""


def _podman(name: str) -> Seen:
    status, said = process.capture(("podman", "image", "inspect", name), merge=False)
    if status != 0:
        raise BuilderError(said)
    known = json.loads(said)[0]
    return Seen(name, "podman", _repository_digest(known), known.get("Labels") or {})


def _repository_digest(known: Mapping[str, Any]) -> str:
    """Return the digest under which an engine pulled or pushed an image."""
    found = known.get("RepoDigests") or [""]
    return str(found[0]).rpartition("@")[2]


def _record(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
