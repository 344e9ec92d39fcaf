"""The registry of codes, the sources that use them, and the page about them say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mngen.codes import CODES, registry
from mngen.codes.page import page

ROOT = Path(__file__).resolve().parents[2]
USED = {
    code
    for path in (ROOT / "generator/mngen").rglob("*.py")
    if path.parent.name != "codes"
    for code in re.findall(r"\"(MN\d{3})\"", path.read_text())
}


def test_every_code_that_is_used_is_registered() -> None:
    assert sorted(USED - CODES.keys()) == []


def test_the_families_that_are_told_are_those_that_exist() -> None:
    assert set(re.findall(r"\b(\d)xx\b", registry.__doc__ or "")) == {code[2] for code in CODES}


def test_no_code_is_registered_twice() -> None:
    written = [
        code
        for path in sorted((ROOT / "generator/mngen/codes").glob("*.py"))
        for code in re.findall(r"^    \"(MN\d{3})\": ", path.read_text(), flags=re.MULTILINE)
    ]
    assert len(written) > 200
    assert [code for code in set(written) if written.count(code) > 1] == []


def test_every_registered_code_is_used() -> None:
    assert sorted(CODES.keys() - USED) == []


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_has_words(code) -> None:
    entry = CODES[code]
    assert re.fullmatch(r"MN\d{3}", code)
    assert entry.title == entry.title.strip().rstrip(".")
    assert len(entry.title) <= 72
    assert entry.explanation.endswith(".")


def test_the_page_is_current() -> None:
    assert (ROOT / "docs/errors.md").read_text() == page(), "run `make docs`"
    assert all(f"### {code}: " in page() for code in CODES)
