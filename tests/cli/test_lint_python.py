"""``mngen lint`` of Python scripts, which sbatch takes as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PYTHON = "#!/usr/bin/env python3\n#SBATCH --nodes=2\n#SBATCH --nodes=2\nimport os\n"
CLEAN = "#!/bin/bash\nset -euo pipefail\necho hello\n"


def found(result) -> list[tuple[str, str, str, int]]:
    """Return severity, code, file and line of each finding of a JSON report."""
    items = json.loads(result.out)["diagnostics"]
    return [(item["severity"], item["code"], item["span"]["file"], item["span"]["line"]) for item in items]


@pytest.mark.parametrize("name", ["job.py", "d/job.py", "d"])
def test_a_python_script_for_sbatch_has_its_directives_checked(mngen, name) -> None:
    Path("d").mkdir()
    for place in ("job.py", "d/job.py"):
        Path(place).write_text(PYTHON)
    Path("d/a5.sbatch").write_text(PYTHON)
    result = mngen("lint", name, "d/a5.sbatch", "--format", "json")
    assert "unchecked" in json.loads(result.out)
    rows = found(result)
    by_file: dict[str, set[tuple[str, int]]] = {}
    for _, code, file, line in rows:
        by_file.setdefault(file, set()).add((code, line))
    file = "d/job.py" if name == "d" else name
    assert by_file[file] == by_file["d/a5.sbatch"]
    assert "MN900" in {code for code, _ in by_file[file]}
    assert json.loads(result.out)["unchecked"] == []


@pytest.mark.parametrize(
    "text",
    [
        "#!/usr/bin/env python3\nimport os\n",
        '#!/usr/bin/env python3\nTEXT = """#!/bin/bash\n#SBATCH --nodes=2\n"""\n',
        "#SBATCH --nodes=2\nimport os\n",
        "#!/usr/bin/env python3\nimport os\n#SBATCH --nodes=2\n",
    ],
)
def test_another_python_file_is_no_script_for_sbatch(mngen, text) -> None:
    Path("d").mkdir()
    Path("d/a.py").write_text(text)
    Path("d/latin.py").write_bytes(b"# \xe9\nx = 1\n")
    Path("d/a.sh").write_text(CLEAN)
    result = mngen("lint", "d", "--format", "json")
    assert (found(result), json.loads(result.out)["unchecked"]) == ([], [])
    assert mngen("lint", "d/a.py").status == 2
