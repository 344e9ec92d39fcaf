"""Single files that a command writes, and disks that refuse: the old file stays, and nothing is left beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {"schema": ("schema",), "init": ("init", "--preset", "slurm-cuda")}
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
"""Python ignores the signal, and writing more fails."""
RUN = "import runpy; runpy.run_module('mngen', run_name='__main__')"


def listing(folder: str) -> list[str]:
    """Return the names in a folder."""
    return sorted(path.name for path in Path(folder).iterdir())


def refused(*words: str) -> str:
    """Run a command that may write no file of more than 100 bytes; return what it says."""
    done = subprocess.run([sys.executable, "-B", "-c", FULL + RUN, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    return done.stderr


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_disk_that_is_full_leaves_the_folder_as_it_was(words) -> None:
    Path("old").write_text("mine\n")
    assert "cannot write `old`: File too large" in refused(*words, "-o", "old", "--force")
    assert Path("old").read_text() == "mine\n"
    assert "cannot write `new`: File too large" in refused(*words, "-o", "new")
    assert "cannot write `a/b/new`: File too large" in refused(*words, "-o", "a/b/new")
    assert listing(".") == ["old"]


def test_a_render_that_fails_leaves_no_folder_that_it_made(manifest) -> None:
    Path("there").mkdir()
    for out in ("out", "a/b", "there/b", "there"):
        said = refused("render", "--no-lint", "-q", "job.yaml", "-o", out)
        assert f"error: cannot write `{out}/" in said
        assert said.endswith(f"File too large\nhint: nothing in `{out}` was changed\n")
    assert listing(".") == ["job.yaml", "there"]
    assert listing("there") == []


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_links_and_modes_stay(mngen, words) -> None:
    Path("real").mkdir()
    Path("real/file").write_text("mine\n")
    Path("real/file").chmod(0o640)
    Path("link").symlink_to("real/file")
    assert mngen(*words, "-o", "link", "--force").status == 0
    assert str(Path("link").readlink()) == "real/file"
    assert Path("real/file").stat().st_mode & 0o777 == 0o640
    assert Path("real/file").read_text() == Path("link").read_text() != "mine\n"
    before = os.umask(0o027)
    assert mngen(*words, "-o", "new").status == 0
    os.umask(before)
    assert Path("new").stat().st_mode & 0o777 == 0o640
    assert listing("real") == ["file"]


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_is_no_file_is_written_to(mngen, words) -> None:
    assert mngen(*words, "-o", "/dev/null", "--force").status == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("out", [".", "/", "folder", "to-folder"])
def test_a_folder_is_not_to_be_overwritten(mngen, words, out, force) -> None:
    Path("folder").mkdir()
    Path("to-folder").symlink_to("folder")
    result = mngen(*words, "-o", out, *force)
    assert (result.status, result.err) == (2, f"error: `{out}` is a folder\nhint: -o names the file to write\n")


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_link_that_leads_nowhere_is_said_to(mngen, words) -> None:
    Path("link").symlink_to("absent/file")
    for force in ((), ("--force",)):
        result = mngen(*words, "-o", "link", *force)
        assert (result.status, result.err.splitlines()[0]) == (2, "error: `link` is a link that leads nowhere")
        assert "\nhint: " in result.err
    assert str(Path("link").readlink()) == "absent/file"
