"""Whoever reaches Ray's dashboard, its client server or its head may run code as this user.

https://docs.ray.io/en/latest/ray-security/index.html; the ports that it has by itself:
https://docs.ray.io/en/latest/cluster/cli.html, ray start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.expansion import plain_name
from mngen.checks.foreign.instructions import step_script
from mngen.checks.foreign.listening import Reach, reach
from mngen.checks.foreign.published_ports import published_ports
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.yaml_settings import yaml_settings
from mngen.diagnostics import Severity
from mngen.manifest.whole_numbers import whole_number

_TOKEN = re.compile(r"RAY_AUTH_MODE[\"']?\s*[=:]\s*[\"']?token\b")
_DASHBOARD = ("--dashboard-port", 8265)
_CORE = {"its head": ("--port", 6379), "Ray Client": ("--ray-client-server-port", 10001)}
_MEND = "or turn on token authentication (RAY_AUTH_MODE=token, 2.52)"


def _check(document: Document) -> Iterator[Found]:
    if _TOKEN.search(document.text):
        return
    published = list(published_ports(document))
    inside = ((part, call) for part in _starts(document) for call in part.called("ray start"))
    for script, call in (*document.called("ray start"), *inside):
        dashboard = _port(document, script, call, *_DASHBOARD)
        yield from _listening(document, script, call, public=any(item.holds(dashboard) for item in published))
        # dstack's proxy comes by ssh from the node itself, and speaks HTTP alone (contributing/PROXY.md of dstack).
        ports = {"the dashboard": dashboard} if document.form is Form.DSTACK else _core(document, script, call)
        if call.options.has("--head") and not call.under("docker", "podman"):
            yield from (
                _reached(item.line, port, what)
                for item in published
                for what, port in ports.items()
                if item.holds(port)
            )


def _listening(document: Document, script: Script, call: Call, *, public: bool) -> Iterator[Found]:
    """Say that others reach the dashboard; with its port published, on whichever address, it is open to everybody."""
    host = call.options.value("--dashboard-host") or ""
    who = reach(host, script, {setting.name: setting.value for setting in yaml_settings(document)})
    if who < Reach.NETWORK:
        return
    where = "every address" if who is Reach.EVERYBODY else f"`{host}`, which others on that network reach"
    also = " and the port is published" if public else ""
    yield Found(
        call.line,
        f"the dashboard listens on {where}{also}: its job API runs any command without asking who calls",
        f"bind it to 127.0.0.1 and use an ssh tunnel, {_MEND}",
        None if who is Reach.EVERYBODY or public else Severity.WARNING,
    )


def _reached(line: int, port: int, what: str) -> Found:
    return Found(
        line,
        f"port {port} of Ray ({what}) is published to everybody: whoever reaches it can run code in the cluster, and "
        "nobody asks who it is",
        f"leave it out and use an ssh tunnel, {_MEND}",
    )


def _core(document: Document, script: Script, call: Call) -> dict[str, int]:
    return {what: _port(document, script, call, *told) for what, told in _CORE.items()}


def _port(document: Document, script: Script, call: Call, option: str, default: int) -> int:
    """Return the port of an option; -1 where it cannot be told, or where Ray chooses one (0)."""
    given = call.options.value(option)
    if given is None:
        return -1 if not call.lacks(option) else default
    text = script.resolve(given)
    settings = {setting.name: setting.value for setting in yaml_settings(document)}
    return whole_number(settings.get(plain_name(text), text)) or -1


def _starts(document: Document) -> Iterator[Script]:
    """Yield what the containers of an image start with."""
    if document.form is Form.DOCKERFILE:
        yield from (step_script(part) for part in document.instructions if part.word in {"CMD", "ENTRYPOINT"})


RULE = Rule("MN761", Severity.ERROR, _check)
