"""A dump of the environment writes every token into the log."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.printing import into_log
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        dumps = [call for call in script.called("printenv", "env", "export", "set", "declare") if _all(call)]
        places = {id(command): place for place, command in enumerate(script.commands)} if dumps else {}
        for call in dumps:
            if set(call.outer) <= {"srun"} and into_log(script, places[id(call.command)]):
                yield Found(
                    call.line,
                    f"`{call.program}` writes the whole environment, tokens included, to a log that others can read",
                    "print the variables that matter by name",
                )


def _all(call: Call) -> bool:
    """Tell whether a call prints every variable, and does nothing else."""
    return {
        "printenv": not [text for text in call.texts if not text.startswith("-")],
        "env": not call.texts,
        "set": not call.texts,
        "export": call.texts in {(), ("-p",)},
        "declare": call.texts in {(), ("-x",), ("-p",)},
    }[call.program]


RULE = Rule("MN782", Severity.ERROR, _check)
