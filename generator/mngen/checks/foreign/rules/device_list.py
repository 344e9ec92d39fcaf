"""A fixed list of devices ignores what the job was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.yaml_settings import yaml_settings
from mngen.diagnostics import Severity

_MASK = re.compile(r"^(CUDA|HIP|ROCR|ASCEND_RT)_VISIBLE_DEVICES$")
_LIST = re.compile(r"^\d+(,\d+)*$")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for assign in (assign for command in script.commands for assign in command.assigns):
            # Programs of one machine have to share its devices somehow.
            shared = not (assign.alone or script.of_a_cluster)
            if _MASK.match(assign.name) and _LIST.match(assign.value.text) and not shared:
                severity = None if script.of_a_cluster else Severity.NOTE
                yield _found(assign.line, assign.name, assign.value.text, severity)
    for setting in yaml_settings(document):
        if _MASK.match(setting.name) and _LIST.match(setting.value):
            yield _found(setting.line, setting.name, setting.value)


def _found(line: int, name: str, value: str, severity: Severity | None = None) -> Found:
    return Found(
        line,
        f"{name}={value} is the same on every node, whatever devices the job was given there",
        "leave it to the launcher, which sets the list of each node",
        severity,
    )


RULE = Rule("MN786", Severity.WARNING, _check)
