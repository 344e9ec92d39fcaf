"""A name that hadolint would object to is judged where the user wrote it, or not at all: it is no fault of mngen's."""

from __future__ import annotations

import pytest
from described import codes, files

from mngen.checks.tree import CheckOptions, check_tree

ORDINARY = (
    *("TOKENIZERS_PARALLELISM", "PAD_TOKEN", "EOS_TOKEN", "MAX_NEW_TOKENS", "HF_TOKEN_PATH", "PRIVATE_POOL"),
    *("OPENAI_API_KEY", "SECRET_SAUCE", "PASSWORD_FILE", "CLIENT_KEY_LENGTH", "OS_USERNAME", "DOCKER_EMAIL"),
)
"""DL3064 reads names alone: each of these holds one of its words, or is in its list of whole names."""
PLACES = {
    "build": lambda values: {"env": {"build": values}},
    "image": lambda values: {"env": {"image": values}},
    "both": lambda values: {"env": {"build": values, "image": dict.fromkeys(values, "other")}},
    "stage": lambda values: {"stages": [{"name": "tools", "base": "debian:12.12", "env": values, "steps": ["make"]}]},
    "git": lambda values: {
        "git": [{"url": "https://example.org/x", "ref": "v1", "path": "/opt/x", "pip": ["."], "env": values}]
    },
}


def said(fields: dict) -> list[str]:
    """Return what the linters say of the files of an image with these fields."""
    return [f"{found.code} {found.message} {found.span}" for found in check_tree(files(**fields), CheckOptions())]


@pytest.mark.parametrize("builder", ["buildkit", "podman", "classic"])
@pytest.mark.parametrize("place", PLACES)
def test_a_variable_may_be_called_like_a_secret(place, builder):
    """Whether a value is one MN810 says, which sees the value too."""
    assert said({"builder": builder, **PLACES[place](dict.fromkeys(ORDINARY, "EMPTY"))}) == []


@pytest.mark.parametrize("name", ["scratch", "context"])
def test_a_stage_has_no_name_that_a_builder_reserves(name):
    stage = f"{{name: {name}, base: 'debian:12.12', steps: [make]}}"
    assert codes(f"stages: [{stage}]") == ["MN808"]
    assert codes(f"stages: [{stage.replace(name, name + 's')}]") == []


@pytest.mark.parametrize(
    "label", ["com.docker.x", "io.docker.x", "org.dockerproject.x", "a--b", "a..b", "9a", "a-", ".a"]
)
def test_a_label_has_a_name_that_docker_takes(label):
    assert codes(f"labels: {{{label}: x}}") == ["MN104"]


def test_good_labels():
    labels = ("org.opencontainers.image.title", "a", "a9", "com.dockers.x", "a.-b", "a_.b", "x.com.docker.y")
    assert codes(f"labels: {{{', '.join(f'{name}: x' for name in labels)}}}") == []
    assert said({"labels": dict.fromkeys(labels, "x")}) == []


def test_a_stage_is_not_laid_over_the_image_as_a_whole():
    stages = "stages: [{name: tools, base: 'debian:12.12', steps: [make]}]"
    copied = "files: [{{source: {}, target: {}, from: tools}}]\n  {}"
    assert codes(copied.format("/", "/", stages)) == ["MN807"]
    assert codes(copied.format("/", "/opt/tools", stages)) == []
    assert codes(copied.format("/opt/", "/", stages)) == []
