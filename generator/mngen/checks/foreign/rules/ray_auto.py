"""auto joins the newest Ray on the node, whoever owns it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_AUTO = re.compile(r"address\s*=\s*['\"]auto['\"]")


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for command in script.commands:
            if any(_AUTO.search(word.text) for word in command.words) and command.name not in {"bash", "sh", "srun"}:
                yield Found(
                    command.line,
                    'address="auto" joins the newest Ray on the node: under SkyPilot its own, on a shared node another '
                    "job's",
                    "name the address: export RAY_ADDRESS, and call ray.init() without one",
                )


RULE = Rule("MN768", Severity.WARNING, _check)
