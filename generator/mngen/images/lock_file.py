"""The lock file ``mngen.lock``: what tags and branches meant when they were looked at, and what was pushed.

It is JSON with sorted keys, so that a change of one entry is a change of its lines. Days are UTC, in ISO 8601.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.errors import FindingsError

NAME = "mngen.lock"
FORMAT = 1
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""A commit id, SHA-1 or SHA-256."""


class Tag(Struct, frozen=True, kw_only=True):
    """What an image's tag was: the digest of its manifest or index, and those of the platforms in an index."""

    digest: str
    platforms: Mapping[str, str] = field(default_factory=dict)
    seen: str


class Commit(Struct, frozen=True, kw_only=True):
    """What a branch or tag of a git repository was."""

    commit: str
    seen: str


class Made(Struct, frozen=True, kw_only=True):
    """An image that was pushed, or a SIF that was built, from one description."""

    digest: str
    description: str
    """The contract's digest of the description that it was made from."""
    seen: str


class Lock(Struct, frozen=True, kw_only=True):
    """The whole file. Tags and pushed images are kept by reference, commits by URL and ref, SIFs by path."""

    tags: Mapping[str, Tag] = field(default_factory=dict)
    git: Mapping[tuple[str, str], Commit] = field(default_factory=dict)
    pushed: Mapping[str, Made] = field(default_factory=dict)
    sif: Mapping[str, Made] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was looked up or pushed yet."""
        return not (self.tags or self.git or self.pushed or self.sif)

    def under(self, other: Lock) -> Lock:
        """Return a lock that knows what either knows; where both know something, the other holds."""
        return Lock(
            tags={**self.tags, **other.tags},
            git={**self.git, **other.git},
            pushed={**self.pushed, **other.pushed},
            sif={**self.sif, **other.sif},
        )

    def with_tag(self, reference: str, tag: Tag) -> Lock:
        """Return a lock that knows one more tag."""
        return replace(self, tags={**self.tags, reference: tag})

    def with_commit(self, source: tuple[str, str], commit: Commit) -> Lock:
        """Return a lock that knows one more git ref."""
        return replace(self, git={**self.git, source: commit})

    def with_pushed(self, reference: str, made: Made) -> Lock:
        """Return a lock that knows one more image."""
        return replace(self, pushed={**self.pushed, reference: made})

    def with_sif(self, path: str, made: Made) -> Lock:
        """Return a lock that knows one more SIF."""
        return replace(self, sif={**self.sif, path: made})


def text(lock: Lock) -> str:
    """Return the file's text."""
    git: dict[str, dict[str, Any]] = {}
    for (url, ref), commit in lock.git.items():
        git.setdefault(url, {})[ref] = {"commit": commit.commit, "seen": commit.seen}
    document = {
        "format": FORMAT,
        "tags": {
            name: {"digest": tag.digest, "seen": tag.seen}
            | ({"platforms": dict(tag.platforms)} if tag.platforms else {})
            for name, tag in lock.tags.items()
        },
        "git": git,
        "pushed": {name: _made_data(made) for name, made in lock.pushed.items()},
        "sif": {name: _made_data(made) for name, made in lock.sif.items()},
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read(source: str, file: str) -> Lock:
    """Return what a file's text says. Raises ``FindingsError`` (MN606) for a text that is no lock file."""
    try:
        data = json.loads(source)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise unreadable(file, "it is not JSON", line) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise unreadable(file, f"it has no `format: {FORMAT}`; a newer mngen may have written it")
    try:
        return Lock(
            tags={entry.name: _tag(entry) for entry in _entries(data, "tags")},
            git={
                (entry.name, ref.name): Commit(commit=ref.match("commit", COMMIT, "commit id"), seen=ref.text("seen"))
                for entry in _entries(data, "git")
                for ref in _refs(entry)
            },
            pushed={entry.name: _made(entry) for entry in _entries(data, "pushed")},
            sif={entry.name: _made(entry) for entry in _entries(data, "sif")},
        )
    except _BrokenError as error:
        raise unreadable(file, str(error), _line(source, error.name)) from error


class _BrokenError(Exception):
    """A part of the file that is not as mngen writes it; ``name`` is its nearest key that can be looked for."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(what)
        self.name = name


class _Entry(Struct, frozen=True):
    """One entry, with the words that say which it is."""

    name: str
    where: str
    data: Any

    def match(self, key: str, pattern: re.Pattern[str], what: str) -> str:
        """Return a value of a form; ``what`` is the form's name."""
        value = self.text(key)
        if not pattern.fullmatch(value):
            raise _BrokenError(f"{self.where} has {value!r} for its `{key}`, which is no {what}", self.name)
        return value

    def text(self, key: str) -> str:
        """Return a value that must be there."""
        if not isinstance(self.data, dict):
            raise _BrokenError(f"{self.where} is {json.dumps(self.data)[:40]}, without a `{key}`", self.name)
        if not isinstance(self.data.get(key), str):
            found = f"no text for its `{key}`" if key in self.data else f"no `{key}`"
            raise _BrokenError(f"{self.where} has {found}", self.name)
        return str(self.data[key])


def _entries(data: dict[str, Any], key: str) -> Iterator[_Entry]:
    """Yield the entries of a part of the file, which may be missing."""
    found = data.get(key)
    if found is not None and not isinstance(found, dict):
        raise _BrokenError(f"`{key}` is no map of entries", key)
    for name, item in (found or {}).items():
        yield _Entry(name, f"the entry `{name}` of `{key}`", item)


def _refs(source: _Entry) -> Iterator[_Entry]:
    """Yield the entries of a git repository, one for each branch or tag."""
    if not isinstance(source.data, dict):
        raise _BrokenError(f"{source.where} is no map of branches and tags", source.name)
    for name, item in source.data.items():
        yield _Entry(name, f"`{name}` in {source.where}", item)


def _tag(entry: _Entry) -> Tag:
    digest = entry.match("digest", _DIGEST, "digest")
    platforms = entry.data.get("platforms", {})
    if not isinstance(platforms, dict):
        raise _BrokenError(f"`platforms` of {entry.where} is no map", entry.name)
    by_name = _Entry(entry.name, f"`platforms` of {entry.where}", platforms)
    found = {name: by_name.match(name, _DIGEST, "digest") for name in platforms}
    return Tag(digest=digest, platforms=found, seen=entry.text("seen"))


def _made(entry: _Entry) -> Made:
    return Made(
        digest=entry.match("digest", _DIGEST, "digest"),
        description=entry.match("description", _DIGEST, "digest"),
        seen=entry.text("seen"),
    )


def _line(source: str, name: str) -> int | None:
    """Return the line where a key stands first."""
    place = source.find(json.dumps(name, ensure_ascii=False) + ":")
    return source.count("\n", 0, place) + 1 if place >= 0 else None


def _made_data(made: Made) -> dict[str, str]:
    return {"digest": made.digest, "description": made.description, "seen": made.seen}


def unreadable(file: str, why: str, line: int | None = None) -> FindingsError:
    """Return the failure of a lock file that cannot be used (MN606)."""
    hint = "take it back from version control, or remove it and run `mngen lock`"
    return FindingsError((Diagnostic("MN606", Severity.ERROR, f"cannot use `{file}`: {why}", Span(file, line), hint),))
