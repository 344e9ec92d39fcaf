"""A source with an empty revision is no source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_EMPTY = re.compile(r"(git\+[a-z]+://[^\s\"'@]+@)(?=[\"'\s]|$)")
_VARIABLE = re.compile(r"git\+[a-z]+://[^\s\"']+@\$\{?([A-Za-z_]\w*)\}?")


def _check(document: Document) -> Iterator[Found]:
    text = document.text
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("#"):
            continue
        if _EMPTY.search(line):
            yield Found(
                number,
                "the address ends with `@` and no revision, which pip refuses",
                "name a tag or a commit after the `@`",
            )
        for match in _VARIABLE.finditer(line):
            name = match.group(1)
            if not re.search(
                rf"^\s*(?:ARG|ENV|export)?\s*{name}=\S|\b(?:ARG|ENV|export)\s+.*\b{name}=\S", text, re.MULTILINE
            ):
                yield Found(
                    number,
                    f"the revision ${name} is set nowhere in this file, so the address ends with `@`",
                    f"declare it with a value: `ARG {name}=…`",
                )


RULE = Rule("MN705", Severity.ERROR, _check)
