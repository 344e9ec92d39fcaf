"""Whose GPUs a launch file is for: one that mngen wrote checks for them, one written by hand gives signs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mngen.checks.foreign.document import Document
from mngen.checks.foreign.script import Script, variables
from mngen.checks.foreign.yaml_nodes import Item
from mngen.checks.options import Parsed
from mngen.manifest.capabilities import gpu
from mngen.rehearse.subject import Subject

CUDA, ROCM = "cuda", "rocm"
_CHECK = re.compile(r"^  \[\[ -e /dev/kfd \]\] \|\| fail 77 ", re.MULTILINE)
"""What `check_gpus` of a file for AMD's begins with (`templates/shell/check_gpus_rocm*.sh`)."""
_MAKERS = {"nvidia": CUDA, "amd": ROCM}
_REQUESTS = ("--gres", "--gpus", "--gpus-per-node", "--gpus-per-task", "--constraint")
_SIGNS = {
    # No bare `cuda`: PyTorch calls AMD's devices by that name too.
    CUDA: re.compile(r"--nv$|(?:.*[/:=-])?(?:nvidia|nvcr\.io)|(?:.*[/:_-])?cuda(?:[-/]?[0-9]|/)"),
    ROCM: re.compile(r"(?:.*[/:=_-])?(?:rocm|amd-smi|kfd$)"),
}
"""Tools, options, devices, modules and images of one maker's."""
_MASKS = frozenset({"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
_TELL = frozenset({"echo", "printf"})
"""What only says something."""


def vendor(subject: Subject, slurm: Parsed) -> str:
    """Return ``cuda`` or ``rocm``; ``slurm`` holds the directives.

    By hand, the model that is asked for counts more than what the text works with, and that more than a mask, which
    files for both makers' set.
    """
    if subject.generated:
        return ROCM if _CHECK.search(subject.script) else CUDA
    document = subject.document
    for found in (_asked_for(document, slurm), _worked_with(document), _masked(document)):
        makers = set(found)
        if len(makers) == 1:
            return makers.pop()
    return CUDA


def _asked_for(document: Document, slurm: Parsed) -> Iterator[str]:
    texts = [slurm.value(option) or "" for option in _REQUESTS]
    for path in (("resources", "accelerators"), ("resources", "gpu")):
        texts += _texts(document.get(*path))
    for name in re.split(r"[:,|&()\s]+", " ".join(texts)):
        model = gpu(name) if name else None
        maker = _MAKERS.get(name.lower() if model is None else model.vendor)
        if maker is not None:
            yield maker


def _texts(item: Item | None) -> Iterator[str]:
    """Yield all words of a YAML value, keys of maps too."""
    if item is None:
        return
    yield from (item.text or "", *item.fields)
    for below in (*item.fields.values(), *item.entries):
        yield from _texts(below)


def _worked_with(document: Document) -> Iterator[str]:
    images = [*_texts(document.get("image")), *_texts(document.get("resources", "image_id"))]
    for word in (*images, *_words(document.scripts)):
        yield from (maker for maker, sign in _SIGNS.items() if sign.match(word))


def _words(scripts: Iterable[Script]) -> Iterator[str]:
    """Yield the words of all calls; one with blanks in it is a text, whose commands are calls of their own."""
    for script in scripts:
        for call in script.calls:
            if call.program not in _TELL:
                yield from (call.program, *(word for word in call.texts if not re.search(r"\s", word)))


def _masked(document: Document) -> Iterator[str]:
    named = set(_texts(document.get("envs"))) | {text.partition("=")[0] for text in _texts(document.get("env"))}
    for script in document.scripts:
        for command in script.commands:
            for assign in command.assigns:
                named |= {assign.name, *variables(assign.value.text)}
    if named & _MASKS:
        yield ROCM
