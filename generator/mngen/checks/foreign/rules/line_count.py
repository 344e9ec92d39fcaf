"""Lines of output are not a number of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_NODES = re.compile(r"\bray\s+(?:nodes|status|list)|NODE_IPS|NODES_IPS|\bIPS\b|node_ips", re.IGNORECASE)
"""What is counted is nodes: names from the launcher, or Ray's own tables."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for first, last in pairwise(script.commands):
            if first.after != "|" or last.name != "wc" or "-l" not in last.args or not last.origin:
                continue
            if not _NODES.search(document.lines[min(last.line, len(document.lines)) - 1]):
                continue
            yield Found(
                last.line,
                "counting lines of text also counts headers, dead nodes and an empty line",
                "take the number of nodes from the launcher (SKYPILOT_NUM_NODES, DSTACK_NODES_NUM, "
                "SLURM_JOB_NUM_NODES), and the live ones from `ray.nodes()` by `Alive`",
            )


RULE = Rule("MN715", Severity.WARNING, _check)
