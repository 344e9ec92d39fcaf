"""Every failure of engines and registries in ``golden/build-failures`` is told in exactly the words below it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

TEXT = runpy.run_path(str(Path(__file__).with_name("failures_text.py")))
CASES = TEXT["cases"]()


@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_words(case):
    assert TEXT["text"](case) == case.read_text(encoding="utf-8"), "run `make golden` and read the change"


@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_named_after_its_kind_and_in_one_line(case):
    found = TEXT["failure"](case)
    assert case.stem.startswith(found.kind)
    assert "\n" not in found.message
    assert found.hint
    assert re.search(r"[{}]", found.message + found.hint) is None
    assert TEXT["PASSWORD"] not in found.message + found.hint


def test_every_kind_has_an_example_and_only_the_passing_ones_are_tried_again():
    from mngen.build.failures import _KINDS

    found = {failure.kind: failure.passing for failure in map(TEXT["failure"], CASES)}
    assert found.keys() == {kind.name for kind in _KINDS} | {"unknown"}
    assert {kind for kind, passing in found.items() if passing} == {
        "registry-busy",
        "registry-unavailable",
        "connection-lost",
    }
