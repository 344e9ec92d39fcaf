"""Every wrong manifest of ``golden/errors`` is reported in exactly the words beside it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

TEXT = runpy.run_path(str(Path(__file__).with_name("errors_text.py")))
ERRORS = TEXT["ERRORS"]
CASES = TEXT["cases"]()


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
def test_every_finding_has_a_place_and_every_error_a_hint(manifest):
    found, _ = TEXT["findings"](manifest)
    assert found
    for finding in found:
        assert finding.span is not None, finding.message
        assert finding.message[0] != finding.message[0].upper() or not finding.message[0].isalpha(), finding.message
        assert not re.search(r"Traceback|<mngen|object at 0x", finding.message)


def test_enough_and_nothing_stale():
    assert len(CASES) >= 60
    assert {text.stem for text in ERRORS.glob("*.txt")} == {case.stem for case in CASES}
