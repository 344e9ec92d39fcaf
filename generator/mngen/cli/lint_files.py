"""The files that ``mngen lint`` was pointed at: named ones as they are, folders searched."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from mngen.checks.foreign import CHECKED, Document, Form, may_be_known, read_document
from mngen.cli.lint_pipes import read_named
from mngen.cli.reporting import Findings
from mngen.diagnostics import Diagnostic, Severity
from mngen.errors import EnvironmentFailure, FindingsError

_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
_SERVING = (Form.PACKAGES, Form.PAGE)
_TAKEN_WITH_GAPS = (Form.BASH, Form.SBATCH, Form.DOCKERFILE, Form.APPTAINER)
"""Forms whose readers pass on every byte as it is; YAML has to be UTF-8."""

_GAP_HINT = "what reads it takes the byte as it is; save the file as UTF-8, so that all see the same character"
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


Refused = dict[str, EnvironmentFailure]
"""The files and folders that cannot be read, each with the reason."""


def read_documents(arguments: Sequence[str], kind: Form | None, findings: Findings) -> tuple[list[Document], Refused]:
    """Read every file once; one that cannot be decoded becomes a finding.

    Of a folder, only files of known kinds are taken, without hidden ones and without what links lead to. What cannot
    be read is returned beside the rest.
    """
    refused: Refused = {}
    documents: dict[str, Document] = {}
    for argument in arguments:
        # os.path, not Path: that raises where it may not look, and whoever reads the file says so better.
        if argument != "-" and os.path.isdir(argument):  # noqa: PTH112
            named = [(str(path), str(path.parent)) for path in _inside(Path(argument), refused)]
        else:
            named = [(argument, "")]
        for name, group in named:
            document = _document(name, kind, findings, refused, group=group)
            if document is not None:
                documents.setdefault(document.file, document)
    return list(documents.values()), refused


def _inside(folder: Path, refused: Refused) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, onerror=partial(_refuse, refused)):
        here = Path(place)
        folders[:] = sorted(name for name in folders if _is_searched(here / name))
        yield from (here / name for name in sorted(names) if may_be_known(name) and _is_file(here / name, refused))


def _refuse(refused: Refused, error: OSError) -> None:
    refused.setdefault(str(error.filename), EnvironmentFailure(f"cannot read `{error.filename}`: {error.strerror}"))


def _is_file(path: Path, refused: Refused) -> bool:
    """Tell whether a regular file lies there itself, not a link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError as error:
        _refuse(refused, error)
        return False


def _is_searched(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _LEFT_OUT
    return not hidden and not os.path.exists(folder / "pyvenv.cfg")  # noqa: PTH110 - Path raises where it may not look


def _document(name: str, kind: Form | None, findings: Findings, refused: Refused, *, group: str) -> Document | None:
    """Return a file that is to be checked; what is wrong with its bytes becomes a finding."""
    try:
        item = read_named(name)
    except FindingsError as error:
        _cannot_read(error.diagnostics, name, findings, group=group)
        return None
    except EnvironmentFailure as error:
        refused.setdefault(name, error)
        return None
    text = _MARK + item.text if item.marked else item.text
    document = read_document(text, item.name, kind if not group else None, group=group)
    if item.gap is not None and document.form not in _TAKEN_WITH_GAPS:
        findings.sources[item.name] = item.text.split("\n")
        _cannot_read((item.gap,), name, findings, group=group)
        return None
    if group and not _is_wanted(document):
        return None
    findings.sources[item.name] = item.text.split("\n")
    if item.gap is not None:
        findings.add((replace(item.gap, severity=Severity.WARNING, hint=_GAP_HINT),))
    return document


def _cannot_read(said: Sequence[Diagnostic], name: str, findings: Findings, *, group: str) -> None:
    """Add what is wrong with a file; in a folder only where it surely was meant: anything may lie there."""
    path = Path(name)
    if not group or ("." in path.name and path.suffix != ".py"):
        findings.add(said)


def _is_wanted(document: Document) -> bool:
    """Tell whether a file that lay in a folder has something to check: a Python script has, with #SBATCH lines."""
    read = not document.interpreter or document.form is Form.SBATCH
    return document.form in (*CHECKED, *_SERVING, Form.TEMPLATE) and read
