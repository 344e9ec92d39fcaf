"""A checkout that converted line ends (core.autocrlf): mngen's own files are still its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mngen.cli import drift
from mngen.output.changes import Action, Owner, compare
from mngen.output.tree import write_tree

FILES = {"README.md": "# r\n\ntext\n", "a/job.sbatch": "#!/bin/bash\ntrue\n", "images/cuda/Dockerfile": "FROM x\n"}
PATTERNS = {"README.md": "*.md", "a/job.sbatch": "*.sbatch", "images/cuda/Dockerfile": "Dockerfile"}


def convert(out: Path, *paths: str) -> None:
    for path in paths or (*FILES, ".mngen.json"):
        data = (out / path).read_bytes()
        (out / path).write_bytes(data.replace(b"\n", b"\r\n"))


@pytest.fixture
def out(tree, tmp_path) -> Path:
    write_tree(tree(FILES), tmp_path / "out")
    return tmp_path / "out"


def told(tree, out: Path) -> list[tuple[str, str, str]]:
    found = drift.findings(compare(tree, out).changes, out, "mngen render", "mngen render --force")
    return [(item.code, item.message, item.hint or "") for item in found]


def test_converted_files_are_told_as_such(tree, out) -> None:
    convert(out)
    assert told(tree(FILES), out) == [
        (
            "MN509",
            f"`{path}` differs in line ends only (CR LF)",
            f"put `{pattern} text eol=lf` into .gitattributes, so that no checkout converts it, and run `mngen render`",
        )
        for path, pattern in PATTERNS.items()
    ]


def test_a_converted_inventory_is_told_where_it_is_alone(tree, out) -> None:
    convert(out, ".mngen.json")
    ((code, message, hint),) = told(tree(FILES), out)
    assert (code, message) == ("MN509", "`.mngen.json` differs in line ends only (CR LF)")
    assert hint.startswith("put `*.json text eol=lf`")


@pytest.mark.parametrize("then", [FILES, {**FILES, "a/job.sbatch": "#!/bin/bash\nfalse\n"}, {"README.md": "# r\n"}])
def test_a_render_mends_them_without_force(tree, texts, out, then) -> None:
    convert(out)
    write_tree(tree(then), out)
    assert texts(out) == then
    assert all(b"\r" not in path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert compare(tree(then), out).changes == ()


def test_a_converted_file_that_is_out_of_date_or_gone_is_no_edit(tree, out) -> None:
    convert(out)
    changes = compare(tree({"README.md": "# new\n"}), out).changes
    assert {(change.owner, change.line_ends) for change in changes} == {(Owner.MNGEN, False)}
    assert [change.action for change in changes] == [Action.UPDATE, Action.REMOVE, Action.REMOVE, Action.UPDATE]


@pytest.mark.parametrize(
    "text", ["# r\r\n\r\nmore\r\n", "# r\r\n\r\ntext\r\n\r\n", "# r\r\r\n\ntext\n", "# r\r\rtext\r"]
)
def test_an_edit_with_converted_line_ends_is_still_one(tree, out, text, refused) -> None:
    (out / "README.md").write_bytes(text.encode())
    assert refused(tree(FILES), out) == ["MN504"]
    assert [code for code, *_ in told(tree(FILES), out)] == ["MN504"]


def test_a_file_of_others_with_the_same_text_stays_theirs(tree, tmp_path, refused) -> None:
    (tmp_path / "README.md").write_bytes(b"# r\r\n\r\ntext\r\n")
    assert refused(tree(FILES), tmp_path) == ["MN505"]
    assert ("MN505", "`README.md` was not written by mngen") in {item[:2] for item in told(tree(FILES), tmp_path)}


def test_a_partly_converted_file_is_one_too(tree, texts, out) -> None:
    (out / "README.md").write_bytes(b"# r\r\n\ntext\n")
    assert [code for code, *_ in told(tree(FILES), out)] == ["MN509"]
    write_tree(tree(FILES), out)
    assert texts(out) == FILES
