"""What a file pins to one version: Python packages, and revisions of repositories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.stages import filled, values_of

_PACKAGE = re.compile(
    r"(?<![\w.$/=-])([A-Za-z][A-Za-z0-9._-]*)(?:\[[\w,. -]*\])?\s*===?\s*(\$\{?\w+\}?|\d[\w.!+*-]*)(?![\w.]*=)"
)
_SOURCE = re.compile(r"git\+(?:https?|ssh)://(?:[^\s@/]+@)?([^\s@\"']+?)(?:\.git)?@([^\s\"'#;&]+)")
_CLONE = re.compile(
    r"git\s+clone\b(?=[^&;\n]{0,300}\s(?:-b|--branch)[ =]+[\"']?([^\s\"']+))"
    r"[^&;\n]{0,300}?(?:https?://|git@)([^\s\"';&]+)"
)
_ASSIGNED = re.compile(r"^\s*(?:export\s+|readonly\s+)?([A-Za-z_]\w*)=[\"']?([^\s\"'$]+)[\"']?\s*$", re.MULTILINE)
_PINNING = re.compile(r"\b(?:pip3?|uv|conda|mamba|git)\b")


class Pin(Struct, frozen=True):
    """``name`` is what is pinned, ``version`` to what, at a line with these very words."""

    name: str
    version: str
    line: int
    words: str


def pins(document: Document) -> Iterator[Pin]:
    """Yield the exact pins of a file. A range, a wildcard or a variable without a value is none."""
    values = values_of(document.instructions) if document.instructions else dict(_ASSIGNED.findall(document.text))
    installs = document.form in {Form.PACKAGES, Form.DOCKERFILE, Form.APPTAINER}
    for number, line in _logical_lines(document):
        if line.lstrip().startswith("#") or not (installs or _PINNING.search(line)):
            continue
        code = line.partition(" #")[0]
        for match in _PACKAGE.finditer(code):
            version = filled(match.group(2), values)
            if "$" not in version and "*" not in version:
                name = re.sub(r"[-_.]+", "-", match.group(1)).lower()
                yield Pin(name, version.partition("+")[0], number + code[: match.start()].count("\n"), match.group())
        yield from _sources(code, number, values)


def _sources(code: str, number: int, values: dict[str, str]) -> Iterator[Pin]:
    found = [(match.group(1), match.group(2), match) for match in _SOURCE.finditer(code)]
    found += [(match.group(2), match.group(1), match) for match in _CLONE.finditer(code)]
    for address, revision, match in found:
        version = filled(revision, values)
        if "$" not in version:
            line = number + code[: match.start()].count("\n")
            name = address.removesuffix("/").removesuffix(".git").replace(":", "/").lower()
            yield Pin(name, version, line, revision)


def _logical_lines(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the lines, those that a backslash continues as one, with the number of their first."""
    pending: list[str] = []
    for number, line in enumerate(document.lines, start=1):
        pending.append(line)
        if not line.rstrip().endswith("\\"):
            yield number - len(pending) + 1, "\n".join(pending)
            pending = []
    if pending:
        yield len(document.lines) - len(pending) + 1, "\n".join(pending)
