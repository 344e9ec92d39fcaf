"""Writing a tree: what is replaced, what is kept, what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mngen.errors import EnvironmentFailure, InternalError
from mngen.output.changes import Action, Owner, compare
from mngen.output.lock import locked
from mngen.output.tree import write_tree


def test_a_first_render_writes_all_files_with_their_modes(tree, texts, tmp_path) -> None:
    out = tmp_path / "deep" / "out"
    old = os.umask(0o077)
    try:
        write_tree(tree({"a/run.sh": "x\n", "README.md": "r\n"}, modes={"a/run.sh": 0o755}), out)
    finally:
        os.umask(old)
    assert texts(out) == {"README.md": "r\n", "a/run.sh": "x\n"}
    assert (out / "a/run.sh").stat().st_mode & 0o777 == 0o755
    assert (out / "README.md").stat().st_mode & 0o777 == 0o644
    assert (out / ".mngen.json").stat().st_mode & 0o777 == 0o644
    assert not (out / ".mngen-tmp").exists()


def test_the_inventory_has_one_line_a_file(tree, tmp_path) -> None:
    write_tree(tree({"b/x": "1\n", "a/y": "2\n"}, modes={"a/y": 0o755}), tmp_path)
    assert (tmp_path / ".mngen.json").read_text() == (
        "{\n"
        '  "format": 1,\n'
        '  "manifest": "job",\n'
        '  "digest": "d1",\n'
        '  "groups": ["a", "b"],\n'
        '  "files": {\n'
        '    "a/y": {"group": "a", "mode": "0755", '
        '"sha256": "53c234e5e8472b6ac51c1ae1cab3fe06fad053beb8ebfd8977b010655bfdd3c3"},\n'
        '    "b/x": {"group": "b", "mode": "0644", '
        '"sha256": "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865"}\n'
        "  }\n"
        "}\n"
    )


def test_an_empty_tree_still_leaves_an_inventory(tree, tmp_path) -> None:
    write_tree(tree({}), tmp_path)
    assert json.loads((tmp_path / ".mngen.json").read_text())["files"] == {}


def test_unchanged_files_are_not_touched(tree, tmp_path, snapshot) -> None:
    wanted = tree({"a/x": "1\n", "a/y": "2\n"})
    write_tree(wanted, tmp_path)
    before = snapshot(tmp_path)
    assert compare(wanted, tmp_path).changes == ()
    write_tree(wanted, tmp_path)
    assert snapshot(tmp_path) == before


def test_a_changed_file_is_replaced_and_the_others_stay(tree, texts, tmp_path) -> None:
    write_tree(tree({"a/x": "1\n", "a/y": "2\n"}), tmp_path)
    inode = (tmp_path / "a/y").stat().st_ino
    wanted = tree({"a/x": "new\n", "a/y": "2\n"})
    changes = compare(wanted, tmp_path).changes
    write_tree(wanted, tmp_path)
    assert [(c.path, c.action) for c in changes] == [("a/x", Action.UPDATE), (".mngen.json", Action.UPDATE)]
    assert texts(tmp_path) == {"a/x": "new\n", "a/y": "2\n"}
    assert (tmp_path / "a/y").stat().st_ino == inode


def test_lost_mode_bits_come_back(tree, tmp_path) -> None:
    wanted = tree({"a/x": "1\n"}, modes={"a/x": 0o755})
    write_tree(wanted, tmp_path)
    (tmp_path / "a/x").chmod(0o600)
    assert [c.action for c in compare(wanted, tmp_path).changes] == [Action.MODE]
    write_tree(wanted, tmp_path)
    assert (tmp_path / "a/x").stat().st_mode & 0o777 == 0o755


def test_a_deleted_file_comes_back(tree, texts, tmp_path) -> None:
    wanted = tree({"a/x": "1\n"})
    write_tree(wanted, tmp_path)
    (tmp_path / "a/x").unlink()
    write_tree(wanted, tmp_path)
    assert texts(tmp_path) == {"a/x": "1\n"}


def test_files_of_others_are_left_alone(tree, texts, tmp_path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/notes").write_text("mine")
    write_tree(tree({"a/x": "1\n", "b/y": "2\n"}), tmp_path)
    write_tree(tree({"b/y": "2\n"}), tmp_path)
    assert texts(tmp_path) == {"a/notes": "mine", "b/y": "2\n"}


def test_a_file_of_others_in_the_way_is_refused_unless_forced(tree, texts, tmp_path, refused) -> None:
    (tmp_path / "README.md").write_text("mine")
    wanted = tree({"README.md": "ours\n", "a/x": "1\n"})
    assert refused(wanted, tmp_path) == ["MN505"]
    assert texts(tmp_path) == {"README.md": "mine"}
    write_tree(wanted, tmp_path, force=True)
    assert texts(tmp_path) == {"README.md": "ours\n", "a/x": "1\n"}


def test_an_equal_file_of_others_is_adopted(tree, tmp_path) -> None:
    (tmp_path / "README.md").write_text("same\n")
    (tmp_path / "README.md").chmod(0o644)
    write_tree(tree({"README.md": "same\n"}), tmp_path)
    assert "README.md" in json.loads((tmp_path / ".mngen.json").read_text())["files"]


@pytest.mark.parametrize("new", ["1\n", "2\n"])
def test_a_hand_edit_is_refused_unless_forced(tree, texts, tmp_path, new, refused) -> None:
    write_tree(tree({"a/x": "1\n"}), tmp_path)
    (tmp_path / "a/x").write_text("edited\n")
    wanted = tree({"a/x": new, "b/new": "n\n"})
    assert refused(wanted, tmp_path) == ["MN504"]
    assert [c.owner for c in compare(wanted, tmp_path).changes if c.path == "a/x"] == [Owner.EDITED]
    write_tree(wanted, tmp_path, force=True)
    assert texts(tmp_path) == {"a/x": new, "b/new": "n\n"}


def test_a_hand_edit_that_equals_the_new_text_is_welcome(tree, texts, tmp_path) -> None:
    write_tree(tree({"a/x": "1\n"}), tmp_path)
    (tmp_path / "a/x").write_text("2\n")
    write_tree(tree({"a/x": "2\n"}), tmp_path)
    assert texts(tmp_path) == {"a/x": "2\n"}


def test_all_conflicts_are_named_at_once(tree, tmp_path, refused) -> None:
    write_tree(tree({"a/x": "1\n", "a/y": "1\n"}), tmp_path)
    (tmp_path / "a/x").write_text("edited\n")
    (tmp_path / "z").write_text("mine\n")
    assert refused(tree({"a/x": "2\n", "z": "2\n"}), tmp_path) == ["MN504", "MN505"]


def test_orphans_go_and_so_do_their_empty_folders(tree, texts, tmp_path) -> None:
    write_tree(tree({"old/deep/x": "1\n", "a/y": "1\n", "a/z": "1\n"}), tmp_path)
    wanted = tree({"a/y": "1\n"})
    changes = compare(wanted, tmp_path).changes
    write_tree(wanted, tmp_path)
    assert [(c.path, c.action) for c in changes[:-1]] == [("a/z", Action.REMOVE), ("old/deep/x", Action.REMOVE)]
    assert texts(tmp_path) == {"a/y": "1\n"}
    assert not (tmp_path / "old").exists()


def test_a_hand_edited_orphan_is_refused_unless_forced(tree, texts, tmp_path, refused) -> None:
    write_tree(tree({"a/x": "1\n", "a/y": "1\n"}), tmp_path)
    (tmp_path / "a/x").write_text("edited\n")
    assert refused(tree({"a/y": "1\n"}), tmp_path) == ["MN504"]
    write_tree(tree({"a/y": "1\n"}), tmp_path, force=True)
    assert texts(tmp_path) == {"a/y": "1\n"}


def test_a_render_of_one_target_leaves_the_others_alone(tree, texts, tmp_path) -> None:
    write_tree(tree({"a/x": "1\n", "a/y": "1\n", "b/x": "1\n"}, digest="full"), tmp_path)
    write_tree(tree({"a/x": "2\n"}, digest="part"), tmp_path, complete=False)
    assert texts(tmp_path) == {"a/x": "2\n", "b/x": "1\n"}
    inventory = json.loads((tmp_path / ".mngen.json").read_text())
    assert inventory["digest"] == "full"
    assert sorted(inventory["files"]) == ["a/x", "b/x"]
    assert inventory["groups"] == ["a", "b"]


def test_a_render_of_one_target_that_changed_nothing_is_no_drift(tree, tmp_path) -> None:
    write_tree(tree({"a/x": "1\n", "b/x": "1\n"}, digest="full"), tmp_path)
    assert compare(tree({"a/x": "1\n"}, digest="part"), tmp_path, complete=False).changes == ()


def test_a_folder_of_another_manifest_is_refused_even_when_forced(tree, tmp_path, refused) -> None:
    write_tree(tree({"a/x": "1\n"}, name="first"), tmp_path)
    assert refused(tree({"a/x": "2\n"}, name="second"), tmp_path, force=True) == ["MN506"]


@pytest.mark.parametrize("path", ["../x", "/x", ".mngen.json", ".mngen-tmp/x", ""])
def test_a_target_cannot_plan_a_path_outside(tree, tmp_path, path) -> None:
    with pytest.raises(InternalError):
        write_tree(tree({path: "1\n"}), tmp_path)


def test_only_one_render_writes_at_a_time(tree, tmp_path) -> None:
    with locked(tmp_path), pytest.raises(EnvironmentFailure, match="another mngen"):
        write_tree(tree({"x": "1\n"}), tmp_path)
    write_tree(tree({"x": "1\n"}), tmp_path)


def test_a_full_or_read_only_disk_is_an_environment_failure(tree, tmp_path) -> None:
    def refuse(_old: Path, new: Path) -> None:
        raise OSError(28, "No space left on device", str(new))

    with pytest.raises(EnvironmentFailure, match="No space left"):
        write_tree(tree({"x": "1\n"}), tmp_path, replace=refuse)
    assert list(tmp_path.iterdir()) == []
    write_tree(tree({"x": "1\n"}), tmp_path)
