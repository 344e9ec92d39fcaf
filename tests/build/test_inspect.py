"""``mngen inspect``: what an image in a registry says, and how that differs from a manifest."""

from __future__ import annotations

import json

import pytest

from mngen.cli.app import run
from mngen.images import contract
from mngen.manifest.load import load

MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {shm: 1G}
image:
  repository: registry.example.org/rl/verl
  variants: {cuda: {tag: "1", base: "nvidia/cuda:12.8.1-devel-ubuntu24.04", gpu_arch: ["9.0"]}}
  pip: {packages: [ray==2.52.1]}
driver: {command: python3 train.py}
targets: {a: {kind: slurm, runtime: docker}}
"""


@pytest.fixture
def labels(tmp_path, monkeypatch) -> dict[str, str]:
    """The labels of the image that the manifest in this folder describes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "none"))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    (tmp_path / "m.yaml").write_text(MANIFEST)
    manifest = load(MANIFEST, "m.yaml").manifest
    (image,) = manifest.images.values()
    return contract.labels(image)


def test_an_image_as_described(registry, labels, capsys) -> None:
    registry.put_image("rl/verl", "1", labels)
    name = f"{registry.address}/rl/verl:1"
    assert run(["inspect", name, "m.yaml"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"{name}\n")
    for line in ("found in         registry", "ray              2.52.1", "gpu-arch         9.0"):
        assert f"  {line}\n" in said.out
    assert "error" not in said.err


def test_each_fact_that_differs_is_named_at_its_place(registry, labels, capsys) -> None:
    registry.put_image("rl/verl", "1", labels | {"io.mngen.image.ray": "2.51.0", "io.mngen.image.torch": "2.9.1"})
    assert run(["inspect", f"{registry.address}/rl/verl:1", "m.yaml", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    found = {item["message"].partition(":")[0]: item for item in document["diagnostics"]}
    assert found.keys() == {"ray", "torch"}
    assert found["ray"]["message"].endswith("has 2.51.0, the manifest describes 2.52.1")
    assert found["ray"]["span"]["line"] == 7
    assert found["torch"]["message"].endswith("has 2.9.1, the manifest describes none")
    assert document["image"]["facts"]["ray"] == "2.51.0"


def test_what_cannot_be_compared_is_said(registry, labels, capsys) -> None:
    name = f"{registry.address}/rl/verl:1"
    registry.put_image("rl/verl", "1", {})
    assert run(["inspect", name]) == 0
    assert run(["inspect", name, "m.yaml"]) == 1
    assert "error[MN609]" in capsys.readouterr().err
    registry.put_image("rl/verl", "1", labels | {"io.mngen.image.variant": "rocm"})
    assert run(["inspect", name, "m.yaml"]) == 2
    assert run(["inspect", f"{registry.address}/rl/verl:2"]) == 3
    assert run(["inspect", "a b"]) == 3


@pytest.mark.parametrize("text", ["<html>log in first</html>", "[]"])
def test_where_no_registry_answers_the_engines_here_are_asked(registry, labels, capsys, monkeypatch, text) -> None:
    registry.put_image("rl/verl", "1", labels)
    registry.documents["rl/verl/manifests/1"] = text.encode()
    name = f"{registry.address}/rl/verl:1"
    assert run(["inspect", name]) == 3
    assert "is no registry" in capsys.readouterr().err
    known = json.dumps([{"Labels": labels}])
    monkeypatch.setattr("mngen.build.process.capture", lambda *_words, **_how: (0, known))
    assert run(["inspect", name, "m.yaml"]) == 0
    assert "found in         podman" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["/nosuch.sif"], ["/nosuch.sif", "m.yaml"], ["./a/nosuch.sif"]])
def test_a_file_that_is_not_there_is_told_before_a_program_that_is_not(
    labels, tmp_path, monkeypatch, capsys, words
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["inspect", *words]) == 3
    assert f"there is no file `{words[0]}`\n" in capsys.readouterr().err
    (tmp_path / "a.sif").write_text("")
    assert run(["inspect", "a.sif"]) == 3
    assert "`apptainer` is not installed" in capsys.readouterr().err
