"""Ports that are not given are taken at random, and meet other jobs'."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_RANDOM = (
    "--node-manager-port",
    "--object-manager-port",
    "--runtime-env-agent-port",
    "--dashboard-agent-listen-port",
    "--min-worker-port",
)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        if not script.sbatch or script.exclusive:
            continue
        for call in script.called("ray start"):
            missing = [name for name in _RANDOM if call.lacks(name)]
            if call.options.has("--head") and missing:
                yield Found(
                    call.line,
                    f"{', '.join(missing)}: not given, so Ray takes random or default ports that other jobs use too",
                    "pin all of them, below the ephemeral range and outside the workers' range",
                )


RULE = Rule("MN755", Severity.NOTE, _check)
