"""A secret without a value means something else in each SkyPilot release."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    secrets = document.get("secrets")
    if document.form is not Form.SKYPILOT or secrets is None:
        return
    for name, item in secrets.fields.items():
        if item.null:
            yield Found(
                item.line,
                f"`{name}: null` is an error without `--secret {name}` from 0.10 to 0.12, and a reference to a stored "
                "secret from 0.13 on",
                f"say in the file how to launch it: `sky launch --secret {name} …`, SkyPilot 0.10 or newer",
            )


RULE = Rule("MN792", Severity.NOTE, _check, choice=True)
