"""A container that sees the home folder has the user's keys."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_HOMES = ("$HOME", "${HOME}", "~")


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("docker run", "podman run", "apptainer exec", "apptainer run"):
        mounts = call.options.values("--volume") + call.options.values("--mount") + call.options.values("--bind")
        for mount in mounts:
            if ".ssh" in mount or ".aws" in mount or ".kube" in mount:
                yield Found(
                    call.line,
                    f"`{mount}` puts the user's private keys into the container",
                    "mount the data folders that are needed; use a deploy key or a token for git",
                )
            elif mount.split(":")[0] in _HOMES and call.program.endswith("run") and call.lacks("--user"):
                yield Found(
                    call.line,
                    f"`{mount}` gives the whole home folder to a process that runs as root, and leaves root's "
                    "files in it",
                    'mount the folders that are needed, and run as the user: `--user "$(id -u):$(id -g)"`',
                    Severity.WARNING,
                )


RULE = Rule("MN780", Severity.ERROR, _check, choice=True)
