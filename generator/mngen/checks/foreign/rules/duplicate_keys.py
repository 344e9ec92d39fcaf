"""Of two arguments with one key the last one wins, or the program refuses them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_KEY = re.compile(r"^([+~]{0,2}[A-Za-z_][\w]*(?:\.[\w@/]+)+)=")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            seen: dict[str, str] = {}
            for word in command.words[1:]:
                match = _KEY.match(word.text)
                if match is None:
                    continue
                key = match.group(1)
                if key in seen:
                    other = "with the same value" if seen[key] == word.text else f"before as `{seen[key]}`"
                    yield Found(
                        word.line,
                        f"`{key}` is given twice, {other}: only one of them counts",
                        "keep one",
                        at=word.raw,
                    )
                seen[key] = word.text


RULE = Rule("MN726", Severity.WARNING, _check)
