"""docs/from-a-script.md: each row is rendered, and what it promises is in the files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from plain import files

PAGE = Path(__file__).resolve().parents[2] / "docs" / "from-a-script.md"
ROW = re.compile(r"^\| (?P<what>[^|]+) \| `(?P<fields>[^|]+)` \| `(?P<text>[^|]+)` \|$", re.MULTILINE)
ROWS = [(found["what"], found["fields"], found["text"]) for found in ROW.finditer(PAGE.read_text())]
IN_TARGET = ("kind", "runtime", "raw")


def test_every_row_is_read() -> None:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - 2 >= 45


@pytest.mark.parametrize(("what", "fields", "text"), ROWS, ids=[row[0] for row in ROWS])
def test_row(what: str, fields: str, text: str) -> None:
    # In YAML 1.1, which PyYAML reads, `on` is true.
    written: dict[str, Any] = yaml.safe_load(re.sub(r"\bon:", '"on":', fields))
    target = {"kind": "slurm", **{key: written.pop(key) for key in IN_TARGET if key in written}}
    resources = {"nodes": 2, **written.pop("resources", {})}
    rendered = "\n".join(files(targets={"job": target}, resources=resources, **written).values())
    assert text in rendered, what
