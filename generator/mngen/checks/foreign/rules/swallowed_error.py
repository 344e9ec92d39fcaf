"""A script that only prints its error goes on with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        commands = script.commands
        for first, second in pairwise(commands):
            text = " ".join(first.args).lower()
            if first.name == "echo" and ("error" in text or "fail" in text) and second.name == "continue":
                yield Found(
                    first.line,
                    "the error is printed and the loop goes on, so the job runs with fewer parts than asked for",
                    "print it to stderr and `exit 1`",
                )


RULE = Rule("MN728", Severity.WARNING, _check)
