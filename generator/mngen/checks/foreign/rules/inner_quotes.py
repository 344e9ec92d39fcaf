"""An unescaped double quote ends the text that is handed to another shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import inline_script
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Word
from mngen.diagnostics import Severity

_ENDS_AT_BLANK = re.compile(r'"(?:[^"\\$`]|\\.|\$(?![({]))*[\s=]"[A-Za-z{%]')
"""A quote behind a blank or ``=`` with a letter behind it was meant to open: ``"ps --format "table``."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.calls:
            word = inline_script(call)
            if word is not None and (_ends_early(word) or _ENDS_AT_BLANK.match(word.raw)):
                yield Found(
                    word.line,
                    "double quotes inside the double-quoted script end it: what stands between them is split at blanks",
                    "hand the script over in a here-document with a quoted end word: `bash -s <<'END'`",
                )


def _ends_early(word: Word) -> bool:
    """Tell whether a script of several lines has a quote in it that ends it."""
    return word.parts > 1 and word.raw.startswith('"') and "\n" in word.raw


RULE = Rule("MN723", Severity.WARNING, _check)
