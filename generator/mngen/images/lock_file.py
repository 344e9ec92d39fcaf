"""The lock file ``mngen.lock``: what tags and branches meant when they were looked at, and what was pushed.

It is JSON with sorted keys, so that a change of one entry is a change of its lines. Days are UTC, in ISO 8601.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
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
        raise _unreadable(file, "it is not JSON", line) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _unreadable(file, f"it has no `format: {FORMAT}`; a newer mngen may have written it")
    try:
        return Lock(
            tags={name: _tag(item) for name, item in _map(data, "tags").items()},
            git={
                (url, ref): Commit(commit=_match(COMMIT, item["commit"]), seen=str(item["seen"]))
                for url, refs in _map(data, "git").items()
                for ref, item in refs.items()
            },
            pushed={name: _made(item) for name, item in _map(data, "pushed").items()},
            sif={name: _made(item) for name, item in _map(data, "sif").items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _unreadable(file, f"an entry is not as mngen writes it: {error}") from error


def _map(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key) or {}
    if not isinstance(found, dict):
        raise TypeError(key)
    return found


def _tag(item: dict[str, Any]) -> Tag:
    platforms = {str(name): _match(_DIGEST, digest) for name, digest in (item.get("platforms") or {}).items()}
    return Tag(digest=_match(_DIGEST, item["digest"]), platforms=platforms, seen=str(item["seen"]))


def _made(item: dict[str, Any]) -> Made:
    return Made(
        digest=_match(_DIGEST, item["digest"]),
        description=_match(_DIGEST, item["description"]),
        seen=str(item["seen"]),
    )


def _made_data(made: Made) -> dict[str, str]:
    return {"digest": made.digest, "description": made.description, "seen": made.seen}


def _match(pattern: re.Pattern[str], value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"{value!r} is no digest")
    return value


def _unreadable(file: str, why: str, line: int | None = None) -> FindingsError:
    hint = "take it back from version control, or remove it and run `mngen lock`"
    return FindingsError((Diagnostic("MN606", Severity.ERROR, f"cannot use `{file}`: {why}", Span(file, line), hint),))
