"""Writing a rendered tree so that no reader ever sees half of a file, whenever the process is killed.

All new files are first written in full to a staging folder below the output folder, together with a
journal of what is about to happen. Then each is renamed into place, which is atomic
(https://pubs.opengroup.org/onlinepubs/9799919799/functions/rename.html), orphans are removed, and the
inventory is renamed last. A render that finds the staging folder of a killed one trusts the journal in it
and removes it. When the disk refuses in the middle, the same journal lets the next render complete the folder, and
the failure says which files are new. There is no fsync: the guarantee is about processes, not about power cuts.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from mngen.errors import EnvironmentFailure, FindingsError
from mngen.output import inventory
from mngen.output.access import require_access
from mngen.output.changes import Action, Change, Comparison, compare, require_folder
from mngen.output.folders import made
from mngen.output.inventory import sha256
from mngen.output.journal import NAME as JOURNAL
from mngen.output.journal import STAGING, Journal
from mngen.output.lock import locked
from mngen.output.places import Kind, look, require_real_folders
from mngen.plan import RenderedTree

_NAMED = 4
"""So many of the files that were changed are named when not all could be."""

Replace = Callable[[Path, Path], None]
"""Puts the first path in the place of the second, atomically; tests give one that kills the process."""


def write_tree(
    tree: RenderedTree,
    out: Path,
    *,
    force: bool = False,
    complete: bool = True,
    replace: Replace = os.replace,
) -> None:
    """Make the folder ``out`` hold the tree.

    ``force`` overwrites hand edits and files that mngen did not write; ``complete`` says that the tree is
    all that its manifest asks for. Raises ``FindingsError`` before anything is written when a file is in
    the way, and ``EnvironmentFailure`` when the disk refuses; that says so when some files are new by then.
    """
    require_folder(out)
    try:
        with made(out), locked(out):
            comparison = compare(tree, out, complete=complete)
            _refuse(comparison, out, force=force)
            _apply(comparison, tree, out, replace)
    except OSError as error:
        raise EnvironmentFailure(_refusal(error, out)) from error


def _refusal(error: OSError, out: Path) -> str:
    return f"cannot write `{error.filename2 or error.filename or out}`: {error.strerror}"


def check_writable(tree: RenderedTree, out: Path, *, force: bool = False, complete: bool = True) -> Comparison:
    """Compare, and raise what :func:`write_tree` would; a call with several manifests checks all of them first."""
    comparison = compare(tree, out, complete=complete)
    _refuse(comparison, out, force=force)
    return comparison


def _refuse(comparison: Comparison, out: Path, *, force: bool) -> None:
    conflicts = comparison.conflicts(out, force=force)
    if conflicts:
        raise FindingsError(conflicts)


def _apply(comparison: Comparison, tree: RenderedTree, out: Path, replace: Replace) -> None:
    staging = out / STAGING
    if not comparison.changes and look(out, STAGING).kind is Kind.ABSENT:
        return
    require_real_folders(out, f"{STAGING}/{JOURNAL}")
    require_access(out, [STAGING, *(change.path for change in comparison.changes)])
    left = comparison.journal or Journal(tree.name)
    texts = [change for change in comparison.changes if change.new is not None]
    digests = {c.path: sha256((c.new or "").encode()) for c in texts if c.path != inventory.NAME}
    try:
        _stage(staging, left.with_digests(digests), texts, replace)
    except OSError as error:
        with suppress(OSError):
            _clear(staging, keep_journal=comparison.journal is not None)
        raise EnvironmentFailure(_refusal(error, out), hint=_half_done(out, (), 0)) from error
    except BaseException:
        _clear(staging, keep_journal=comparison.journal is not None)
        raise
    _replace_all(staging, out, comparison, replace)
    remaining = Journal(tree.name) if comparison.complete else left.without({file.path for file in tree.files})
    if remaining.digests:
        _write(staging / "part", remaining.text(), 0o600)
        replace(staging / "part", staging / JOURNAL)
    _clear(staging, keep_journal=bool(remaining.digests))


def _replace_all(staging: Path, out: Path, comparison: Comparison, replace: Replace) -> None:
    """Put all that is staged in place, remove the orphans, and put the inventory in place last."""
    changes, done = comparison.changes, list[str]()
    texts = [change for change in changes if change.new is not None]
    try:
        _move(staging, out, [change for change in texts if change.path != inventory.NAME], replace, done)
        _remove(out, [change.path for change in changes if change.action is Action.REMOVE], done)
        _move(staging, out, [change for change in texts if change.path == inventory.NAME], replace, done)
    except OSError as error:
        with suppress(OSError):
            _clear(staging, keep_journal=bool(done) or comparison.journal is not None)
        raise EnvironmentFailure(_refusal(error, out), hint=_half_done(out, done, len(changes))) from error
    except BaseException:
        _clear(staging, keep_journal=True)
        raise


def _half_done(out: Path, done: Sequence[str], wanted: int) -> str:
    """Return what is said of a folder in which some files are new and others are not."""
    if not done:
        return f"nothing in `{out}` was changed"
    names = ", ".join(f"`{path}`" for path in done[:_NAMED]) + (" and others" if len(done) > _NAMED else "")
    return (
        f"{len(done)} of {wanted} files are as the manifest has them by now ({names}), the rest is as before; "
        f"`{out / STAGING}` keeps note of them, and the next `mngen render` completes the folder"
    )


def _stage(staging: Path, journal: Journal, texts: Sequence[Change], replace: Replace) -> None:
    """Write the journal, then every new text under the number of its change."""
    staging.mkdir(mode=0o700, exist_ok=True)
    _clear(staging, keep_journal=True)
    staging.mkdir(mode=0o700, exist_ok=True)
    _write(staging / "part", journal.text(), 0o600)
    replace(staging / "part", staging / JOURNAL)
    for change in texts:
        _stage_one(staging, change)


def _stage_one(staging: Path, change: Change) -> None:
    try:
        _write(staging / _staged(change), change.new or "", change.new_mode or 0o600)
    except OSError as error:  # the name that it has meanwhile says nothing to anybody
        raise OSError(error.errno, error.strerror, str(staging.parent / change.path)) from error


def _staged(change: Change) -> str:
    """Return a flat name for a file on its way; it never equals ``part`` or the journal's."""
    return f"new-{sha256(change.path.encode())}"


def _write(path: Path, text: str, mode: int) -> None:
    """Write a new file with exactly these permission bits, whatever the umask."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
    except OSError as error:  # only opening names the file
        raise OSError(error.errno, error.strerror, str(path)) from error
    path.chmod(mode)


def _move(staging: Path, out: Path, changes: Sequence[Change], replace: Replace, done: list[str]) -> None:
    made = {""}
    for change in changes:
        folder = change.path.rpartition("/")[0]
        if folder not in made:
            (out / folder).mkdir(parents=True, exist_ok=True)
            made.add(folder)
        replace(staging / _staged(change), out / change.path)
        done.append(change.path)


def _remove(out: Path, paths: Sequence[str], done: list[str]) -> None:
    """Remove orphans, and the folders that held nothing else."""
    for path in paths:
        (out / path).unlink(missing_ok=True)
        done.append(path)
        for folder in (out / path).parents:
            if folder == out:
                break
            try:
                folder.rmdir()
            except OSError:
                break


def _clear(staging: Path, *, keep_journal: bool) -> None:
    """Empty the staging folder; without a journal to keep, it goes as well."""
    with suppress(FileNotFoundError):
        for entry in list(staging.iterdir()):
            if entry.name == JOURNAL and keep_journal:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        if not any(staging.iterdir()):
            staging.rmdir()
