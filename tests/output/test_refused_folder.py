"""Folders that cannot be written to, and disks that refuse in the middle: nothing happens, or what did is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mngen.errors import EnvironmentFailure
from mngen.output.changes import compare
from mngen.output.tree import write_tree

OLD = {"README.md": "old r\n", "a/x": "old x\n", "a/y": "old y\n", "gone/z": "old z\n"}
NEW = {"README.md": "new r\n", "a/x": "new x\n", "a/y": "new y\n", "fresh/deep/w": "new w\n"}
MANIFEST = """
apiVersion: mngen/v1
name: x
driver: {command: [train]}
targets: {a: {kind: slurm}}
"""
AS_A_USER = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
"""Root may write everywhere."""
RENAMES = 6
"""The journal, README.md, a/x, a/y, fresh/deep/w and the inventory."""


@pytest.fixture
def out(tree, tmp_path) -> Path:
    write_tree(tree(OLD), tmp_path / "out")
    return tmp_path / "out"


def close(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Take the right to write to folders away, also from root."""
    real = os.access

    def access(path, mode, **options):
        return real(path, mode, **options) and not (mode & os.W_OK and Path(path) in folders)

    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(os, "supports_effective_ids", {access})


@pytest.mark.parametrize(
    ("folder", "path"), [("a", "a/x"), ("gone", "gone/z"), ("", ".mngen-tmp"), ("fresh", "fresh/deep/w")]
)
def test_a_folder_that_is_closed_is_seen_before_anything_changes(
    tree, tmp_path, out, monkeypatch, snapshot, folder, path
) -> None:
    (out / "fresh").mkdir()
    before = snapshot(out)
    close(monkeypatch, out / folder)
    with pytest.raises(EnvironmentFailure) as caught:
        write_tree(tree(NEW), out)
    assert snapshot(out) == before
    assert caught.value.message == f"cannot write `{out / path}`: the folder `{out / folder}` is not writable"
    assert caught.value.hint == f"nothing in `{out}` was changed; make the folder writable"


def test_the_modes_of_the_disk_are_what_counts(tmp_path, snapshot) -> None:
    (tmp_path / "m.yaml").write_text(MANIFEST)
    render = [*AS_A_USER, sys.executable, "-m", "mngen", "render", "--no-lint", "m.yaml", "-o", "out"]
    subprocess.run(render, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "out/a").chmod(0o555)
    before = snapshot(tmp_path / "out")
    done = subprocess.run(
        [*render, "--set", "resources.nodes=3"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert (done.returncode, snapshot(tmp_path / "out")) == (3, before)
    assert "is not writable" in done.stderr


def test_a_closed_folder_in_which_nothing_changes_is_no_matter(tree, texts, out, monkeypatch) -> None:
    close(monkeypatch, out / "a")
    write_tree(tree({**OLD, "README.md": "new\n"}), out)
    assert texts(out)["README.md"] == "new\n"
    close(monkeypatch, out)
    write_tree(tree({**OLD, "README.md": "new\n"}), out)


@pytest.mark.parametrize("count", range(1, RENAMES + 1))
def test_a_disk_that_refuses_in_the_middle_is_told_with_what_is_new(tree, texts, out, count) -> None:
    calls = iter(range(1, 100))

    def refuse(old: Path, new: Path) -> None:
        if next(calls) == count:
            raise OSError(28, "No space left on device", str(new))
        old.replace(new)

    with pytest.raises(EnvironmentFailure, match="No space left on device") as caught:
        write_tree(tree(NEW), out, replace=refuse)
    new = {path for path, text in NEW.items() if texts(out).get(path) == text}
    hint = caught.value.hint or ""
    if new:
        gone = {"gone/z"} - texts(out).keys()
        assert hint.startswith(f"{len(new | gone)} of 6 files are as the manifest has them by now (`README.md`")
        assert hint.endswith(
            f"`{out / '.mngen-tmp'}` keeps note of them, and the next `mngen render` completes the folder"
        )
    else:
        assert hint in {"", f"nothing in `{out}` was changed"}
        assert texts(out) == OLD
        assert not (out / ".mngen-tmp").exists()
    write_tree(tree(NEW), out)
    assert texts(out) == NEW
    assert compare(tree(NEW), out).changes == ()
    assert not (out / ".mngen-tmp").exists()
