"""docs/manifest.md is what the schema says now."""

from __future__ import annotations

import re
from pathlib import Path

from mngen.manifest.field_index import fields
from mngen.manifest.reference import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "manifest.md"


def test_is_current():
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run `make docs`"


def test_every_field_is_there():
    page = markdown()
    assert [path for path in fields() if not path.endswith("NAME") and f"`{path}`" not in page] == []


def test_links_lead_somewhere():
    page = markdown()
    heads = {line.removeprefix("## ").strip("`").lower() for line in page.splitlines() if line.startswith("## ")}
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= heads
