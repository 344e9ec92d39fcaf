"""The files that ``mngen lint`` was pointed at: named ones as they are, folders searched."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from mngen.checks.foreign import CHECKED, Document, Form, may_be_known, read_document
from mngen.cli.inputs import Input, read_input
from mngen.cli.reporting import Findings
from mngen.errors import EnvironmentFailure, FindingsError

_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
_SERVING = (Form.PACKAGES, Form.PAGE)
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def read_documents(arguments: Sequence[str], kind: Form | None, findings: Findings) -> list[Document]:
    """Read every file once; one that cannot be decoded becomes a finding.

    Of a folder, only files of known kinds are taken, without hidden ones and without what links lead to. Raises
    ``EnvironmentFailure`` for a file or folder that cannot be read.
    """
    documents: dict[str, Document] = {}
    for argument in arguments:
        if argument != "-" and Path(argument).is_dir():
            for path in _inside(Path(argument)):
                _add(documents, str(path), kind, findings, group=str(path.parent))
        else:
            _add(documents, argument, kind, findings, group="")
    return list(documents.values())


def _inside(folder: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise EnvironmentFailure(f"cannot read `{error.filename}`: {error.strerror}") from error

    for place, folders, names in os.walk(folder, onerror=refuse):
        here = Path(place)
        folders[:] = sorted(name for name in folders if _is_searched(here / name))
        yield from (here / name for name in sorted(names) if may_be_known(name) and (here / name).is_file())


def _is_searched(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _LEFT_OUT
    return not hidden and not (folder / "pyvenv.cfg").exists()


def _add(documents: dict[str, Document], name: str, kind: Form | None, findings: Findings, *, group: str) -> None:
    try:
        item = read_input(name)
    except FindingsError as error:
        # In a folder only what surely was meant: anything may lie there.
        if not group or "." in Path(name).name:
            findings.add(error.diagnostics)
        return
    document = _document(item, kind, group)
    if not group or _is_wanted(document):
        documents.setdefault(item.name, document)
        findings.sources[item.name] = item.text.split("\n")


def _is_wanted(document: Document) -> bool:
    """Tell whether a file that lay in a folder has something to check: a Python script has, with #SBATCH lines."""
    read = not document.interpreter or document.form is Form.SBATCH
    return document.form in (*CHECKED, *_SERVING) and read


def _document(item: Input, kind: Form | None, group: str) -> Document:
    text = _MARK + item.text if item.marked else item.text
    return read_document(text, item.name, kind if not group else None, group=group)
