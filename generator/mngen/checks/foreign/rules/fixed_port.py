"""Ray's default ports belong to the first job on a node."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_PINNED = ("--port", "--dashboard-port", "--ray-client-server-port")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch or script.exclusive:
            continue
        for call in script.called("ray start"):
            for name in _PINNED:
                value = script.resolve(call.options.value(name) or "")
                if value.isdigit() and value != "0":
                    yield Found(
                        call.line,
                        f"{name} is {value} in every job: on a shared node the second job fails, or joins the "
                        "first one's "
                        "cluster",
                        "derive a block of ports from SLURM_JOB_ID and probe it, or ask for `--exclusive`",
                    )


RULE = Rule("MN754", Severity.WARNING, _check)
