"""SkyPilot's own Ray runs on the same nodes."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_TAKEN = {
    "--port": "6380",
    "--dashboard-port": "8266",
    "--object-manager-port": "8076",
    "--dashboard-agent-listen-port": "52365",
}


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.SKYPILOT:
        return
    for _script, call in document.called("ray start"):
        for name, port in _TAKEN.items():
            if call.options.value(name) == port:
                yield Found(
                    call.line, f"{name} {port} belongs to SkyPilot's own Ray", "take another port", Severity.ERROR
                )
        missing = [name for name in ("--dashboard-agent-listen-port", "--temp-dir") if call.lacks(name)]
        if missing:
            yield Found(
                call.line,
                f"{' and '.join(missing)}: not given, so this Ray meets SkyPilot's own on the node (agent port 52365)",
                "pass `--dashboard-agent-listen-port=20002` on every node and a `--temp-dir` of your own on the head",
            )


RULE = Rule("MN769", Severity.WARNING, _check)
