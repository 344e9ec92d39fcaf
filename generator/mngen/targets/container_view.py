"""Remarks on files that are read, or written, where the user's own are not: in a container, on rented machines."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.judging.finding import graded
from mngen.manifest.judging.placed_texts import argument_lists, inline_scripts
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text, spelled
from mngen.targets.no_effect import otherwise

_HOME = "${{ env.HOME }}/"
_IN_HOME = re.compile(re.escape(_HOME) + r"[^\s,:;'\"]+")
_SITE = "/site"
"""A path that no image has."""
_SYSTEM = frozenset(
    {
        *("bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32"),
        *("opt", "proc", "root", "run", "sbin", "sys", "usr", "var"),
    }
)
"""Folders at the top that images fill, at whatever depth: https://refspecs.linuxfoundation.org/fhs.shtml."""
_HOLDING = frozenset({"home", "media", "mnt", "srv"})
"""Folders at the top whose own folders are each somebody's."""
_MOUNTS_HOME = frozenset({Runtime.APPTAINER, Runtime.PYXIS})
"""Runtimes that can show the home, and whose images are read-only unless ``container.writable`` says otherwise."""
_REMOVED = re.compile(r"(?<![\w./-])rm(?:\s+-[\w-]+)*((?:\s+[^\s;|&<>()-][^\s;|&<>()]*)+)")
"""What a text of the shell removes."""
_UNKNOWN = re.compile(r"/[^/]*[$*?\[{`~].*", re.DOTALL)
"""The part of a path from where only the shell knows it."""
_SHM = "/dev/shm/"
"""What a container has of its own, and clears with itself, or shares with the node, as Apptainer does."""
_APPTAINERS_OWN = ("/tmp", "/var/tmp")
"""What ``mount tmp`` of apptainer.conf brings: https://apptainer.org/docs/admin/latest/configfiles.html."""


def unseen(target: Target) -> Iterator[Diagnostic]:
    """Remark on files that are read, made or removed in folders that no mount brings into the container.

    Silent where that cannot be told: the image, an option of one's own or a site's default mount may bring them.
    """
    if not target.runtime.is_container or target.container.options:
        return
    for index, text in enumerate(target.env_files):
        if _is_unseen(target, text):
            what = "it is read inside the container, where the node's file is not mounted"
            yield otherwise(target, f"env_files.{index}", what, _mend(target, text, "ro"))
    yield from _in_home(target)
    yield from _made(target)
    yield from _removed(target)
    if target.endpoint is not None and _is_unseen(target, target.endpoint.file):
        yield _endpoint(target, target.endpoint.file)


def _endpoint(target: Target, file: Text) -> Diagnostic:
    """A file for other jobs that none of them sees; where the image cannot be written to, the job ends over it."""
    if target.runtime in _MOUNTS_HOME and not target.container.writable:
        what = "it is written inside the container, where nothing can be written but to mounts: the job would end"
        return graded(Severity.WARNING, otherwise(target, "endpoint.file", what, _mend(target, file)))
    what = "it is written inside the container, into a folder that is not mounted and that no other job sees"
    return otherwise(target, "endpoint.file", what, _mend(target, file))


def _made(target: Target) -> Iterator[Diagnostic]:
    """Remark on results of steps that go with the container, so that each job makes them again."""
    for index, step in enumerate(target.prepare):
        if step.creates is not None and _is_unseen(target, step.creates):
            what = "it is made inside the container, in a folder that is not mounted, and goes with it"
            mend = _mend(target, step.creates)
            yield otherwise(target, f"prepare.{index}.creates", what, f"right if each job makes it anew; else {mend}")


def _removed(target: Target) -> Iterator[Diagnostic]:
    """Remark on files of the node that ``cleanup`` cannot remove."""
    text = spelled(target.cleanup.text).replace("${{ ", "${{").replace(" }}", "}}") if target.cleanup else ""
    words = (word.strip("'\"") for match in _REMOVED.finditer(text) for word in match[1].split())
    for path in dict.fromkeys(words):
        known = _UNKNOWN.sub("/_", path)
        if posixpath.dirname(known) != "/" and not known.startswith(_SHM) and _is_unseen(target, Text((path,))):
            what = f"it removes {path} inside the container, where the node's folder is not mounted"
            rest = path[len(posixpath.dirname(known)) + 1 :].replace("${{", "${{ ").replace("}}", " }}")
            yield otherwise(target, "cleanup", what, _mend(target, Text((known,)), name=rest))


