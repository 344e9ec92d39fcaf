"""``RAY_ADDRESS=http://…`` is for ``ray job``; a driver that is run directly ends at it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.rules.ray_address import DRIVERS, trains
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Assign
from mngen.diagnostics import Severity

_WORD = re.compile(r"^(?:--env=|-e)?RAY_ADDRESS=https?://")
_HTTP = re.compile(r"^https?://")
# What speaks to the dashboard, and so is right with an http:// address.
_DASHBOARD = re.compile(
    r"JobSubmissionClient|ray\.job_submission|ray\.util\.state|\bray (?:job|list|get|summary|logs|serve)\b"
)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        text = "\n".join(line for line in script.text.split("\n") if not line.lstrip().startswith("#"))
        drivers = [call for call in script.calls if _drives(call)]
        for call in drivers:
            if any(assign.name == "RAY_ADDRESS" and _is_http(script, assign.value.text) for assign in _before(call)):
                yield _found(call.line)
        if drivers and not _DASHBOARD.search(text):
            for call in drivers:
                if any(_WORD.match(script.resolve(word.text)) for word in call.command.words):
                    yield _found(call.line)
            if "RAY_ADDRESS" not in _removed(script):
                yield from _lasting(document, script, drivers[-1].line)


def _lasting(document: Document, script: Script, last: int) -> Iterator[Found]:
    """Look at the last value that the script, or else the file's own variables, give to a driver up to a line."""
    assigned = [a for a in script.assigns if a.name == "RAY_ADDRESS" and a.line < last]
    for assign in assigned[-1:]:
        if (assign.exported or script.exported("RAY_ADDRESS")) and _is_http(script, assign.value.text):
            yield _found(assign.line)
    entries = document.get("env") or document.get("envs")
    if entries is None or assigned:
        return
    named = entries.fields.get("RAY_ADDRESS")
    if named is not None and _HTTP.match(named.text or ""):
        yield _found(named.line)
    for item in entries.entries:
        if _WORD.match(item.text or ""):
            yield _found(item.line)


def _drives(call: Call) -> bool:
    words = call.texts
    named = " ".join(words[:3])
    return call.program in DRIVERS and trains(words) and not re.search(r"submit|client|job", named)


def _before(call: Call) -> list[Assign]:
    return [assign for assign in call.command.assigns if not assign.alone]


def _is_http(script: Script, text: str) -> bool:
    return _HTTP.match(script.resolve(text)) is not None


def _removed(script: Script) -> set[str]:
    """Return the variables that the script takes away again: ``unset NAME``, ``env -u NAME``."""
    return {text for call in script.called("unset", "env") for text in call.texts}


def _found(line: int) -> Found:
    # https://github.com/ray-project/ray/blob/master/python/ray/client_builder.py, _get_builder_from_address
    return Found(
        line,
        "the driver's `ray.init()` takes what stands before :// in RAY_ADDRESS for a Python module, and ends: "
        "`Module: http does not have ClientBuilder`",
        "give it the cluster's own address, RAY_ADDRESS=\"$host:6379\"; http:// and the dashboard's port are for "
        "`ray job submit`",
        at="RAY_ADDRESS",
    )


RULE = Rule("MN918", Severity.WARNING, _check)
