"""A comment tells people to give a build argument that the file does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.stages import settings
from mngen.diagnostics import Severity

_NAMED = re.compile(
    r"--build-arg[= ]+[\"']?([A-Za-z_]\w*)|\b(?:the|via|with|by|set|pass|change|override|see|use) ARG "
    r"`?([A-Z][A-Z0-9_]+)"
)
_BUILT_IN = re.compile(
    r"^(?:(?:https?|ftp|no|all)_proxy|BUILDKIT_\w+|SOURCE_DATE_EPOCH|BUILD(?:PLATFORM|OS|ARCH|VARIANT)|"
    r"TARGET(?:PLATFORM|OS|ARCH|VARIANT))$",
    re.IGNORECASE,
)
"""What the builder knows without an ARG: https://docs.docker.com/reference/dockerfile/#predefined-args."""


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.DOCKERFILE:
        return
    declared = {item.name for part in document.instructions if part.word == "ARG" for item in settings(part)}
    for number, line in enumerate(document.lines, start=1):
        if not line.lstrip().startswith("#"):
            continue
        for match in _NAMED.finditer(line):
            name = match.group(1) or match.group(2)
            if name not in declared and not _BUILT_IN.match(name):
                yield Found(
                    number,
                    f"the comment names the build argument {name}, and the file has no ARG {name}: the builder warns "
                    "and goes on without it",
                    f"declare it, `ARG {name}=…`, or correct the comment",
                    at=name,
                )


RULE = Rule("MN904", Severity.WARNING, _check)
