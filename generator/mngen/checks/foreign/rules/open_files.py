"""Ray needs more open files than a shell gets by default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_LETTERS = re.compile(r"-([A-Za-z]+)")
_FILES = re.compile(r"-[HS]*n(.*)")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        starts = script.called("ray start")
        raised = any(_raises_soft(call.texts) for call in script.called("ulimit"))
        if starts and not raised and "--ulimit" not in script.text:
            yield Found(
                starts[0].line,
                "the limit of open files stays at the default, often 1024: Ray fails with many actors",
                'raise the soft limit up to the hard one before the start: `ulimit -n "$(ulimit -Hn)"`',
            )


def _raises_soft(words: Sequence[str]) -> bool:
    """Tell whether ``ulimit`` sets the soft limit of open files.

    Without a value it prints one; with ``-H`` and no ``-S`` it sets the hard one alone
    (https://www.gnu.org/software/bash/manual/bash.html, Bash Builtin Commands, ulimit).
    """
    letters = {letter for word in words if (match := _LETTERS.match(word)) for letter in match[1]}
    if "H" in letters and "S" not in letters:
        return False
    limits = ((match[1] or behind) for word, behind in pairwise((*words, "")) if (match := _FILES.fullmatch(word)))
    return any(limit and not limit.startswith("-") for limit in limits)


RULE = Rule("MN747", Severity.NOTE, _check)
