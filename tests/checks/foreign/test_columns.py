"""A finding points at its own words, also where the same text stands on the line twice."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

JOB = "#!/bin/bash\n#SBATCH "

# code, file name, text: where each finding begins
PLACES = {
    ("MN732", "a.sbatch", JOB + "--job-name=job job\nx\n"): [(2, 24)],
    ("MN732", "a.sbatch", JOB + "--mem=4G G\n#SBATCH --time=1 1\nx\n"): [(2, 18), (3, 18)],
}


@pytest.mark.parametrize(("code", "file", "text"), PLACES)
def test_the_place_is_that_of_the_words(code: str, file: str, text: str) -> None:
    found = [item.span for item in check_foreign(text, file, lint=False) if item.code == code]
    assert [(span.line, span.column) for span in found] == PLACES[code, file, text]
