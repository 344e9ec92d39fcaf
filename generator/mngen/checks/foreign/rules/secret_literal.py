"""A token in a file is known to everybody who has the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import CHECKED, Document, Found, Rule
from mngen.checks.foreign.instructions import Instruction
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.secret_values import is_hex_key, is_literal, may_be_secret, named_like_secret, tokens_in
from mngen.checks.foreign.stages import Setting, settings
from mngen.checks.foreign.words import Command
from mngen.checks.foreign.yaml_settings import yaml_settings
from mngen.diagnostics import Severity
from mngen.manifest.token_shapes import token_in

_IN_ADDRESS = re.compile(r"\bhttps?://([^/\s:@\"'$]+:[^/\s@\"'${}<>]{4,})@")
_LABEL = re.compile(r"""(?:^|(?<=[\s.-]))["']?([A-Za-z_]\w*)["']?=["']?([^\s"']{8,})["']?(?=\s|$)""")
_DEFAULT = re.compile(r"\$\{(\w+):?[-=]([^${}\s\"']*\d[^${}\s\"']*)\}")
"""``${NAME:-value}``; one without a digit is more often a word such as ``anonymous``."""


def _check(document: Document) -> Iterator[Found]:
    if document.form not in CHECKED:
        return
    found = [*_named(document), *_in_addresses(document)]
    yield from found
    yield from _by_form(document, {item.line for item in found})


def _named(document: Document) -> Iterator[Found]:
    """Yield what stands where a name says what it is."""
    for script in document.shell:
        for command in script.commands:
            yield from _assigned(command)
        yield from _log_ins(script)
    for setting in (*yaml_settings(document), *_registry(document)):
        if is_literal(setting.name, setting.value):
            yield _found(setting.line, setting.name)
    for part in document.instructions:
        for setting in (*settings(part), *_labels(part)):
            yield from _baked(part.word, setting)


def _assigned(command: Command) -> Iterator[Found]:
    """Yield the secrets in assignments, and the defaults of variables in any word."""
    for assign in command.assigns:
        if is_literal(assign.name, assign.value.text):
            yield _found(assign.line, assign.name)
    for word in (*command.words, *(assign.value for assign in command.assigns)):
        for name, value in _DEFAULT.findall(word.text) if "\n" not in word.text else ():
            if is_literal(name, value):
                yield _found(word.line, name)


def _log_ins(script: Script) -> Iterator[Found]:
    for call in script.called("wandb"):
        for word in call.words[1:] if call.texts[:1] == ("login",) else ():
            if is_hex_key(word.text):
                yield _shown(word.line, word.text, "a Weights & Biases key")


def _registry(document: Document) -> Iterator[Setting]:
    """Yield the password for a registry in a dstack file."""
    item = document.get("registry_auth", "password")
    if item is not None and item.text is not None:
        yield Setting("password", item.text, item.line)


def _labels(part: Instruction) -> Iterator[Setting]:
    """Yield the labels of a LABEL, by the last part of their names; a value of one word may be a secret."""
    for match in _LABEL.finditer(part.text) if part.word == "LABEL" else ():
        yield Setting(match.group(1), match.group(2), part.line + part.text.count("\n", 0, match.start()))


def _baked(word: str, setting: Setting) -> Iterator[Found]:
    """Names that look like secrets: an ARG stays in the image's history, an ENV in its configuration."""
    if word == "ENVIRONMENT":
        if is_literal(setting.name, setting.value):
            yield _found(setting.line, setting.name)
    elif any(tokens_in(setting.value)) or (named_like_secret(setting.name) and may_be_secret(setting.value)):
        kept = "configuration" if setting.lasting else "history"
        yield Found(
            setting.line,
            f"{word} {setting.name}: whoever has the image can read the value in its {kept}",
            "mount it for the one step that needs it: `RUN --mount=type=secret,id=…`",
            at=setting.name,
        )


def _in_addresses(document: Document) -> Iterator[Found]:
    for number, line in enumerate(document.lines, start=1):
        for match in _IN_ADDRESS.finditer(line):
            yield Found(
                number,
                "the address holds a user name and a password or token",
                "leave them out: a netrc file, a credential helper or `RUN --mount=type=secret` hands them over",
                at=match.group(1),
            )


def _by_form(document: Document, known: set[int]) -> Iterator[Found]:
    """Yield the tokens that their form gives away wherever they stand, but for the lines that are known."""
    for number, line in enumerate(document.lines, start=1):
        if number not in known:
            yield from (_shown(number, token, token_in(token) or "a token") for token in tokens_in(line))


def _found(line: int, name: str) -> Found:
    return _in_file(line, f"{name} holds what looks like a real secret", name)


def _shown(line: int, value: str, what: str) -> Found:
    return _in_file(line, f"this line holds what looks like {what}", value)


def _in_file(line: int, what: str, at: str) -> Found:
    return Found(
        line,
        f"{what}, in a file that is checked in and handed on",
        "take it from the environment of whoever submits, or from a file of mode 600; and revoke this one",
        at=at,
    )


RULE = Rule("MN784", Severity.ERROR, _check)
