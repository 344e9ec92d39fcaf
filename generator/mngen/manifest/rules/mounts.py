"""``mounts`` and ``code.to``: once in each place, and not over the system's own folders."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging import shell_syntax
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.model import Mount, Target
from mngen.manifest.text import spelled

_SYSTEM = frozenset({"/", "/proc", "/sys", "/dev", "/etc", "/usr", "/bin", "/lib", "/lib64", "/sbin", "/run", "/var"})
_BUCKETS = ("s3://", "gs://", "r2://", "cos://", "oci://", "https://", "azure://", "nebius://", "coreweave://")


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse targets that are taken twice or needed by the system, and sources that a kind cannot mount."""
    places: dict[str, str] = {}
    for index, mount in enumerate(target.mounts):
        field = f"mounts.{index}"
        yield from _source(target, field, mount)
        if not mount.place:
            message = f"{field} has no target, and its source is no path that could be one"
            yield finding(target, "MN277", field, message, hint="write where it is seen: target: /data")
            continue
        yield from _place(target, field, mount)
        yield from _once(target, places, mount.place, field)
    if target.code is not None and target.code.to is not None:
        yield from _once(target, places, target.code.to, "code.to")


def _once(target: Target, places: dict[str, str], path: str, field: str) -> Iterator[Diagnostic]:
    owner = places.setdefault(posixpath.normpath(path), field)
    if owner != field:
        message = f"{field} and {owner} both put something at {path}"
        yield finding(target, "MN278", field, message, hint="give one of them another target", other=(owner,))


def _place(target: Target, field: str, mount: Mount) -> Iterator[Diagnostic]:
    path = mount.place
    at_home = target.kind == "skypilot" and mount.target.refs == ("env.HOME",) and path.startswith("${{ env.HOME }}/")
    if target.kind in {"skypilot", "dstack"} and mount.target.refs and mount.target != mount.source and not at_home:
        message = f"{field} is seen at {path}, which {target.kind} has to know before there is a node"
        yield finding(target, "MN277", f"{field}.target", message, hint="write target: and the path itself")
    elif posixpath.normpath(path) in _SYSTEM:
        message = f"{field}.target is {path}: the mount would hide the image's own {path}"
        yield finding(target, "MN277", f"{field}.target", message, hint="mount below it, for example at /data")
    elif posixpath.normpath(path) == "/dev/shm":
        message = f"{field} mounts over /dev/shm, where Ray keeps its objects"
        hint = "remove it; resources.shm sets the size"
        yield finding(target, "MN277", f"{field}.target", message, hint=hint, other=("resources.shm",))
    elif target.runtime.is_container and f"{target.ray.temp_dir}/".startswith(f"{posixpath.normpath(path)}/"):
        message = f"{field}.target is {path}: the mount would hide the job's own folder, which the node makes there"
        hint = "mount it at a path of its own, and name that in env: TMPDIR; or move the job's folder by ray.temp_dir"
        yield finding(target, "MN277", f"{field}.target", message, hint=hint, other=("ray.temp_dir",))


def _source(target: Target, field: str, mount: Mount) -> Iterator[Diagnostic]:
    source = spelled(mount.source)
    bucket = source.startswith(_BUCKETS)
    if bucket and target.kind in {"slurm", "manual", "dstack"}:
        message = f"{field}.source is the bucket {source}, which a {target.kind} target cannot mount"
        hint = "mount a folder of the node, or copy the data in prepare"
        yield finding(target, "MN279", f"{field}.source", message, hint=hint)
        return
    shell = shell_syntax.in_path(mount.source)  # literal_text's to refuse
    if target.kind == "slurm" and shell is None and not source.startswith(("/", "${{")):
        yield finding(
            target,
            "MN279",
            f"{field}.source",
            f"{field}.source is {source!r}, relative to whatever folder each node starts in",
            hint="write an absolute path, or begin with ${{ env.NAME }}",
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
