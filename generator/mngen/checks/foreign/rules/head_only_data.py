"""Data that only the head prepares is missing on the other nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_WRITES = re.compile(r"^--(local_save_dir|local_dir|output_dir|save_dir)\b")


def _check(document: Document) -> Iterator[Found]:
    nodes = document.get("nodes") or document.get("num_nodes")
    if nodes is None or nodes.text in {None, "1"}:
        return
    for script in document.scripts:
        for call in script.called("python", "python3"):
            if call.command.branches and any(_WRITES.match(text) for text in call.texts):
                yield Found(
                    call.line,
                    "only one rank runs this, and writes to its own disk: the other nodes do not have the data",
                    "prepare it on every node, or on storage that all nodes mount",
                )


RULE = Rule("MN748", Severity.WARNING, _check)
