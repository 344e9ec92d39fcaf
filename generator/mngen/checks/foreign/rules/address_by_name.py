"""The host name leads to loopback or to the wrong network on many nodes."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_FLAGS = {"-i", "-I", "--ip-address", "--all-ip-addresses"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("hostname"):
            if _FLAGS & set(call.texts):
                yield Found(
                    call.line,
                    f"`hostname {call.texts[0]}` may give 127.0.1.1, several addresses, or the management network's",
                    "take the address of the interface that leads to the other nodes: `ip -j route get OTHER`",
                )
        for call in script.called("ip", "getent"):
            if "-4" in call.texts or "ahostsv4" in call.texts:
                yield Found(
                    call.line,
                    f"`{call.program} {' '.join(call.texts[:2])}` finds nothing on a node that has IPv6 only",
                    "ask for both families, choose one, and use it on every node",
                )


RULE = Rule("MN752", Severity.WARNING, _check)
