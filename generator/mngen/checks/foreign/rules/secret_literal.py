"""A token in a file is known to everybody who has the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.instructions import Instruction
from mngen.diagnostics import Severity

_NAME = re.compile(r"(api_?key|token|secret|passw(or)?d)$", re.IGNORECASE)
_TOKEN = re.compile(
    r"^(hf_[A-Za-z0-9]{20,}|wandb_v\d_\w{20,}|ghp_\w{20,}|github_pat_\w{20,}|sk-[\w-]{20,}|[0-9a-f]{40})$"
)
_PAIR = re.compile(r"([A-Za-z_]\w*)(?:=|\s+)(?:\"([^\"]*)\"|'([^']*)'|(\S*))")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            for assign in command.assigns:
                value = assign.value.text
                if _TOKEN.match(value) or (_NAME.search(assign.name) and _plain(value)):
                    yield _found(assign.line, assign.name)
    for instruction in document.instructions:
        if instruction.word in {"ARG", "ENV"}:
            yield from _baked(instruction)


def _baked(instruction: Instruction) -> Iterator[Found]:
    """Names that look like secrets: an ARG stays in the image's history, an ENV in its configuration."""
    for match in _PAIR.finditer(instruction.text):
        value = next((part for part in match.groups()[1:] if part is not None), "")
        if _NAME.search(match.group(1)) or _TOKEN.match(value):
            yield Found(
                instruction.line,
                f"{instruction.word} {match.group(1)}: whoever has the image can read it, from its configuration "
                "or history",
                "mount it for the one step that needs it: `RUN --mount=type=secret,id=…`",
            )
    name = instruction.text.strip()
    if instruction.word == "ARG" and "=" not in name and " " not in name and _NAME.search(name):
        yield Found(
            instruction.line,
            f"ARG {name}: the value given at the build stays in the image's history",
            "mount it for the one step that needs it: `RUN --mount=type=secret,id=…`",
        )


def _plain(value: str) -> bool:
    return (
        len(value) >= 8 and not any(mark in value for mark in "$<>/ ") and value.lower() not in {"disabled", "required"}
    )


def _found(line: int, name: str) -> Found:
    return Found(
        line,
        f"{name} holds what looks like a real secret, in a file that is checked in and handed on",
        "take it from the environment of whoever submits, or from a file of mode 600; and revoke this one",
    )


RULE = Rule("MN784", Severity.ERROR, _check)
