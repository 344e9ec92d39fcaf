"""Whoever reaches the dashboard may run code as this user."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    published = document.get("ports")
    resources = document.get("resources", "ports")
    ports = [text for item in (published, resources) if item is not None for text in item.texts()]
    for _script, call in document.called("ray start"):
        if not _open(call.options.value("--dashboard-host") or ""):
            continue
        also = " and the port is published" if any("8265" in port for port in ports) else ""
        yield Found(
            call.line,
            f"the dashboard listens on every address{also}: its job API runs any command without asking who calls",
            "bind it to 127.0.0.1 and use an ssh tunnel, or turn on token authentication (RAY_AUTH_MODE=token, 2.52)",
        )


def _open(host: str) -> bool:
    """Tell whether a server bound to ``host`` listens on every address."""
    try:
        return ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


RULE = Rule("MN761", Severity.ERROR, _check)
