"""USER names somebody whom the image does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.stages import filled, stages, values_of
from mngen.diagnostics import Severity
from mngen.manifest.judging.system_accounts import USERS

_DEBIAN = re.compile(r"^(?:docker\.io/)?(?:library/)?(?:ubuntu|debian|python)(?:[:@]|$)|nvidia/cuda:[^@]*ubuntu")
_PRESENT = USERS | {"ubuntu"}
"""Those of Debian, and the one that Ubuntu's images have since 23.04."""


def _check(document: Document) -> Iterator[Found]:
    for stage in stages(document) if document.form is Form.DOCKERFILE else ():
        if not _DEBIAN.search(stage.base):
            continue
        values = values_of(stage.instructions)
        steps = [filled(part.text, values) for part in stage.instructions if part.word in {"RUN", "COPY", "ADD"}]
        for part in stage.own:
            name = filled(part.text.strip(), values).partition(":")[0] if part.word == "USER" else ""
            named = re.fullmatch(r"[A-Za-z_][\w.-]*", name) and name not in _PRESENT
            made = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])|/etc/passwd")
            if named and not any(made.search(text) for text in steps):
                yield Found(
                    part.line,
                    f"no step makes the user `{name}`, and the base image has none of that name: the next RUN, or "
                    "the container, does not start",
                    f"add `RUN useradd --create-home {name}` before it, or use a number: `USER 1000:1000`",
                )


RULE = Rule("MN912", Severity.ERROR, _check)
