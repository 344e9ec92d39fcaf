"""A source without a fixed revision gives another program every day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import CHECKED, Document, Found, Rule
from mngen.diagnostics import Severity

_BRANCH = r"(?:refs/heads/[\w./-]+|main|master|dev|devel|develop|development|nightly|HEAD|head|latest|trunk)"
_MOVING = re.compile(rf"(?:origin/|upstream/)?{_BRANCH}")
_PIP_SOURCE = re.compile(r"git\+(?:https?|ssh)://(?:[^\s@/\"']+@)?[^\s@\"'#;\\)\]]+(?:@([^\s\"'#;\\)\]]+))?")
_DOWNLOAD = re.compile(
    r"https?://[^\s\"']*(?:/archive/(?:refs/heads/|(?:main|master)\.)|/raw/(?:refs/heads/|main/|master/)|"
    r"raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/(?:refs/heads/|main/|master/))[^\s\"']*"
)
_FETCHES = re.compile(r"\b(?:curl|wget|aria2c|ADD|pip3?|uv|tar)\b")
_ADDED = re.compile(r"(https?://\S+\.git)(#\S+)?(?=\s)")
_REMOTE = re.compile(r"^(?:https?://|ssh://|git://|git@|\$)")


def _check(document: Document) -> Iterator[Found]:
    if document.form not in CHECKED:
        return
    yield from _clones([call for script in document.shell for call in script.called("git")])
    for number, line in enumerate(document.lines, start=1):
        if not line.lstrip().startswith("#"):
            yield from _addresses(line, number)
    for part in document.instructions:
        for match in _ADDED.finditer(part.text) if part.word == "ADD" else ():
            named = (match.group(2) or "#")[1:].partition(":")[0]  # `#REF:FOLDER`
            if not named:
                yield _found(part.line, match.group(1), "the default branch")
            elif _MOVING.fullmatch(named):
                yield _found(part.line, match.group(), f"the branch {named}")


def _addresses(line: str, number: int) -> Iterator[Found]:
    for match in _PIP_SOURCE.finditer(line):
        if match.group(1) is None and not line[match.end() :].startswith("@"):
            yield _found(number, match.group(), "the default branch", match.start() + 1)
        elif match.group(1) is not None and _MOVING.fullmatch(match.group(1)):
            yield _found(number, match.group(), f"the branch {match.group(1)}", match.start() + 1)
    for match in _DOWNLOAD.finditer(line) if _FETCHES.search(line) else ():
        yield _found(number, match.group(), "a branch", match.start() + 1)


def _clones(calls: Sequence[Call]) -> Iterator[Found]:
    """Yield the clones that no checkout pins before the next clone."""
    pending: Found | None = None
    for call in calls:
        words = _git_words(call)
        if words[:1] == ["clone"]:
            if pending is not None:
                yield pending
            pending = _of_clone(call, words[1:])
        elif words[:1] and words[0] in {"checkout", "switch", "reset"}:
            names = [word for word in words[1:] if not word.startswith("-")]
            pending = None if not all(_MOVING.fullmatch(name) for name in names) or not names else pending
    if pending is not None:
        yield pending


def _of_clone(call: Call, words: Sequence[str]) -> Found | None:
    address = next((word for word in words if _REMOTE.match(word)), None)
    if address is None:
        return None
    for number, word in enumerate(words):
        name, _, value = word.partition("=")
        if name in {"-b", "--branch", "--revision"}:
            branch = value or (words[number + 1] if number + 1 < len(words) else "")
            return _found(call.line, branch, f"the branch {branch}") if _MOVING.fullmatch(branch) else None
    return _found(call.line, "git clone", "the default branch")


def _git_words(call: Call) -> list[str]:
    """Return the words from the subcommand on: ``-C DIR`` and ``-c KEY=VALUE`` stand before it."""
    words = list(call.texts)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in {"-C", "-c"} else words[1:]
    return words


def _found(line: int, at: str, what: str, column: int = 0) -> Found:
    return Found(
        line,
        f"this fetches {what} as it is at that moment: nodes and days differ",
        "name a tag or a commit: `--branch TAG`, `git checkout COMMIT`, `git+URL@COMMIT`",
        at=at,
        column=column,
    )


RULE = Rule("MN790", Severity.WARNING, _check)
