"""A build variable that no ARG or ENV declares is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.diagnostics import Severity

_USE = re.compile(r"(?<![\\$])\$(?:\{([A-Z][A-Z0-9_]*)\}|([A-Z][A-Z0-9_]*))")
_SET = re.compile(r"\b([A-Za-z_]\w*)=")
_FROM_BASE = {
    *("PATH", "HOME", "PWD", "USER", "SHELL", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PYTHONPATH", "HOSTNAME"),
    *("CUDA_HOME", "CUDA_VERSION", "ROCM_PATH", "ROCM_VERSION", "VIRTUAL_ENV", "CONDA_PREFIX", "NCCL_VERSION"),
    *(
        "TARGETARCH",
        "TARGETPLATFORM",
        "TARGETOS",
        "TARGETVARIANT",
        "BUILDPLATFORM",
        "BUILDARCH",
        "RANDOM",
        "TORCH_CUDA_ARCH_LIST",
    ),
}
"""What base images and BuildKit set; an own ARG is still needed for the TARGET ones."""


def _check(document: Document) -> Iterator[Found]:
    if document.form is not Form.DOCKERFILE:
        return
    declared: set[str] = set()
    stage = 0
    for instruction in document.instructions:
        if instruction.stage != stage:
            stage, declared = instruction.stage, set()
        if instruction.word in {"ARG", "ENV"}:
            declared |= set(re.findall(r"(?:^|\s)([A-Za-z_]\w*)(?==|\s|$)", instruction.text))
        if instruction.word != "RUN":
            continue
        own = (
            declared
            | set(_SET.findall(instruction.text))
            | set(re.findall(r"\bread\s+(?:-r\s+)?(\w+)", instruction.text))
        )
        own |= set(re.findall(r"\bfor\s+(\w+)\s+in\b", instruction.text))
        for match in _USE.finditer(instruction.text):
            name = match.group(1) or match.group(2)
            if name not in own and name not in _FROM_BASE and not _single_quoted(instruction.text, match.start()):
                own.add(name)
                yield Found(
                    instruction.line + instruction.text[: match.start()].count("\n"),
                    f"${name} is declared by no ARG or ENV of this stage, so it is empty here",
                    f"add `ARG {name}=…` after the stage's FROM, or write ${{{name}:?}} to stop the build",
                )


def _single_quoted(text: str, place: int) -> bool:
    return text[:place].replace("\\'", "").count("'") % 2 == 1


RULE = Rule("MN704", Severity.ERROR, _check)
