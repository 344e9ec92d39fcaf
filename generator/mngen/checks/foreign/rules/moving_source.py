"""A clone without a revision gives another program every day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        pinned = any(call.texts[:1] in {("checkout",), ("switch",), ("reset",)} for call in script.called("git"))
        for call in script.called("git"):
            named = any(text.split("=")[0] in {"-b", "--branch", "--revision"} for text in call.texts)
            if call.texts[:1] == ("clone",) and not (pinned or named):
                yield _found(call.line)
    for instruction in document.instructions:
        cloned = instruction.word == "RUN" and re.search(r"\bgit clone\b", instruction.text)
        if cloned and not re.search(
            r"git clone[^&;]*(-b|--branch|--revision)\b|git (checkout|reset|switch)\b", instruction.text
        ):
            yield _found(instruction.line)


def _found(line: int) -> Found:
    return Found(
        line,
        "this clones whatever the default branch is at that moment: nodes and days differ",
        "check out a tag or a commit after the clone",
    )


RULE = Rule("MN790", Severity.WARNING, _check)
