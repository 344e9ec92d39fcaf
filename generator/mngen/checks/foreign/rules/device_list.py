"""A fixed list of devices ignores what the job was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_MASK = re.compile(r"^(CUDA|HIP|ROCR|ASCEND_RT)_VISIBLE_DEVICES$")
_LIST = re.compile(r"^\d+(,\d+)*$")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for assign in (assign for command in script.commands for assign in command.assigns):
            if _MASK.match(assign.name) and _LIST.match(assign.value.text):
                yield _found(assign.line, assign.name, assign.value.text)
    entries = document.get("env") or document.get("envs")
    for item in entries.entries if entries is not None else ():
        name, _, value = (item.text or "").partition("=")
        if _MASK.match(name) and _LIST.match(value):
            yield _found(item.line, name, value)
    for name, item in (entries.fields if entries is not None else {}).items():
        if _MASK.match(name) and _LIST.match(item.text or ""):
            yield _found(item.line, name, item.text or "")


def _found(line: int, name: str, value: str) -> Found:
    return Found(
        line,
        f"{name}={value} is the same on every node, whatever devices the job was given there",
        "leave it to the launcher, which sets the list of each node",
    )


RULE = Rule("MN786", Severity.WARNING, _check)
