"""Takes a foreign file apart, by its kind."""

from __future__ import annotations

from itertools import takewhile

from msgspec.structs import replace

from mngen.checks.foreign.definitions import definition
from mngen.checks.foreign.document import Document, Form
from mngen.checks.foreign.instructions import instructions, step_script
from mngen.checks.foreign.kinds import kind_of
from mngen.checks.foreign.script import Script
from mngen.checks.foreign.shebangs import interpreter, is_shell
from mngen.checks.foreign.templates import has_holes, is_template
from mngen.checks.foreign.yaml_files import yaml_document

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def read_document(text: str, file: str, form: Form | None = None, *, group: str = "") -> Document:
    """Return the file as rules see it. ``form`` says what it is; without it, name and text do."""
    marked = text.startswith(_MARK)
    text = text.removeprefix(_MARK)
    crlf = text[: text.index("\r\n")].count("\n") + 1 if "\r\n" in text else None
    text = text.replace("\r\n", "\n")
    found = replace(_read(text, file, form), crlf=crlf, marked=marked, group=group)
    first = tuple(replace(part, crlf=crlf, marked=marked) for part in found.parts[:1])
    return replace(found, parts=first + found.parts[1:])


def _read(text: str, file: str, form: Form | None) -> Document:
    if is_template(text, file):
        return Document(file=file, text=text, form=Form.TEMPLATE)
    known = form or kind_of(text, file)
    if known is None or known in {Form.SKYPILOT, Form.DSTACK}:
        return yaml_document(text, file, known)
    if known is Form.DOCKERFILE:
        parts = instructions(text)
        steps = tuple(step_script(part) for part in parts if part.word == "RUN")
        return Document(file=file, text=text, form=known, instructions=parts, steps=steps)
    if known is Form.APPTAINER:
        return definition(text, file)
    if known in {Form.BASH, Form.SBATCH}:
        return _script(text, file, known)
    return Document(file=file, text=text, form=known, interpreter=interpreter(text) if known is Form.OTHER else "")


def _script(text: str, file: str, form: Form) -> Document:
    program = interpreter(text)
    lines = text.split("\n")
    shebang = lines[0] if lines[0].startswith("#!") else ""
    sbatch = form is Form.SBATCH
    if program and not is_shell(program):
        # sbatch reads the directives of any script, above its first command; the commands are not for bash.
        comments = "\n".join(takewhile(lambda line: not line.strip() or line.lstrip().startswith("#"), lines))
        scripts = (Script(((comments, 1),), sbatch=True, shebang=shebang),) if sbatch else ()
        return Document(file=file, text=text, form=form, scripts=scripts, interpreter=program)
    whole = Script(((text, 1),), sbatch=sbatch, shebang=shebang)
    if has_holes(whole):
        return Document(file=file, text=text, form=Form.TEMPLATE)
    return Document(file=file, text=text, form=form, scripts=(whole, *whole.jobs))
