"""The length of an address does not tell its family."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_LENGTH = re.compile(r"\$\{#(\w*(?:addr|ip|host)\w*)(\[[^]]*\])?\}", re.IGNORECASE)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            text = " ".join(word.text for word in command.words)
            if command.name in {"[", "[[", "test", "if"} or command.name.startswith("(("):
                match = _LENGTH.search(text)
                if match and re.search(r"-(gt|ge|lt|le)|[<>]", text):
                    yield Found(
                        command.line,
                        f"`{match.group()}` is taken for the address family, but `fd77::1` has 7 characters",
                        "a colon makes it IPv6: `[[ $address == *:* ]]`; and ask for one family with `ip -j addr` "
                        "or `getent ahosts`",
                    )


RULE = Rule("MN751", Severity.ERROR, _check)
