"""grep -c prints 0 itself when nothing matches, and fails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for first, second in pairwise(script.commands):
            counts = first.name == "grep" and any(t.startswith("-") and "c" in t for t in first.args if t[:2] != "--")
            if counts and first.after == "||" and second.name in {"echo", "printf"}:
                yield Found(
                    first.line,
                    "without a match `grep -c` prints 0 and fails, then echo prints another 0: two lines, no number",
                    "write `grep -c … || true`; better, ask for the number itself (`ray.nodes()`), not for text",
                )


RULE = Rule("MN714", Severity.ERROR, _check)
