"""A token in a file is known to everybody who has the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import CHECKED, Document, Found, Rule
from mngen.checks.foreign.instructions import Instruction
from mngen.checks.foreign.stages import Setting, settings
from mngen.diagnostics import Severity
from mngen.manifest.token_shapes import named_like_model_token

_NAME = re.compile(
    r"(?:api_?key|access_?key|private_?key|ssh_?key|deploy_?key|token|secret|passw(?:or)?d|passphrase|credentials?|_pat)$",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"^(hf_[A-Za-z0-9]{20,}|wandb_v\d_\w{20,}|ghp_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|nvapi-[\w-]{20,}|"
    r"sk-[\w-]{20,}|AKIA[0-9A-Z]{16})$"
)
_HEX = re.compile(r"^[0-9a-f]{40}$")
"""A key of W&B, or a commit: the name tells which."""
_EXAMPLE = re.compile(r"x{3,}|your|example|dummy|placeholder|change_?me|replace|\.\.\.", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"\bhttps?://([^/\s:@\"'$]+:[^/\s@\"'${}<>]{4,})@")
_LABEL = re.compile(r"""(?:^|(?<=[\s.-]))["']?([A-Za-z_]\w*)["']?=["']?([^\s"']{8,})["']?(?=\s|$)""")
_NO_SECRETS = {"disabled", "required", "offline", "none", "false", "empty"}


def _check(document: Document) -> Iterator[Found]:
    if document.form not in CHECKED:
        return
    for script in document.shell:
        for command in script.commands:
            for assign in command.assigns:
                if _is_literal(assign.name, assign.value.text):
                    yield _found(assign.line, assign.name)
    for part in document.instructions:
        for setting in (*settings(part), *_labels(part)):
            yield from _baked(part.word, setting)
    for number, line in enumerate(document.lines, start=1):
        for match in _IN_ADDRESS.finditer(line):
            yield Found(
                number,
                "the address holds a user name and a password or token",
                "leave them out: a netrc file, a credential helper or `RUN --mount=type=secret` hands them over",
                at=match.group(1),
            )


def _labels(part: Instruction) -> Iterator[Setting]:
    """Yield the labels of a LABEL, by the last part of their names; a value of one word may be a secret."""
    for match in _LABEL.finditer(part.text) if part.word == "LABEL" else ():
        yield Setting(match.group(1), match.group(2), part.line + part.text.count("\n", 0, match.start()))


def _baked(word: str, setting: Setting) -> Iterator[Found]:
    """Names that look like secrets: an ARG stays in the image's history, an ENV in its configuration."""
    if word == "ENVIRONMENT":
        if _is_literal(setting.name, setting.value):
            yield _found(setting.line, setting.name)
    elif _TOKEN.match(setting.value) or (_secret_name(setting.name) and _secret(setting.value)):
        kept = "configuration" if setting.lasting else "history"
        yield Found(
            setting.line,
            f"{word} {setting.name}: whoever has the image can read the value in its {kept}",
            "mount it for the one step that needs it: `RUN --mount=type=secret,id=…`",
            at=setting.name,
        )


def _secret_name(name: str) -> bool:
    return _NAME.search(name) is not None and not named_like_model_token(name)


def _secret(value: str) -> bool:
    """Tell whether a value may be the secret itself: an ARG's may come later, a path or a word for `none` is none."""
    return not value.startswith("/") and value.lower() not in _NO_SECRETS


def _is_literal(name: str, value: str) -> bool:
    """Tell whether a script holds a secret itself: by the value's form, or by the name and a value that may be one."""
    if _EXAMPLE.search(value) or "header" in name.lower():
        return False
    if _TOKEN.match(value):
        return True
    plain = len(value) >= 8 and not any(mark in value for mark in "$<>/ ") and value.lower() not in _NO_SECRETS
    return plain and (_secret_name(name) or (_HEX.match(value) is not None and "wandb" in name.lower()))


def _found(line: int, name: str) -> Found:
    return Found(
        line,
        f"{name} holds what looks like a real secret, in a file that is checked in and handed on",
        "take it from the environment of whoever submits, or from a file of mode 600; and revoke this one",
        at=name,
    )


RULE = Rule("MN784", Severity.ERROR, _check)
