"""What a render would change on disk, and whose file each change touches. Reads, never writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

from msgspec import Struct

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import FindingsError, InternalError, UsageError
from mngen.output import inventory, journal
from mngen.output.inventory import Inventory, sha256
from mngen.output.journal import Journal
from mngen.output.places import Found, Kind, is_executable, is_inside, look, with_lf
from mngen.plan import RenderedFile, RenderedTree


class Action(Enum):
    """What happens to one path."""

    ADD = "add"
    UPDATE = "update"
    MODE = "mode"
    REMOVE = "remove"


class Owner(Enum):
    """Whose text is on disk now: what mngen wrote, a hand edit of it, or a file that mngen never wrote."""

    MNGEN = "mngen"
    EDITED = "edited"
    FOREIGN = "foreign"


class Change(Struct, frozen=True, kw_only=True):
    """One path that differs. ``old`` is ``None`` when nothing is there, ``new`` when it is to go.

    ``old_mode`` is ``None`` as well when what is there is no regular file.
    """

    path: str
    action: Action
    owner: Owner = Owner.MNGEN
    old: bytes | None = None
    new: str | None = None
    old_mode: int | None = None
    new_mode: int | None = None
    blocked: bool = False
    """True when something other than a file or a link is in the way; not even ``--force`` removes that."""
    line_ends: bool = False
    """True when the file on disk has the new text, but for lines that end with CR LF."""


class Comparison(Struct, frozen=True):
    """A folder against a tree: the changes, the inventory after them, and what a killed render left."""

    changes: tuple[Change, ...]
    after: Inventory
    journal: Journal | None = None
    complete: bool = True

    def conflicts(self, root: Path, *, force: bool) -> tuple[Diagnostic, ...]:
        """Return what forbids writing: files of others and hand edits, unless forced."""
        found = (_conflict(root, change, force=force) for change in self.changes)
        return tuple(diagnostic for diagnostic in found if diagnostic is not None)


def compare(tree: RenderedTree, root: Path, *, complete: bool = True) -> Comparison:
    """Compare a folder with what it should hold: bytes, and of the modes what git keeps.

    ``complete`` says that the tree is everything its manifest asks for, so that files of targets which
    are gone are orphans too. Raises ``FindingsError`` when the folder is another manifest's (MN506),
    its inventory is unreadable (MN507) or a path leads out of it (MN508).
    """
    _require_sound(tree)
    require_folder(root)
    before, left = inventory.read(root), journal.read(root)
    _require_same_owner(tree, root, before, left)
    after = inventory.of_tree(tree, before, complete=complete)
    known = _known_digests(before, left)
    wanted = [change for file in tree.files if (change := _compare_file(root, file, known)) is not None]
    gone = known.keys() if complete else (before.files.keys() if before is not None else set[str]())
    orphans = [change for path in sorted(gone - after.files.keys()) for change in _orphan(root, path, known)]
    listing = _compare_inventory(root, after)
    changes = tuple(sorted([*wanted, *orphans], key=lambda change: change.path)) + listing
    return Comparison(changes, after, left, complete)


def require_folder(root: Path) -> None:
    """Raise ``UsageError`` when something stands in the place of the folder, or of one above it."""
    nearest = root
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    if nearest.is_symlink() and not nearest.exists():
        raise UsageError(f"`{nearest}` is a link that leads nowhere", hint="-o names the folder to write to")
    if nearest.exists() and not nearest.is_dir():
        raise UsageError(f"`{nearest}` is not a folder", hint="-o names the folder to write to")


def _require_sound(tree: RenderedTree) -> None:
    seen: set[str] = set()
    for file in tree.files:
        reserved = file.path.split("/")[0] in {inventory.NAME, journal.STAGING}
        if not is_inside(file.path) or reserved or file.path in seen:
            raise InternalError(f"a target planned the path `{file.path}`, which is reserved, taken or outside")
        seen.add(file.path)


def _require_same_owner(tree: RenderedTree, root: Path, before: Inventory | None, left: Journal | None) -> None:
    owner = before.manifest if before is not None else left.manifest if left is not None else tree.name
    if owner == tree.name:
        return
    message = f"the output folder belongs to the manifest `{owner}`, not to `{tree.name}`"
    hint = f"choose another folder; if the manifest was renamed, delete `{root / inventory.NAME}` and use --force"
    raise FindingsError((Diagnostic("MN506", Severity.ERROR, message, Span(str(root)), hint),))


def _known_digests(before: Inventory | None, left: Journal | None) -> Mapping[str, frozenset[str]]:
    """Return the digests by which a file is recognised as mngen's own."""
    listed = {path: entry.sha256 for path, entry in before.files.items()} if before is not None else {}
    return (left or Journal("")).with_digests(listed).digests


