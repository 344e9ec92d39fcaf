"""Which builder there is, and which of them has what a Dockerfile uses."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from importlib.util import find_spec

from mngen.build import process, sdk
from mngen.build.extra import how_to_install
from mngen.build.failures import BuildFailure
from mngen.build.fault import BuilderError
from mngen.errors import UsageError
from mngen.manifest.image import Image

BUILDERS = ("auto", "buildx", "sdk", "podman", "apptainer")

_CAN = {"buildkit": ("buildx",), "podman": ("podman", "buildx"), "classic": ("sdk", "buildx", "podman")}
"""By ``image.builder``: the builders that have every instruction it may use, the one it is meant for first."""

_LACKS = {
    ("buildkit", "podman"): "here-documents (before 5.4)",
    ("buildkit", "sdk"): "mounts and here-documents",
    ("podman", "sdk"): "mounts",
}
"""By ``image.builder`` and another builder."""
_OLDEST_BUILDX = (0, 13)
"""The first release with ``--progress rawjson``: https://github.com/docker/buildx/releases/tag/v0.13.0"""

_MISSING = {
    "buildx": "install Docker with buildx; or set image.builder to `podman` or `classic`, and render again",
    "sdk": "start Docker, or set DOCKER_HOST to the socket of Docker or podman",
    "podman": "install podman; or set image.builder to `buildkit`, and render again",
    "apptainer": "install Apptainer, or load its module",
}


def refuse_unfit(image: Image, wanted: str) -> None:
    """Raise ``UsageError`` when the wanted builder, be it there or not, lacks what the image's file uses."""
    if wanted == "auto":
        return
    if wanted == "apptainer":
        if not image.apptainer:
            raise UsageError("the image has no definition file", hint="remove `apptainer: false` from the manifest")
        return
    fitting = _CAN[image.builder]
    if wanted not in fitting and not (wanted == "sdk" and image.builder == "podman" and _is_podman()):
        raise UsageError(
            f"the Dockerfile is rendered for `{image.builder}`: {wanted} lacks {_LACKS[image.builder, wanted]}",
            hint=f"set image.builder to `{'podman' if wanted == 'podman' else 'classic'}` and render again, "
            f"or use {named(fitting)}",
        )


def meant(image: Image, wanted: str) -> str:
    """Return the builder that an image is for, unless another one is wanted; whether it is there is no matter."""
    return _CAN[image.builder][0] if wanted == "auto" else wanted


def others(image: Image, builder: str) -> tuple[str, ...]:
    """Return the other builders that have what the image's Dockerfile uses."""
    return tuple(one for one in _CAN[image.builder] if one != builder)


def named(builders: Sequence[str]) -> str:
    """Return the options that choose one of some builders."""
    return " or ".join(f"`--builder {one}`" for one in builders)


def choose(image: Image, wanted: str) -> str:
    """Return the builder to use for an image, which is there and fits. Raises ``BuildFailure`` when none is there."""
    if wanted == "auto":
        fitting = _CAN[image.builder]
        wanted = next((one for one in fitting if _is_there(one)), fitting[0])
    require(wanted)
    return wanted


def require_libraries() -> None:
    """Raise ``BuildFailure`` when a library is missing that only building, locking and inspecting need."""
    missing = [name for name in ("docker", "requests", "rich", "tenacity") if find_spec(name) is None]
    if missing:
        message = f"these Python packages are missing: {', '.join(missing)}"
        raise BuildFailure("libraries-missing", message, hint=f"install them with {how_to_install(missing)}")


def require(builder: str) -> None:
    """Raise ``BuildFailure`` when a builder is not installed, or too old. Whether its engine answers shows later."""
    if builder == "sdk":
        return
    program = "docker" if builder == "buildx" else builder
    if shutil.which(program) is None:
        raise BuildFailure("engine-missing", f"`{program}` is not installed", hint=_MISSING[builder])
    if builder == "buildx":
        _require_buildx()


def _require_buildx() -> None:
    status, said = process.capture(("docker", "buildx", "version"))
    if status != 0:
        raise BuildFailure("no-buildkit", "this Docker has no buildx", hint=_MISSING["buildx"])
    match = re.search(r"\bv?(\d+)\.(\d+)", said)
    if match and (int(match[1]), int(match[2])) < _OLDEST_BUILDX:
        oldest = ".".join(map(str, _OLDEST_BUILDX))
        raise BuildFailure(
            "no-buildkit",
            f"buildx {match[0]} is older than {oldest}",
            hint="install a newer buildx, or another builder",
        )


def _is_podman() -> bool:
    """Tell whether podman answers at Docker's address: its own builder stands behind Docker's interface.

    Without the library there is nobody to ask; a build says that it is missing.
    """
    if find_spec("docker") is None:
        return True
    try:
        with sdk.client() as api:
            parts = api.version(api_version=False).get("Components") or ()
    except BuilderError:
        return False
    return any(part.get("Name") == "Podman Engine" for part in parts)


def _is_there(builder: str) -> bool:
    try:
        require(builder)
        if builder == "sdk":
            with sdk.client():
                pass
    except (BuildFailure, BuilderError):
        return False
    return True


def address(builder: str) -> str:
    """Return where a builder looks for its engine."""
    if builder in {"podman", "apptainer"}:
        return os.environ.get("CONTAINER_HOST") or "this machine"
    return os.environ.get("DOCKER_HOST") or sdk.address() or "unix:///var/run/docker.sock"
