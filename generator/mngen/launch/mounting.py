"""What a container sees of its node: the manifest's mounts, its code and its logs."""

from __future__ import annotations

import posixpath

from mngen.launch.layout import continued
from mngen.launch.names import expression
from mngen.launch.words import word
from mngen.manifest.model import Mount, Runtime, Target
from mngen.manifest.text import Ref, Text, literal
from mngen.plan import Raw

_UNMOUNTED = frozenset({Runtime.NONE, Runtime.PREFIX})
"""Runtimes under which a process sees what the node has, or what its prefix shows it."""
_LOGS = Text((Ref("log_dir"),))
"""The folder of the logs, which the job makes."""


def mounts_code(target: Target) -> bool:
    """Whether a folder beside the manifest is mounted as the code."""
    code = target.code
    if code is None or code.path is None or code.to is None or target.runtime in _UNMOUNTED:
        return False
    return not code.path.startswith("/")


def beside(path: str) -> str:
    """Return a relative path without what leads nowhere; empty for the manifest's own folder."""
    short = path.removeprefix("./").rstrip("/")
    return "" if short == "." else short


def mounts(target: Target) -> tuple[Mount, ...]:
    """The manifest's mounts; its code and its logs are further ones."""
    out = list(target.mounts)
    code = target.code
    if code is not None and code.path is not None and code.to is not None:
        path = beside(code.path)
        inside = ("/" + path,) if path else ()
        source = literal(code.path) if code.path.startswith("/") else Text((Ref("submit_dir"), *inside))
        out.append(Mount(source=source, target=literal(code.to)))
    out = _outer_first(out)
    if target.keeps_logs:
        out.append(Mount(source=_LOGS, target=_LOGS))
    return tuple(out)


def _outer_first(mounts: list[Mount]) -> list[Mount]:
    """Keep the manifest's order, but never a folder after what is mounted in it, which it would hide.

    Apptainer binds in the order given (https://github.com/apptainer/apptainer/issues/187); docker sorts by itself.
    """
    out: list[Mount] = []
    places: list[str] = []
    for mount in mounts:
        place = posixpath.normpath(mount.place)
        inner = f"{place.rstrip('/')}/"
        at = next((at for at, other in enumerate(places) if other.startswith(inner)), len(out))
        out.insert(at, mount)
        places.insert(at, place)
    return out


def bind(mount: Mount) -> Text:
    """``source:target[:mode]``."""
    mode = f":{mount.mode}" if mount.mode != "rw" else ""
    return Text((*mount.source.parts, ":", *mount.target.parts, mode))


def bind_word(mount: Mount) -> Raw:
    """The same as a shell word."""
    return word(bind(mount), expression(inside=False))


def required(target: Target) -> tuple[str, ...]:
    """Lines that stop a node where a source is missing: docker would make an empty folder, others say little."""
    if target.runtime in _UNMOUNTED:
        return ()
    variable, said = expression(inside=False), "the manifest mounts what this node has not:"
    sources = [word(mount.source, variable) for mount in mounts(target) if mount.source != _LOGS]
    if len(sources) < 2:
        return tuple(f'[[ -e {source} ]] || fail 78 "{said}" {source}' for source in sources)
    return (
        f"for source in {continued(sources, indent=4, used=18)}; do",
        f'  [[ -e ${{source}} ]] || fail 78 "{said} ${{source}}"',
        "done",
    )
