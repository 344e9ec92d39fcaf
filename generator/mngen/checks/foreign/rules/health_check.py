"""A HEALTHCHECK does nothing for a job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.stages import Stage, stages
from mngen.diagnostics import Severity

_BARE = re.compile(r"^(?:docker\.io/)?(?:library/)?(?:(?:ubuntu|debian)(?:[:@]|$)|python:[\w.-]*slim)")
_FETCHER = re.compile(r"\b(curl|wget)\b")
"""What such a check calls most often, and these bases do not have."""


def _check(document: Document) -> Iterator[Found]:
    for stage in stages(document) if document.form is Form.DOCKERFILE else ():
        for part in (part for part in stage.own if part.word == "HEALTHCHECK"):
            if part.text.strip().upper() == "NONE":
                continue
            match = _FETCHER.search(part.text)
            if match is not None and _BARE.match(stage.base) and not _comes_in(stage, match.group()):
                yield Found(
                    part.line,
                    f"`{match.group()}` is installed by no step and is not in the base image: the check always fails",
                    f"install {match.group()}, or check with a program that is there",
                    Severity.WARNING,
                )
            yield Found(
                part.line,
                "no job acts on HEALTHCHECK: docker only notes the result, and podman's OCI images and Apptainer "
                "drop it",
                "let the job watch its processes; for images that serve elsewhere too it may stay",
            )


def _comes_in(stage: Stage, program: str) -> bool:
    named = re.compile(rf"\b{program}\b")
    return any(named.search(part.text) for part in stage.instructions if part.word in {"RUN", "COPY", "ADD"})


RULE = Rule("MN915", Severity.NOTE, _check, choice=True)
