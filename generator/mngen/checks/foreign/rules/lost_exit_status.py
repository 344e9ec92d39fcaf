"""The exit status of a pipe is that of its last command."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_TEXT = {"echo", "printf", "cat", "date", "sort", "env", "hostname", "ls", "grep", "sed", "awk", "jq", "head", "done"}
"""What only makes text: its status is not the job's."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if script.option("", "pipefail"):
            continue
        # The commands of an inner script stand between the one that holds it and the next.
        for first, last in pairwise(command for command in script.commands if not command.origin):
            if first.after in {"|", "|&"} and last.name == "tee" and first.name not in _TEXT:
                yield Found(
                    first.line,
                    f"`{first.name} … | tee` ends with the status of tee: a failure is reported as success",
                    "put `set -o pipefail` at the top, or redirect to the file instead of a pipe",
                )


RULE = Rule("MN710", Severity.ERROR, _check)
