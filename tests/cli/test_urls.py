"""``mngen urls``: the firewall list of a manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mngen.build.inspecting import Seen
from mngen.manifest.contacts import Origin, asked_by_default

MANIFEST = """\
apiVersion: mngen/v1
name: job
resources: {shm: 1G}
image:
  repository: registry.example.org:5000/rl/verl
  variants: {cuda: {tag: "1", base: "ghcr.io/example/base:1", toolkit: "12.8"}}
  apt: [git]
  git: [{url: "git@github.com:volcengine/verl", ref: v0.6.0, path: /opt/verl}]
  steps: ["pip install ray  # https://example.net"]
env: {HTTPS_PROXY: "http://proxy.example.org:3128"}
secrets: {HF_TOKEN: {}}
setup: |
  # See https://docs.example.org for more.
  curl -O https://github.com/a/b/releases/download/v1/c.tgz
driver: {command: [python3, train.py, "--server=http://127.0.0.1:8000"]}
targets:
  a: {kind: slurm, runtime: docker}
  b: {kind: slurm, runtime: docker}
"""
TEXT = """\
mngen lock:
  ghcr.io:443, pkg-containers.githubusercontent.com:443
    field    image.base (cuda)  ghcr.io/example/base:1
  github.com:22
    field    image.git[0].ref (cuda)  git@github.com:volcengine/verl
building images:
  ghcr.io:443, pkg-containers.githubusercontent.com:443
    field    image.base (cuda)  ghcr.io/example/base:1
  ?
    default  image.apt (cuda)  the package sources that ghcr.io/example/base:1 has
  github.com:22
    field    image.git[0] (cuda)  git@github.com:volcengine/verl
  example.net:443
    text     image.steps[0] (cuda)  https://example.net
  pypi.org:443, files.pythonhosted.org:443
    default  image.steps[0] (cuda)  https://pypi.org/simple
  registry.example.org:5000
    field    image.repository (cuda)  registry.example.org:5000/rl/verl:1
running jobs:
  registry.example.org:5000
    field    image.repository (a, b)  registry.example.org:5000/rl/verl:1
  proxy.example.org:3128
    text     env.HTTPS_PROXY (a, b)  http://proxy.example.org:3128
  github.com:443, release-assets.githubusercontent.com:443, objects.githubusercontent.com:443
    text     setup (a, b)  https://github.com/a/b/releases/download/v1/c.tgz
  huggingface.co:443, *.hf.co:443
    default  secrets.HF_TOKEN (a, b)  https://huggingface.co
"""


def test_hosts_with_what_they_are_asked_for(mngen) -> None:
    Path("manifest.yaml").write_text(MANIFEST)
    assert mngen("urls") == (shown := mngen("urls", "manifest.yaml"))
    assert (shown.status, shown.out, shown.err) == (0, TEXT, "")
    of_one = json.loads(mngen("urls", "--target", "b", "--format", "json").out)
    assert of_one["format"] == 1
    assert {one["where"] for one in of_one["contacts"]} == {"cuda", "b"}
    assert of_one["contacts"][0] == {
        "phase": "lock",
        "host": "ghcr.io",
        "port": 443,
        "what": "ghcr.io/example/base:1",
        "field": "image.base",
        "where": "cuda",
        "how": "field",
    }


def test_mirrors_take_the_place_of_what_is_asked_by_default(mngen) -> None:
    Path("manifest.yaml").write_text(MANIFEST)
    Path("site.yaml").write_text(
        "mirrors: {pip: {pypi.org: 'https://m.example.org/pypi'}, huggingface: 'https://m.example.org:81/hf'}\n"
        "secrets: {WANDB_API_KEY: {}}\n"
    )
    found = json.loads(mngen("urls", "--overlay", "site.yaml", "--format", "json").out)["contacts"]
    assert not {"pypi.org", "huggingface.co", "*.hf.co"} & {one["host"] for one in found}
    assert {(one["how"], one["what"]) for one in found if one["host"] == "m.example.org" and one["phase"] == "job"} == {
        ("mirror", "https://m.example.org/pypi/simple"),
        ("mirror", "https://m.example.org:81/hf"),
    }
    assert "api.wandb.ai" in {one["host"] for one in found}


def test_a_wrong_manifest_has_no_list(mngen) -> None:
    Path("manifest.yaml").write_text(MANIFEST.replace("kind: slurm", "kind: slurn"))
    shown = mngen("urls")
    assert (shown.status, shown.out) == (1, "")
    assert "MN104" in shown.err


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", ["urls", "show", "inspect"])
def test_warnings_of_the_manifest_are_told_beside_what_is_asked(command, form, mngen, monkeypatch) -> None:
    Path("manifest.yaml").write_text(MANIFEST.replace("shm: 1G", "nodes: 1"))
    monkeypatch.setattr("mngen.cli.inspect.require_libraries", lambda: None)
    monkeypatch.setattr("mngen.cli.inspect.look", lambda *_: Seen("x", "registry", ""))
    words = ["registry.example.org/x:1"] if command == "inspect" else []
    asked = mngen(command, *words, "manifest.yaml", "--format", form)
    assert "MN289" in asked.err
    assert asked.out
    if form == "json":
        json.loads(asked.out)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wget http://[fd00::1]:8080/x", [("fd00::1", 8080)]),
        ("curl http://[::1]/x http://localhost/x http://0.0.0.0:80", []),
        ("# https://example.org\n  # git@github.com:x/y\ntrue", []),
        ("git clone ssh://git@example.org/x", [("example.org", 22)]),
        ("see https://example.org.", [("example.org", 443)]),
        (
            "apptainer pull docker://quay.io/a/b:1",
            [(f"{name}quay.io", 443) for name in ("", "cdn.", "cdn01.", "cdn02.", "cdn03.")],
        ),
        ("rsync me@host:folder mail@example.org", []),
        ("https://${HOST}/x s3://bucket/x", []),
    ],
)
def test_hosts_in_a_text(text: str, found: list[tuple[str, int]]) -> None:
    assert [(one.host, one.port) for one in Origin("job", "setup", "a", "text").text(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("python3 -m pip install ray", ["pypi.org"]),
        ("uv pip install \\\n  ray", ["pypi.org"]),
        ("uv sync", ["pypi.org"]),
        ("pip install --index-url https://example.org/simple ray", []),
        ("pip install --no-index ./x.whl", []),
        ("# pip install ray", []),
        ("pip list", []),
        ("hf download a/b", ["huggingface.co"]),
        ("python3 -c 'from datasets import load_dataset'", ["huggingface.co"]),
    ],
)
def test_what_programs_ask_by_default(text: str, found: list[str]) -> None:
    assert [url.split("/")[2] for url in asked_by_default(text)] == found
