"""What an image is made of, stage by stage: the instructions that lead to it, and the variables they set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.checks.foreign.commands import parse
from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.instructions import Instruction

_PAIR = re.compile(r"""([A-Za-z_]\w*)=("(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s\\]|\\.)*)""", re.DOTALL)
_FROM = re.compile(r"(?:--\S+\s+)*(\S+)(?:\s+[Aa][Ss]\s+(\S+))?")
_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


class Setting(Struct, frozen=True):
    """A variable that an image file sets. ``lasting`` for one that the finished image still has."""

    name: str
    value: str
    line: int
    lasting: bool = True


class Stage(Struct, frozen=True):
    """One stage: ``base`` is the image it starts from, with ARG defaults filled in.

    ``instructions`` begin with those of the stages that it builds on, ``own`` are its alone.
    """

    base: str
    line: int
    instructions: tuple[Instruction, ...]
    own: tuple[Instruction, ...]


def stages(document: Document) -> tuple[Stage, ...]:
    """Return the stages of a Dockerfile; a definition file counts as one."""
    if document.form is Form.APPTAINER:
        return _definition(document)
    found: dict[str, Stage] = {}
    before = [part for part in document.instructions if part.stage == 0]
    defaults = {setting.name: setting.value for part in before for setting in settings(part)}
    order: list[Stage] = []
    for start in (part for part in document.instructions if part.word == "FROM"):
        match = _FROM.match(start.text)
        if match is None:
            continue
        base = filled(match.group(1), defaults)
        parent = found.get(base.lower())
        own = tuple(part for part in document.instructions if part.stage == start.stage and part is not start)
        inherited = tuple(part for part in parent.instructions if part.word != "ARG") if parent is not None else ()
        stage = Stage(parent.base if parent is not None else base, start.line, (*inherited, *own), own)
        order.append(stage)
        found[str(start.stage - 1)] = stage
        if match.group(2):
            found[match.group(2).lower()] = stage
    return tuple(order)


def settings(instruction: Instruction) -> Iterator[Setting]:
    """Yield what ARG, ENV or ``%environment`` sets, with each one's own line."""
    text = instruction.text
    if instruction.word == "ENVIRONMENT":
        for command in parse(text, instruction.line):
            yield from (Setting(item.name, item.value.text, item.line) for item in command.assigns)
        return
    if instruction.word not in {"ARG", "ENV"}:
        return
    lasting = instruction.word == "ENV"
    pairs = list(_PAIR.finditer(text))
    if lasting and not re.match(r"[A-Za-z_]\w*=", text):
        name, _, value = text.strip().partition(" ")
        yield Setting(name, value.strip(), instruction.line)
        return
    line, counted = instruction.line, 0
    for match in pairs:
        line += text.count("\n", counted, match.start())
        counted = match.start()
        yield Setting(match.group(1), _unquoted(match.group(2)), line, lasting)
    if not lasting:
        names = set(re.findall(r"(?:^|\s)([A-Za-z_]\w*)(?=\s|$)", _PAIR.sub(" ", text)))
        yield from (Setting(name, "", instruction.line, lasting=False) for name in sorted(names))


def filled(text: str, values: dict[str, str]) -> str:
    """Replace the references to known variables by their values."""
    return _REFERENCE.sub(lambda match: values.get(match.group(1) or match.group(2), match.group()), text)


def values_of(instructions: Sequence[Instruction]) -> dict[str, str]:
    """Return the variables that these instructions set, later ones last, each with earlier ones filled in."""
    found: dict[str, str] = {}
    for instruction in instructions:
        for setting in settings(instruction):
            found[setting.name] = filled(setting.value, found)
    return found


def _definition(document: Document) -> tuple[Stage, ...]:
    header = document.instructions[0] if document.instructions else None
    match = re.search(r"^[ \t]*from[ \t]*:[ \t]*(\S+)", header.text, re.IGNORECASE | re.MULTILINE) if header else None
    base = match.group(1) if match else ""
    line = header.line + header.text[: match.start(1)].count("\n") if header and match else 1
    return (Stage(base, line, document.instructions, document.instructions),)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value.replace("\\\n", "")
