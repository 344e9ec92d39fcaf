"""Values of directives: sbatch reads them back byte for byte, or they are refused with the reason."""

import functools
import subprocess
from pathlib import Path

import pytest
from files import rendered
from packed import DRIVER, HEAD, Sorted, counted, sort
from values import SENTINEL, pool

from mngen.targets.slurm_directives import directives

PARTS = 3
REASONS = {
    "MN100": "half of a surrogate pair",
    "MN104": "a control character",
    "MN106": "empty",
    "MN233": "hetjob",
    "MN234": "shell syntax",
    "MN254": "a character that cannot be seen",
}


@functools.cache
def part(number: int) -> Sorted:
    """A part of the values, each as the comment of a target's job."""
    head = HEAD + DRIVER + "targets:\n"
    line = "  t{}: {{kind: slurm, slurm: {{comment: {}}}}}"
    return sort(pool()[number::PARTS], head, line.format, "")


@pytest.mark.parametrize("number", range(PARTS))
def test_sbatch_reads_every_value_back(number: int) -> None:
    found = part(number)
    assert set(found.refused.values()) <= set(REASONS)
    for target, value in zip(found.manifest.targets, found.accepted, strict=True):
        lines = directives(target)
        assert all("\n" not in line for line in lines)
        words = [word for line in lines for word in read(line)]
        assert f"--comment={value}" in words
        assert len(words) == len(lines)


def test_many_values_are_tried() -> None:
    refused = {value: code for number in range(PARTS) for value, code in part(number).refused.items()}
    counted("directive value", pool(), refused, accepted=300)


def read(line: str) -> list[str]:
    """A directive's words as sbatch reads them: `_get_argument` in its opt.c."""
    words, place = [], 0
    while True:
        while place < len(line) and line[place] in " \t\v\f\r":
            place += 1
        assert line[place : place + 1] != ":", "sbatch ends there"
        word, quote, begun = "", "", place
        while place < len(line) and (quote or line[place] not in " \t\v\f\r"):
            char = line[place]
            place += 1
            if char == "\\":
                word += line[place]
                place += 1
            elif quote:
                if char == quote:
                    quote = ""
                else:
                    word += char
            elif char in "\"'":
                quote = char
            elif char == "#":
                return [*words, word] if word else words
            else:
                word += char
        assert not quote, "sbatch finds no end of the quotes"
        if place == begun:
            return words
        words.append(word)


PASTED = [value for value in pool() if value.isprintable() and not set(value) & set("$`~%/\0")][:400:10]


def test_the_printed_command_can_be_pasted(tmp_path: Path) -> None:
    found = sort(
        [value for value in PASTED if value.strip()],
        HEAD + DRIVER + "targets:\n",
        lambda number, text: f"  t{number}: {{kind: slurm, slurm: {{job_name: {text}}}, logs: {{dir: {text}}}}}",
        "",
    )
    assert len(found.accepted) > 20
    (tmp_path / "sbatch").write_text("#!/bin/bash\necho 7\n")
    (tmp_path / "sbatch").chmod(0o755)
    files = rendered(found.manifest)
    for target, value in zip(found.manifest.targets, found.accepted, strict=True):
        script = tmp_path / "out" / target.name / "submit.sh"
        script.parent.mkdir(parents=True)
        script.write_text(files[f"{target.name}/submit.sh"])
        env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        done = subprocess.run(["bash", str(script)], env=env, capture_output=True, text=True, check=True)
        assert (tmp_path / value).is_dir()
        (line,) = [item for item in done.stdout.splitlines() if "tail -F" in item]
        pasted = f"printf '%s\\n' {line.partition('tail -F')[2]}"
        words = subprocess.run(["bash", "-c", pasted], capture_output=True, text=True, check=True).stdout
        assert words == f"{value}/{value}-7.out\n"
    assert not (tmp_path / SENTINEL).exists()
