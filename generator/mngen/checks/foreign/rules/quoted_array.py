"""Quotes around a list make an array of one element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_SEVERAL = re.compile(r"\$@|\$\{@|\[@\]")
"""What is as many words in quotes as it has elements."""


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        text = script.text
        for assign in script.assigns:
            items = assign.value.items
            if (
                assign.append
                or items is None
                or len(items) != 1
                or items[0].parts != 1
                or not items[0].text.startswith("$")
                or _SEVERAL.search(items[0].text)
            ):
                continue
            indexed = f"{assign.name}[" in text.replace("[@]", "") or f"{assign.name}[@]" in text
            listed = script.resolve(items[0].text)
            if indexed and ("scontrol" in listed or "$(" in listed or "nodes" in items[0].text.lower()):
                yield Found(
                    assign.line,
                    f"`{assign.name}` gets one element that holds every name: the quotes keep the list together",
                    'read one name per line: `mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")`, '
                    "and compare its length with SLURM_JOB_NUM_NODES",
                )


RULE = Rule("MN722", Severity.ERROR, _check)
