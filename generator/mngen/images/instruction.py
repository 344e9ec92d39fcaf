"""The layout of one ``RUN``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def run_lines(commands: Sequence[Sequence[str]], mounts: Sequence[str] = ()) -> Iterator[str]:
    """Yield one RUN: mounts first, then commands of one or more lines each, joined by ``&&``."""
    lines = [*mounts]
    for number, (first, *rest) in enumerate(commands):
        lines.append(f"&& {first}" if number else first)
        lines.extend(f"    {line}" for line in rest)
    for index, line in enumerate(lines):
        lead = "    " if index else "RUN "
        end = "" if index == len(lines) - 1 else " \\"
        yield f"{lead}{line}{end}"
