"""What is sent to the classic builder: the Dockerfile, the files that it copies as they are, and nothing else.

It reads no ignore file but the folder's own: https://docs.docker.com/build/concepts/context/#filename-and-location
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from mngen.build import commands, sdk
from mngen.build.job import Job
from mngen.build.watch import Count
from mngen.images import dockerfile
from mngen.manifest.image import FileCopy, Image

NAMES = ["Dockerfile", "Dockerfile.dockerignore", ".dockerignore", ".mngen.Dockerfile", "entry.sh", "conf/Dockerfile"]
SECRETS = (".env", "checkpoints/one.pt")


class Engine:
    """Docker's interface as far as a build uses it: keeps what it was sent."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.links: dict[str, str] = {}
        self.text = b""

    def build(self, *, fileobj, dockerfile, **_):
        with tarfile.open(fileobj=io.BytesIO(fileobj.read())) as archive:
            members = archive.getmembers()
            assert len({member.name for member in members}) == len(members)
            self.files = {item.name: archive.extractfile(item).read() for item in members if item.isfile()}
            self.links = {item.name: item.linkname for item in members if item.issym()}
        self.text = self.files.pop(dockerfile)
        return (item for item in ())


@pytest.fixture
def engine(monkeypatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(sdk, "client", contextmanager(lambda: iter([found])))
    return found


def described(names: list[str]) -> Image:
    files = tuple(FileCopy(source=name, target=f"/opt/{number}") for number, name in enumerate(names))
    return Image(variant="cuda", repository="a", tag="1", base="ubuntu:24.04", builder="classic", files=files)


def laid_out(folder: Path, image: Image) -> Job:
    """Write a folder with all that has a name above, and the image's files below it."""
    for name in (*NAMES, *SECRETS):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"the user's {name}")
    out = folder / "out"
    out.mkdir()
    (out / "Dockerfile").write_text(dockerfile.text(image))
    (out / "Dockerfile.dockerignore").write_text(dockerfile.dockerignore(image))
    return Job(image=image, dockerfile=f"{out}/Dockerfile", definition="", context=str(folder))


@pytest.mark.parametrize("names", [*([name] for name in NAMES), ["conf"], NAMES, []], ids=str)
def test_what_is_copied_is_sent_as_it_is_whatever_it_is_called(engine, tmp_path, names) -> None:
    image = described(names)
    sdk.build(laid_out(tmp_path, image), Count(), str)
    assert engine.text.decode() == dockerfile.text(image)
    wanted = ["conf/Dockerfile"] if names == ["conf"] else names
    assert engine.files == {name: f"the user's {name}".encode() for name in wanted}


@pytest.mark.parametrize(
    ("source", "files", "links"),
    [
        ("linked", [], {"linked": "conf"}),
        ("gone", [], {"gone": "nowhere"}),
        ("folder", ["folder/sub/file"], {"folder/out": "../checkpoints", "folder/gone": "nowhere"}),
        ("./folder/sub", ["folder/sub/file"], {}),
        ("absent", [], {}),
    ],
)
def test_links_stay_links_and_nothing_behind_them_is_sent(engine, tmp_path, source, files, links) -> None:
    image = described([source])
    job = laid_out(tmp_path, image)
    (tmp_path / "folder/sub").mkdir(parents=True)
    (tmp_path / "folder/sub/file").write_text("a file")
    for name, leads in {"linked": "conf", "gone": "nowhere", "folder/out": "../checkpoints", **links}.items():
        if not (tmp_path / name).is_symlink():
            (tmp_path / name).symlink_to(leads)
    sdk.build(job, Count(), str)
    assert (list(engine.files), engine.links) == (files, links)


DOCKER = """\
#!/bin/sh
printf '%s\\n' "$@" >"${SENT}/words"
for last; do :; done
mkdir "${SENT}/files"
if [ "$last" = - ]; then exec tar -C "${SENT}/files" -xf -; fi
cp -a "$last/." "${SENT}/files"
"""


def sent_by(command: str, folder: Path, tmp_path: Path) -> tuple[str, dict[str, str]]:
    """Run a command in a folder; return the Dockerfile that the builder would read, and all else that it was sent."""
    sent = tmp_path / "sent"
    sent.mkdir()
    (sent / "docker").write_text(DOCKER)
    (sent / "docker").chmod(0o755)
    env = {**os.environ, "PATH": f"{sent}:{os.environ['PATH']}", "SENT": str(sent)}
    subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=env, check=True)
    words = (sent / "words").read_text().splitlines()
    root = sent / "files"
    files = {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}
    return files.pop(words[words.index("--file") + 1]), files


@pytest.mark.parametrize("names", [["Dockerfile", "conf"], NAMES, []], ids=str)
@pytest.mark.parametrize("where", ["in the folder", "beside it", "far from it"])
def test_the_command_of_a_dry_run_sends_no_more(tmp_path, monkeypatch, names, where) -> None:
    image = described(names)
    folder = tmp_path / "a b"
    job = laid_out(folder, image)
    if where == "in the folder":
        monkeypatch.chdir(folder)
        job = replace(job, dockerfile="out/Dockerfile", context=".")
    else:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "elsewhere").mkdir()
        file = "elsewhere/Dockerfile" if where == "far from it" else "a b/out/Dockerfile"
        Path(file).write_text(dockerfile.text(image))
        job = replace(job, dockerfile=file, context="a b")
    text, files = sent_by(commands.classic(job).text, Path.cwd(), tmp_path)
    assert text == dockerfile.text(image)
    assert files == {name: f"the user's {name}" for name in (NAMES[-1] if name == "conf" else name for name in names)}


@pytest.mark.parametrize("names", [["Dockerfile", "conf"], NAMES, []], ids=str)
def test_the_command_in_a_header_sends_no_more(tmp_path, names) -> None:
    image = described(names)
    folder = tmp_path / "job"
    laid_out(folder, image)
    command = "\n".join(dockerfile.build_command(image)).replace("THIS_FILE", "out/Dockerfile")
    assert all(f"#   {line}\n" in dockerfile.text(image) for line in dockerfile.build_command(image))
    text, files = sent_by(command, folder, tmp_path)
    assert text == dockerfile.text(image)
    assert files == {name: f"the user's {name}" for name in (NAMES[-1] if name == "conf" else name for name in names)}
