"""What a copy leaves in an image: the lines of a definition file do what COPY does, with whatever lies in the folder.

COPY, by https://docs.docker.com/reference/dockerfile/#copy---destination and prepareTargetDir of
https://github.com/tonistiigi/fsutil/blob/master/copy/copy.go: of a folder its content goes to the target, which is made;
a file is put into a target that is a folder or ends in a slash, else it is the target.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from image_cases import MINIMAL
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.manifest.image import FileCopy

SOURCES = ("file", "folder", "folder/", "folder/sub")
TARGETS = ("/there", "/there/", "/new", "/new/", "/new/deep", "/new/deep/")
FIRST = {
    "nothing before": (),
    "a file into it before": (FileCopy(source="file", target="/new/deep/other"),),
    "a folder before": (FileCopy(source="folder", target="/new"),),
}


def lay_out(folder: Path) -> None:
    (folder / "folder/sub").mkdir(parents=True)
    for name in ("file", "folder/a", "folder/sub/b"):
        (folder / name).write_text(name)


def tree(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() if path.is_file() else "/" for path in root.rglob("*")}


def copy(context: Path, root: Path, source: str, target: str) -> None:
    """Do what COPY does."""
    came, goes = context / source, root / target.lstrip("/")
    if came.is_dir():
        shutil.copytree(came, goes, dirs_exist_ok=True)
        return
    if target.endswith("/") or goes.is_dir():
        goes = goes / came.name
    goes.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(came, goes)


def by_docker(text: str, context: Path, root: Path) -> None:
    for source, target in re.findall(r"^COPY (?:--\S+ )*([^-<]\S*) (\S+)$", text, re.MULTILINE):
        copy(context, root, source, target)


def by_apptainer(text: str, context: Path, root: Path) -> None:
    section = text.partition("\n%files\n")[2].partition("\n\n%post")[0]
    for source, place in (line.split() for line in section.splitlines()):
        staged = root / place.lstrip("/")
        staged.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-fLr", context / source, staged], check=True)
    post = text.partition("\n%post -c /bin/bash\n")[2].partition("\n\n    # Steps run here")[0]
    rooted = re.sub(r"(?<=[ \n])/(?=(?:\.mngen|there|new)\b)", f"{root}/", post)
    assert rooted.count(f"{root}/") >= 2
    subprocess.run(["bash", "-c", rooted], check=True)
    shutil.rmtree(root / ".mngen")


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize(("source", "target"), [*product(SOURCES, TARGETS)])
def test_both_files_put_a_copy_where_the_other_does(tmp_path, source, target, first) -> None:
    lay_out(tmp_path)
    image = replace(MINIMAL, files=(*FIRST[first], FileCopy(source=source, target=target)))
    found = []
    for run, text in ((by_docker, dockerfile.text(image)), (by_apptainer, apptainer.text(image))):
        root = tmp_path / run.__name__
        (root / "there").mkdir(parents=True)
        run(text, tmp_path, root)
        found.append(tree(root))
    assert found[0] == found[1]
    assert len(found[0]) > 1


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
@pytest.mark.parametrize("target", ["/there/x", "/there/", "/new", "/new/deep", "/new/", "/new/deep/"])
def test_a_file_with_a_mode_has_it_and_nothing_else_has(tmp_path, target, builder) -> None:
    lay_out(tmp_path)
    image = replace(MINIMAL, builder=builder, files=(FileCopy(source="file", target=target, mode="0751"),))
    text = dockerfile.text(image)
    found = []
    for run in (by_docker, by_apptainer):
        root = tmp_path / run.__name__
        (root / "there").mkdir(parents=True)
        run(text if run is by_docker else apptainer.text(image), tmp_path, root)
        if run is by_docker:
            (made,) = (path for path in root.rglob("*") if path.is_file())
            named = re.search(r"^RUN chmod 0751 (\S+)$", text, re.MULTILINE)
            assert named is None or root / named[1].lstrip("/") == made
            assert (named is None) is (builder != "classic")
            made.chmod(0o751)
        found.append({name: (root / name).stat().st_mode & 0o777 for name in tree(root)})
    assert found[0] == found[1]
