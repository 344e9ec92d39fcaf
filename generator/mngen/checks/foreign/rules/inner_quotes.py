"""An unescaped double quote ends the text that is handed to another shell."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.calls:
            word = inline_script(call)
            if word is not None and word.parts > 1 and word.raw.startswith('"') and "\n" in word.raw:
                yield Found(
                    word.line,
                    "double quotes inside the double-quoted script end it: what stands between them is split at blanks",
                    "hand the script over in a here-document with a quoted end word: `bash -s <<'END'`",
                )


RULE = Rule("MN723", Severity.WARNING, _check)
