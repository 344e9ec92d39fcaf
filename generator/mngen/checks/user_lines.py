"""Tells which lines of a rendered Dockerfile or definition file hold the user's own words."""

from __future__ import annotations

from collections.abc import Mapping

from mngen.plan import RenderedFile, UserText


def user_lines(file: RenderedFile) -> Mapping[int, UserText]:
    """Map the numbers of lines that carry a user's text to that text.

    Linters report an instruction at its first line, so the whole instruction around a text counts.
    """
    lines = file.text.splitlines()
    starts = _instruction_starts(lines)
    owners: dict[int, UserText] = {}
    for text in file.user_texts:
        wanted = [line.strip() for line in text.text.strip().splitlines() if line.strip()]
        place = 0
        for number, line in enumerate(lines):
            if place < len(wanted) and wanted[place] in line:
                place += 1
                owners.setdefault(number + 1, text)
                owners.setdefault(starts[number] + 1, text)
    return owners


def _instruction_starts(lines: list[str]) -> list[int]:
    """Return for each line the index of the line where its instruction begins."""
    starts: list[int] = []
    continued = False
    for number, line in enumerate(lines):
        starts.append(starts[-1] if continued else number)
        continued = line.rstrip().endswith("\\") or (continued and line.lstrip().startswith("#"))
    return starts
