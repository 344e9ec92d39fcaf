"""What holds for every file below ``golden``, whatever it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
WRONG_ON_PURPOSE = {"MN107-not-utf8.yaml", "MN107-utf16.yaml", "MN107-control-character.yaml"}
FILES = sorted(path for path in GOLDEN.rglob("*") if path.is_file() and path.name not in WRONG_ON_PURPOSE)
RENDERED = [path for path in FILES if "out" in path.relative_to(GOLDEN).parts]

TOKENS = re.compile(
    r"hf_[A-Za-z0-9]{30,}|ghp_[A-Za-z0-9]{30,}|sk-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|xox[bp]-\S{10,}|glpat-\S{20}"
    r"|\b[0-9a-f]{40}\b(?=.{0,20}(?i:key|token))|-----BEGIN [A-Z ]*PRIVATE KEY"
)
"""What secrets look like: tokens of Hugging Face, GitHub, OpenAI, AWS, Slack and GitLab, a wandb key, a private key."""

HOLES = re.compile(r"(?<!\$)\{\{(?!\.)|=\{[A-Z_]+[:}]|\{%|%\}|\{##|##\}")
"""Marks of a template that nobody filled in, and a variable that lost its ``$`` to a formatter."""

SECRETS = ("WANDB_API_KEY", "HF_TOKEN", "RAY_AUTH_TOKEN")


def name(path: Path) -> str:
    return path.relative_to(GOLDEN).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_lines(path):
    data = path.read_bytes()
    assert b"\r" not in data, "carriage return"
    assert data == b"" or data.endswith(b"\n"), "no newline at the end"
    assert not data.endswith(b"\n\n"), "empty line at the end"
    wrong = [number for number, line in enumerate(data.split(b"\n"), 1) if line.rstrip(b" \t") != line]
    assert not wrong, f"blanks at the end of lines {wrong}"
    data.decode("utf-8")


@pytest.mark.parametrize("path", FILES, ids=name)
def test_nothing_looks_like_a_secret(path):
    assert TOKENS.search(path.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("path", RENDERED, ids=name)
def test_no_mark_of_a_template_is_left(path):
    text = path.read_text(encoding="utf-8")
    assert HOLES.search(text) is None, HOLES.search(text)


@pytest.mark.parametrize("path", RENDERED, ids=name)
def test_no_secret_is_given_a_value(path):
    assigned = re.compile(rf"^\s*(?:export |readonly )?({'|'.join(SECRETS)})=(?![\"']?(?:\$|$))\S", re.MULTILINE)
    assert assigned.search(path.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("path", RENDERED, ids=name)
def test_says_nothing_about_the_machine_that_rendered(path):
    text = path.read_text(encoding="utf-8")
    assert str(GOLDEN.parent) not in text
    assert re.search(r"\b20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{5}", text) is None, "a time of day"
