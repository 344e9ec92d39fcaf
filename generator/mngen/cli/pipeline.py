"""From texts to rendered trees: every stage, each only when the one before found no error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mngen import render, targets
from mngen.checks.tree import CheckOptions, check_tree
from mngen.cli.inputs import Input, read_input, reader
from mngen.cli.placing import placed
from mngen.cli.reporting import Findings
from mngen.cli.request import Request
from mngen.errors import FindingsError, UsageError
from mngen.manifest.load import Loaded, LoadOptions, load
from mngen.manifest.model import Manifest
from mngen.plan import RenderedTree


@dataclass(frozen=True, slots=True)
class Rendered:
    """One manifest's tree, with the manifest that it is of."""

    manifest: Manifest
    tree: RenderedTree


def load_all(names: Sequence[str], request: Request, findings: Findings) -> list[Loaded]:
    """Load every manifest; what they complain about goes to ``findings``.

    Raises ``UsageError`` when standard input is asked for twice, ``EnvironmentFailure`` for a file that
    cannot be read.
    """
    if [*names, *request.overlays].count("-") > 1:
        raise UsageError("standard input can be read once", hint="give `-` once")
    overlays = tuple((item.name, item.text) for item in _read(request.overlays, findings))
    inputs = _read(names, findings)
    if findings.fail(strict=request.strict):
        return []
    loaded = []
    for item in inputs:
        load_options = LoadOptions(
            overlays=overlays,
            sets=request.sets,
            targets=request.targets,
            read=reader(item.folder),
            kind=targets.definition,
        )
        loaded.append(load(item.text, item.name, load_options))
        findings.add(loaded[-1].diagnostics, loaded[-1].sources)
    return loaded


def render_all(names: Sequence[str], request: Request, findings: Findings) -> list[Rendered]:
    """Load, plan, render and check every manifest; an empty list when there were errors."""
    loaded = load_all(names, request, findings)
    if findings.fail(strict=request.strict):
        return []
    several = len(names) > 1
    manifests = [placed(item.manifest, request, several=several) for item in loaded if item.manifest is not None]
    for manifest in manifests:
        findings.add(targets.notes(manifest))
    if findings.fail(strict=request.strict):
        return []
    rendered = [_render(manifest, request) for manifest in manifests]
    _check(rendered, request, findings)
    return [] if findings.fail(strict=request.strict) else rendered


def _read(names: Sequence[str], findings: Findings) -> list[Input]:
    return [item for name in names if (item := _read_one(name, findings)) is not None]


def _read_one(name: str, findings: Findings) -> Input | None:
    try:
        return read_input(name)
    except FindingsError as error:
        findings.add(error.diagnostics)
        return None


def _render(manifest: Manifest, request: Request) -> Rendered:
    plan = targets.plan(manifest, partial=not request.complete)
    return Rendered(manifest, render.render(plan, digest=manifest.digest))


def _check(rendered: Sequence[Rendered], request: Request, findings: Findings) -> None:
    """Check all files at once: starting the programs costs more than one manifest, and equal files are one."""
    files = tuple(dict.fromkeys(file for item in rendered for file in item.tree.files))
    found = check_tree(files, CheckOptions(lint=request.lint, strict=request.strict))
    if found:
        findings.add(found, {file.path: file.text.split("\n") for file in files})
