"""A relative target of a mount lies below SkyPilot's work folder."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    mounts = document.get("file_mounts")
    if document.form is not Form.SKYPILOT or mounts is None:
        return
    for target, item in mounts.fields.items():
        if not target.startswith(("/", "~")):
            yield Found(
                item.line,
                f"`{target}` is not below the home folder but below ~/sky_workdir",
                "write the target in full",
            )


RULE = Rule("MN793", Severity.WARNING, _check)
