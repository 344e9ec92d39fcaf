"""Two files that belong together pin one thing to two versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mngen.checks.foreign.across.image_parents import related
from mngen.checks.foreign.across.rule import RuleAcross, together
from mngen.checks.foreign.document import Document, Form, Found
from mngen.checks.foreign.pins import Pin, pins
from mngen.checks.foreign.places import span_of
from mngen.diagnostics import Diagnostic, Label, Severity, Span

_VENDORS = {
    "rocm": re.compile(r"rocm|amd(?!64)|hip\b|gfx\d", re.IGNORECASE),
    "cuda": re.compile(r"cuda|cu1\d\d|nvidia|nvcr", re.IGNORECASE),
}

_IMAGES = frozenset({Form.DOCKERFILE, Form.APPTAINER})


def _check(documents: Sequence[Document]) -> Iterator[Diagnostic]:
    known: dict[str, list[tuple[Document, Pin]]] = {}
    for document in documents:
        said: set[str] = set()
        own: dict[str, list[tuple[Document, Pin]]] = {}
        for pin in pins(document) if document.form is not Form.PAGE else ():
            others = [item for item in known.get(pin.name, ()) if _of_one_image(document, item[0])]
            if any(theirs.version == pin.version for _, theirs in others):
                others = []
            if others and pin.name not in said and not _agrees_somewhere(document, pin, others):
                said.add(pin.name)
                yield _finding(document, pin, others, documents)
            own.setdefault(pin.name, []).append((document, pin))
        for name, found in own.items():
            known.setdefault(name, []).extend(found)


def _agrees_somewhere(document: Document, pin: Pin, others: list[tuple[Document, Pin]]) -> bool:
    """Tell whether either file has the other's version too: one that serves several stacks names several."""
    ours = {item.version for item in pins(document) if item.name == pin.name}
    return all(
        theirs.version in ours or pin.version in {item.version for item in pins(other) if item.name == pin.name}
        for other, theirs in others
    )


def _of_one_image(first: Document, second: Document) -> bool:
    """Tell whether two files may serve one image: not one for CUDA and the other for ROCm.

    Several image files of one kind in a folder are alternatives, such as one for each release; those that were
    named themselves are not. What mngen rendered is made from one manifest each.
    """
    if first.rendered and second.rendered:
        return False
    named = not (first.group or second.group)
    alternatives = first.form is second.form and first.form in _IMAGES and not named
    return together(first, second) and not alternatives and {_vendor(first), _vendor(second)} != {"rocm", "cuda"}


def _vendor(document: Document) -> str:
    head = (
        document.file + "\n" + "\n".join(part.text for part in document.instructions if part.word in {"FROM", "HEADER"})
    )
    named = [vendor for vendor, pattern in _VENDORS.items() if pattern.search(head)]
    return named[0] if len(named) == 1 else ""


def _alternatives(document: Document, other: Document, documents: Sequence[Document]) -> bool:
    """Tell whether two files make an image each, and neither is built on the other."""
    of_one_kind = document.form is other.form and document.form in _IMAGES
    return of_one_kind and not related(document, other, documents)


def _finding(
    document: Document, pin: Pin, others: list[tuple[Document, Pin]], documents: Sequence[Document]
) -> Diagnostic:
    first, theirs = next((item for item in others if not _alternatives(document, item[0], documents)), others[0])
    two_images = _alternatives(document, first, documents)
    mend = "keep the version in one file that the others read (a constraints file, an ARG), or make them equal"
    places = tuple(Label(_span(other, item), f"{item.version} here") for other, item in others[:3])
    return Diagnostic(
        code="MN907",
        severity=Severity.NOTE if two_images else Severity.WARNING,
        message=f"{pin.name} is pinned to {pin.version} here and to {theirs.version} in `{first.file}`",
        span=_span(document, pin),
        hint=f"if both images serve one job, {mend}" if two_images else mend,
        labels=places,
    )


def _span(document: Document, pin: Pin) -> Span:
    return span_of(Found(pin.line, "", "", at=pin.words), document.file, document.lines)


RULE = RuleAcross("MN907", _check)
