"""Recognises a foreign file by its name and text, and takes it apart."""

from __future__ import annotations

import re

from mngen.checks.definition_text import sections
from mngen.checks.foreign.document import Document, Form, YamlProblem
from mngen.checks.foreign.instructions import Instruction, instructions
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.yaml_nodes import Item, load
from mngen.checks.yaml_syntax import REPEATED, yaml_error

_DOCKERFILE_NAME = re.compile(r"(^|[./_-])(dockerfile|containerfile)($|[./_-])", re.IGNORECASE)
_FROM = re.compile(r"^\s*FROM\s+\S+", re.MULTILINE)
_DEF_HEADER = re.compile(r"^\s*bootstrap\s*:", re.MULTILINE | re.IGNORECASE)
_YAML_KEY = re.compile(r"^[A-Za-z_][\w-]*\s*:(\s|$)", re.MULTILINE)
_BLOCK_ITEM = re.compile(r"^(\s*)- [|>][+-]?\s*(#.*)?$")
_SKY_KEYS = {"run", "setup", "resources", "num_nodes", "file_mounts", "workdir", "envs", "secrets", "service"}


def read_document(text: str, file: str) -> Document:
    """Return the file as rules see it; a text that cannot be told apart is a bash script."""
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n")
    name = file.rsplit("/", 1)[-1]
    if _DOCKERFILE_NAME.search(name) or (
        _FROM.search(text) and not text.startswith("#!") and not _DEF_HEADER.search(text)
    ):
        return Document(file=file, text=text, form=Form.DOCKERFILE, instructions=instructions(text))
    if name.endswith(".def") or _DEF_HEADER.search(text):
        return _definition(text, file)
    if name.endswith((".yaml", ".yml")) or (
        _looks_yaml(text) and not name.endswith((".sh", ".bash", ".sbatch", ".slurm"))
    ):
        return _yaml(text, file)
    sbatch = re.search(r"^#SBATCH\b", text, re.MULTILINE) is not None
    first = text.split("\n", 1)[0]
    script = Script(((text, 1),), sbatch=sbatch, shebang=first if first.startswith("#!") else "")
    return Document(file=file, text=text, form=Form.SBATCH if sbatch else Form.BASH, scripts=(script,))


def _looks_yaml(text: str) -> bool:
    if text.startswith("#!"):
        return False
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return _YAML_KEY.match(first) is not None


def _definition(text: str, file: str) -> Document:
    parts = sections(text)
    scripts = tuple(
        Script(((part.text, part.line),), section=f"%{part.name}", shebang=f"#!{part.shell}")
        for part in parts
        if part.is_script and part.name != "environment"
    )
    found = tuple(Instruction(part.name.upper(), part.text, part.line) for part in parts)
    return Document(file=file, text=text, form=Form.APPTAINER, instructions=found, scripts=scripts)


def _yaml(text: str, file: str) -> Document:
    problem: YamlProblem | None = None
    error = yaml_error(text)
    readable = text
    if error is not None:
        readable, line = _indent_blocks(text)
        problem = YamlProblem(line or error.line, error.message, indentation=line is not None)
    root = load(readable) if _parses(readable) else None
    form = _yaml_form(root, text, file)
    return Document(file=file, text=text, form=form, scripts=_yaml_scripts(root, form), root=root, yaml_problem=problem)


def _parses(text: str) -> bool:
    error = yaml_error(text)
    return error is None or error.code == REPEATED


def _yaml_form(root: Item | None, text: str, file: str) -> Form:
    fields = root.fields if root is not None else {}
    kind = fields.get("type")
    if file.endswith((".dstack.yml", ".dstack.yaml")) or (
        kind is not None and kind.text in {"task", "fleet", "service"}
    ):
        return Form.DSTACK
    if root is None and re.search(r"^type:\s*task\b", text, re.MULTILINE):
        return Form.DSTACK
    if len(_SKY_KEYS & set(fields)) >= 2 or file.endswith((".sky.yaml", ".sky.yml")):
        return Form.SKYPILOT
    return Form.YAML


def _yaml_scripts(root: Item | None, form: Form) -> tuple[Script, ...]:
    if root is None:
        return ()
    if form is Form.SKYPILOT:
        found = ((key, root.fields[key]) for key in ("setup", "run") if key in root.fields)
        return tuple(
            Script(((item.text, item.first_line),), section=key) for key, item in found if item.text is not None
        )
    if form is not Form.DSTACK:
        return ()
    groups = root.fields.get("groups")
    holders = [root, *(groups.entries if groups is not None else ())]
    lists = [holder.fields["commands"] for holder in holders if "commands" in holder.fields]
    return tuple(
        Script(tuple((entry.text, entry.first_line) for entry in items.entries if entry.text), section="commands")
        for items in lists
    )


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
