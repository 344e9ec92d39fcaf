"""A container does not inherit the variables of the shell that starts it."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_WANTED = {"wandb": "WANDB_API_KEY", "swanlab": "SWANLAB_API_KEY"}


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        passed = " ".join(
            value
            for call in (*script.containers("run"), *script.containers("exec"))
            for value in call.options.values("--env")
        )
        for call in script.containers("exec") + script.containers("run"):
            lost = [assign.name for assign in call.command.assigns if not assign.alone]
            if lost and lost[0] not in passed:
                yield Found(
                    call.line,
                    f"{lost[0]} is set for `{call.command.name}`, and does not reach the process in the container",
                    f"pass it: `{call.program} -e {lost[0]}=… `",
                )
        for call in script.calls:
            if not any(outer.startswith(("docker", "podman")) for outer in call.outer):
                continue
            for word in call.words:
                wanted = next(
                    (name for key, name in _WANTED.items() if "logger" in word.text and key in word.text), None
                )
                if wanted is not None and wanted not in passed and "--env-file" not in script.text:
                    yield Found(
                        word.line,
                        f"this asks for a logger that needs {wanted}, which no `-e` hands into the container",
                        f"pass the name only, `-e {wanted}`, so that the value stays out of the command line",
                    )


RULE = Rule("MN781", Severity.WARNING, _check)
