"""A <word> in a value is a gap that the reader was meant to fill."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mngen.checks.foreign.document import Document, Found, Rule
from mngen.checks.foreign.words import Command, Word
from mngen.checks.options import parse
from mngen.checks.sbatch_text import Directive
from mngen.diagnostics import Severity
from mngen.manifest.token_shapes import is_gap, named_like_model_token

_GAP = re.compile(r"<[a-z][a-z _-]*>")
_FOR_PEOPLE = re.compile(
    r"echo|printf|read|grep|sed|awk|python3?|"
    r"\w*(?:echo|print)\w*|[a-z]?(?:log|warn)|(?:\w*_)?(?:die|fail|abort|fatal|panic|err|error|warn|warning|info|note|say|log|msg|message|usage|help)(?:_\w+)?"
)
"""Programs and functions whose arguments may well hold such a text: messages, patterns, other languages."""
_TEXT_NAME = re.compile(r"(?:^|_)(?:usage|help|msg|message|synopsis|description)(?:_|$)", re.IGNORECASE)
_MESSAGE = re.compile(r"\$\{\w+:?\?[^}]{0,500}\}")
"""``${NAME:?words}``: the words are for whoever forgot it."""
_SPECIAL = re.compile(r"<(?:s|[be]o[sdt]|pad|unk|mask|cls|sep|think|answer)>")
"""Tokens of a model that look like a gap."""
_TOKEN_OPTION = re.compile(r"-*((?:\w+-)*token)(?:=|$)", re.IGNORECASE)


def _check(document: Document) -> Iterator[Found]:
    for script in document.scripts:
        for directive in script.directives:
            for gap in filter(None, map(_gap, _given(directive))) if directive.read else ():
                hint = "write the value, or leave the line out and give the option to sbatch on its command line"
                yield Found(directive.line, f"`{gap}` was never filled in, and reaches sbatch as it is", hint)
        for command in script.commands:
            for word in _values(command):
                gap = _gap(word.text)
                if gap and "\n" not in word.text:
                    yield Found(
                        word.line,
                        f"`{gap}` was never filled in, and reaches the program as it is",
                        "write the value, or take it from a variable that stops the script when it is unset: ${NAME:?}",
                    )


def _gap(text: str) -> str:
    """Return the gap in a text, or nothing."""
    text = _SPECIAL.sub("", _MESSAGE.sub("", text))
    match = _GAP.search(text)
    return match.group() if match else text if is_gap(text) else ""


def _given(directive: Directive) -> Iterator[str]:
    """Yield the values of a line's options; a gap of several words is one value here. A comment is for people."""
    parsed = parse("sbatch", directive.words, check_values=False)
    last = len(parsed.options) - 1
    for number, (name, value) in enumerate(parsed.options):
        if value and name != "--comment":
            yield " ".join((value, *parsed.operands)) if number == last else value


def _values(command: Command) -> Iterator[Word]:
    """Yield the words that reach a program as they are."""
    if _FOR_PEOPLE.fullmatch(command.name):
        return
    if command.assigns:
        names = (assign for assign in command.assigns if not _TEXT_NAME.search(assign.name))
        yield from (assign.value for assign in names if not named_like_model_token(assign.name))
        return
    for before, word in pairwise(command.words):
        if not any(_names_token(text) for text in (before.text, word.text)):
            yield word


def _names_token(text: str) -> bool:
    """Tell whether an option or setting is a model's token: ``--pad-token``, ``pad_token=<pad>``."""
    match = _TOKEN_OPTION.match(text)
    return match is not None and named_like_model_token(match.group(1).replace("-", "_"))


RULE = Rule("MN702", Severity.ERROR, _check)
