"""A dump of the environment writes every token into the log."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("printenv", "env", "export", "set", "declare"):
            dumps = {
                "printenv": not [text for text in call.texts if not text.startswith("-")],
                "env": not call.texts,
                "set": not call.texts,
                "export": call.texts in {(), ("-p",)},
                "declare": call.texts in {(), ("-x",), ("-p",)},
            }[call.program]
            if dumps and call.command.after != "|" and not call.outer:
                yield Found(
                    call.line,
                    f"`{call.program}` writes the whole environment, tokens included, to a log that others can read",
                    "print the variables that matter by name",
                )


RULE = Rule("MN782", Severity.ERROR, _check)
