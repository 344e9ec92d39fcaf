"""Lines of output are not a number of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.words import Assign, Command
from mngen.diagnostics import Severity

_NODES = re.compile(r"\bray\s+(?:nodes|status|list)|NODE_IPS|NODES_IPS|\bIPS\b|node_ips", re.IGNORECASE)
"""What is counted is nodes: names from the launcher, or Ray's own tables."""
_SAYING = frozenset({"echo", "printf"})
_OF_SKYPILOT = frozenset({"$SKYPILOT_NODE_IPS", "${SKYPILOT_NODE_IPS}"})
"""One address a line, without a line break at the end: https://docs.skypilot.co/en/latest/running-jobs/."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for place, (first, last) in enumerate(pairwise(script.commands), start=1):
            if first.after != "|" or last.name != "wc" or "-l" not in last.args or not last.origin:
                continue
            if not _NODES.search(document.lines[min(last.line, len(document.lines)) - 1]):
                continue
            if _is_only_printed(script, place):
                continue
            if document.form is Form.SKYPILOT and _is_idiom(first):
                yield Found(
                    last.line,
                    "SkyPilot says how many nodes there are",
                    "take the number from `$SKYPILOT_NUM_NODES`",
                    Severity.NOTE,
                )
                continue
            yield Found(
                last.line,
                "counting lines of text also counts headers, dead nodes and an empty line",
                "take the number of nodes from the launcher (SKYPILOT_NUM_NODES, DSTACK_NODES_NUM, "
                "SLURM_JOB_NUM_NODES), and the live ones from `ray.nodes()` by `Alive`",
            )


def _is_idiom(command: Command) -> bool:
    """Tell whether a command prints SkyPilot's list as it is; without quotes it would be one line."""
    words = command.words
    return command.name == "echo" and len(words) == 2 and words[1].text in _OF_SKYPILOT and not words[1].bare


def _is_only_printed(script: Script, place: int) -> bool:
    """Tell whether a message alone has what the substitution that ends at a place prints, or its variable."""
    behind = islice(script.commands, place + 1, None)
    holder = next((item for item in behind if item.origin != "substitution"), None)
    if holder is None:
        return False
    counted = [assign for assign in holder.assigns if assign.value.inner]
    if not counted:
        return holder.name in _SAYING
    return all(not assign.exported and _is_said(script, assign) for assign in counted)


def _is_said(script: Script, assign: Assign) -> bool:
    name = re.compile(rf"\b{assign.name}\b")
    users = [item for item in script.commands if any(name.search(text) for text in _texts(item))]
    return bool(users) and all(item.name in _SAYING for item in users)


def _texts(command: Command) -> Iterator[str]:
    yield from (word.raw for word in command.words)
    yield from (assign.value.raw for assign in command.assigns)
    yield from (redirect.body or redirect.target.raw for redirect in command.redirects)


RULE = Rule("MN715", Severity.WARNING, _check)
