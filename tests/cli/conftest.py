"""Runs command lines in this process, in an empty folder."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mngen.cli.app import run

MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {nodes: 2, gpus: 8, cpus: 96}
env: {A: 1e-6}
driver: {command: python3 train.py}
targets:
  first: {kind: slurm}
  second: {kind: slurm, resources: {nodes: 4}}
"""


IMAGE = """\
apiVersion: mngen/v1
name: job
image:
  repository: registry.example.org/rl/verl
  variants:
    cuda: {tag: "1-cuda", base: "nvidia/cuda:12.8.1-devel-ubuntu24.04"}
    rocm: {tag: "1-rocm", base: "rocm/pytorch:rocm7.2_ubuntu22.04_py3.10_pytorch_release_2.9.1"}
  secrets: [netrc]
  pip: {packages: ["ray==2.52.1"]}
driver: {command: python3 train.py}
targets:
  a: {kind: slurm, variant: cuda, runtime: docker}
  b: {kind: slurm, variant: rocm, runtime: docker}
"""


@dataclass(frozen=True)
class Result:
    """What a command line did."""

    status: int
    out: str
    err: str
    raw: bytes = b""


Mngen = Callable[..., Result]


@pytest.fixture(autouse=True)
def _clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path.parent))
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield
    assert Path.cwd() == tmp_path


@pytest.fixture
def mngen(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Mngen:
    """Run a command line; ``stdin`` is what it reads."""

    def call(*arguments: str | os.PathLike[str], stdin: str | bytes | None = None) -> Result:
        if stdin is not None:
            data = stdin if isinstance(stdin, bytes) else stdin.encode()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capfdbinary.readouterr()
        status = run([os.fspath(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        err = captured.err.decode()
        assert "Traceback" not in err
        return Result(status, captured.out.decode("utf-8", "replace"), err, captured.out)

    return call


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A small manifest ``job.yaml`` with two targets."""
    (tmp_path / "job.yaml").write_text(MANIFEST)
    return Path("job.yaml")


@pytest.fixture
def described() -> Path:
    """A manifest ``job/m.yaml`` that describes two images."""
    Path("job").mkdir()
    Path("job/m.yaml").write_text(IMAGE)
    return Path("job/m.yaml")


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Put a shell script in the place of a program, in front of all others but the system's own."""

    def make(name: str, text: str) -> None:
        folder = Path("bin").resolve()
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    return make
