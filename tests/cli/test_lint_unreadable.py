"""``mngen lint`` of several files of which some cannot be read: what the others hold is reported all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

BAD = "#!/bin/bash\n#SBATCH --partion=gpu\ntrue\n"
CLEAN = "#!/bin/bash\nset -euo pipefail\necho hello\n"
MISSING = "error: cannot read `missing.sh`: No such file or directory\n"


@pytest.mark.parametrize("names", [("a.sbatch", "missing.sh"), ("missing.sh", "a.sbatch"), ("d", "missing.sh")])
def test_the_rest_is_reported_for_machines(mngen, names) -> None:
    Path("d").mkdir()
    Path("d/b.sbatch").write_text(BAD)
    Path("a.sbatch").write_text(BAD)
    result = mngen("lint", "--no-lint", "--format", "json", *names)
    found = json.loads(result.out)
    assert [item["code"] for item in found["diagnostics"]] == ["MN732"]
    assert (result.status, found["unchecked"], result.err) == (3, ["missing.sh"], MISSING)


@pytest.mark.parametrize("form", ["text", "github", "sarif"])
def test_the_rest_is_reported_in_the_other_forms(mngen, form) -> None:
    Path("a.sbatch").write_text(BAD)
    result = mngen("lint", "--no-lint", "--format", form, "a.sbatch", "missing.sh")
    assert "MN732" in (result.err if form == "text" else result.out)
    assert (result.status, result.err.endswith(MISSING)) == (3, True)


def test_each_unreadable_file_is_named(mngen) -> None:
    Path("a.sbatch").write_text(BAD)
    result = mngen("lint", "--no-lint", "--format", "json", "other.sh", "a.sbatch", "missing.sh")
    assert json.loads(result.out)["unchecked"] == ["other.sh", "missing.sh"]
    assert result.err == MISSING.replace("missing", "other") + MISSING


def test_nothing_is_called_right_beside_a_file_that_was_not_read(mngen) -> None:
    Path("a.sh").write_text(CLEAN)
    result = mngen("lint", "--no-lint", "a.sh", "missing.sh")
    assert (result.status, result.err) == (3, MISSING)


@pytest.mark.parametrize("names", [("missing.sh",), ("a.txt", "missing.sh")])
def test_nothing_but_what_cannot_be_read(mngen, names) -> None:
    Path("a.txt").write_text("words\n")
    result = mngen("lint", "--no-lint", "--format", "json", *names)
    assert (result.status, result.out, result.err.endswith(MISSING)) == (3, "", True)
