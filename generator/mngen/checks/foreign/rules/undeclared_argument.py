"""A build variable that no ARG or ENV declares is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.expansion import without_single_quoted
from mngen.checks.foreign.instructions import Instruction
from mngen.checks.foreign.plain_bases import is_plain, sets
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.stages import settings, stages
from mngen.diagnostics import Severity

_USE = re.compile(r"(?<![\\$])\$(?:\{([A-Z][A-Z0-9_]*)\}|([A-Z][A-Z0-9_]*))")
_GIVES = re.compile(r"(?<![\\$])\$\{([A-Za-z_]\w*):?=")
"""``${NAME:=word}`` gives the variable a value (bash(1), Parameter Expansion)."""
_READS = {"read", "mapfile", "readarray", "local", "declare", "export", "for", "getopts", "typeset", "select"}
_OF_THE_SHELL = {
    *("PATH", "HOME", "PWD", "OLDPWD", "USER", "SHELL", "HOSTNAME", "RANDOM", "SECONDS", "LINENO", "IFS", "UID"),
    *("EUID", "PPID", "REPLY", "OPTARG", "OPTIND", "BASH_VERSION", "HOSTTYPE", "OSTYPE", "MACHTYPE", "TERM", "LANG"),
}
_OF_THE_BASE = {
    *("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PYTHONPATH", "PKG_CONFIG_PATH", "VIRTUAL_ENV", "JAVA_HOME"),
    *("CUDA_HOME", "CUDA_PATH", "CUDA_VERSION", "ROCM_PATH", "ROCM_HOME", "ROCM_VERSION", "HIP_PATH", "NCCL_VERSION"),
    *("TORCH_CUDA_ARCH_LIST", "PYTORCH_ROCM_ARCH", "PYTORCH_BUILD_VERSION", "PYTHON_VERSION", "DEBIAN_FRONTEND"),
}
"""What base images set."""
_OF_BASES = re.compile(r"^(?:NV|NVIDIA|CUDNN|CONDA|MAMBA|LC|UV|PIP|(?:HTTPS?|FTP|NO|ALL)_PROXY$)_?")
_MADE = re.compile(r"\$|`")
_SECRET = re.compile(r"--mount=(?=\S*\btype=secret\b)\S*\benv=([A-Za-z_]\w*)")
"""https://docs.docker.com/reference/dockerfile/#run---mounttypesecret."""
_PLATFORM = re.compile(r"^(?:TARGET|BUILD)(?:PLATFORM|OS|ARCH|VARIANT)$")
"""BuildKit's own, which a stage must declare all the same:
https://docs.docker.com/reference/dockerfile/#automatic-platform-args-in-the-global-scope."""


class _Unset(Struct, frozen=True):
    """A variable that has no value, and where it is used first."""

    name: str
    line: int
    text: str


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.DOCKERFILE:
        return
    runs = [part.line for part in document.instructions if part.word == "RUN"]
    scripts = dict(zip(runs, document.steps, strict=True))
    before = {item.name for part in document.instructions if part.stage == 0 for item in settings(part)}
    elsewhere = {item.name for part in document.instructions if part.word == "ARG" for item in settings(part)}
    for stage in stages(document):
        inherited = stage.instructions[: len(stage.instructions) - len(stage.own)]
        declared = {item.name for part in inherited for item in settings(part)}
        for part in stage.own:
            declared |= {item.name for item in settings(part)}
            if part.word == "RUN":
                given = declared.union(_SECRET.findall(part.text))
                for found in _unset(scripts[part.line], given):
                    if not sets(stage.base, found.name):
                        unsure = not (is_plain(stage.base) or found.name in elsewhere or _PLATFORM.match(found.name))
                        yield _in_step(found, before, unsure=unsure)
            elif part.word == "LABEL":
                yield from _in_label(part, declared, elsewhere)


def _unset(script: Script, declared: set[str]) -> Iterator[_Unset]:
    """Yield each variable that a step uses, and that neither the file nor the step itself sets."""
    if script.called(".", "source") or any(_MADE.search(call.command.words[-1].raw) for call in script.called("eval")):
        return  # the file that is read, or the text that a command prints, may set anything
    known = declared | _OF_THE_SHELL | _OF_THE_BASE | _set_inside(script)
    for text, line in _expanded(script):
        given = {match[1]: match.start() for match in reversed(list(_GIVES.finditer(text)))}
        for match in _USE.finditer(text):
            name = match.group(1) or match.group(2)
            has_value = name in known or given.get(name, match.start()) < match.start()
            if not has_value and not _OF_BASES.match(name):
                known.add(name)
                yield _Unset(name, line + text[: match.start()].count("\n"), match.group())
        known |= given.keys()


def _in_step(unset: _Unset, before: set[str], *, unsure: bool) -> Found:
    """Say that a variable is empty; where the image may set it too, that is no more than likely."""
    return Found(
        unset.line,
        f"${unset.name} is declared by no ARG or ENV of this stage, so it is empty here"
        + (", unless the base image sets it" if unsure else ""),
        _hint(unset.name, before),
        Severity.NOTE if unsure else None,
        at=unset.text,
    )


def _in_label(part: Instruction, declared: set[str], elsewhere: set[str]) -> Iterator[Found]:
    """Yield the ARGs of other stages, and of none, in a label. Any other name may be a variable of the base image."""
    for match in _USE.finditer(without_single_quoted(part.text)):
        name = match.group(1) or match.group(2)
        if name not in declared and (name in elsewhere or _PLATFORM.match(name)):
            yield Found(
                part.line + part.text.count("\n", 0, match.start()),
                f"${name} is declared by no ARG of this stage, so the label is empty here",
                _hint(name, elsewhere),
                at=match.group(),
            )


def _hint(name: str, before: set[str]) -> str:
    if name in before:
        return f"an ARG before FROM, or in another stage, ends there: repeat `ARG {name}` in this stage"
    if _PLATFORM.match(name):
        return f"the builder knows it, but a stage must ask for it: add `ARG {name}`"
    return f"add `ARG {name}=…` after the stage's FROM, or write ${{{name}:?}} to stop the build"


def _set_inside(script: Script) -> set[str]:
    names = {assign.name for command in script.commands for assign in command.assigns}
    for call in script.calls:
        if call.program in _READS:
            names |= {text.partition("=")[0] for text in call.texts}
        if call.program == "printf" and call.texts[:1] == ("-v",):
            names |= set(call.texts[1:2])
    return names


def _expanded(script: Script) -> Iterator[tuple[str, int]]:
    """Yield the texts in which the shell replaces variables: words without their single-quoted parts."""
    for command in script.top:
        words = (*command.words, *(assign.value for assign in command.assigns))
        for word in words:
            yield without_single_quoted(word.raw), word.line
        for redirect in command.redirects:
            yield redirect.target.raw, redirect.target.line
            if redirect.body is not None and not set("\"'\\") & set(redirect.target.raw):
                yield redirect.body, command.line + 1


RULE = Rule("MN704", Severity.ERROR, _check)
