"""dstack runs the commands of an image with sh unless told otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    commands = document.get("commands")
    if document.form is not Form.DSTACK or commands is None or document.get("image") is None:
        return
    shell = document.get("shell")
    if shell is None:
        yield Found(
            commands.line,
            "with an image the commands run in /bin/sh, often dash: `[[`, arrays and pipefail fail there",
            "add `shell: bash`",
        )


RULE = Rule("MN794", Severity.WARNING, _check)
