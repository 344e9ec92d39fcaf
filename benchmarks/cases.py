"""What is claimed about speed: each case measures its commands in turn and says which bound the ratio has."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import others
from processes import Command, Ratio, cost, interleaved, ratio

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden"
BIN = Path(sys.executable).parent
EVERYTHING = GOLDEN / "everything" / "manifest.yaml"
MINIMAL = GOLDEN / "minimal" / "manifest.yaml"

IMPORTS = Command([sys.executable, "-c", "import yaml, jinja2, jsonschema, click"])
"""What everything is measured against: any such program imports these first."""
MODULES = ("cli.render", "targets.slurm", "targets.skypilot", "targets.dstack", "targets.manual")
"""What the largest example needs of the program, each with all that it imports."""
LOADED = Command([sys.executable, "-c", f"import {', '.join(f'mngen.{name}' for name in MODULES)}"])
CLICK = Command([sys.executable, "-c", "import click"])
COPIES = 1000


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the results; ``bound`` is ``None`` for a comparison."""

    what: str
    beside: str
    measured: str
    value: float
    bound: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the bound holds."""
        if self.bound is None:
            return ""
        return "yes" if self.value <= self.bound else "**no**"


def compared(what: str, beside: str, found: Ratio, bound: float | None = None) -> Line:
    """Return the row of a ratio."""
    return Line(what, beside, str(found), found.median, bound)


def mngen(*words: str) -> Command:
    """Return a command line of the installed program."""
    return Command([str(BIN / "mngen"), *words])


def render(folder: Path, *options: str) -> Command:
    """Return the rendering of the largest example into a new folder."""
    return mngen("-q", "render", str(EVERYTHING), *options, "-o", f"{folder}-{{run}}")


def whole_programs(scratch: Path, rounds: int) -> Iterator[Line]:
    """Compare whole processes with the imports that they begin with."""
    programs = others.environment()
    rendering = render(scratch / "everything", "--no-lint")
    with tempfile.TemporaryDirectory(prefix="mngen-bench-") as disk:
        slow = render(Path(disk) / "everything", "--no-lint")
        commands = [IMPORTS, rendering, slow, LOADED, others.hpccm(programs), others.torchx(programs)]
        imports, rendered, slower, loaded, hpccm, torchx = interleaved(commands, rounds)
    beside = "`import yaml, jinja2, jsonschema, click`"
    what = "`mngen render --no-lint` of `everything`, all targets and images"
    yield compared(what, beside, ratio(rendered, imports), 1.8)
    yield compared("the same into a folder of the disk", beside, ratio(slower, imports))
    yield compared("of both, starting Python and importing what is used", beside, ratio(loaded, imports))
    yield compared("HPCCM: one Dockerfile", beside, ratio(hpccm, imports))
    yield compared("TorchX: one sbatch script, dry run", beside, ratio(torchx, imports))
    click, version = interleaved([CLICK, mngen("--version")], rounds)
    yield compared("`mngen --version`", "`import click`", ratio(version, click), 1.5)


def linting(scratch: Path, rounds: int) -> Line:
    """Compare what linting adds with the linters alone over the files that were written."""
    out = scratch / "linted"
    cost(mngen("-q", "render", str(EVERYTHING), "--no-lint", "-o", str(out)), 0)
    scripts = [str(path) for path in sorted(out.rglob("*")) if path.suffix in {".sh", ".sbatch"}]
    shellcheck = Command([str(BIN / "shellcheck"), "--norc", "--severity=style", "--format=json1", *scripts])
    dockerfiles = [str(path) for path in sorted(out.rglob("Dockerfile"))]
    hadolint = Command([str(BIN / "hadolint"), "--no-fail", "--format=json", *dockerfiles])
    renders = [render(scratch / "with-lint"), render(scratch / "without-lint", "--no-lint")]
    with_lint, without, shell, docker = interleaved([*renders, shellcheck, hadolint], rounds)
    added = [a - b for a, b in zip(with_lint, without, strict=True)]
    alone = [a + b for a, b in zip(shell, docker, strict=True)]
    beside = "one shellcheck and one hadolint process over the same files"
    return compared("what linting adds to it", beside, ratio(added, alone), 1.3)


def many(scratch: Path, rounds: int) -> Iterator[Line]:
    """Compare one more copy in a call with composing and validating its text, and the last copies with the first."""
    text = MINIMAL.read_text(encoding="utf-8")
    names = [f"{scratch}/copy-{number}.yaml" for number in range(COPIES)]
    differing = [f"{scratch}/other-{number}.yaml" for number in range(COPIES)]
    for number in range(COPIES):
        Path(names[number]).write_text(text, encoding="utf-8")
        Path(differing[number]).write_text(text.replace("name: minimal", f"name: other-{number}"), encoding="utf-8")
    half = COPIES // 2
    calls = [mngen("-q", "validate", "--no-lint", *names[:size]) for size in (1, half, COPIES)]
    calls.append(mngen("-q", "validate", "--no-lint", *differing))
    floors = [Command([sys.executable, str(HERE / "compose_and_validate.py"), names[0], str(n)]) for n in (1, COPIES)]
    alone, halfway, whole, named, start, floor = interleaved([*calls, *floors], rounds)
    copies = [(b - a) / (COPIES - 1) for a, b in zip(alone, whole, strict=True)]
    texts = [(b - a) / (COPIES - 1) for a, b in zip(start, floor, strict=True)]
    what = f"each of {COPIES} copies of `minimal` in one `mngen validate --no-lint`"
    yield compared(what, "composing and validating its text", ratio(copies, texts), 3.0)
    own = [(b - a) / (COPIES - 1) for a, b in zip(alone, named, strict=True)]
    what = "each where all have a name of their own"
    yield compared(what, "composing and validating its text", ratio(own, texts))
    first = [(b - a) / (half - 1) for a, b in zip(alone, halfway, strict=True)]
    last = [(b - a) / half for a, b in zip(halfway, whole, strict=True)]
    yield compared(f"each of the last {half} of them", f"each of the first {half}", ratio(last, first), 1.2)
    peak = cost(calls[2], 0).peak / 1e6
    yield Line("peak memory of that call, in MB", "", f"{peak:.0f}", peak, 200)
