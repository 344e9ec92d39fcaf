"""Files as people write them: in the right ones nothing is found, in the wrong ones exactly what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mngen.checks.foreign import CHECKED, Document, check_foreign, check_together, read_document

HERE = Path(__file__).parent
WRONG: dict[str, dict[int, list[str]]] = yaml.safe_load((HERE / "wrong/findings.yaml").read_text(encoding="utf-8"))


def text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def good() -> list[Document]:
    return [read_document(text(path), path.name) for path in sorted((HERE / "good").iterdir())]


def test_right_files_have_no_findings_linters_included() -> None:
    documents = good()
    assert len([item for item in documents if item.form in CHECKED]) >= 18
    assert {item.form for item in documents} >= set(CHECKED)
    assert check_together(documents) == []


def test_every_wrong_file_is_listed() -> None:
    names = {path.name for path in (HERE / "wrong").iterdir()} - {"findings.yaml"}
    assert names == set(WRONG)
    assert len(names) >= 15


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(name: str) -> None:
    source = text(HERE / "wrong" / name)
    lines = source.split("\n")
    found: dict[int, list[str]] = {}
    for item in check_foreign(source, name, lint=False):
        assert item.span is not None
        assert item.span.line is not None
        found.setdefault(item.span.line, []).append(item.code)
        assert item.hint
        marked = lines[item.span.line - 1][(item.span.column or 0) - 1 : (item.span.end_column or 0) - 1]
        assert marked.strip(), f"{item.code} points at nothing"
    assert found == WRONG[name]
