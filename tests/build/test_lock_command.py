"""``mngen lock`` against a registry and a git repository of this machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mngen.cli.app import run

MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {{shm: 1G}}
image:
  repository: {registry}/rl/verl
  variants: {{cuda: {{tag: "1", base: "{registry}/base:1", toolkit: "12.8"}}}}
  git: [{{url: "file://{folder}/verl", ref: main, path: /opt/verl}}, {{url: "file://{folder}/verl", ref: v1, path: /o}}]
driver: {{command: python3 train.py}}
targets: {{a: {{kind: slurm, runtime: docker}}}}
"""


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def place(registry, tmp_path, monkeypatch):
    """A folder with a manifest; its base is in the registry, its source in a repository with a branch and a tag."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "none"))
    (tmp_path / "verl").mkdir()
    git(tmp_path / "verl", "init", "--quiet", "--initial-branch=main")
    git(tmp_path / "verl", "commit", "--quiet", "--allow-empty", "--message=one")
    git(tmp_path / "verl", "tag", "--annotate", "--message=one", "v1")
    registry.put("base", "1", {"schemaVersion": 2})
    (tmp_path / "manifest.yaml").write_text(MANIFEST.format(registry=registry.address, folder=tmp_path))
    return tmp_path


def kept(folder: Path) -> dict:
    return json.loads((folder / "mngen.lock").read_text())


def test_it_keeps_digests_and_commits_and_the_next_render_uses_them(place, registry, capsys) -> None:
    commit = git(place / "verl", "rev-parse", "HEAD")
    assert run(["lock"]) == 0
    lock = kept(place)
    assert list(lock["tags"]) == [f"{registry.address}/base:1"]
    # An annotated tag is an object of its own; what counts is the commit below it.
    assert {ref: item["commit"] for ref, item in lock["git"][f"file://{place}/verl"].items()} == {
        "main": commit,
        "v1": commit,
    }
    assert run(["lock", "--check"]) == 0
    capsys.readouterr()
    assert run(["render", "--no-lint", "--strict", "manifest.yaml"]) == 0
    said = capsys.readouterr().err
    assert "MN813" not in said
    assert "not pushed as described" in said
    text = (place / "out/images/cuda/Dockerfile").read_text()
    assert f"base:1@{lock['tags'][f'{registry.address}/base:1']['digest']}\n" in text


@pytest.mark.parametrize("words", [[], ["--update"]])
@pytest.mark.parametrize("image", ["", "image: {sif: /images/verl.sif}", "image: {ref: 'x@sha256:DIGEST'}"])
def test_a_manifest_without_open_ends_gets_no_lock_file(tmp_path, monkeypatch, capsys, image, words) -> None:
    monkeypatch.chdir(tmp_path)
    runtime = "docker" if "ref:" in image else "apptainer" if image else "none"
    text = f"{image}\ntargets: {{a: {{kind: slurm, runtime: {runtime}, resources: {{shm: 1G}}}}}}\n"
    text = text.replace("DIGEST", "0" * 64)
    Path("m.yaml").write_text(f"apiVersion: mngen/v1\nname: job\ndriver: {{command: x}}\n{text}")
    assert run(["lock", "m.yaml", *words]) == 0
    assert capsys.readouterr().err.endswith(
        "m.yaml: nothing to lock: it names no image by a tag, and no git source by a branch or tag\n"
    )
    assert not Path("mngen.lock").exists()
    Path("mngen.lock").write_text('{"format": 1}')
    before = Path("mngen.lock").read_bytes()
    run(["lock", "m.yaml", *words])
    assert Path("mngen.lock").read_bytes() == before


def test_what_is_there_stays_until_an_update(place, registry) -> None:
    run(["lock"])
    before = kept(place)
    registry.put("base", "1", {"schemaVersion": 2, "new": True})
    git(place / "verl", "commit", "--quiet", "--allow-empty", "--message=two")
    asked = len(registry.asked)
    assert run(["lock"]) == 0
    assert kept(place) == before
    assert len(registry.asked) == asked
    assert run(["lock", "--update"]) == 0
    assert kept(place)["tags"] != before["tags"]


def test_a_check_tells_what_moved_and_what_is_gone(place, registry, capsys) -> None:
    assert run(["lock", "--check"]) == 1
    assert capsys.readouterr().err.count("error[MN603]") == 3
    run(["lock"])
    before = kept(place)
    git(place / "verl", "commit", "--quiet", "--allow-empty", "--message=two")
    capsys.readouterr()
    assert run(["lock", "--check"]) == 0
    assert capsys.readouterr().err.count("warning[MN604]: main of ") == 1
    assert run(["lock", "--check", "--strict"]) == 1
    registry.documents.pop("base/manifests/1")
    git(place / "verl", "tag", "--delete", "v1")
    capsys.readouterr()
    assert run(["lock", "--check"]) == 1
    assert capsys.readouterr().err.count("error[MN605]: ") == 2
    assert kept(place) == before


def test_a_pushed_image_that_is_gone_is_told(place, registry, capsys) -> None:
    run(["lock"])
    lock = kept(place)
    digest = registry.put("rl/verl", "1", {"schemaVersion": 2})
    made = {"digest": digest, "description": digest, "seen": "2026-09-01"}
    (place / "mngen.lock").write_text(json.dumps(lock | {"pushed": {f"{registry.address}/rl/verl:1": made}}))
    assert run(["lock", "--check"]) == 0
    registry.documents.pop(f"rl/verl/manifests/{digest}")
    capsys.readouterr()
    assert run(["lock", "--check"]) == 1
    assert "is gone from its registry" in capsys.readouterr().err


def test_an_unknown_tag_or_ref_changes_nothing(place, registry, capsys) -> None:
    text = (place / "manifest.yaml").read_text()
    for old, new, words in [
        ("base:1", "base:2", "does not exist"),
        ("ref: v1", "ref: v2", "no branch or tag `v2`"),
        ('/verl", ref: v1', '/nowhere", ref: v1', "nowhere"),
    ]:
        (place / "manifest.yaml").write_text(text.replace(old, new))
        assert run(["lock"]) == 3
        assert words in capsys.readouterr().err
        assert not (place / "mngen.lock").exists()


def test_a_broken_lock_stops_a_render(place, capsys) -> None:
    for data in (
        b"<<<<<<< HEAD\n",
        b'{"format": 1, "tags": {"\xff": null}}',
        b'{"format": 1, "tags": {"a/b:1": null}}',
    ):
        (place / "mngen.lock").write_bytes(data)
        for command in (["render", "--no-lint", "manifest.yaml"], ["lock"]):
            assert run(command) == 1
            assert "error[MN606]" in capsys.readouterr().err
    assert not (place / "out").exists()


def test_public_names_are_looked_up_at_the_mirrors(place, registry, capsys) -> None:
    text = (place / "manifest.yaml").read_text().replace(f'"{registry.address}/base:1"', '"example/base:1"')
    text = text.replace(f"file://{place}/verl", "https://git.example.org/verl")
    mirrors = (
        f'mirrors: {{images: {{docker.io: "{registry.address}/hub"}}, git: {{git.example.org: "file://{place}"}}}}\n'
    )
    (place / "manifest.yaml").write_text(text + mirrors)
    digest = registry.put("hub/example/base", "1", {"schemaVersion": 2})
    assert run(["lock"]) == 0
    lock = kept(place)
    assert {name: tag["digest"] for name, tag in lock["tags"].items()} == {"example/base:1": digest}
    assert set(lock["git"]) == {"https://git.example.org/verl"}
    assert all("/hub/example/base/" in path for path in registry.asked if "manifests" in path)
    assert run(["lock", "--check"]) == 0
    assert run(["render", "--no-lint", "manifest.yaml"]) == 0
    commit = git(place / "verl", "rev-parse", "HEAD")
    found = (place / "out/images/cuda/Dockerfile").read_text()
    assert f"FROM {registry.address}/hub/example/base:1@{digest}\n" in found
    assert f"fetch --quiet --depth 1 file://{place}/verl {commit}" in found
    registry.documents.pop("hub/example/base/manifests/1")
    capsys.readouterr()
    assert run(["lock", "--check"]) == 1
    assert "error[MN605]: example/base:1, locked on" in capsys.readouterr().err


def test_a_tag_that_looks_like_the_beginning_of_a_commit_id_is_told_once_locked_no_more(place, capsys) -> None:
    git(place / "verl", "tag", "abc1234")
    (place / "manifest.yaml").write_text((place / "manifest.yaml").read_text().replace("ref: v1", "ref: abc1234"))
    assert run(["validate", "--no-lint", "manifest.yaml"]) == 0
    assert "warning[MN821]: image.git[1].ref is abc1234" in capsys.readouterr().err
    assert run(["lock"]) == 0
    capsys.readouterr()
    assert run(["validate", "--no-lint", "manifest.yaml"]) == 0
    assert "MN821" not in capsys.readouterr().err
