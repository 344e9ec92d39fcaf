"""What dstack makes of a manifest's fields, where that is not plain from the task file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mngen.diagnostics import NOTHING_TO_DO, Diagnostic
from mngen.manifest.cloud_names import DSTACK_NAME
from mngen.manifest.model import Target
from mngen.manifest.text import Text, spelled
from mngen.targets import container_view
from mngen.targets.no_effect import common, no_effect, otherwise, refused, said

_RANK = "${{ dstack.node_rank }}"


def notes(target: Target) -> list[Diagnostic]:
    """Say which fields have no effect on dstack or work otherwise, and refuse what it cannot do."""
    return [
        *common(target, "dstack"),
        *_gpus(target),
        *_code(target),
        *_mounts(target),
        *container_view.rented(target),
        *_raw(target),
        *_retry(target),
    ]


def volume(source: Text) -> str | None:
    """Return a mount's source as dstack takes it: an absolute path or a volume's name; None for anything else.

    A volume is attached to one node at a time, so a run of several nodes names one for each by its rank, which
    dstack fills in: https://dstack.ai/docs/concepts/volumes/
    """
    parts = [part if isinstance(part, str) else _RANK if part.name == "node_rank" else None for part in source.parts]
    if None in parts:
        return None
    name = "".join(part for part in parts if part is not None)
    if name.startswith("/") or DSTACK_NAME.fullmatch(name.replace(_RANK, "0")):
        return name
    return None


def _gpus(target: Target) -> Iterator[Diagnostic]:
    if target.resources.gpu_memory and not target.resources.gpus:
        yield no_effect(target, "resources.gpu_memory", "no GPU is asked for", "set resources.gpus")


def _code(target: Target) -> Iterator[Diagnostic]:
    code = target.code
    if code is None:
        return
    if code.path is not None:
        # dstack/_internal/utils/files.py, create_file_archive.
        what = (
            "dstack uploads the folder with each run, without what .gitignore and .dstackignore name; it takes 2 MB "
            "unless its server allows more, and a link to a folder outside of it arrives as an empty folder"
        )
        hint = "list in .dstackignore what the run does not need, or write code: {git: …}"
        yield otherwise(target, "code.path", what, hint)
    elif code.ref is not None and not re.fullmatch("[0-9a-f]{40}", code.ref):
        what = "dstack looks for a branch of that name, whose head may move"
        yield otherwise(target, "code.ref", what, "write a full commit; a tag is not found")


def _mounts(target: Target) -> Iterator[Diagnostic]:
    for index, mount in enumerate(target.mounts):
        field, name = f"mounts.{index}", volume(mount.source)
        if name is None and mount.source.literal is None:
            why = "dstack takes absolute paths of the instance and names of volumes; the mount is left out"
            yield no_effect(target, f"{field}.source", why, "give this target mounts of its own")
        elif name is None:
            why = f"{spelled(mount.source)!r} is neither an absolute path of the instance nor the name of a volume"
            yield refused(target, f"{field}.source", why, "write /path/on/the/instance, or a volume such as data")
        elif name.startswith("/"):
            if mount.shared:
                why = "dstack does not look whether the path is a network mount of the instances"
                yield no_effect(target, f"{field}.shared", why, "use a fleet of machines that have it mounted")
        else:
            yield from _volume(target, field, name, shared=mount.shared)


def _volume(target: Target, field: str, name: str, *, shared: bool) -> Iterator[Diagnostic]:
    several = target.resources.nodes > 1
    if several and shared:
        why = "a volume is attached to one node at a time"
        yield refused(target, f"{field}.shared", why, "use a path of the instances on a network file system")
    elif several and _RANK not in name:
        why = f"the volume {name} can be attached to one node only, and this run has {target.resources.nodes}"
        hint = f"make one for each node and write {name}-${{{{ node_rank }}}}"
        yield refused(target, f"{field}.source", why, hint, "resources.nodes")
    elif shared:
        yield no_effect(target, f"{field}.shared", "the run has one node", NOTHING_TO_DO)


def _raw(target: Target) -> Iterator[Diagnostic]:
    env = target.raw.get("env")
    if not isinstance(env, Mapping) or not any(s.required and s.file is None for s in target.secrets):
        return
    for name, value in env.items():
        if "\n" in str(value):
            why = "dstack's list form, which secrets need, has no way to write a line break"
            yield refused(target, f"raw.env.{name}", why, "move the variable to env")
    if said(target, "raw.env") and any(value is None for value in env.values()):
        yield refused(target, "raw.env", "a variable has no value", "write a value, or a list of NAME=VALUE")


def _retry(target: Target) -> Iterator[Diagnostic]:
    if target.retry:
        why = "dstack tries again for a time, not a number of times"
        hint = "write raw: {retry: {on_events: [error, interruption], duration: 1d}}"
        yield no_effect(target, "retry", why, hint)
