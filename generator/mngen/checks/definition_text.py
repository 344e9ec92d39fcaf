"""The sections of an Apptainer definition file that are shell text."""

from __future__ import annotations

import re

from msgspec import Struct

_SECTION = re.compile(r"^%(\w+)(.*)$")
_SHELL = re.compile(r"(?:^|\s)-c\s+(\S+)")
_SCRIPTS = frozenset({"post", "runscript", "test", "pre", "setup", "startscript", "environment"})


class Section(Struct, frozen=True):
    """One part of the file: ``header`` is what stands before the first section. ``line`` is its first line's number."""

    name: str
    text: str
    line: int
    shell: str = "/bin/sh"
    """What runs it: ``/bin/sh`` unless the section says ``-c /bin/bash``."""

    @property
    def is_script(self) -> bool:
        """Tell whether the section is shell text."""
        return self.name in _SCRIPTS


def sections(text: str) -> tuple[Section, ...]:
    """Take a definition file apart."""
    found: list[Section] = []
    body: list[str] = []
    name, line, shell = "header", 1, "/bin/sh"
    for number, text_line in enumerate([*text.splitlines(), "%end"], start=1):
        match = _SECTION.match(text_line)
        if match is None:
            body.append(text_line)
            continue
        found.append(Section(name, "\n".join(body), line, shell))
        given = _SHELL.search(match.group(2))
        name, line, shell, body = match.group(1).lower(), number + 1, given.group(1) if given else "/bin/sh", []
    return tuple(found)
