"""A whole manifest with awkward values: no linter complains, and every shell reads each value back."""

from __future__ import annotations

import json
import subprocess
from functools import cache

import dockerfile_reader
import pytest

from mngen import render as renderer
from mngen import targets
from mngen.checks.tree import CheckOptions, check_tree
from mngen.images.quoting import definition_word, shell_word
from mngen.manifest.load import LoadOptions, load

AWKWARD = (
    "$X",
    "it's $5",
    "a`b`c",
    "\\$",
    '"quoted"',
    "ends in \\",
    "\\'",
    "'\\''",
    '"\\"$(touch x)`',
    "${{x}} {{ y }} {{{z}}}".replace("$", "$$"),
    "$HOME {{ y }} <<EOF",
    "~/data",
    "~/$X",
    "it\u2019s \u201cso\u201d",
    "$5 \u2018a\u2019 \u201cb\u201d",
    "\u2033\u2036",
    "=",
    "=$x",
    "%files",
    "fi",
    "then",
    "\ta\tb",
    " ",
    "",
    "!x",
    "*?[a]{b,c}",
    "a b # c",
    "bootstrap: $x",
)
MEANT = tuple(value.replace("$${{", "${{") for value in AWKWARD)
"""What a manifest's reader makes of them: ``$${{`` is a literal ``${{``."""
NAMES = [f"V{index}" for index in range(len(AWKWARD))]
BUILDERS = ("buildkit", "podman", "classic")
SHELLS = ("dash", "bash", "sh")


def manifest(builder: str) -> str:
    """A manifest that has every value in every place of an image that takes any text."""
    values = dict(zip(NAMES, AWKWARD, strict=True))
    image = {
        "repository": "r.example.org/a",
        "builder": builder,
        "variants": {"cuda": {"tag": "1", "base": "nvidia/cuda:12.8.1-devel-ubuntu24.04"}},
        "env": {"image": values, "build": {f"B_{name}": value for name, value in values.items()}},
        "labels": {f"org.example.{name.lower()}": value for name, value in values.items()},
        "git": [
            {
                "url": "https://example.org/x",
                "ref": "0" * 40,
                "path": "/opt/x",
                "pip": ["-e", ".", *(value for value in AWKWARD if value.isprintable() and value)],
                "env": values,
            }
        ],
    }
    whole = {
        "apiVersion": "mngen/v1",
        "name": "x",
        "image": image,
        "driver": {"command": ["x"]},
        "targets": {"a": {"kind": "manual", "runtime": "none"}},
    }
    return json.dumps(whole, indent=1)


@cache
def files(builder: str):
    """The rendered files of the image."""
    loaded = load(manifest(builder), "m.yaml", LoadOptions(read=lambda _: ""))
    assert loaded.manifest is not None, loaded.diagnostics
    plan = targets.plan(loaded.manifest)
    return renderer.render(plan, digest=loaded.manifest.digest).files


def text(builder: str, ending: str) -> str:
    """The text of one of these files."""
    return next(file.text for file in files(builder) if file.path.endswith(ending))


def section(name: str) -> str:
    """The text of one section of the definition file."""
    return text("buildkit", ".def").partition(f"\n%{name}")[2].partition("\n")[2].partition("\n%")[0]


@pytest.mark.parametrize("builder", BUILDERS)
def test_linters_have_nothing_to_say(builder):
    assert [f"{found.code} {found.message} {found.span}" for found in check_tree(files(builder), CheckOptions())] == []


def environment(shell: str, script: str) -> dict[str, str]:
    """Let a shell run lines of a file; return its variables."""
    done = subprocess.run(
        [shell], input=f"{script}\nenv -0\n".encode(), capture_output=True, check=True, env={"PATH": "/usr/bin:/bin"}
    )
    return dict(item.split("=", 1) for item in done.stdout.decode().split("\0")[:-1])


@pytest.mark.parametrize("shell", SHELLS)
def test_a_container_has_every_variable(shell):
    found = environment(shell, section("environment"))
    assert [found[name] for name in NAMES] == list(MEANT)


@pytest.mark.parametrize("shell", SHELLS)
def test_steps_have_every_variable(shell):
    lines = "\n".join(line for line in section("post").split("\n") if line.startswith("    export "))
    found = environment(shell, lines)
    assert [found[name] for name in NAMES] == list(MEANT)
    assert [found[f"B_{name}"] for name in NAMES] == list(MEANT)


@pytest.mark.parametrize("shell", SHELLS)
def test_labels_are_written_as_they_are(shell):
    lines = [line for line in section("post").split("\n") if line.lstrip().startswith("printf '%s %s\\n' org.example.")]
    done = subprocess.run([shell], input="\n".join(lines).encode(), capture_output=True, check=True)
    written = done.stdout.decode().removesuffix("\n").split("\n")
    assert written == [f"org.example.{name.lower()} {value}" for name, value in zip(NAMES, MEANT, strict=True)]


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_dockerfile_gives_the_same(builder):
    stage = dockerfile_reader.read(text(builder, "Dockerfile"), {"PATH": "/usr/bin"}, builder)[-1]
    env = dict(next(action[-1] for action in stage.actions if action[0] == "pip"))
    assert [stage.shipped[name] for name in NAMES] == list(MEANT)
    assert [env[f"B_{name}"] for name in NAMES] == list(MEANT)
    assert [stage.labels[f"org.example.{name.lower()}"] for name in NAMES] == list(MEANT)


@pytest.mark.parametrize("quote", [definition_word, shell_word])
@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_reads_a_word_back(shell, quote):
    script = f"printf '%s\\0' {' '.join(map(quote, MEANT))}"
    done = subprocess.run([shell], input=script.encode(), capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == list(MEANT)


def test_what_needs_no_other_quotes_keeps_them():
    assert [definition_word(value) for value in ("plain", "two words", '"q"', "a\\b", "it's")] == [
        "plain",
        "'two words'",
        "'\"q\"'",
        "'a\\b'",
        "'it'\"'\"'s'",
    ]
    assert definition_word('\\ " $ `') == '"\\\\ \\" \\$ \\`"'
