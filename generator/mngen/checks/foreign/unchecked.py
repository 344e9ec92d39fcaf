"""Says of which files nothing was checked, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mngen.checks.foreign.document import CHECKED, Document, Form
from mngen.checks.foreign.shebangs import is_shell

_SERVING = (Form.PACKAGES, Form.PAGE)


def unchecked(documents: Sequence[Document]) -> Iterator[tuple[str, str]]:
    """Yield the files that no rule looked at, each with the reason in words."""
    alone = not any(document.form in CHECKED for document in documents)
    for document in documents:
        if document.form is Form.MANIFEST:
            yield document.file, f"a manifest; `mngen validate {document.file}` checks it"
        elif document.form is Form.TEMPLATE:
            yield document.file, "a template for Jinja; render it first, and check what comes out"
        elif document.form is Form.OTHER and is_shell(document.interpreter):
            words = f"a script for {document.interpreter} under the name of something else"
            yield document.file, f"{words}; if it is one to check, say so with `--kind`"
        elif document.form is Form.OTHER and document.interpreter:
            yield document.file, f"a script for {document.interpreter}; those for sh, bash, dash and ksh are checked"
        elif document.form is Form.OTHER:
            yield document.file, "its kind is not known; if it is one that mngen knows, name it with `--kind`"
        elif alone and document.form in _SERVING:
            yield document.file, f"a {document.form.value}, which is only compared with the other files of a call"
