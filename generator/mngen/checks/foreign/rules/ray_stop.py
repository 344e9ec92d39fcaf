"""ray stop ends every Ray of the user on the node, and so does who removes the folder in which they meet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

_RECURSIVE = re.compile(r"-[A-Za-z]*[rR][A-Za-z]*|--recursive")
_DEFAULT = re.compile(r"\$\{\w+:?-(/[^}$`]*)\}")
"""A variable with a path that stands in for it: ``${TMPDIR:-/tmp}``."""
_OF_ALL = re.compile(r"/tmp/ray(?:\*|/+\*?|/+session[^/$]*[*?][^/$]*/*\*?)?")
"""Ray's folder on a node where no job has one of its own, and the sessions in it, which hold the sockets of each Ray
(https://github.com/ray-project/ray/issues/4593, and 4193 for the sockets)."""


def _check(document: Document) -> Iterator[Found]:
    for script, call in document.called("ray stop"):
        if script.exclusive:
            continue
        yield Found(
            call.line,
            "`ray stop` stops every Ray process of this user on the node, also those of other jobs",
            "stop the process that this job started: keep the id of `ray start --block` and signal it",
        )
    if document.form in {Form.SKYPILOT, Form.DSTACK}:
        return  # the machine, or the container with its /tmp, is the task's own
    for script, call in document.called("rm"):
        if _removes_all(script, call) and not (script.exclusive or call.under("docker", "podman")):
            yield Found(
                call.line,
                "this removes the sessions of every Ray of this user on the node, sockets of running ones included, "
                "also those of other jobs",
                "give this job's Ray a folder of its own, `--temp-dir=/tmp/r-$SLURM_JOB_ID`, and remove that one",
            )


def _removes_all(script: Script, removal: Call) -> bool:
    paths = (_DEFAULT.sub(r"\1", script.resolve(text)) for text in removal.texts)
    return any(map(_RECURSIVE.fullmatch, removal.texts)) and any(map(_OF_ALL.fullmatch, paths))


RULE = Rule("MN762", Severity.WARNING, _check)
