"""The exit status of a pipe is that of its last command."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

_TEXT = {"echo", "printf", "cat", "date", "sort", "env", "hostname", "ls", "grep", "sed", "awk", "jq", "head", "done"}
"""What only makes text: its status is not the job's."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        # A shell that is started has options of its own, but for those in an exported SHELLOPTS.
        inner = () if "SHELLOPTS" in script.text else script.inner
        for text in (script, *inner):
            if not text.option("", "pipefail"):
                yield from _lost(text)


def _lost(script: Script) -> Iterator[Found]:
    for first, last in pairwise(command for command in script.commands if not command.origin):
        if first.after in {"|", "|&"} and last.name == "tee" and first.name not in _TEXT:
            unless = script.settings_file(first.line)
            yield Found(
                first.line,
                f"`{first.name} … | tee` ends with the status of tee: a failure is reported as success"
                + (f", unless {unless} turns pipefail on" if unless else ""),
                "put `set -o pipefail` at the top, or redirect to the file instead of a pipe",
                Severity.NOTE if unless else None,
            )


RULE = Rule("MN710", Severity.ERROR, _check)
