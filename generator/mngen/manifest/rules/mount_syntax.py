"""Paths that the syntax of a runtime's mounts has no way to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text, literal, spelled

# docker, podman: SOURCE:TARGET:MODE, https://docs.docker.com/engine/storage/bind-mounts/
# apptainer: the same, several parted by commas, backslash escapes (ParseBindPath, pkg/util/bind)
# pyxis: the same; it writes each into a shell function inside double quotes, and enroot reads what that prints as
# fields parted by blanks (enroot_create_start_config in pyxis_slurmstepd.c, https://github.com/NVIDIA/pyxis)
_REFUSED: Mapping[Runtime, re.Pattern[str]] = {
    Runtime.DOCKER: re.compile(r":"),
    Runtime.PODMAN: re.compile(r":"),
    Runtime.APPTAINER: re.compile(r"[:,\\]"),
    Runtime.PYXIS: re.compile(r"[:,\\\"$`\s]"),
}


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse mounted paths with a character that parts the pieces of a mount, or that a shell of the runtime reads."""
    refused = _REFUSED.get(target.runtime)
    if refused is None or target.kind not in {"slurm", "manual"}:
        return
    for field, path in _paths(target):
        match = next((m for part in path.parts if isinstance(part, str) and (m := refused.search(part))), None)
        if match is not None:
            what = "a blank" if match[0].isspace() else repr(match[0])
            yield finding(
                target,
                "MN253",
                field,
                f"{field} holds {what}, which a mount of {target.runtime.value} has no way to write",
                hint="use a path without it; a symbolic link will do",
                other=("runtime",),
            )


def _paths(target: Target) -> Iterator[tuple[str, Text]]:
    for index, mount in enumerate(target.mounts):
        if "://" not in spelled(mount.source):  # MN279 refuses a bucket as a whole
            yield f"mounts.{index}.source", mount.source
        if mount.target != mount.source:
            yield f"mounts.{index}.target", mount.target
    code = target.code
    if code is not None and code.path is not None and code.to is not None:
        yield "code.path", literal(code.path)
        yield "code.to", literal(code.to)
    if target.keeps_logs:
        yield "logs.dir", literal(target.logs.dir)
