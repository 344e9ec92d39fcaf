"""Ray guesses a node's address from its default route."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for _script, call in document.called("ray start"):
        if call.lacks("--node-ip-address"):
            yield Found(
                call.line,
                "Ray guesses this node's address, on a node with several networks often the slow one",
                "pass `--node-ip-address`, found the same way on every node; NCCL_SOCKET_IFNAME and VLLM_HOST_IP "
                "must agree with it",
            )


RULE = Rule("MN759", Severity.NOTE, _check)
