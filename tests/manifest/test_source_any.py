"""Whatever the bytes, reading and loading end in values and findings."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mngen.diagnostics import has_errors
from mngen.manifest import source
from mngen.manifest.characters import decode
from mngen.manifest.load import LoadOptions, load
from mngen.manifest.node import plain
from mngen.manifest.source import compose, load_text

PIECES = st.sampled_from(
    [
        *"abn01 \n\t:-,[]{}'\"#&*!|>%@`?~=<\\.$",
        "\n  ",
        ": ",
        "- ",
        "<<: *a",
        "&a ",
        "*a",
        "${{ ",
        " }}",
        "$${{",
        "\r\n",
        "---\n",
        "...\n",
        "é",
        "\u2028",
        "\x00",
        "�",
        "null",
        "true",
        "1e-6",
        "0755",
        "!!str ",
        "? ",
    ]
)
YAMLISH = st.lists(PIECES, max_size=40).map("".join)
FIELDS = ("env", "driver", "resources", "image", "services", "prepare", "secrets", "slurm", "ray", "mounts", "vars")


@given(st.binary(max_size=60))
@settings(max_examples=150, deadline=None)
def test_bytes(data):
    text = decode(data, "f")
    if isinstance(text, str):
        found = load_text(text, "f")
        assert (found.root is None) == has_errors(found.diagnostics)
    else:
        assert has_errors([text])


@given(YAMLISH)
@settings(max_examples=300, deadline=None)
def test_text(text):
    found = load_text(text, "f")
    assert (found.root is None) == has_errors(found.diagnostics)
    for finding in found.diagnostics:
        assert finding.span.line >= 1
        assert finding.span.column >= 1
        assert finding.span.line <= len(found.lines)
    if found.root is not None:
        plain(found.root)


@given(st.sampled_from(FIELDS), YAMLISH, st.booleans())
@settings(max_examples=250, deadline=None)
def test_manifest(field, text, flow):
    body = f"{field}: [{text}]" if flow else f"{field}: {text}"
    manifest = f"apiVersion: mngen/v1\nname: x\ntargets: {{t: {{kind: slurm}}}}\n{body}\n"
    found = load(manifest, "f")
    assert (found.manifest is None) == has_errors(found.diagnostics)


@given(
    st.sampled_from(["env.X", "driver.args", "resources.nodes", "services.s.command", "targets.t.image.sif"]), YAMLISH
)
@settings(max_examples=150, deadline=None)
def test_setting(path, text):
    base = "apiVersion: mngen/v1\nname: x\ndriver: {command: [a]}\ntargets: {t: {kind: slurm}}\n"
    found = load(base, "f", LoadOptions(sets=(f"{path}={text}",)))
    assert (found.manifest is None) == has_errors(found.diagnostics)


@pytest.mark.parametrize(
    "character", ["\x00", "\x01", "\x7f", "\x85", "\udc80", "\ud800", "\ufffe", "\U0010ffff", "\u2028"]
)
@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
def test_a_character_that_no_loader_reads_is_a_finding(monkeypatch, loader, character):
    """Files with such characters are refused before; whoever composes a text of another origin is told the same way."""
    monkeypatch.setattr(source, "_LOADER", loader)
    for text in (f"a: {character}b", f"b{character}: a", f"# {character}\na: b"):
        root, findings = compose(text, "f", "manifest", tuple(text.split("\n")))
        assert root is not None or findings


LONG = 300_000


@pytest.mark.parametrize("word", ["A" * LONG, "A" * LONG + "${B}" + "A" * LONG, "$" * LONG, "${" * LONG])
def test_a_long_line_with_a_mistake_is_judged_soon(word):
    """In a process that can be ended: what grows with the square of the line takes an hour."""
    code = "import sys; from mngen.manifest.source import load_text; print(len(load_text(sys.stdin.read(), 'f').diagnostics))"
    text = f"env: {{BLOB: {word}: x}}\n"
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, text=True, capture_output=True, timeout=60, check=True
    )
    assert done.stdout == "1\n"
