"""Which secrets the README of the output calls optional, for every kind."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents

KINDS = {"slurm": {}, "skypilot": {"resources": documents.H100}, "dstack": {"resources": documents.H100}, "manual": {}}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("optional", "words"), [((), ""), (("B",), " (B is optional)"), (("B", "C"), " (B, C are optional)")]
)
def test_the_readme_says_which_secrets_are_optional(kind: str, optional: tuple[str, ...], words: str) -> None:
    secrets = {"A": {}, "F": {"file": "/f", "required": False}, **{name: {"required": False} for name in optional}}
    readme = documents.files(kind, {**KINDS[kind], "secrets": secrets})["README.md"]
    (text,) = re.findall(r"(.*):\n\n```sh\nread -rs ", readme)
    assert f"{words}; where " in text
    assert ("optional" in text) is bool(words)


@pytest.mark.parametrize("kind", KINDS)
def test_the_readme_sets_secrets_without_showing_them(kind: str) -> None:
    readme = documents.files(kind, {**KINDS[kind], "secrets": {"A": {}, "B": {"required": False}}})["README.md"]
    (command,) = re.findall(r"```sh\n(read .*)\n", readme)
    values = [r"a\b c", "$(x)", "later"]
    names = command.partition("export ")[2].split()
    assert {"A", "B"} <= set(names) <= {"A", "B", "RAY_AUTH_TOKEN"}
    script = f"{command} && python3 -c 'import os; print([os.environ[n] for n in {names!r}])'".replace("['", '["')
    script = script.replace("']]", '"]]').replace("', '", '", "')
    done = subprocess.run(
        ["bash", "-c", script],
        input="".join(f"{value}\n" for value in values),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{values[: len(names)]}\n"
