"""Takes SkyPilot and dstack files apart, also those whose blocks do not stand where they must."""

from __future__ import annotations

import re

from msgspec.structs import replace

from mngen.checks.foreign.document import Document, Form, YamlProblem
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.yaml_nodes import Item, load
from mngen.checks.yaml_syntax import REPEATED, yaml_error

_BLOCK_ITEM = re.compile(r"^(\s*)- [|>][+-]?\s*(#.*)?$")
_SKY_KEYS = {"run", "setup", "resources", "num_nodes", "file_mounts", "workdir", "envs", "secrets", "service"}
_DSTACK_TYPES = {"task", "fleet", "service", "dev-environment"}
_HEADER = {"name", "execution", "primary_tasks", "termination_delay", "inter_connection"}
"""What a document may hold that names a pipeline of SkyPilot and is no task."""
_MARKER = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_CONTENT = re.compile(r"^(?!---\s*$)[^\s#]|^---\s+[^\s#]", re.MULTILINE)
_TOP_KEY = re.compile(r"^([A-Za-z_]\w*):", re.MULTILINE)
_DSTACK_VALUE = re.compile(r"\$\{\{[^{}\n]*\}\}")
"""``${{ run.args }}``, ``${{ secrets.NAME }}``: dstack puts the value there before any shell reads the text."""


def yaml_document(text: str, file: str, form: Form | None = None) -> Document:
    """Return a YAML file as rules see it; its data tell the kind unless ``form`` does."""
    pieces = _documents(text)
    if len(pieces) > 1 and (form or _form(None, text, file)) is Form.SKYPILOT:
        return _pipeline(pieces, text, file)
    return _one(text, file, form)


def _documents(text: str) -> list[str]:
    """Return the documents of a text that hold anything, each below as many empty lines as stand before it."""
    starts = [0, *(match.start() for match in _MARKER.finditer(text) if match.start())]
    pieces = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return [
        "\n" * text.count("\n", 0, start) + piece
        for start, piece in zip(starts, pieces, strict=True)
        if _CONTENT.search(piece)
    ]


def _pipeline(pieces: list[str], text: str, file: str) -> Document:
    """Return a file of several tasks; a first document that only names them is none (``sky/utils/dag_utils.py``)."""
    parts = [_one(piece, file, Form.SKYPILOT) for piece in pieces]
    head = parts[0].root
    if head is not None and head.fields and head.fields.keys() <= _HEADER:
        parts = parts[1:]
    return replace(
        parts[0], text=text, scripts=tuple(script for part in parts for script in part.scripts), parts=tuple(parts)
    )


def _one(text: str, file: str, form: Form | None) -> Document:
    problem: YamlProblem | None = None
    error = yaml_error(text)
    readable = text
    if error is not None:
        readable, line = _indent_blocks(text)
        problem = YamlProblem(line or error.line, error.message, indentation=line is not None)
    root = load(readable) if _parses(readable) else None
    form = form or _form(root, text, file)
    if form is Form.OTHER or form is Form.MANIFEST:
        return Document(file=file, text=text, form=form)
    return Document(file=file, text=text, form=form, scripts=_scripts(root, form), root=root, yaml_problem=problem)


def _parses(text: str) -> bool:
    error = yaml_error(text)
    return error is None or error.code == REPEATED


def _form(root: Item | None, text: str, file: str) -> Form:
    if file.endswith((".dstack.yml", ".dstack.yaml")):
        return Form.DSTACK
    if file.endswith((".sky.yaml", ".sky.yml")):
        return Form.SKYPILOT
    # Of a text that does not parse, the keys at its left edge tell.
    keys = set(root.fields) if root is not None else set(_TOP_KEY.findall(text))
    kind = root.fields.get("type") if root is not None else None
    said = kind.text if kind is not None else (re.findall(r"^type:\s*([\w-]+)", text, re.MULTILINE) or [None])[0]
    if "apiVersion" in keys:
        version = root.fields["apiVersion"].text if root is not None else ""
        return Form.MANIFEST if (version or "").startswith("mngen/") else Form.OTHER
    if said in _DSTACK_TYPES and not {"run", "setup"} & keys:
        return Form.DSTACK
    return Form.SKYPILOT if len(_SKY_KEYS & keys) >= 2 else Form.OTHER


def _scripts(root: Item | None, form: Form) -> tuple[Script, ...]:
    if root is None:
        return ()
    if form is Form.SKYPILOT:
        found = ((key, root.fields[key]) for key in ("setup", "run") if key in root.fields)
        return tuple(Script(((item.text, item.place),), section=key) for key, item in found if item.text is not None)
    groups = root.fields.get("groups")
    holders = [root, *(groups.entries if groups is not None else ())]
    lists = [holder.fields["commands"] for holder in holders if "commands" in holder.fields]
    return tuple(
        Script(tuple((_filled(entry.text), entry.place) for entry in items.entries if entry.text), section="commands")
        for items in lists
    )


def _filled(text: str) -> str:
    """Put a plain word of the same length where dstack puts a value, so that the rest reads as shell text."""
    return _DSTACK_VALUE.sub(lambda match: "x" * len(match.group()), text)


def _indent_blocks(text: str) -> tuple[str, int | None]:
    """Indent the text of ``- |`` blocks that begin at the column of their dash.

    Returns the mended text and the line of the first such block, or ``None`` if there is none.
    """
    lines = text.split("\n")
    first: int | None = None
    number = 0
    while number < len(lines):
        match = _BLOCK_ITEM.match(lines[number])
        number += 1
        if match is None or number >= len(lines):
            continue
        column = len(match.group(1))
        if not lines[number].strip() or _indent(lines[number]) != column or lines[number][column:].startswith("- "):
            continue
        first = first or number + 1
        while number < len(lines) and (not lines[number].strip() or _indent(lines[number]) >= column):
            if lines[number][column:].startswith("- "):
                break
            lines[number] = "  " + lines[number] if lines[number].strip() else lines[number]
            number += 1
    return "\n".join(lines), first


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
