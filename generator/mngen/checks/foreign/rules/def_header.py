"""The head of an Apptainer definition is made of keys with a colon."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_KEYS = {
    "bootstrap",
    "from",
    "include",
    "mirrorurl",
    "osversion",
    "fingerprints",
    "registry",
    "namespace",
    "stage",
    "library",
    "updateurl",
    "product",
    "user",
    "regcode",
    "installpkgs",
    "mirrorurl1",
    "confurl",
    "setopt",
}


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.APPTAINER or not document.instructions:
        return
    head = document.instructions[0]
    for offset, line in enumerate(head.text.splitlines()):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        key, colon, value = text.partition(":")
        if not re.fullmatch(r"\s*\w+\s*", key) or not colon or key.strip().lower() not in _KEYS:
            yield Found(
                head.line + offset,
                f"`{text}` is no key of a definition's head, so the build stops there",
                "write `Bootstrap: docker` and `From: image`",
            )
        elif key.strip().lower() == "from" and not value.strip():
            yield Found(head.line + offset, "`From:` names no image", "write the image after it")


RULE = Rule("MN708", Severity.ERROR, _check)
