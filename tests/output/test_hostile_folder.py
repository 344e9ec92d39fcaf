"""Writing into folders that were tampered with: links, pipes, files in the way, damaged inventories."""

from __future__ import annotations

import json
import os

import pytest

from mngen.errors import UsageError
from mngen.output.tree import write_tree


@pytest.mark.parametrize(
    "path", ["../x", "/etc/x", "a/../../x", "a//x", "./x", "", ".mngen.json", "a\\x", "C:/x", "a\nb"]
)
def test_an_inventory_that_names_a_path_outside_is_refused(tree, tmp_path, path, refused) -> None:
    out = tmp_path / "out"
    (tmp_path / "x").write_text("precious")
    write_tree(tree({"a/x": "1\n"}), out)
    data = json.loads((out / ".mngen.json").read_text())
    data["files"][path] = data["files"]["a/x"]
    (out / ".mngen.json").write_text(json.dumps(data))
    assert refused(tree({"a/x": "1\n"}), out, force=True) == ["MN508"]
    assert (tmp_path / "x").read_text() == "precious"


def test_a_link_to_outside_is_not_followed_when_removing(tree, tmp_path, refused) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    write_tree(tree({"a/x": "1\n", "b/y": "1\n"}), out)
    (outside / "x").write_text("1\n")
    (out / "a/x").unlink()
    (out / "a").rmdir()
    (out / "a").symlink_to(outside)
    assert refused(tree({"b/y": "1\n"}), out, force=True) == ["MN508"]
    assert (outside / "x").read_text() == "1\n"


def test_a_link_to_outside_is_not_followed_when_writing(tree, tmp_path, refused) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    out.mkdir()
    (out / "a").symlink_to(outside)
    assert refused(tree({"a/x": "1\n"}), out, force=True) == ["MN508"]
    assert list(outside.iterdir()) == []


def test_a_linked_file_is_replaced_itself_when_forced(tree, texts, tmp_path, refused) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    out.mkdir()
    outside.write_text("precious")
    (out / "x").symlink_to(outside)
    assert refused(tree({"x": "1\n"}), out) == ["MN505"]
    write_tree(tree({"x": "1\n"}), out, force=True)
    assert outside.read_text() == "precious"
    assert not (out / "x").is_symlink()
    assert texts(out) == {"x": "1\n"}


def test_a_linked_staging_folder_is_refused(tree, tmp_path, refused) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    out.mkdir()
    (outside / "file").write_text("precious")
    (out / ".mngen-tmp").symlink_to(outside)
    assert refused(tree({"x": "1\n"}), out, force=True) == ["MN508"]
    assert (outside / "file").read_text() == "precious"


def test_a_linked_output_folder_itself_is_the_users_choice(tree, texts, tmp_path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "out").symlink_to(real)
    write_tree(tree({"a/x": "1\n"}), tmp_path / "out")
    assert texts(real) == {"a/x": "1\n"}


def test_a_folder_in_the_place_of_a_file_is_refused_even_when_forced(tree, tmp_path, refused) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    assert refused(tree({"x": "1\n"}), tmp_path, force=True) == ["MN505"]


def test_a_pipe_in_the_place_of_a_file_does_not_block(tree, tmp_path, refused) -> None:
    os.mkfifo(tmp_path / "x")
    assert refused(tree({"x": "1\n"}), tmp_path, force=True) == ["MN505"]


def test_a_file_in_the_place_of_a_folder_is_refused(tree, tmp_path, refused) -> None:
    (tmp_path / "a").write_text("file")
    assert refused(tree({"a/x": "1\n"}), tmp_path, force=True) == ["MN508"]


def test_an_output_that_is_a_file_is_wrong_usage(tree, tmp_path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError):
        write_tree(tree({"x": "1\n"}), tmp_path / "out")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "<<<<<<< HEAD\n{}",
        '{"format": 1}',
        '{"format": "1", "manifest": "job", "digest": "", "groups": [], "files": {}}',
        '{"format": true, "manifest": "job", "digest": "", "groups": [], "files": {}}',
        '{"format": 9, "manifest": "job", "digest": "", "groups": [], "files": {}}',
        '{"format": 1, "manifest": 3, "digest": "", "groups": [], "files": {}}',
        '{"format": 1, "manifest": "job", "digest": "", "groups": [1], "files": {}}',
        '{"format": 1, "manifest": "job", "digest": "", "groups": [], "files": []}',
        '{"format": 1, "manifest": "job", "digest": "", "groups": [], "files": {"a": {}}}',
        '{"format": 1, "manifest": "job", "digest": "", "groups": [], "files": {"a": null}}',
        '{"format": 1, "manifest": "job", "digest": "", "groups": [], "files": {"a": {"group": "", "mode": "7777"}}}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_damaged_inventory_is_a_clear_error(tree, tmp_path, text, refused) -> None:
    (tmp_path / ".mngen.json").write_bytes(text.encode(errors="surrogateescape"))
    assert refused(tree({"x": "1\n"}), tmp_path, force=True) == ["MN507"]


def test_after_deleting_a_damaged_inventory_force_repairs(tree, texts, tmp_path) -> None:
    write_tree(tree({"x": "1\n"}), tmp_path)
    (tmp_path / ".mngen.json").unlink()
    write_tree(tree({"x": "2\n"}), tmp_path, force=True)
    assert texts(tmp_path) == {"x": "2\n"}
