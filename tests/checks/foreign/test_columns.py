"""A finding points at its own words, also where the same text stands on the line twice."""

from __future__ import annotations

import pytest

from mngen.checks.foreign import check_foreign

SOURCE = "git+https://github.com/a/b"
ARCHIVE = "https://github.com/a/b/archive/main.zip"
JOB = "#!/bin/bash\n#SBATCH "

TWICE = f'RUN pip install "{SOURCE}@main" && pip install {SOURCE}'
PINNED = f"RUN pip install {SOURCE}@v1 {SOURCE}"
FETCHED = f"curl -LO {ARCHIVE}x && curl -LO {ARCHIVE}"

# code, file name, text: where each finding begins
PLACES = {
    ("MN732", "a.sbatch", JOB + "--job-name=job job\nx\n"): [(2, 24)],
    ("MN732", "a.sbatch", JOB + "--mem=4G G\n#SBATCH --time=1 1\nx\n"): [(2, 18), (3, 18)],
    ("MN790", "Dockerfile", f"FROM x:1\n{TWICE}\n"): [(2, TWICE.index("git") + 1), (2, TWICE.rindex("git+") + 1)],
    ("MN790", "Dockerfile", f"FROM x:1\n{PINNED}\n"): [(2, PINNED.rindex("git+") + 1)],
    ("MN790", "a.sh", f"{FETCHED}\n"): [(1, FETCHED.index("http") + 1), (1, FETCHED.rindex("http") + 1)],
}


@pytest.mark.parametrize(("code", "file", "text"), PLACES)
def test_the_place_is_that_of_the_words(code: str, file: str, text: str) -> None:
    found = [item.span for item in check_foreign(text, file, lint=False) if item.code == code]
    assert [(span.line, span.column) for span in found] == PLACES[code, file, text]


def test_a_job_s_own_path_is_called_as_the_script_calls_it() -> None:
    text = "#!/bin/bash\n#SBATCH -N2\na=$(dirname ${BASH_SOURCE[0]})\nb=$(dirname $0)\nc=${BASH_SOURCE%/*}\nd=${0%/*}\n"
    found = [item.message for item in check_foreign(text, "a.sbatch", lint=False) if item.code == "MN741"]
    assert ["BASH_SOURCE" in message for message in found] == [True, False, True, False]
    assert ["`$0`" in message for message in found] == [False, True, False, True]
