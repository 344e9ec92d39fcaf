"""Remarks on files that are read, or written, where the user's own are not: in a container, on rented machines."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import spelled
from mngen.manifest.model import Runtime, Target
from mngen.manifest.text import Text
from mngen.targets.no_effect import otherwise

_HOME = "${{ env.HOME }}/"
_APPTAINERS_OWN = ("/tmp", "/var/tmp")
"""What ``mount tmp`` of apptainer.conf brings: https://apptainer.org/docs/admin/latest/configfiles.html."""


def unseen(target: Target) -> Iterator[Diagnostic]:
    """Remark on files of ``env_files`` and ``endpoint`` in folders that no mount brings into the container.

    Silent where that cannot be told: the image, an option of one's own or a site's default mount may bring them.
    """
    if not target.runtime.is_container or target.container.options:
        return
    for index, text in enumerate(target.env_files):
        if _is_unseen(target, text):
            what = "it is read inside the container, where the node's file is not mounted"
            yield otherwise(target, f"env_files.{index}", what, _mend(text))
    if target.endpoint is not None and _is_unseen(target, target.endpoint.file):
        what = "it is written inside the container, into a folder that is not mounted and that no other job sees"
        yield otherwise(target, "endpoint.file", what, _mend(target.endpoint.file))


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


def _is_unseen(target: Target, text: Text) -> bool:
    if spelled(text).startswith(_HOME) and target.container.mount_home:
        return False
    sources = [spelled(mount.source) for mount in target.mounts]
    own = _APPTAINERS_OWN if target.runtime is Runtime.APPTAINER else ()
    return _is_elsewhere(target, text, *sources, *own)


def _is_elsewhere(target: Target, text: Text, *more: str) -> bool:
    """Whether a path is below none of the places that are brought along; False where that cannot be told."""
    path = spelled(text)
    if not path.startswith(("/", _HOME)):
        return False
    code = target.code.to if target.code is not None else None
    places = [*more, *(mount.target for mount in target.mounts), *([code] if code else [])]
    return not any(path.startswith(f"{place.rstrip('/')}/") or path == place for place in places)


def _mend(text: Text) -> str:
    folder = posixpath.dirname(spelled(text))
    place = "/site" if folder.startswith("$") else folder
    return f'mount its folder, and write the path inside: mounts: [{{source: "{folder}", target: {place}}}]'
