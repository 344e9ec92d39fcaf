"""Without errexit a script goes on after a failed step."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_TRIVIAL = frozenset(
    (
        *("set", "shopt", "trap", "true", ":", "echo", "printf", "date", "exit", "return", "shift", "ulimit", "umask"),
        *("hostname", "whoami", "pwd", "uname", "nproc", "nvidia-smi", "rocm-smi"),
        *("fi", "done", "esac", "}", ")"),
        *("export", "unset", "local", "declare", "typeset", "readonly", "alias", "[", "[[", "test"),
    )
)
"""What does not fail, or says no more than its status."""


def _check(document: Document) -> Iterator[Found]:
    if document.form is Form.DSTACK:
        return  # it joins the commands with `&&`; what that means for a block is another rule's
    for script in document.scripts:
        if len(script.top) < 3 or script.section.startswith("%") or script.option("e", "errexit"):
            continue
        if not script.launches and not (script.section and script.called("git", "pip", "pip3", "uv")):
            continue
        steps = [command for command in script.top if command.words and not command.function]
        steps = [command for command in steps if command.name not in _TRIVIAL]
        if len(steps) < 2:
            continue  # the status of the only step is the script's
        unless = script.settings_file(steps[-1].line)
        yield Found(
            script.top[0].line,
            "nothing stops this script when a step fails: it goes on with the next one"
            + (f", unless {unless} turns errexit on" if unless else ""),
            "begin with `set -euo pipefail`",
            Severity.NOTE if unless else None,
        )


RULE = Rule("MN711", Severity.WARNING, _check)
