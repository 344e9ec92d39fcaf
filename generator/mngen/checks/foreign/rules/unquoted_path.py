"""A path that is expanded without quotes breaks at its first blank."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.diagnostics import Severity

_PATHS = {"-B", "--bind", "-v", "--volume", "-w", "--workdir", "--pwd", "--cwd"}
_VARIABLE = re.compile(r"\$\{?[A-Za-z_]\w*\}?")


def _check(document: Document) -> Iterator[Found]:
    programs = ("apptainer exec", "apptainer run", "docker run", "podman run")
    for _script, call in document.called(*programs):
        image = call.options.operands[0] if call.options.operands else ""
        before = ""
        for word in call.words:
            path = before in _PATHS or word.text.split("=")[0] in _PATHS or word.text == image
            if path and word.bare and _VARIABLE.search(word.raw):
                yield Found(
                    word.line,
                    f"`{word.raw}` stands outside quotes: a path with a blank becomes two arguments, and an "
                    "empty one none",
                    "put double quotes around it",
                )
            if word.text == image:
                break
            before = word.text


RULE = Rule("MN749", Severity.WARNING, _check)
