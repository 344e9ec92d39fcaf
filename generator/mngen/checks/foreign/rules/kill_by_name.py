"""A kill by name hits other jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_OWN = re.compile(r"-[PgsF]|--(?:parent|pgroup|session|pidfile|ns)\b")
"""Options of pkill(1) that name a parent, group, session or file of ids, which are the job's own."""


def _check(document: Document) -> Iterator[Found]:
    for script, call in document.called("pkill", "killall"):
        if script.exclusive and not call.under("sudo"):
            continue  # no other user's process can be signalled, and no other job of this user is on the node
        if call.program == "pkill" and any(_OWN.match(text) for text in call.texts):
            continue
        whose = "of anyone" if call.under("sudo") else "of this user (as root: of anyone)"
        yield Found(
            call.line,
            f"`{call.program}` ends every process of that name on the node {whose}, whatever job it belongs to",
            "keep the ids of what this job starts, and signal those",
        )


RULE = Rule("MN763", Severity.WARNING, _check)
