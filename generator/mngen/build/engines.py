"""Which builder there is, and which of them has what a Dockerfile uses."""

from __future__ import annotations

import os
import re
import shutil
from importlib.util import find_spec

from mngen.build import process, sdk
from mngen.build.failures import BuildFailure
from mngen.build.fault import BuilderError
from mngen.errors import UsageError
from mngen.manifest.image import Image

BUILDERS = ("auto", "buildx", "sdk", "podman", "apptainer")

_CAN = {"buildkit": ("buildx",), "podman": ("podman", "buildx"), "classic": ("sdk", "buildx", "podman")}
"""By ``image.builder``: the builders that have every instruction it may use, the one it is meant for first."""

_LACKS = {
    "buildkit": "mounts and here-documents",
    "podman": "mounts",
}
_OLDEST_BUILDX = (0, 13)
"""The first release with ``--progress rawjson``: https://github.com/docker/buildx/releases/tag/v0.13.0"""

_MISSING = {
    "buildx": "install Docker with buildx; or set image.builder to `podman` or `classic`, and render again",
    "sdk": "start Docker, or set DOCKER_HOST to the socket of Docker or podman",
    "podman": "install podman; or set image.builder to `buildkit`, and render again",
    "apptainer": "install Apptainer, or load its module",
}


def choose(image: Image, wanted: str) -> str:
    """Return the builder to use for an image, which is there.

    Raises ``UsageError`` when the wanted one lacks what the Dockerfile uses, ``BuildFailure`` when none is there.
    """
    if wanted == "apptainer":
        if not image.apptainer:
            raise UsageError("the image has no definition file", hint="remove `apptainer: false` from the manifest")
        require("apptainer")
        return wanted
    fitting = _CAN[image.builder]
    if wanted == "auto":
        wanted = next((one for one in fitting if _is_there(one)), fitting[0])
    elif wanted not in fitting and not (wanted == "sdk" and image.builder == "podman" and _is_podman()):
        raise UsageError(
            f"the Dockerfile is rendered for `{image.builder}`: {wanted} lacks {_LACKS[image.builder]}",
            hint=f"set image.builder to `{'podman' if wanted == 'podman' else 'classic'}` and render again, "
            f"or use {' or '.join(f'`--builder {one}`' for one in fitting)}",
        )
    require(wanted)
    return wanted


def require_libraries() -> None:
    """Raise ``BuildFailure`` when a library is missing that only building, locking and inspecting need."""
    missing = [name for name in ("docker", "requests", "rich", "tenacity") if find_spec(name) is None]
    if missing:
        hint = "install them with `pip install 'mngen[build]'`"
        raise BuildFailure("libraries-missing", f"these Python packages are missing: {', '.join(missing)}", hint=hint)


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
    """Tell whether podman answers at Docker's address: its own builder stands behind Docker's interface."""
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
