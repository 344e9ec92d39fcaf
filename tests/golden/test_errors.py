"""Every wrong manifest of ``golden/errors`` is reported in exactly the words beside it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

TEXT = runpy.run_path(str(Path(__file__).with_name("errors_text.py")))
ERRORS = TEXT["ERRORS"]
CASES = TEXT["cases"]()
OF_THE_COMMAND_LINE = {"MN111"}
"""Findings about an option, which is written in no file."""


@pytest.mark.parametrize("manifest", CASES, ids=[case.stem for case in CASES])
def test_text(manifest):
    expected = manifest.with_suffix(".txt")
    assert expected.exists(), f"{expected.name} is missing; run `make golden`"
    assert TEXT["report"](manifest) == expected.read_text(encoding="utf-8"), "run `make golden` and read the change"


@pytest.mark.parametrize("manifest", CASES, ids=[case.stem for case in CASES])
def test_named_after_its_first_finding(manifest):
    found, _ = TEXT["findings"](manifest)
    assert manifest.stem.split("-", 1)[0] in {finding.code for finding in found}


@pytest.mark.parametrize("manifest", CASES, ids=[case.stem for case in CASES])
def test_findings_speak_in_one_voice(manifest):
    found, _ = TEXT["findings"](manifest)
    assert found
    for finding in found:
        assert finding.span is not None or finding.code in OF_THE_COMMAND_LINE, finding.message
        assert re.search(r"Traceback|<mngen|object at 0x", finding.message) is None


def test_enough_and_nothing_stale():
    assert len(CASES) >= 60
    assert {text.stem for text in ERRORS.glob("*.txt")} == {case.stem for case in CASES}
