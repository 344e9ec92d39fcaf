"""pip has no long option with one dash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_PIP = re.compile(r"\bpip3?\s+(?:install|wheel|download)\b((?:[^&|;\n\\]|\\\n|\\.)*)")
_OPTION = re.compile(r"(?<=\s)-([a-z]+(?:-[a-z]+)+|[a-z]{5,})\b")


def _check(document: Document) -> Iterator[Found]:
    for instruction in document.instructions:
        if instruction.word not in {"RUN", "POST"}:
            continue
        for call in _PIP.finditer(instruction.text):
            match = _OPTION.search(call.group(1))
            if match:
                before = instruction.text[: call.start(1) + match.start()].count("\n")
                yield Found(
                    instruction.line + before,
                    f"`-{match.group(1)}` is read as a row of one-letter options; pip stops with `no such option`",
                    f"write `--{match.group(1)}`",
                )


RULE = Rule("MN703", Severity.ERROR, _check)
