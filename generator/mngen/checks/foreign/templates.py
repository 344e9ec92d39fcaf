"""Whether a file is a template for Jinja, which is no script before it is rendered."""

from __future__ import annotations

import re

from mngen.checks.foreign.script import Script

_SUFFIXES = (".j2", ".jinja", ".jinja2")
_MARK = re.compile(r"\{\{|\{%|\{#")
_STATEMENT = re.compile(r"\{[%#]")
_VALUE = re.compile(r"\{\{-?(?:$|[A-Za-z_][\w.]*-?\}\})")
"""``{{`` alone, as before a blank, or with a name inside; `{{a,b},c}` is the shell's, `{{.ID}}` is docker's."""
_QUOTES = re.compile(r"['\"\\]")


def is_template(text: str, name: str) -> bool:
    """Tell by the name whether a file, of whatever kind, is a template: it has what Jinja fills in."""
    return name.endswith(_SUFFIXES) and _MARK.search(text) is not None


def has_holes(script: Script) -> bool:
    """Tell whether a script has statements or values of Jinja where they are no text of the script's own.

    In quotes and here-documents they are: chat templates, and templates that a script writes.
    """
    if not _MARK.search(script.text):
        return False
    read = Script(script.pieces, sbatch=True).directives
    if any("{{" in word for directive in read for word in directive.words):
        return True
    words = (word.raw for command in script.top for word in command.words)
    first = (command.words[0].raw for command in script.top if command.words)
    return any(map(_STATEMENT.match, first)) or any(_VALUE.search(raw) for raw in words if not _QUOTES.search(raw))
