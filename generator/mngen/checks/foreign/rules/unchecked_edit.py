"""sed -i succeeds when it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for instruction in document.instructions:
        if instruction.word not in {"RUN", "POST"}:
            continue
        for match in re.finditer(r"\bsed\s+(?:-\w+\s+)*-i", instruction.text):
            rest = instruction.text[match.start() :]
            target = rest.split("&&")[0]
            if "/etc/apt" in target or re.search(r"\bgrep\b|\bgit diff\b|\bcmp\b", rest):
                continue
            yield Found(
                instruction.line + instruction.text[: match.start()].count("\n"),
                "when the text to replace is no longer there this changes nothing, and the build goes on",
                "check the result (`grep -q NEW FILE` behind it), or apply a patch, which fails when it does not fit",
            )


RULE = Rule("MN706", Severity.WARNING, _check)
