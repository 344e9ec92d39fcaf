"""A YAML file that does not parse is read by no client."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    problem = document.yaml_problem
    if problem is not None and "another document" in problem.message:
        yield Found(
            problem.line,
            "a second document begins here, and the client reads one of a file",
            "write it to a file of its own",
        )
    elif problem is not None and not problem.indentation:
        yield Found(
            problem.line,
            f"this is not YAML: {problem.message}",
            "the client refuses the file as a whole; check indentation, quotes and repeated keys",
        )


RULE = Rule("MN700", Severity.ERROR, _check)