def _in_home(target: Target) -> Iterator[Diagnostic]:
    """Remark on paths in the node's home that what runs inside is told of; what a shell reads may test for them."""
    scripts = {field for field, _ in inline_scripts(target)}
    for field, text in (*((f"env.{name}", value) for name, value in target.env), *argument_lists(target)):
        found = None if field in scripts else _IN_HOME.search(spelled(text))
        if found is not None and _is_unseen(target, Text((found[0],))):
            what = f"{found[0]} is a path of the node, whose home is not mounted inside the container"
            yield otherwise(target, field, what, _home_mend(target, found[0]))


def _home_mend(target: Target, path: str) -> str:
    inside = f"{_SITE}/{posixpath.basename(path.rstrip('/'))}"
    mend = f"mount it, and write the path inside, {inside}: {_mount(path, inside)}"
    return f"write container: {{mount_home: true}}, or {mend}" if target.runtime in _MOUNTS_HOME else mend


def rented(target: Target) -> Iterator[Diagnostic]:
    """Remark on the same files, and on secrets in files, for a machine that was rented a moment ago."""
    read = "it is read on each rented machine, inside the image, where your own file is not"
    for index, text in enumerate(target.env_files):
        if _is_elsewhere(target, text):
            hint = "write the variables under env, or bring the file along with code or a mount"
            yield otherwise(target, f"env_files.{index}", read, hint)
    for secret in target.secrets:
        if secret.file is not None and _is_elsewhere(target, secret.file):
            hint = "leave file out, and the value comes from the shell that starts the run"
            yield otherwise(target, f"secrets.{secret.name}.file", read, hint)
    if target.endpoint is not None and _is_elsewhere(target, target.endpoint.file):
        what = "it is written on the rented head, inside the image, where no other job looks"
        yield otherwise(target, "endpoint.file", what, "write it into a mount that others see")
    folder = target.logs.dir
    if target.keeps_logs and (not folder.startswith("/") or _is_elsewhere(target, Text((folder,)))):
        field = "logs.driver" if target.logs.driver else "logs.ray_session"
        what = f"it is kept below {folder} on the rented machines, and goes with them"
        yield otherwise(target, field, what, "write logs.dir as a folder of a mount that stays")


def _is_unseen(target: Target, text: Text) -> bool:
    if spelled(text).startswith(_HOME) and target.container.mount_home:
        return False
    sources = [spelled(mount.source) for mount in target.mounts]
    brought = {Runtime.APPTAINER: _APPTAINERS_OWN, Runtime.PYXIS: (target.ray.temp_dir,)}
    own = brought.get(target.runtime, ())
    return _is_elsewhere(target, text, *sources, *own)


def _is_elsewhere(target: Target, text: Text, *more: str) -> bool:
    """Whether a path is below none of the places that are brought along; False where that cannot be told."""
    path = spelled(text)
    if not path.startswith(("/", _HOME)):
        return False
    code = target.code.to if target.code is not None else None
    places = [*more, *(mount.place for mount in target.mounts), *([code] if code else [])]
    return not any(path.startswith(f"{place.rstrip('/')}/") or path == place for place in places)


def _mend(target: Target, text: Text, mode: str = "", name: str = "") -> str:
    """Name the mount that shows a file: at its own folder's path, unless that would hide something of the image."""
    folder, last = posixpath.split(spelled(text))
    name = name or last
    if not posixpath.normpath(folder).strip("/"):
        return f"move it into a folder of its own, and write {_SITE}/{name}: {_mount(_SITE, _SITE)}"
    if folder.startswith("$") or _is_of_images(folder) or _holds_job(target, folder):
        return f"mount its folder, and write the path inside, {_SITE}/{name}: {_mount(folder, _SITE, mode)}"
    return f"mount its folder, and write the path inside: {_mount(folder, folder)}"


def _is_of_images(folder: str) -> bool:
    """Whether images have something of their own in such a folder, which a mount there would hide."""
    first, _, rest = posixpath.normpath(folder).lstrip("/").partition("/")
    return first in _SYSTEM or (first in _HOLDING and not rest)


def _holds_job(target: Target, folder: str) -> bool:
    """Whether the job's own folder is in it, which a mount there would hide (MN277)."""
    return f"{target.ray.temp_dir}/".startswith(f"{posixpath.normpath(folder)}/")


def _mount(source: str, place: str, mode: str = "") -> str:
    return f'mounts: [{{source: "{source}", target: {place}{mode and f", mode: {mode}"}}}]'
