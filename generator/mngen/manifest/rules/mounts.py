"""``mounts``, ``workdir`` and ``code.to``: absolute, once each, and not over the system's own folders."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.model import Mount, Runtime, Target
from mngen.manifest.rules.finding import finding, graded, spelled, warning

_SYSTEM = frozenset({"/", "/proc", "/sys", "/dev", "/etc", "/usr", "/bin", "/lib", "/lib64", "/sbin", "/run", "/var"})
_BUCKETS = ("s3://", "gs://", "r2://", "cos://", "oci://", "https://", "azure://", "nebius://", "coreweave://")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse targets that are relative, taken twice or needed by the system, and sources that a kind cannot mount."""
    places: dict[str, str] = {}
    for index, mount in enumerate(target.mounts):
        field = f"mounts.{index}"
        yield from _place(target, field, mount)
        yield from _source(target, field, mount)
        yield from _once(target, places, mount.target, field)
    if target.code is not None and target.code.to is not None:
        if not target.code.to.startswith("/"):
            message = f"code.to is {target.code.to!r}, which is not absolute"
            yield finding(target, "MN277", "code.to", message, hint="write the path inside the runtime, from /")
        yield from _once(target, places, target.code.to, "code.to")
    yield from _workdir(target)


def _once(target: Target, places: dict[str, str], path: str, field: str) -> Iterator[Diagnostic]:
    owner = places.setdefault(posixpath.normpath(path), field)
    if owner != field:
        message = f"{field} and {owner} both put something at {path}"
        yield finding(target, "MN278", field, message, hint="give one of them another target", other=(owner,))


def _place(target: Target, field: str, mount: Mount) -> Iterator[Diagnostic]:
    path = mount.target
    if not path.startswith("/") or "$" in path or "~" in path:
        yield finding(
            target,
            "MN277",
            f"{field}.target",
            f"{field}.target is {path!r}, which is not an absolute, literal path",
            hint="write the path inside the runtime, from /; no shell reads it",
        )
    elif posixpath.normpath(path) in _SYSTEM:
        message = f"{field}.target is {path}: the mount would hide the image's own {path}"
        yield finding(target, "MN277", f"{field}.target", message, hint="mount below it, for example at /data")
    elif posixpath.normpath(path) == "/dev/shm":  # noqa: S108 - the name itself is meant
        message = f"{field} mounts over /dev/shm, where Ray keeps its objects"
        hint = "remove it; resources.shm sets the size"
        yield finding(target, "MN277", f"{field}.target", message, hint=hint, other=("resources.shm",))
    elif any(char in path for char in ":,") and target.kind in {"slurm", "manual"}:
        message = f"{field}.target {path!r} holds ':' or ',', which separate the parts of a mount"
        yield finding(target, "MN277", f"{field}.target", message, hint="choose another path")


def _source(target: Target, field: str, mount: Mount) -> Iterator[Diagnostic]:
    source = spelled(mount.source)
    bucket = source.startswith(_BUCKETS)
    if bucket and target.kind in {"slurm", "manual", "dstack"}:
        message = f"{field}.source is the bucket {source}, which a {target.kind} target cannot mount"
        hint = "mount a folder of the node, or copy the data in prepare"
        yield finding(target, "MN279", f"{field}.source", message, hint=hint)
        return
    if source.startswith("~"):
        yield graded(
            Severity.WARNING if target.kind == "skypilot" else Severity.ERROR,
            finding(
                target,
                "MN279",
                f"{field}.source",
                f"{field}.source is {source!r}: no shell expands the ~",
                hint="write ${{ env.HOME }}" + source[1:],
            ),
        )
    elif target.kind == "slurm" and not source.startswith(("/", "${{")):
        yield finding(
            target,
            "MN279",
            f"{field}.source",
            f"{field}.source is {source!r}, relative to whatever folder each node starts in",
            hint="write an absolute path, or begin with ${{ env.NAME }}",
        )
    if ":" in source.replace("://", "") and target.runtime in {Runtime.APPTAINER, Runtime.PYXIS, Runtime.DOCKER}:
        message = f"{field}.source {source!r} holds ':', which separates the parts of a mount"
        yield finding(
            target, "MN279", f"{field}.source", message, hint="use a path without it (a symbolic link will do)"
        )
    if target.kind == "dstack" and mount.mode == "ro":
        message = f"{field}.mode is ro, but dstack mounts volumes for writing only"
        yield warning(
            target,
            "MN279",
            f"{field}.mode",
            message,
            hint="remove mode for this target",
        )


def _workdir(target: Target) -> Iterator[Diagnostic]:
    text = spelled(target.workdir) if target.workdir is not None else "/"
    if not text.startswith(("/", "${{")):
        yield finding(
            target,
            "MN277",
            "workdir",
            f"workdir is {text!r}, relative to a folder that differs between runtimes and nodes",
            hint="write it from /, as seen inside the runtime, or begin with ${{ env.NAME }}",
        )
