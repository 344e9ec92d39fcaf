"""Diffs that git itself can apply, and tar streams that unpack to a folder mngen knows."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from mngen.output.archive import tar
from mngen.output.changes import compare
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


def test_bytes_that_are_no_text_do_not_stop_a_diff(tree, tmp_path) -> None:
    write_tree(tree({"a/x": "one\n"}), tmp_path)
    (tmp_path / "a/x").write_bytes(b"\xff\x00\n")
    assert "-\ufffd\x00\n" in unified(compare(tree({"a/x": "one\n"}), tmp_path).changes)


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
