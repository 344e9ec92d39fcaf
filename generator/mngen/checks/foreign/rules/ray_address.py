"""A driver without RAY_ADDRESS takes whatever Ray it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.calls import Call
from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.script import Script, variables
from mngen.diagnostics import Severity

DRIVERS = frozenset({"python", "python3"})
"""The programs that a driver is run by."""
_ADDRESS = re.compile(r"\bRAY_ADDRESS=|(?:^|[-_.+])ray(?:[-_.]\w+)*[-_.]address\b", re.IGNORECASE)
"""A word that tells a driver its cluster: ``--ray-address``, ``ray_kwargs.ray_init.address=``, ``-e RAY_ADDRESS=``."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        named = [assign for assign in script.assigns if assign.name == "RAY_ADDRESS"]
        # Who writes it out on a command line needs no export.
        written = any("RAY_ADDRESS" in variables(word.text) for command in script.commands for word in command.words)
        exported = written or script.exported("RAY_ADDRESS")
        for assign in named:
            if not exported and not assign.exported:
                yield Found(
                    assign.line,
                    "RAY_ADDRESS is set but not exported, so no program sees it",
                    "write `export RAY_ADDRESS=…`",
                    Severity.ERROR,
                )
        heads = [call for call in script.called("ray start") if call.options.has("--head")]
        if not heads or named or exported:
            continue
        for call in script.calls:
            drives = call.program in DRIVERS and trains(call.texts) and call.line > heads[0].line
            if drives and not _is_told(script, call):
                yield Found(
                    call.line,
                    "the driver is not told which cluster to join: it takes a stale or a foreign one under /tmp/ray, "
                    "or starts its own on one node",
                    'export RAY_ADDRESS="$host:$port" for it',
                )
                break


def _is_told(script: Script, driver: Call) -> bool:
    """Tell whether a driver's command line names its cluster, or that of the submission which starts it does."""
    submissions = script.called("ray job submit") if "ray job submit" in driver.outer else ()
    submitted = any(call.options.has("--address") for call in submissions)
    return submitted or any(_ADDRESS.search(word.text) for word in driver.command.words)


def trains(words: tuple[str, ...]) -> bool:
    """Tell whether Python runs a module, or a file that by its name is the training."""
    named = next((word for word in words if not word.startswith("-")), "")
    return "-m" in words[:3] or re.search(r"(?:train|main|ppo|grpo|sft|rlhf)\w*\.py$", named) is not None


RULE = Rule("MN756", Severity.WARNING, _check)
