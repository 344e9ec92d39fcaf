"""Whoever reaches the dashboard may run code as this user."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.instructions import step_script
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    published = document.get("ports")
    resources = document.get("resources", "ports")
    ports = [text for item in (published, resources) if item is not None for text in item.texts()]
    started = (call for part in _starts(document) for call in part.called("ray start"))
    for call in (*(call for _, call in document.called("ray start")), *started):
        if not _open(call.options.value("--dashboard-host") or ""):
            continue
        also = " and the port is published" if any("8265" in port for port in ports) else ""
        yield Found(
            call.line,
            f"the dashboard listens on every address{also}: its job API runs any command without asking who calls",
            "bind it to 127.0.0.1 and use an ssh tunnel, or turn on token authentication (RAY_AUTH_MODE=token, 2.52)",
        )


def _starts(document: Document) -> Iterator[Script]:
    """Yield what the containers of an image start with."""
    if document.form is Form.DOCKERFILE:
        yield from (step_script(part) for part in document.instructions if part.word in {"CMD", "ENTRYPOINT"})


def _open(host: str) -> bool:
    """Tell whether a server bound to ``host`` listens on every address."""
    try:
        return ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


RULE = Rule("MN761", Severity.ERROR, _check)
