"""Files of the user's in a checkout: git checks nothing out over files, so they come after it and before its install."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from described import codes
from image_cases import MINIMAL
from interpreter import differences
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile, order
from mngen.images.recipe import Commands, Copies, PipInstall, WorkingDirectory
from mngen.manifest.image import FileCopy, GitSource, Stage

URL = "https://example.org/verl"
VERL = GitSource(url=URL, ref="v1", path="/opt/verl", pip=("-e", "."))
INNER = GitSource(url=URL, ref="v1", path="/opt/verl/third/x/")
OTHER = GitSource(url=URL, ref="v1", path="/opt/verl-extra")
TARGETS = {
    "/opt/verl/setup.py": "git.0",
    "/opt/verl": "git.0",
    "/opt/verl/": "git.0",
    "/opt/verl/new/deep/file": "git.0",
    "/opt/verl/third/x/file": "git.1",
    "/opt/verl/third/xy": "git.0",
    "/opt/verl-extra/file": "git.2",
    "/opt/verl-other/file": "",
    "/opt/file": "",
    "/opt/": "",
}


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_copy_comes_after_the_checkout_that_it_lies_in(target, builder) -> None:
    copied = FileCopy(source="a/file", target=target)
    image = replace(MINIMAL, builder=builder, git=(VERL, INNER, OTHER), files=(copied,))
    layers = order.recipe(image).final.layers
    at = {layer.origin: n for n, layer in enumerate(layers) if isinstance(layer, Commands) and "git." in layer.origin}
    (copy,) = (n for n, layer in enumerate(layers) if isinstance(layer, Copies) and copied in layer.files)
    installs = [n for n, layer in enumerate(layers) if isinstance(layer, PipInstall) and layer.origin == "git.0"]
    before = {origin for origin, number in at.items() if number < copy}
    assert before == {f"git.{n}" for n in range(int(TARGETS[target][-1]) + 1)} if TARGETS[target] else before == set()
    if TARGETS[target] == "git.0":
        assert copy < installs[0]
    assert differences(dockerfile.text(image), apptainer.text(image)) == []


def test_a_file_of_another_stage_comes_after_it_too_and_the_order_of_several_stays() -> None:
    files = (
        FileCopy(source="/b", target="/opt/verl/b", stage="s"),
        FileCopy(source="first", target="/etc/first"),
        FileCopy(source="c", target="/opt/verl/c", mode="0755"),
    )
    image = replace(MINIMAL, stages=(Stage(name="s", base="debian:12", steps=()),), git=(VERL,), files=files)
    copies = [layer for layer in order.recipe(image).final.layers if isinstance(layer, Copies)]
    assert [layer.files for layer in copies] == [(files[1],), (files[0], files[2])]
    assert [layer.origin for layer in copies] == ["files", "files"]
    assert differences(dockerfile.text(image), apptainer.text(image)) == []


def test_git_checks_out_and_the_users_file_is_the_one_that_is_left(tmp_path) -> None:
    """Run for real: a file of the repository that the user has another one for."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(theirs)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=v1"], check=True)
    for name in ("setup.py", "README"):
        (theirs / name).write_text("theirs")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message=one"], check=True)
    (tmp_path / "setup.py").write_text("the user's")
    source = replace(VERL, url=f"file://{theirs}")
    image = replace(MINIMAL, git=(source,), files=(FileCopy(source="setup.py", target="/opt/verl/setup.py"),))
    root, folder = tmp_path / "root", tmp_path
    for layer in order.recipe(image).final.layers:
        if isinstance(layer, WorkingDirectory):
            folder = root / layer.path.lstrip("/")
            folder.mkdir(parents=True, exist_ok=True)
        elif isinstance(layer, Commands):
            for command in layer.commands:
                words = [word for line in command.lines for word in line]
                if words[0] == "git":
                    subprocess.run(words, cwd=folder, check=True)
        elif isinstance(layer, Copies):
            for item in layer.files:
                place = root / item.target.lstrip("/")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(tmp_path / item.source, place)
    made = {path.name: path.read_text() for path in (root / "opt/verl").iterdir() if path.is_file()}
    assert made == {"setup.py": "the user's", "README": "theirs"}


@pytest.mark.parametrize(
    ("target", "early", "found"),
    [
        ("/opt/verl/ca.crt", True, ["MN815"]),
        ("/opt/verl", True, ["MN815"]),
        ("/opt/verl/ca.crt", False, []),
        ("/opt/verl2/ca.crt", True, []),
    ],
)
def test_an_early_file_cannot_wait_for_a_checkout(target, early, found) -> None:
    files = f"files: [{{source: x, target: {target}, early: {str(early).lower()}}}]"
    assert (
        codes(f"git: [{{url: '{URL}', ref: v1, path: /opt/verl}}]\n  apt: [git, ca-certificates]\n  {files}") == found
    )
