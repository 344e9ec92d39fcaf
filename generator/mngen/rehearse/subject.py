"""What is rehearsed: a launch file, of which kind it is, and what it says it needs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from msgspec import Struct

from mngen.checks.foreign import Form, read_document
from mngen.checks.foreign.document import Document
from mngen.errors import EnvironmentFailure, UsageError
from mngen.rehearse.task_file import Task, read_dstack, read_skypilot

MOST_BYTES = 4 << 20


class Kind(Enum):
    """Whose launch file it is."""

    SLURM = "slurm"
    SKYPILOT = "skypilot"
    DSTACK = "dstack"
    MANUAL = "manual"


_FILES = {
    Kind.SLURM: "job.sbatch",
    Kind.SKYPILOT: "task.sky.yaml",
    Kind.DSTACK: "task.dstack.yml",
    Kind.MANUAL: "head.sh",
}
_FORMS = {Form.SBATCH: Kind.SLURM, Form.SKYPILOT: Kind.SKYPILOT, Form.DSTACK: Kind.DSTACK}
_READERS = {Kind.SKYPILOT: read_skypilot, Kind.DSTACK: read_dstack}
_KNOWN = "known: a Slurm batch file, a SkyPilot task, a dstack task, or the head.sh that mngen wrote"


class Subject(Struct, frozen=True, kw_only=True):
    """A launch file."""

    kind: Kind
    """Whose it is."""
    file: Path
    """The file itself."""
    document: Document
    """Its text, taken apart."""
    script: str
    """The bash text that every node runs; of a task this is the boot script beside it."""
    texts: Mapping[str, str]
    """The texts of the bash files of the target, by name."""
    task: Task | None = None
    """What a task file says."""

    @property
    def generated(self) -> bool:
        """Whether mngen wrote it, so that its parts are known."""
        return self.document.rendered


def find(path: Path) -> Subject:
    """Read a launch file, or the one in a target's folder.

    Raises ``UsageError`` for what is no launch file, or one that its launcher refuses, and ``EnvironmentFailure``
    for what cannot be read.
    """
    file = _in_folder(path) if path.is_dir() else path
    text = _read(file)
    document = read_document(text, str(file))
    kind = _FORMS.get(document.form)
    if kind is None and document.rendered and document.form is Form.BASH and file.name in ("head.sh", "worker.sh"):
        kind, file = Kind.MANUAL, file.with_name("head.sh")
        text = _read(file)
        document = read_document(text, str(file))
    if kind is None:
        raise UsageError(f"{file} is no launch file: it is {_what(document)}", hint=_KNOWN)
    texts = {item.name: _read(item) for item in sorted(file.parent.glob("*.sh"))} if document.rendered else {}
    script = _script(kind, text, texts, document)
    task = _READERS[kind](document.text, file.name) if kind in _READERS else None
    return Subject(kind=kind, file=file, document=document, script=script, texts=texts, task=task)


def _in_folder(folder: Path) -> Path:
    found = [folder / name for name in _FILES.values() if (folder / name).is_file()]
    if len(found) == 1:
        return found[0]
    below = sorted({item.parent.name for name in _FILES.values() for item in folder.glob(f"*/{name}")})
    hint = f"name one of its targets: {', '.join(below)}" if below else _KNOWN
    raise UsageError(f"{folder} holds {'several launch files' if found else 'no launch file'}", hint=hint)


def _what(document: Document) -> str:
    if not document.text.strip():
        return "empty"
    return f"a {document.form.value}" if document.form is not Form.OTHER else "a file of no known kind"


def _read(file: Path) -> str:
    try:
        data = file.read_bytes() if file.is_file() else _no_file(file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot read `{file}`: {error.strerror}") from error
    if len(data) > MOST_BYTES or b"\0" in data:
        raise UsageError(f"{file} is no launch file: it is no text", hint=_KNOWN)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no launch file: it is not UTF-8", hint=_KNOWN) from error


def _no_file(file: Path) -> bytes:
    reason = "it is not a regular file" if file.exists() else "No such file or directory"
    raise EnvironmentFailure(f"cannot read `{file}`: {reason}")


def _script(kind: Kind, text: str, texts: Mapping[str, str], document: Document) -> str:
    if kind in (Kind.SLURM, Kind.MANUAL):
        return text
    return texts.get("boot.sh") or "\n".join(part.text for part in document.scripts)
