"""Network settings of one cluster, or for debugging, in a script for all."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_VERBOSE = {"TRACE", "INFO"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for assign in (assign for command in script.commands for assign in command.assigns):
            value = assign.value.text
            if assign.name == "NCCL_DEBUG" and value in _VERBOSE:
                yield Found(
                    assign.line,
                    f"NCCL_DEBUG={value} floods the logs of every rank",
                    "use WARN, and more only to look for a fault",
                    Severity.NOTE if value == "INFO" else None,
                )
            elif assign.name == "NCCL_CHECKS_DISABLE" and value == "1":
                yield Found(
                    assign.line, "NCCL_CHECKS_DISABLE hides wrong arguments, which then end as hangs", "remove it"
                )
            elif (
                assign.name in {"NCCL_IB_HCA", "NCCL_IB_GID_INDEX", "NCCL_SOCKET_IFNAME"} and value and "$" not in value
            ):
                yield Found(
                    assign.line,
                    f"{assign.name}={value} names the network hardware of one cluster",
                    "keep it with the site's settings, not in the job",
                    Severity.NOTE,
                )


RULE = Rule("MN787", Severity.WARNING, _check, choice=True)