def _compare_file(root: Path, file: RenderedFile, known: Mapping[str, frozenset[str]]) -> Change | None:
    found = look(root, file.path)
    new = file.text.encode()
    if found.data == new and is_executable(found.mode) == is_executable(file.mode):
        return None
    if found.kind is Kind.ABSENT:
        return Change(path=file.path, action=Action.ADD, new=file.text, new_mode=file.mode)
    return Change(
        path=file.path,
        action=Action.MODE if found.data == new else Action.UPDATE,
        owner=Owner.MNGEN if found.data == new else _owner(file.path, found, known),
        old=found.data or b"",
        new=file.text,
        old_mode=found.mode,
        new_mode=file.mode,
        blocked=found.kind in {Kind.FOLDER, Kind.OTHER},
        line_ends=_differs_in_line_ends(found, new),
    )


def _orphan(root: Path, path: str, known: Mapping[str, frozenset[str]]) -> Iterator[Change]:
    found = look(root, path)
    if found.kind is Kind.ABSENT:
        return
    yield Change(
        path=path,
        action=Action.REMOVE,
        owner=_owner(path, found, known),
        old=found.data or b"",
        old_mode=found.mode,
        blocked=found.kind in {Kind.FOLDER, Kind.OTHER},
    )


def _owner(path: str, found: Found, known: Mapping[str, frozenset[str]]) -> Owner:
    if path not in known:
        return Owner.FOREIGN
    if found.data is None:
        return Owner.EDITED
    # A checkout with core.autocrlf converts the line ends of what mngen wrote; nobody's work is lost with them.
    own = {sha256(found.data), sha256(with_lf(found.data))} & known[path]
    return Owner.MNGEN if own else Owner.EDITED


def _differs_in_line_ends(found: Found, new: bytes) -> bool:
    return found.data is not None and found.data != new and with_lf(found.data) == new


def _compare_inventory(root: Path, after: Inventory) -> tuple[Change, ...]:
    found, text = look(root, inventory.NAME), after.text()
    if found.data == text.encode() and is_executable(found.mode) == is_executable(inventory.MODE):
        return ()
    line_ends = _differs_in_line_ends(found, text.encode())
    action = Action.ADD if found.data is None else Action.MODE if found.data == text.encode() else Action.UPDATE
    return (
        Change(
            path=inventory.NAME,
            action=action,
            old=found.data,
            new=text,
            old_mode=found.mode,
            new_mode=inventory.MODE,
            line_ends=line_ends,
        ),
    )


def in_the_way(root: Path, change: Change) -> Diagnostic:
    """Return what is said of a change that is ``blocked``."""
    message = f"`{change.path}` is to be a file, and something else is in its place"
    span = Span(str(root / change.path))
    return Diagnostic("MN505", Severity.ERROR, message, span, "move it away; --force does not remove it")


def _conflict(root: Path, change: Change, *, force: bool) -> Diagnostic | None:
    span = Span(str(root / change.path))
    if change.blocked:
        return in_the_way(root, change)
    if force or change.owner is Owner.MNGEN:
        return None
    if change.owner is Owner.FOREIGN:
        message = f"`{change.path}` exists already, and mngen did not write it"
        hint = "choose another output folder, move the file away, or overwrite it with --force"
        return Diagnostic("MN505", Severity.ERROR, message, span, hint)
    verb = "removed" if change.action is Action.REMOVE else "overwritten"
    message = f"`{change.path}` was edited by hand and would be {verb}"
    hint = "move the edit into the manifest, then render with --force; `mngen diff` shows it"
    return Diagnostic("MN504", Severity.ERROR, message, span, hint)
