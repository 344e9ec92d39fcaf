"""Takes an Apptainer definition file apart: which of its sections are shell text, and for which shell."""

from __future__ import annotations

import re

from mngen.checks.definition_text import Section, sections
from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.instructions import Instruction
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shebangs import interpreter, is_shell

_BUILDS = frozenset({"post", "setup", "pre"})
_BY_SHEBANG = frozenset({"runscript", "startscript", "test"})
"""Sections whose first line may name what runs them (``handleShebangScript`` in Apptainer's build)."""
_SHEBANG = re.compile(r"\s*(#!.*)")
_ARGUMENT = re.compile(r"\{\{[ \t]*\w+[ \t]*\}\}")
"""``{{ NAME }}``: a value of ``%arguments``, put there before any shell reads the text."""


def definition(text: str, file: str) -> Document:
    """Return a definition file as rules see it; a section that another language runs is no script."""
    parts = sections(text)
    scripts = tuple(
        script
        for part in parts
        if part.is_script and part.name != "environment"
        for script in [_script(part)]
        if is_shell(interpreter(script.shebang))
    )
    found = tuple(Instruction(part.name.upper(), part.text, part.line) for part in parts)
    steps = tuple(script for script in scripts if script.section.removeprefix("%") in _BUILDS)
    return Document(file=file, text=text, form=Form.APPTAINER, instructions=found, scripts=scripts, steps=steps)


def _script(part: Section) -> Script:
    text, shebang = part.text, f"#!{part.shell}"
    first = _SHEBANG.match(text) if part.name in _BY_SHEBANG else None
    if first is not None:
        shebang = first[1].rstrip()
        # Apptainer takes the line out, and the blanks before it, which no shebang may have.
        text = text[: first.start(1)] + text[first.end() :]
    text = _ARGUMENT.sub(lambda match: "x" * len(match.group()), text)
    return Script(((text, part.line),), section=f"%{part.name}", shebang=shebang)
