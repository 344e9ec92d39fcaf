"""SkyPilot and dstack: fields of ``raw`` and of mngen's own that the named version lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.capabilities import by_option, capability, covered
from mngen.manifest.judging.finding import clause, finding, graded, warning
from mngen.manifest.model import Target
from mngen.manifest.versions import parse_version


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse what the named client does not know; warn about a version outside of the table."""
    if target.kind not in {"skypilot", "dstack"} or target.version is None:
        return
    version = parse_version(target.version)
    if version is None or version not in covered(target.kind):
        yield warning(
            target,
            "MN292",
            "version",
            f"version {target.version!r} is outside of what mngen's capability table covers for {target.kind} "
            f"({covered(target.kind)})",
            hint=f"write what `{'sky' if target.kind == 'skypilot' else 'dstack'} --version` prints",
        )
        return
    rows = by_option(target.kind)
    wanted = {**_own(target), **{f"raw.{path}": rows[path] for path in _paths(target.raw) if path in rows}}
    for field, row in wanted.items():
        if version not in row.versions:
            yield graded(
                row.severity,
                finding(
                    target,
                    "MN293",
                    field,
                    f"{field} needs {target.kind} {row.versions}, but version is {target.version} "
                    f"({clause(row.holds)})",
                    hint="remove it, or update the client and version",
                    other=("version",),
                ),
            )


def _own(target: Target) -> Mapping[str, Any]:
    """Return the rows that the generated file depends on, by the field that makes it so."""
    needs = {}
    if target.kind == "dstack":
        needs["kind"] = capability("dstack-files")  # the launch script travels as a file
        if target.resources.nodes > 1:
            needs["resources.nodes"] = capability("dstack-stop-criteria")
        if target.secrets:
            needs["secrets"] = capability("dstack-secrets")
    elif target.code is not None and target.code.git is not None:
        needs["code.git"] = capability("skypilot-workdir-git")
    return needs


def _paths(raw: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in raw.items():
        path = f"{prefix}{key}"
        yield path
        if isinstance(value, Mapping):
            yield from _paths(value, f"{path}.")
