"""Every example renders to exactly the files below its ``out``: names, bytes, mode bits, nothing more or less."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
EXAMPLES = sorted(manifest.parent for manifest in GOLDEN.glob("*/manifest.yaml"))
WARNED = {
    "design": ["MN205", "MN216", "MN220", "MN289"],
    "search-r1": ["MN319"],
    "verl-amd-slurm": ["MN310"],
}
"""One manifest is the design's own, two have the very arguments of guides. The rest are there to copy."""
MEND = "run `make golden`, read the difference, and check it in"


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file below a folder with its permission bits, as far as git keeps them, and its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return {
        path.relative_to(folder).as_posix(): (
            0o755 if path.lstat().st_mode & stat.S_IXUSR else 0o644,
            path.read_bytes(),
        )
        for path in files
    }


def render(example: Path, out: Path) -> subprocess.CompletedProcess[str]:
    # What linters say of the files is another test's matter.
    command = [sys.executable, "-m", "mngen", "render", "manifest.yaml", "--no-lint", "-o", str(out)]
    return subprocess.run(command, cwd=example, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.name for e in EXAMPLES])
def test_tree(example, tmp_path):
    # The manifest's folder is copied, so that a render cannot touch what it is compared with.
    copy = tmp_path / example.name
    shutil.copytree(example, copy, ignore=shutil.ignore_patterns("out"))
    done = render(copy, copy / "out")
    assert done.returncode == 0, done.stderr
    assert sorted(re.findall(r"^warning\[(\w+)\]", done.stderr, re.MULTILINE)) == WARNED.get(example.name, [])
    made, kept = tree(copy / "out"), tree(example / "out")
    assert sorted(set(kept) - set(made)) == [], f"checked in, but not rendered any more; {MEND}"
    assert sorted(set(made) - set(kept)) == [], f"rendered, but not checked in; {MEND}"
    assert [f for f in made if made[f][1] != kept[f][1]] == [], f"changed; {MEND}"
    wrong = {f: (oct(kept[f][0]), oct(made[f][0])) for f in made if made[f][0] != kept[f][0]}
    assert wrong == {}, f"mode bits; {MEND}"


def test_every_folder_is_an_example():
    folders = {path.name for path in GOLDEN.iterdir() if path.is_dir()}
    assert folders == {example.name for example in EXAMPLES} | {"errors", "build-failures"}
