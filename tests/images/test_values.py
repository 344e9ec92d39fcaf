"""Every value comes out of both files byte for byte as it went in, whatever it holds."""

from __future__ import annotations

import subprocess

import definition_reader
import dockerfile_reader
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from image_cases import CUDA, HOSTILE, HOSTILE_LINES
from msgspec.structs import replace

from mngen.images import apptainer, dockerfile
from mngen.images.quoting import definition_argument, definition_word, docker_value, fits_definition, shell_word
from mngen.manifest.image import Env, GitSource, Pip, Step

BUILDERS = ("buildkit", "podman", "classic")
NAMED = {f"V{index}": value for index, value in enumerate(HOSTILE)}
LOWER = {name.lower(): value for name, value in NAMED.items()}
PATH = {"PATH": "/usr/bin"}
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
ONE_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
AWKWARD = st.text(st.sampled_from("a '\"\\$`{}%#<\n\t!-=bootstrap:"), max_size=30)


def stages(image):
    docker = dockerfile_reader.read(dockerfile.text(image), PATH)
    return docker[-1], definition_reader.read(apptainer.text(image), PATH)[-1]


def action(stage, kind):
    return [item[1] for item in stage.actions if item[0] == kind]


@pytest.mark.parametrize("builder", BUILDERS)
def test_variables_and_labels(builder):
    image = replace(CUDA, builder=builder, env=Env(build=NAMED, image=LOWER), labels=LOWER)
    for stage in stages(image):
        (*_, here), *_ = (item for item in stage.actions if item[0] == "script")
        assert NAMED.items() | LOWER.items() <= set(here)
        assert LOWER.items() <= stage.shipped.items()
        assert not set(NAMED) & set(stage.shipped)
        assert LOWER.items() <= stage.labels.items()


@pytest.mark.parametrize("builder", BUILDERS)
def test_words(builder):
    packages = tuple(value for value in HOSTILE if value)
    source = GitSource(url="https://example.org/it's $x", ref="v1", path="/opt/x", pip=HOSTILE, env=NAMED)
    for stage in stages(replace(CUDA, builder=builder, pip=Pip(packages=packages), git=(source,))):
        _, frameworks, checkout = (item for item in stage.actions if item[0] == "pip")
        assert frameworks[1] == packages
        assert checkout[1] == HOSTILE
        assert dict(checkout[2]) == NAMED
        assert ("git", "fetch", "--quiet", "--depth", "1", source.url, "v1") in action(stage, "run")


@pytest.mark.parametrize("builder", BUILDERS[:2])
def test_a_bundle_of_certificates_is_used_where_something_is_fetched(builder):
    source = GitSource(url="https://example.org/x", ref="v1", path="/opt/x", pip=("-e", "."), env={"A": "b"})
    image = replace(CUDA, builder=builder, pip=Pip(packages=("a",)), git=(source,), secrets=("ca-bundle",))
    for stage in stages(image):
        installs = [dict(item[2]) for item in stage.actions if item[0] == "pip"]
        assert installs[-2:] == [
            {"PIP_CERT": "/run/secrets/ca-bundle"},
            {"PIP_CERT": "/run/secrets/ca-bundle", "A": "b"},
        ]
        fetch = ("git", "-c", "http.sslCAInfo=/run/secrets/ca-bundle", "fetch")
        assert any(words[:4] == fetch for words in action(stage, "run"))


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("body", HOSTILE_LINES)
def test_steps(body, builder):
    image = replace(CUDA, builder=builder, steps=(Step(run=body),), self_test=(Step(run=body),))
    for stage in stages(image):
        assert action(stage, "script") == [body.rstrip("\n")]
        assert stage.tests == [body.rstrip("\n")]


@pytest.mark.parametrize(
    "requirement",
    [
        "vllm>=0.7.0",
        "ray[default]==2.44.1",
        "x<3,>=2",
        "y; python_version<'3.12'",
        "git+https://example.org/x@1f#egg=z",
    ],
)
def test_requirements_are_words(requirement):
    """B123: an unquoted ``>`` redirects into a file."""
    for stage in stages(replace(CUDA, pip=Pip(packages=(requirement,)))):
        assert (requirement,) in action(stage, "pip")


def evaluated(word):
    """Let the real bash evaluate a word."""
    script = f"printf '%s' {word}\n"
    return subprocess.run(["bash"], input=script.encode(), capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize("value", [*HOSTILE, *HOSTILE_LINES, "\x01\x1b[0m\r\n'", "{{\n}}\x7f"])
def test_bash_reads_the_words_back(value):
    assert evaluated(shell_word(value)) == value
    assert evaluated(definition_word(value)) == value


@settings(max_examples=60, deadline=None)
@given(ANY_TEXT | AWKWARD)
def test_bash_reads_any_word_back(value):
    assert evaluated(shell_word(value)) == value
    assert evaluated(definition_word(value)) == value


@settings(max_examples=60, deadline=None)
@given(AWKWARD)
def test_bash_reads_any_script_back(text):
    assert evaluated(definition_argument(text)) == text


@settings(max_examples=300)
@given(ONE_LINE | AWKWARD.map(lambda text: text.replace("\n", "")))
def test_docker_reads_any_value_back(value):
    assert dockerfile_reader.value(docker_value(value), {}) == value


@settings(max_examples=300)
@given(AWKWARD)
def test_no_word_means_something_to_apptainer(value):
    for text in (definition_word(value), definition_argument(value)):
        assert fits_definition(text)
