"""From texts to rendered trees: every stage, each for the manifests in which the one before found no error.

One wrong manifest does not hide what is wrong in another of the same call; nothing is written all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from mngen import render, targets
from mngen.checks.tree import CheckOptions, check_tree
from mngen.cli import copied_files, locks
from mngen.cli.inputs import Input, folder_of, read_input, reader
from mngen.cli.placing import placed, real_folder
from mngen.cli.reporting import Findings
from mngen.cli.request import Request
from mngen.diagnostics import Diagnostic, has_errors
from mngen.errors import FindingsError, UsageError
from mngen.images import oversize, pinning
from mngen.images.lock_file import Lock
from mngen.manifest.load import Loaded, LoadOptions, load
from mngen.manifest.model import Manifest
from mngen.plan import RenderedTree

_OF_REFS = {"MN813", "MN821"}


class Rendered(Struct, frozen=True):
    """One manifest's tree, with the manifest that it is of."""

    manifest: Manifest
    tree: RenderedTree
    inputs: tuple[str, ...] = ()
    """Names of the files that it was read from: the manifest, overlays, site files."""


def load_all(names: Sequence[str], request: Request, findings: Findings) -> list[Loaded]:
    """Load every manifest; what they complain about goes to ``findings``.

    Raises ``UsageError`` when standard input is asked for twice, ``EnvironmentFailure`` for a file that
    cannot be read.
    """
    if [*names, *request.overlays].count("-") > 1:
        raise UsageError("standard input can be read once", hint="give `-` once")
    overlays = tuple((item.name, item.text) for item in _read(request.overlays, findings))
    if findings.fail(strict=request.strict):  # without them every manifest is another
        return []
    loaded = []
    for item in _read(names, findings):
        load_options = LoadOptions(
            overlays=overlays,
            sets=request.sets,
            targets=request.targets,
            read=reader(item.folder),
            kind=targets.definition,
        )
        loaded.append(load(item.text, item.name, load_options))
        findings.add(_unsettled(loaded[-1], item.folder, findings), loaded[-1].sources)
    return loaded


def render_all(names: Sequence[str], request: Request, findings: Findings) -> list[Rendered]:
    """Load, plan, render and check every manifest; an empty list when there were errors."""
    loaded = load_all(names, request, findings)
    several = len(names) > 1
    real, lock_of = cache(real_folder), cache(lambda folder: _lock(folder, findings))  # once for each folder
    read = [item.manifest for item in loaded if item.manifest is not None]
    inputs = {item.manifest.file: tuple(item.sources) for item in loaded if item.manifest is not None}
    manifests = [placed(manifest, request, several=several, real=real) for manifest in read]
    rendered = []
    for manifest in [_pinned(manifest, lock_of(folder_of(manifest.file)), findings) for manifest in manifests]:
        notes = (*targets.notes(manifest), *copied_files.findings(manifest, folder_of(manifest.file)))
        findings.add(notes)
        if not has_errors(notes, strict=request.strict):
            rendered.append(_render(manifest, request, inputs[manifest.file]))
    for item in rendered:
        findings.add(tuple(oversize.findings(item.manifest, item.tree.files)))
    if rendered:
        _check(rendered, request, findings)
    return [] if findings.fail(strict=request.strict) else rendered


def _lock(folder: Path, findings: Findings) -> Lock:
    """Read the lock of a folder; one that cannot be read is a finding."""
    try:
        return locks.read(folder)
    except FindingsError as error:
        findings.add(error.diagnostics)
        return Lock()


def _unsettled(loaded: Loaded, folder: Path, findings: Findings) -> Sequence[Diagnostic]:
    """Return what loading found, without warnings about sources that the lock has a commit for."""
    if loaded.manifest is None or all(found.code not in _OF_REFS for found in loaded.diagnostics):
        return loaded.diagnostics
    kept = pinning.settled(loaded.manifest, _lock(folder, findings))
    return [found for found in loaded.diagnostics if found.code not in _OF_REFS or found.span not in kept]


def _pinned(manifest: Manifest, lock: Lock, findings: Findings) -> Manifest:
    """Pin a manifest to the lock beside it, and note what stays open."""
    findings.add(pinning.notes(manifest, lock))
    return pinning.pinned(manifest, lock)


def _read(names: Sequence[str], findings: Findings) -> list[Input]:
    return [item for name in names if (item := _read_one(name, findings)) is not None]


def _read_one(name: str, findings: Findings) -> Input | None:
    try:
        return read_input(name)
    except FindingsError as error:
        findings.add(error.diagnostics, error.sources)
        return None


def _render(manifest: Manifest, request: Request, inputs: tuple[str, ...]) -> Rendered:
    plan = targets.plan(manifest, partial=not request.complete)
    return Rendered(manifest, render.render(plan, digest=manifest.digest), inputs)


def _check(rendered: Sequence[Rendered], request: Request, findings: Findings) -> None:
    """Check all files at once: starting the programs costs more than one manifest, and equal files are one."""
    files = tuple(dict.fromkeys(file for item in rendered for file in item.tree.files))
    found = check_tree(files, CheckOptions(lint=request.lint, strict=request.strict))
    if found:
        findings.add(found, {file.path: file.text.split("\n") for file in files})
