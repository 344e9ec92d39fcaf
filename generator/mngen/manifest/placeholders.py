"""The one placeholder form, ``${{ NAME }}``: where it stands in a text, and when each name is known.

``$${{`` writes a literal ``${{``. Everything else (``$X``, ``${a.b}``, backticks, ``{{ }}``) is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from mngen.diagnostics import Span
from mngen.manifest.node import Node, Scalar
from mngen.manifest.text import Phase

RENDER_NAMES: Mapping[str, str] = {
    "nodes": "number of nodes: `resources.nodes`",
    "gpus": "GPUs of one node: `resources.gpus`",
    "total_gpus": "GPUs of all nodes, whoever uses them: `nodes` times `gpus`",
    "ray_gpus": "GPUs that Ray has in all: those of services, and what `ray.head_gpus` keeps from it, do not count",
    "ray_nodes": "nodes on which Ray has GPUs",
    "ray_node_gpus": "GPUs that Ray has on each node that has any for it; the fewest, where the head has fewer",
    "name": "`name` of the manifest",
    "target": "name of the target",
    "variant": "`cuda` or `rocm`",
}
NODE_NAMES: Mapping[str, str] = {
    "node_rank": "number of this node in the job; 0 is the head",
    "job_id": "the job's ID: Slurm's, SkyPilot's of the task, dstack's of the run; on `manual` one for each user",
    "attempt": "how often Slurm has started this job again: 0 the first time, and on other kinds always",
    "uid": "number of the user that the job runs as on the node, outside of any container",
    "gid": "number of that user's group",
    "job_dir": "a folder of this job on each node for its sockets and logs, the same path inside a container; it is "
    "removed at the end",
}
CLUSTER_NAMES: Mapping[str, str] = {
    "head_ip": "the head's address, bare: `10.0.0.1` or `fd00::1`",
    "head_host": "the head's address as it stands before a port and in a URL: `10.0.0.1` or `[fd00::1]`",
    "head_address": "where Ray's head listens, with its port: `10.0.0.1:6379` or `[fd00::1]:6379`",
    "node_ip": "this node's own address, bare",
    "node_host": "this node's own address as it stands before a port and in a URL",
}
OPEN_NAMES: Mapping[str, str] = {
    "vars.NAME": "a value of `vars`",
    "env.NAME": "the value of `env` if the manifest sets it, else the node's own variable; unset there, the job stops",
    "env.NAME:-DEFAULT": "the same, and DEFAULT in all of the target where the node has none or an empty one",
    "services.NAME.port": "the port of a service that has one, fixed or of the job's own block",
}
"""Names with a part that the manifest chooses."""

_KNOWN = (
    ("when the files are written", RENDER_NAMES, ("vars.NAME",)),
    ("on the node, before the cluster forms", NODE_NAMES, ("env.NAME", "env.NAME:-DEFAULT")),
    ("once the head is chosen", CLUSTER_NAMES, ("services.NAME.port",)),
)

# An opening may be doubled to write it literally; a placeholder ends at the first `}}` of its line.
_OPENING = re.compile(r"\$\$\{\{|\$\{\{(?P<body>[^\n]*?)\}\}|\$\{\{")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")


class Described(Struct, frozen=True):
    """A placeholder's name, when its value is known, and what that is."""

    name: str
    known: str
    meaning: str


def described() -> tuple[Described, ...]:
    """Return every placeholder that there is, in the order in which their values are known."""
    return tuple(
        Described(name, known, {**names, **OPEN_NAMES}[name])
        for known, names, further in _KNOWN
        for name in (*names, *further)
    )


class Placeholder(Struct, frozen=True):
    """One placeholder of a text: its name (``None`` when it holds no name), its spelling, its number in the text.

    ``default`` is what is behind ``:-``, which only ``env.NAME`` may have.
    """

    name: str | None
    spelling: str
    index: int
    closed: bool = True
    default: str | None = None


@lru_cache(maxsize=1024)  # all targets read the texts of the manifest's top level
def split(text: str) -> tuple[str | Placeholder, ...]:
    """Split a text into literal parts, with ``$${{`` undone, and placeholders.

    >>> split("a/${{ job_id }}")
    ('a/', Placeholder(name='job_id', spelling='${{ job_id }}', index=0, closed=True, default=None))
    """
    if "${{" not in text:
        return (text,) if text else ()
    parts: list[str | Placeholder] = []
    done = 0
    for index, found in enumerate(_OPENING.finditer(text)):
        before = text[done : found.start()]
        done = found.end()
        if found.group().startswith("$$"):
            parts.append(before + "${{")
            continue
        if before:
            parts.append(before)
        parts.append(_placeholder(found, index))
    if done < len(text):
        parts.append(text[done:])
    return tuple(parts)


def _placeholder(found: re.Match[str], index: int) -> Placeholder:
    body = found["body"]
    name, behind, default = (body or "").strip().partition(":-")
    known = _NAME.fullmatch(name) and (name.startswith("env.") or not behind)
    return Placeholder(
        name if known else None, found.group(), index, closed=body is not None, default=default if behind else None
    )


def tighten(text: str) -> str:
    """Remove the blanks inside placeholders, so that splitting at blanks keeps them whole."""

    def tight(found: re.Match[str]) -> str:
        return found.group() if found["body"] is None else "${{" + found["body"].strip() + "}}"

    return _OPENING.sub(tight, text)


def locate(node: Node, index: int, lines: tuple[str, ...]) -> Span:
    """Return the place of the ``index``-th opening (doubled ones count) inside a scalar, or the scalar's own.

    ``lines`` are the lines of the node's file. An opening that was written with escapes is not found.
    """
    span = node.span
    if span.line is None or span.column is None or not isinstance(node.value, Scalar):
        return span
    last = span.end_line or span.line
    count = -1
    for number in range(span.line, min(last, len(lines)) + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = (span.end_column or 1) - 1 if number == last else len(line)
        for found in _OPENING.finditer(line, start, max(end, start)):
            count += 1
            if count == index:
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
    return span


def count_openings(text: str) -> int:
    """Return how many placeholders and doubled openings a text holds."""
    return len(_OPENING.findall(text))


def phase_of(name: str) -> Phase:
    """Return when the value of a placeholder that is left for run time is known."""
    return Phase.CLUSTER if name in CLUSTER_NAMES or name.startswith("services.") else Phase.NODE


def holds_placeholder(text: str) -> bool:
    """Tell whether a text holds a placeholder, well formed or not."""
    return "${{" in text and any(isinstance(part, Placeholder) for part in split(text))
