"""A pipeline is an expensive way to download a model."""

from __future__ import annotations

from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for call in script.called("python", "python3"):
            if any("transformers.pipeline(" in text for text in call.texts):
                yield Found(
                    call.line,
                    "this loads the whole model into memory to download it, on this one node",
                    "use `hf download MODEL` into a cache that every node sees, before the job",
                )


RULE = Rule("MN789", Severity.WARNING, _check)
