"""The parts of a build that need no engine: names, credentials, source map, retries."""

from __future__ import annotations

import base64
import json
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from mngen.build import instructions, process
from mngen.build.commands import Command
from mngen.build.credentials import login, secret_texts
from mngen.build.failures import BuildFailure
from mngen.build.names import location
from mngen.build.redact import redactor
from mngen.build.run import PUSHES, Worker
from mngen.images import dockerfile
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.mirrors import Mirrors

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("reference", "host", "path", "tag"),
    [
        ("ubuntu", "docker.io", "library/ubuntu", "latest"),
        ("docker.io/ubuntu:1", "docker.io", "library/ubuntu", "1"),
        ("index.docker.io/ubuntu:1", "docker.io", "library/ubuntu", "1"),
        ("nvidia/cuda:12", "docker.io", "nvidia/cuda", "12"),
        ("localhost/a:1", "localhost", "a", "1"),
        ("10.77.0.1:5443/a/b", "10.77.0.1:5443", "a/b", "latest"),
        ("ghcr.io/a/b@sha256:" + "0" * 64, "ghcr.io", "a/b", ""),
    ],
)
def test_a_reference_leads_to_a_registry(reference, host, path, tag) -> None:
    found = location(reference)
    assert (found.host, found.path, found.tag) == (host, path, tag)
    mirrored = Mirrors(images={host: "mirror.example.org"}).image(reference)
    assert location(mirrored) == replace(found, host="mirror.example.org")


def test_logins_are_those_of_docker_else_podman(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.setenv("REGISTRY_AUTH_FILE", str(tmp_path / "auth.json"))
    assert not login("a.example.org").known
    for name, user in (("config.json", "docker"), ("auth.json", "podman")):
        kept = base64.b64encode(f"{user}:s3cret-{user}".encode()).decode()
        hosts = ["b.example.org"] if user == "docker" else ["a.example.org", "b.example.org"]
        (tmp_path / name).write_text(json.dumps({"auths": {host: {"auth": kept} for host in hosts}}))
    assert login("b.example.org").user == "docker"
    assert login("a.example.org").password == "s3cret-podman"
    (tmp_path / "netrc").write_text("machine x\npassword hush-hush\n")
    monkeypatch.setenv("TOKEN", "token-of-the-day")
    hidden = secret_texts(["a.example.org"], {"netrc": f"src={tmp_path}/netrc", "t": "env=TOKEN"})
    redact = redactor(hidden)
    said = "s3cret-podman, password hush-hush and token-of-the-day in https://u:p@a.example.org/?sig=abcd&x=1"
    assert redact(said) == "***, *** and *** in https://***@a.example.org/?sig=***&x=1"


@pytest.mark.parametrize("example", ["everything", "design", "verl-amd-slurm"])
def test_every_instruction_has_its_place(example) -> None:
    folder = ROOT / "golden" / example
    options = LoadOptions(read=lambda name: (folder / name).read_text())
    images = load((folder / "manifest.yaml").read_text(), "manifest.yaml", options).manifest.images
    assert images
    for image in images.values():
        text = dockerfile.text(image)
        places, read = dockerfile.places(image), instructions.read(text)
        lines = text.split("\n")
        assert sum(line.startswith("FROM ") for line in lines) == read[-1].stage
        for found in read:
            origin = instructions.origin(places, found)
            last = next(n for n in range(found.line, len(lines) + 1) if not lines[n - 1].endswith("\\"))
            assert instructions.at_line(read, last) == found
            assert origin == "" or image.span(origin) is not None
            assert lines[found.line - 1].split()[0] == found.name
            if found.name == "FROM":
                assert origin.endswith("base")
        installs = [one for one in read if "pip install" in one.text]
        assert {instructions.origin(places, one).split(".")[0] for one in installs} <= {"torch", "pip", "git"}


class Watch:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.mark.parametrize(("passing", "fails", "calls"), [(True, 2, 3), (True, 99, PUSHES), (False, 99, 1)])
def test_a_push_is_tried_again_only_where_that_can_help(passing, fails, calls) -> None:
    watch, made = Watch(), []

    def push() -> str:
        made.append(1)
        if len(made) <= fails:
            raise BuildFailure("kind", "the registry is busy", hint="wait", passing=passing)
        return "sha256:1"

    worker = Worker("podman", watch, str, pause=0.001)
    if fails < PUSHES:
        assert worker._trying(push) == "sha256:1"
    else:
        with pytest.raises(BuildFailure):
            worker._trying(push)
    assert len(made) == calls
    assert len(watch.notes) == calls - 1
    assert all(note.startswith("the registry is busy; push ") for note in watch.notes)


def test_an_interrupted_command_leaves_no_process_behind(tmp_path, monkeypatch) -> None:
    """What it started in a session of its own, deaf to SIGTERM, as a container's first process is."""
    deaf = "trap '' TERM; echo $$ >pid; echo ready; exec sleep 600"
    script = f"setsid bash -c {shlex.quote(deaf)} & wait"

    def interrupt(line: str) -> None:
        assert line == "ready"
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        process.stream(Command(("bash", "-c", script)), interrupt)
    with pytest.raises(ProcessLookupError):
        for _ in range(50):
            os.kill(int((tmp_path / "pid").read_text()), 0)
            time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_interrupted_while_it_starts_leaves_no_process_behind(monkeypatch, number) -> None:
    started = []

    class Interrupted(subprocess.Popen):
        def __init__(self, *words, **how) -> None:
            super().__init__(*words, **how)
            started.append(self.pid)
            os.kill(os.getpid(), number)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            process.stream(Command(("sleep", "600")), str)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)
