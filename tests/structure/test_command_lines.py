"""Every command line in every rendered file is one that its program takes, option by option."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from command_lines import command_lines
from repository import GOLDEN, rendered

from mngen.checks.options import find_program, parse_command
from mngen.checks.sbatch_text import directives, parsed_directives

FILES = [path for path in rendered() if path.suffix in {".sh", ".sbatch", ".yaml", ".yml", ".md"}]
JOBS = [path for path in FILES if path.suffix == ".sbatch"]
SEEN = {
    *(
        "sbatch",
        "srun",
        "scontrol",
        "squeue",
        "scancel",
        "apptainer exec",
        "docker buildx build",
        "docker push",
        "podman info",
    ),
    *(f"{engine} {verb}" for engine in ("docker", "podman") for verb in ("run", "exec", "ps", "rm")),
    *("ray start", *(f"ray job {verb}" for verb in ("submit", "list", "logs", "status", "stop"))),
    *("sky launch", "sky jobs launch", "sky jobs logs", "sky jobs cancel", "sky logs", "sky cancel", "sky down"),
    *("dstack apply", "dstack logs", "dstack attach", "dstack stop"),
}
"""What the examples start together."""


def name(path: Path) -> str:
    return path.relative_to(GOLDEN).as_posix()


def program(words: tuple[str, ...]) -> str:
    found = find_program(list(words))
    return found[0] if found else f"no table: {' '.join(words[:3])}"


def problems(words: tuple[str, ...]) -> list[str]:
    found = find_program(list(words))
    return parse_command(found[0], words[found[1] :]) if found else []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_options_are_the_programs_own(path: Path) -> None:
    lines = command_lines(path)
    assert [f"{line.number}: {program(line.words)}" for line in lines if program(line.words) not in SEEN] == []
    wrong = {f"line {line.number}: {' '.join(line.words)}": problems(line.words) for line in lines}
    assert {line: found for line, found in wrong.items() if found} == {}


@pytest.mark.parametrize("path", JOBS, ids=name)
def test_directives_are_sbatchs_own(path: Path) -> None:
    text = path.read_text()
    assert all(item.read for item in directives(text))
    assert len(parsed_directives(text).options) >= 3
    assert list(parsed_directives(text).problems) == []


def test_every_program_is_looked_at() -> None:
    found = {path: [program(line.words) for line in command_lines(path)] for path in FILES}
    assert {one for programs in found.values() for one in programs} == SEEN
    for path, programs in found.items():
        if path.suffix == ".sbatch":
            assert programs.count("srun") == 1, path
            assert "scontrol" in programs, path
        if path.name in {"job.sbatch", "head.sh", "boot.sh"}:
            assert programs.count("ray start") == 1 + ("role=(--address" in path.read_text()), path
        if path.name in {"submit.sh", "attach.sh"}:
            assert len(programs) >= 3, path


def test_a_wrong_option_is_found(tmp_path: Path) -> None:
    file = tmp_path / "job.sh"
    file.write_text('local -a role=(--head --prt=1)\nstart_part ray ray start "${role[@]}" --blok\n')
    (line,) = command_lines(file)
    assert problems(line.words) == ["unknown option --prt", "unknown option --blok"]
