"""Which files ``mngen lint`` reads: other encodings, folders that are closed, links."""

from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LATIN = b"#!/bin/bash\n# R\xe9sum\xe9\nset -euo pipefail\necho $1\n#SBATCH -N 2\nsrun -overlap x\n"
CLEAN = "#!/bin/bash\nset -euo pipefail\necho hello\n"


def found(result) -> list[tuple[str, str, str, int]]:
    """Return severity, code, file and line of each finding of a JSON report."""
    items = json.loads(result.out)["diagnostics"]
    return [(item["severity"], item["code"], item["span"]["file"], item["span"]["line"]) for item in items]


@pytest.mark.parametrize(
    ("name", "data", "also"),
    [
        ("a.sh", LATIN, "SC2086"),
        ("a.sbatch", b"#!/bin/bash\n# \xe9\n#SBATCH -N 2\nsrun --label=x $1\n", "SC2086"),
        ("script", LATIN, "SC2086"),
        ("a.sh", LATIN.replace(b"\xe9", b"\xe2\x82"), "SC2086"),
        ("Dockerfile", b"FROM ubuntu\n# \xe9\nRUN echo 'R\xe9sum\xe9'\n", "DL3006"),
        ("x.def", b"Bootstrap: docker\nFrom: ubuntu\n%post\n  # \xe9\n  echo $1\n", "SC2086"),
    ],
)
def test_a_byte_that_is_not_utf8_hides_nothing_else(mngen, tmp_path, name, data, also) -> None:
    Path("d").mkdir()
    Path("d", name).write_bytes(data)
    for argument in (f"d/{name}", "d"):
        result = mngen("lint", argument, "--format", "json")
        line = data[: data.index(next(byte for byte in (b"\xe9", b"\xe2\x82") if byte in data))].count(b"\n") + 1
        assert ("warning", "MN107", f"d/{name}", line) in found(result)
        assert also in {code for _, code, *_ in found(result)}
    told = mngen("lint", f"d/{name}").err
    assert "warning[MN107]: byte 0xe" in told
    assert "is not UTF-8\n" in told
    assert "save the file as UTF-8" in told
    assert mngen("lint", "--no-lint", "--strict", f"d/{name}").status == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.yaml", b"resources: {}\nrun: echo \xe9\n"),
        ("t.dstack.yml", b"type: task\ncommands: [\xe9]\n"),
        ("a.sh", CLEAN.encode("utf-16")),
        ("a.sh", b"#!/bin/bash\n\xff\0\xff\0"),
        ("README.md", b"\xe9\n"),
    ],
)
def test_what_has_to_be_utf8_and_what_is_no_text_are_refused(mngen, name, data) -> None:
    Path("d").mkdir()
    Path("d", name).write_bytes(data)
    for argument in (f"d/{name}", "d"):
        result = mngen("lint", argument, "--format", "json")
        assert [(severity, code) for severity, code, *_ in found(result)] == [("error", "MN107")]
        assert result.status == 1


@pytest.mark.parametrize("broken", ["lstat", "open", "listdir"])
def test_what_cannot_be_looked_at_is_named_with_the_reason(mngen, monkeypatch, broken) -> None:
    """As a folder does that is closed to its reader, who may be root here."""
    Path("lr/x").mkdir(parents=True)
    Path("lr/x/a.sh").write_text(CLEAN)
    closed = {"lstat": ("stat", "lstat"), "open": ("open",), "listdir": ("stat", "lstat", "scandir")}[broken]
    where = {"lstat": "lr/x/a.sh", "open": "lr/x/a.sh", "listdir": "lr/x"}[broken]
    for name in closed:
        close(monkeypatch, name, within="lr/x")
    words = f"error: cannot read `{where}`: Permission denied\n"
    result = mngen("lint", "--no-lint", "lr")
    assert (result.status, result.err) == (3, words)
    result = mngen("lint", "--no-lint", "lr/x/a.sh")
    if broken == "open":
        assert (result.status, result.err) == (3, words)


def close(monkeypatch: pytest.MonkeyPatch, name: str, *, within: str) -> None:
    """Make a function of ``os`` (or ``open``) refuse what is in a folder, and the folder where it is listed."""
    owner = builtins if name == "open" else os
    real = getattr(owner, name)

    def refuse(path, *rest, **options):
        text = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
        if text.startswith(f"{within}/") or (name == "scandir" and text == within):
            raise PermissionError(13, "Permission denied", text)
        return real(path, *rest, **options)

    monkeypatch.setattr(owner, name, refuse)


@pytest.mark.usefixtures("mngen")
@pytest.mark.parametrize("mode", [0o000, 0o444, 0o111])
def test_a_closed_folder_is_named_with_the_reason(mode) -> None:
    Path("lr/x").mkdir(parents=True)
    Path("lr/x/a.sh").write_text(CLEAN)
    Path("lr/x").chmod(mode)
    try:
        result, named = as_a_user("lr"), as_a_user("lr/x/a.sh")
    finally:
        Path("lr/x").chmod(0o755)
    assert result.returncode == 3
    assert result.stderr.startswith("error: cannot read `lr/x")
    assert result.stderr.endswith("`: Permission denied\n")
    if not mode & 0o100:
        assert named.stderr == "error: cannot read `lr/x/a.sh`: Permission denied\n"


def as_a_user(path: str) -> subprocess.CompletedProcess[str]:
    """Lint without root's right to look into every folder."""
    user = ["unshare", "--user", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
    command = [*user, sys.executable, "-m", "mngen", "lint", "--no-lint", path]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_links_in_a_folder_are_not_followed(mngen) -> None:
    Path("d/sub").mkdir(parents=True)
    Path("d/a.sh").write_text(CLEAN.replace("hello", "$1"))
    Path("outside.sh").write_text(CLEAN.replace("hello", "$1"))
    Path("d/b.sh").symlink_to("a.sh")
    Path("d/sub/c.sh").symlink_to("../../outside.sh")
    Path("d/gone.sh").symlink_to("nowhere.sh")
    assert {file for _, _, file, _ in found(mngen("lint", "d", "--format", "json"))} == {"d/a.sh"}
    assert {file for _, _, file, _ in found(mngen("lint", "d/b.sh", "--format", "json"))} == {"d/b.sh"}
