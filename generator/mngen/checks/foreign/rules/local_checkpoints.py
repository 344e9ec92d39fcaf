"""A folder of one instance is not shared, and goes with the instance."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.shared_folders import names_shared
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    if document.form is Form.DSTACK:
        volumes, nodes = document.get("volumes"), document.get("nodes")
        for item in volumes.entries if volumes is not None and nodes is not None and nodes.text != "1" else ():
            if (item.text or "").startswith("/") and not names_shared((item.text or "").partition(":")[0]):
                yield Found(
                    item.line,
                    f"`{item.text}` is a folder of each instance: the shards of a checkpoint end up on different "
                    "nodes, and "
                    "are lost with them",
                    "use a network volume, or a shared file system under the same path on every instance",
                )
    if document.form is Form.SKYPILOT:
        recovers = document.get("resources", "job_recovery") is not None or document.get("volumes") is not None
        nodes = document.get("num_nodes")
        serves = document.get("service") is not None  # replicas come anew, and keep nothing
        if nodes is not None and not (recovers or serves or _bucket(document)):
            yield Found(
                nodes.line,
                "nothing keeps the checkpoints: they die with the cluster, and there is neither recovery nor autostop",
                "mount a bucket for them (`file_mounts` with `mode: MOUNT_CACHED`), and set job_recovery or autostop",
            )


def _bucket(document: Document) -> bool:
    mounts = document.get("file_mounts")
    return mounts is not None and any(item.fields for item in mounts.fields.values())


RULE = Rule("MN797", Severity.NOTE, _check, choice=True)
