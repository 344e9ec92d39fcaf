"""A test whose failure is only printed proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("python3", "python"):
            code = next((word for flag, word in pairwise(call.words) if flag.text == "-c"), None)
            if code is None or "except" not in code.text or call.command.origin == "substitution":
                continue
            if not any(word in code.text for word in ("raise", "sys.exit", "exit(", "os._exit")):
                yield Found(
                    call.line,
                    "the exception is printed and swallowed: this test ends with status 0 whatever it finds",
                    "let the exception end the program, and compare the numbers of nodes and GPUs with what was "
                    "asked for",
                )


RULE = Rule("MN729", Severity.WARNING, _check)
