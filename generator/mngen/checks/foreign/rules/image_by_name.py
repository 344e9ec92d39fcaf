"""A name in the image list does not say which image it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for first, second in pairwise(script.commands):
            lists = first.name in {"docker", "podman"} and first.args[:1] == ("images",)
            if lists and first.after == "|" and second.name in {"grep", "egrep"}:
                yield Found(
                    first.line,
                    "this finds any image whose name contains the text, however old it is, and keeps it for ever",
                    "ask for one image by digest: `docker image inspect name@sha256:…`",
                )


RULE = Rule("MN776", Severity.WARNING, _check)
