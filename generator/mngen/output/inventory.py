"""The inventory ``.mngen.json``: which files of a folder mngen wrote, for which manifest.

It is checked in beside the files, so its form is stable and one file takes one line: a merge or a
review sees which entries changed. It is not trusted: every path in it is checked before use.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import FindingsError
from mngen.output.places import Kind, is_inside, look
from mngen.plan import RenderedTree

NAME = ".mngen.json"
FORMAT = 1
MODE = 0o644
_MAX_MODE = 0o777


class Entry(Struct, frozen=True):
    """One file as it was written: the target it belongs to, its permission bits and the sha256 of its bytes."""

    group: str
    mode: int
    sha256: str

    def data(self) -> dict[str, str]:
        """Return the entry as the file holds it; the mode is octal text, as people read it."""
        return {"group": self.group, "mode": f"{self.mode:04o}", "sha256": self.sha256}


class Inventory(Struct, frozen=True):
    """All files of one output folder. ``digest`` is that of the manifest at the last complete render."""

    manifest: str
    digest: str
    groups: tuple[str, ...]
    files: Mapping[str, Entry] = field(default_factory=dict)

    def text(self) -> str:
        """Return the file's text; equal inventories have equal bytes."""
        lines = [
            f'  "format": {FORMAT}',
            f'  "manifest": {_json(self.manifest)}',
            f'  "digest": {_json(self.digest)}',
            f'  "groups": {_json(sorted(self.groups))}',
            '  "files": {' + ("\n" + ",\n".join(self._file_lines()) + "\n  }" if self.files else "}"),
        ]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def _file_lines(self) -> list[str]:
        return [f"    {_json(path)}: {_json(entry.data())}" for path, entry in sorted(self.files.items())]


def sha256(data: bytes) -> str:
    """Return the hexadecimal digest that inventories hold."""
    return hashlib.sha256(data).hexdigest()


def of_tree(tree: RenderedTree, before: Inventory | None, *, complete: bool) -> Inventory:
    """Return the inventory after writing ``tree``.

    A render of some targets alone (``complete`` false) keeps the entries of the others, and the digest
    of the last complete render: it vouches for all files, and only some are new.
    """
    files = {f.path: Entry(f.group, f.mode, sha256(f.text.encode())) for f in tree.files}
    if complete or before is None:
        return Inventory(tree.name, tree.manifest_digest, tree.groups, files)
    kept = {path: entry for path, entry in before.files.items() if entry.group not in tree.groups and path not in files}
    return Inventory(tree.name, before.digest, tuple({*before.groups, *tree.groups}), {**kept, **files})


def read(root: Path) -> Inventory | None:
    """Return the inventory of a folder, or ``None`` when it has none.

    Raises ``FindingsError`` (MN507, MN508) when the file is not one that mngen wrote.
    """
    found = look(root, NAME)
    if found.kind is Kind.ABSENT:
        return None
    place = str(root / NAME)
    if found.data is None:
        raise _unreadable(place, "it is not a regular file")
    try:
        return _parse(json.loads(found.data.decode()), place)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise _unreadable(place, "it is not JSON", line) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(place, "it does not have the form that mngen writes") from error


def _parse(data: Any, place: str) -> Inventory:
    if not isinstance(data, dict) or isinstance(data["format"], bool) or not isinstance(data["format"], int):
        raise TypeError
    if data["format"] > FORMAT:
        raise _unreadable(place, f"a newer mngen wrote it (form {data['format']}, this one reads {FORMAT})")
    files = {path: _entry(entry) for path, entry in data["files"].items()}
    for path in files:
        if not is_inside(path) or path == NAME:
            raise FindingsError((_outside(place, path),))
    return Inventory(_text(data["manifest"]), _text(data["digest"]), tuple(map(_text, data["groups"])), files)


def _entry(data: Any) -> Entry:
    mode = int(_text(data["mode"]), 8)
    if not 0 <= mode <= _MAX_MODE:
        raise ValueError
    return Entry(_text(data["group"]), mode, _text(data["sha256"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unreadable(place: str, why: str, line: int | None = None) -> FindingsError:
    message = f"cannot read the inventory: {why}"
    hint = f"restore it from version control, or delete `{place}` and render with --force"
    return FindingsError((Diagnostic("MN507", Severity.ERROR, message, Span(place, line), hint),))


def _outside(place: str, path: str) -> Diagnostic:
    message = f"the inventory names `{path}`, which is outside of its folder"
    hint = f"mngen never wrote this; restore the file from version control, or delete `{place}`"
    return Diagnostic("MN508", Severity.ERROR, message, Span(place), hint)
