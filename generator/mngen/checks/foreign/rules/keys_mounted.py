"""A container that sees the home folder has the user's keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.pyxis_options import pyxis_values
from mngen.diagnostics import Severity

_KEYS = re.compile(r"(?:^|[/~}])\.(?:ssh|aws|kube)(?:/|:|$)")
_NO_KEY = re.compile(r"(?:known_hosts|authorized_keys|\.pub|/\.(?:ssh|aws)/config)(?::|$)")
"""Files in those folders that hold no key."""
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
    yield from _by_pyxis(document)
    yield from _by_skypilot(document)


def _by_pyxis(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for value, line in pyxis_values(script, "--container-mounts"):
            for mount in value.split(","):
                if _KEYS.search(mount) and not _NO_KEY.search(mount):
                    yield Found(
                        line,
                        f"`{mount}` puts the user's private keys into the container",
                        "mount the data folders that are needed; use a deploy key or a token for git",
                    )


def _by_skypilot(document: Document) -> Iterator[Found]:
    mounts = document.get("file_mounts") if document.form is Form.SKYPILOT else None
    for target, item in mounts.fields.items() if mounts is not None else ():
        inner = item.fields.get("source")
        source = item.text or (inner.text if inner is not None else None) or ""
        if any(_KEYS.search(text) and not _NO_KEY.search(text) for text in (target, source)):
            yield Found(
                item.line,
                f"`{target}` puts the user's private keys onto every node",
                "use a deploy key that is good for one repository, or a token among `secrets`",
                Severity.WARNING,
            )


RULE = Rule("MN780", Severity.ERROR, _check, choice=True)
