"""Words after the file name of tee are file names too."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("tee"):
        files = [text for text in call.texts if not text.startswith("-")]
        swallowed = [text for text in files[1:] if "=" in text]
        if swallowed:
            yield Found(
                call.words[-1].line,
                f"`{swallowed[0]}` goes to tee as a file name, not to the program before the pipe",
                "put every argument of the program before `2>&1 | tee FILE`",
            )


RULE = Rule("MN713", Severity.ERROR, _check)
