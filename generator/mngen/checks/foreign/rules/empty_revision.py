"""A source with an empty revision is no source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import CHECKED, Document, Found, Rule
from mngen.diagnostics import Severity

_EMPTY = re.compile(r"(git\+[a-z]+://[^\s\"'@]+@)(?=[\"'\s#]|$)")
_VARIABLE = re.compile(r"git\+[a-z]+://[^\s\"']+@(\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)))")


def _check(document: Document) -> Iterator[Found]:
    if document.form not in CHECKED:
        return
    text = document.text
    for number, line in enumerate(document.lines, start=1):
        if line.lstrip().startswith("#"):
            continue
        for match in _EMPTY.finditer(line):
            yield Found(
                number,
                "the address ends with `@` and no revision, which pip refuses",
                "name a tag or a commit after the `@`",
                at=match.group(1),
            )
        for match in _VARIABLE.finditer(line):
            name = match.group(2) or match.group(3)
            if not (_has_value(name, text) or _is_asked_for(name, text)):
                yield Found(
                    number,
                    f"the revision ${name} is set nowhere in this file, so the address ends with `@`",
                    f"declare it with a value: `ARG {name}=…`",
                    at=match.group(1),
                )


def _has_value(name: str, text: str) -> bool:
    """Tell whether a file gives a variable a value: an assignment, a YAML key, a loop, a word that is read."""
    given = (
        rf"(?<![\w#]){name}(?:=[\"']?[^\s\"']|:[ \t]*\S|[ \t]+in\b)|\bENV[ \t]+{name}[ \t]+\S|\bread\b[^\n]*\b{name}\b"
    )
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    return re.search(given, "\n".join(lines)) is not None


def _is_asked_for(name: str, text: str) -> bool:
    """Tell whether a file tests a variable, which then comes from outside: ``[ -n "$NAME" ]``, ``${NAME:?}``."""
    return re.search(rf"-[nz]\s+\"?\$\{{?{name}\b|\$\{{{name}:?\?", text) is not None


RULE = Rule("MN705", Severity.ERROR, _check)
