"""Diffs that git itself can apply, and tar streams that unpack to a folder mngen knows."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from mngen.output.archive import tar
from mngen.output.changes import Action, compare
from mngen.output.diff import unified
from mngen.output.tree import write_tree


def test_the_diff_reads_like_gits(tree, tmp_path) -> None:
    write_tree(tree({"a/x": "one\ntwo\n"}), tmp_path)
    changes = compare(tree({"a/x": "one\n2\n", "a/new": "n"}, modes={"a/x": 0o755}), tmp_path).changes
    assert unified(changes[:-1]) == (
        "diff --git a/a/new b/a/new\n"
        "new file mode 100644\n"
        "--- /dev/null\n"
        "+++ b/a/new\n"
        "@@ -0,0 +1 @@\n"
        "+n\n"
        "\\ No newline at end of file\n"
        "diff --git a/a/x b/a/x\n"
        "old mode 100644\n"
        "new mode 100755\n"
        "--- a/a/x\n"
        "+++ b/a/x\n"
        "@@ -1,2 +1,2 @@\n"
        " one\n"
        "-two\n"
        "+2\n"
    )


def test_git_applies_the_diff(tree, texts, tmp_path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    old = {"a/x": "one\f\ntwo\u2028\nlast", "a/gone": "g\n", "a/mode": "m\n", "empty": ""}
    new = {"a/x": "one\f\n2\nlast\n", "b/new": "n\n", "a/mode": "m\n", "b/empty": ""}
    write_tree(tree(old), out)
    write_tree(tree(old), other)
    wanted = tree(new, modes={"a/mode": 0o755})
    patch = unified(compare(wanted, out).changes)
    subprocess.run(["git", "init", "-q"], cwd=out, check=True)
    subprocess.run(["git", "apply", "-"], cwd=out, input=patch.encode(), check=True)
    assert {p: t for p, t in texts(out).items() if not p.startswith(".git/")} == new
    assert (out / "a/mode").stat().st_mode & 0o100
    assert compare(wanted, out).changes == ()


def test_what_no_patch_can_say_is_a_remark_that_git_passes_over(tree, texts, tmp_path) -> None:
    names = ("bytes", "gone", "link", "nul")
    write_tree(tree({**dict.fromkeys(names, "one\n"), "text": "old\n"}), tmp_path)
    for name, data in {"bytes": b"\xff\n", "gone": b"\xff\n", "nul": b"a\0\n"}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("text")
    wanted = tree({**dict.fromkeys(("bytes", "link", "nul"), "one\n"), "text": "new\n"})
    patch = unified(compare(wanted, tmp_path).changes)
    told = [line for line in patch.splitlines() if line.startswith("#")]
    ends = ("replaces", "removes", "replaces", "replaces")
    assert told == [
        f"# {name}: what is there is no text; `mngen render --force` {end} it"
        for name, end in zip(names, ends, strict=True)
    ]
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch.encode(), check=True)
    assert (tmp_path / "text").read_text() == "new\n"
    assert compare(wanted, tmp_path).changes[-1].path != ".mngen.json"


@pytest.mark.parametrize("umask", [0o002, 0o022, 0o027, 0o077])
def test_a_clone_made_under_any_umask_has_no_drift(tree, tmp_path, snapshot, umask) -> None:
    wanted = tree({"README.md": "r\n", "a/run.sh": "x\n"}, modes={"a/run.sh": 0o755})
    write_tree(wanted, tmp_path)
    for path in tmp_path.rglob("*"):
        path.chmod((0o777 if path.is_dir() or path.suffix == ".sh" else 0o666) & ~umask)
    before = snapshot(tmp_path)
    assert compare(wanted, tmp_path).changes == ()
    write_tree(wanted, tmp_path)
    assert snapshot(tmp_path) == before
    (tmp_path / "README.md").chmod(0o777 & ~umask)
    (tmp_path / "a/run.sh").chmod(0o677 & ~umask)
    changed = compare(wanted, tmp_path).changes
    assert [(change.path, change.action) for change in changed] == [
        ("README.md", Action.MODE),
        ("a/run.sh", Action.MODE),
    ]
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=unified(changed).encode(), check=True)
    assert compare(wanted, tmp_path).changes == ()


def test_a_prefix_names_the_manifests_folder(tree, tmp_path) -> None:
    assert "+++ b/job/a/x\n" in unified(compare(tree({"a/x": "1\n"}), tmp_path).changes, "job/")


def test_a_tar_stream_unpacks_to_a_folder_without_drift(tree, tmp_path) -> None:
    wanted = tree({"a/run.sh": "x\n", "README.md": "r\n"}, modes={"a/run.sh": 0o755})
    stream = tar([("job/", wanted)])
    assert stream == tar([("job/", wanted)])
    with tarfile.open(fileobj=io.BytesIO(stream)) as archive:
        assert [(m.name, m.mode, m.uid, m.mtime) for m in archive] == [
            ("job/README.md", 0o644, 0, 0),
            ("job/a/run.sh", 0o755, 0, 0),
            ("job/.mngen.json", 0o644, 0, 0),
        ]
        for member in archive:
            path = Path(tmp_path, member.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.extractfile(member).read())
            path.chmod(member.mode)
    assert compare(wanted, tmp_path / "job").changes == ()
