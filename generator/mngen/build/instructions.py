"""A rendered Dockerfile read back: which line is which instruction, and which field of the manifest it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mngen.images.dockerfile import Place

_DOCUMENT = re.compile(r"(?:^|\s)\d*<<'(\w+)'(?=\s|$)")


class Instruction(Struct, frozen=True):
    """One instruction: its first line (from 1), its text in one line, its stage and its number there, both from 1."""

    line: int
    text: str
    stage: int
    number: int

    @property
    def name(self) -> str:
        """The instruction's own word, such as ``RUN``."""
        return self.text.partition(" ")[0]


def read(text: str) -> tuple[Instruction, ...]:
    """Return the instructions of a rendered Dockerfile, which has no instruction in front of the first ``FROM``."""
    found: list[Instruction] = []
    for line, joined in _logical_lines(text.split("\n")):
        last = found[-1] if found else Instruction(0, "", 0, 0)
        new = joined.startswith("FROM ")
        found.append(Instruction(line, joined, last.stage + new, 1 if new else last.number + 1))
    return tuple(found)


def at_line(instructions: Sequence[Instruction], line: int) -> Instruction | None:
    """Return the instruction that a line belongs to."""
    before = [item for item in instructions if item.line <= line]
    return before[-1] if before else None


def origin(places: Sequence[Place], instruction: Instruction) -> str:
    """Return the field below ``image`` that an instruction was made from; empty for the image as a whole."""
    return next((item.origin for item in places if item.first <= instruction.line <= item.last), "")


def _logical_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (first line, text) of each instruction, without the here-documents that follow it."""
    index = 0
    while index < len(lines):
        start, line = index + 1, lines[index]
        index += 1
        if not line.strip() or line.startswith("#"):
            continue
        parts = [line]
        while parts[-1].endswith("\\") and index < len(lines):
            parts.append(lines[index])
            index += 1
        joined = " ".join(part.removesuffix("\\").strip() for part in parts)
        for name in _DOCUMENT.findall(joined):
            while index < len(lines) and lines[index] != name:
                index += 1
            index += 1
        yield start, joined
