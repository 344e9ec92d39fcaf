"""The build secret ``netrc`` is where pip, git and curl look: in the home folder of who builds, and nowhere later."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import dockerfile_reader
import pytest
from image_cases import CUDA, MINIMAL, ROCM
from interpreter import differences
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.manifest.image import GitSource, Pip, Stage, Step, User

SOURCE = GitSource(url="https://example.org/x", ref="v1", path="/opt/x", pip=(".",), submodules=True)
STEP = Step(run="curl --netrc https://example.org/x", secrets=("netrc",))
IMAGES = {
    "packages": replace(ROCM, steps=()),
    "torch": replace(CUDA, secrets=("netrc",), steps=(), git=()),
    "sources": replace(MINIMAL, git=(SOURCE,), secrets=("other", "netrc")),
    "a step": replace(MINIMAL, steps=(STEP, Step(run="true", secrets=("other",)))),
    "a stage": replace(MINIMAL, stages=(Stage(name="tools", base="debian:12", steps=(STEP,)),)),
    "a self-test": replace(MINIMAL, self_test=(STEP,), user=User(name="trainer")),
    "nothing": replace(MINIMAL, pip=Pip(packages=("x",)), secrets=("other",)),
}
BUILDERS = ("buildkit", "podman")


def secrets(rest: str) -> list[dict[str, str]]:
    """The options of the secrets that a RUN is shown."""
    return [
        dict(part.split("=") for part in found.split(",")) for found in re.findall(r"--mount=(type=secret\S+)", rest)
    ]


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("name", IMAGES)
def test_a_run_that_is_shown_it_has_it_in_the_home_folder_too(name, builder):
    runs = [
        rest
        for kind, rest, _ in dockerfile_reader.instructions(dockerfile.text(replace(IMAGES[name], builder=builder)))
        if kind == "RUN"
    ]
    shown = [{options.get("target", "") for options in secrets(rest) if options["id"] == "netrc"} for rest in runs]
    places = {frozenset(found) for found in shown if found}
    wanted = {"a self-test": {frozenset({""})}, "nothing": set()}
    assert places == wanted.get(name, {frozenset({"", "/root/.netrc"})})


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("name", IMAGES)
def test_both_files_have_it_at_the_same_places(name, builder):
    image = replace(IMAGES[name], builder=builder)
    assert differences(dockerfile.text(image), apptainer.text(image), builder=builder) == []


@pytest.mark.parametrize("name", IMAGES)
def test_a_definition_leaves_no_link(name):
    """What ``%post`` links it removes, in the same stage, and as its last word."""
    for part in apptainer.text(IMAGES[name]).split("Bootstrap: docker")[1:]:
        lines = [line.strip() for line in part.split("\n")]
        linked = [number for number, line in enumerate(lines) if line == "ln -sfn /run/secrets/netrc /root/.netrc"]
        removed = [number for number, line in enumerate(lines) if line == "rm -f /root/.netrc"]
        assert len(linked) == len(removed) <= 1
        assert all(first < last for first, last in zip(linked, removed, strict=True))


@pytest.fixture
def asked():
    """A server that asks for a login; yields its address and the logins that it was given."""
    given: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            login = self.headers.get("Authorization", "")
            if login:
                given.append(base64.b64decode(login.removeprefix("Basic ")).decode())
            self.send_response(404 if login else 401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", given
    server.shutdown()
    server.server_close()


PROGRAMS = {
    "pip": [sys.executable, "-m", "pip", "download", "--no-cache-dir", "--no-input", "--index-url", "{}/simple", "x"],
    "pip and git": [sys.executable, "-m", "pip", "download", "--no-cache-dir", "--no-input", "git+{}/x"],
    "git": ["git", "fetch", "--quiet", "--depth", "1", "{}/x", "v1"],
}
"""What mngen's own layers call; git asks by libcurl, as curl does."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_read_it_in_the_home_folder(program, asked, tmp_path: Path):
    """As root they are told to look there by HOME alone, which is /root for all who build."""
    address, given = asked
    words = [word.format(address) for word in PROGRAMS[program]]
    (tmp_path / "secret").write_text("machine 127.0.0.1\nlogin me\npassword hush\n")
    (tmp_path / ".netrc").symlink_to(tmp_path / "secret")
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    env = {**kept, "HOME": str(tmp_path), "GIT_TERMINAL_PROMPT": "0"}
    subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, timeout=60, check=False)
    assert set(given) == {"me:hush"}
