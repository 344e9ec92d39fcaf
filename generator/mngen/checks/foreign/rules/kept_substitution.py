"""No shell runs what ENV, LABEL and ``%labels`` hold: a command in them stays as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_QUOTED = re.compile(r"'[^']*'|\\.", re.DOTALL)
_COMMAND = re.compile(r"\$\((?!\()|`[^`\n]+`")
_PROMPT = re.compile(r"\b(?:PS[0-4]|PROMPT_COMMAND)\b")
"""What a shell evaluates each time that it shows a prompt."""
_HINTS = {
    "LABEL": "declare `ARG NAME` and give the value when building: `--build-arg NAME=…`, or `--label NAME=…`",
    "ENV": "declare `ARG NAME` and give the value when building, or write it to a file in a RUN step",
    "LABELS": 'write it in %post: `echo "NAME $(…)" >>"${APPTAINER_LABELS}"`',
}
"""By instruction or section. For %post see ``APPTAINER_LABELS`` in https://github.com/apptainer/apptainer,
``internal/pkg/build/stage.go``; Dockerfiles know variables alone:
https://docs.docker.com/reference/dockerfile/#environment-replacement."""


def _check(document: Document) -> Iterator[Found]:
    for part in document.instructions:
        if part.word not in _HINTS or (part.word == "LABELS") is not (document.form is Form.APPTAINER):
            continue
        text = part.text
        if part.word != "LABELS":
            text = _QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
        match = _COMMAND.search(text)
        if match is not None and not _PROMPT.search(text):
            word = "%labels" if part.word == "LABELS" else part.word
            yield Found(
                part.line + text.count("\n", 0, match.start()),
                f"no shell reads {word}: the value is these characters, not what the command prints",
                _HINTS[part.word],
                at=match.group(),
            )


RULE = Rule("MN911", Severity.ERROR, _check)
