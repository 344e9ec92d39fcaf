"""``--set``: values as written, and what cannot be read."""

from __future__ import annotations

import pytest

from mngen.diagnostics import Diagnostic
from mngen.manifest.node import Scalar, at, plain
from mngen.manifest.settings import read_setting


@pytest.mark.parametrize(
    ("setting", "data"),
    [
        ("a.b.c=1", {"a": {"b": {"c": 1}}}),
        ("a=[x, 'y z', {k: 1e-6}]", {"a": ["x", "y z", {"k": 1e-6}]}),
        ("a={k: [1]}", {"a": {"k": [1]}}),
        ("a='1'", {"a": "1"}),
        ('a="x\\ty"', {"a": "x\ty"}),
        ("a=b: c # d", {"a": "b: c # d"}),
        ("a=*x&y!z%", {"a": "*x&y!z%"}),
        ("a=b=c", {"a": "b=c"}),
        ("a= x ", {"a": " x "}),
        ("a=", {"a": None}),
        ("a=line\nline", {"a": "line\nline"}),
    ],
)
def test_value(setting, data):
    assert plain(read_setting(setting, 1)) == data


@pytest.mark.parametrize("spelling", ["1e-6", "0755", "NO", "1_000", "+3", "~x", "1.0", "12:30:00"])
def test_spelling(spelling):
    assert at(read_setting(f"env.X={spelling}", 1), ("env", "X")).value == Scalar(
        spelling, at(read_setting(f"env.X={spelling}", 1), ("env", "X")).value.value
    )


@pytest.mark.parametrize(
    "setting",
    ["a", "", "=1", "a..b=1", ".a=1", "a b=1", "a=[x", "a='x", "a={x: {}", "a=x\x00", "a=\ud800", "a=[&a *a]"],
)
def test_refused(setting):
    found = read_setting(setting, 3)
    assert isinstance(found, Diagnostic)
    assert (found.code, found.span.file, found.span.line) == ("MN112", "--set", 3)
    assert found.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\udcff", "byte 0xff is not UTF-8"),
        ("x\udc80", "byte 0x80 is not UTF-8"),
        ("\ud83d", "half a surrogate pair (U+D83D) is not a character"),
        ("\x01", "control character U+0001 is not allowed"),
        ("\x00", "control character U+0000 is not allowed"),
        ("\u2028", "U+2028 ends a line for some YAML readers and not for others"),
        ("\uffff", "U+FFFF is not allowed in YAML"),
    ],
)
def test_a_value_that_is_no_text_is_refused_in_a_sentence(text, said):
    assert read_setting(f"env.A={text}", 1).message == f"the value cannot be taken: {said}"


def test_places():
    tree = read_setting("driver.args=[a]", 2)
    key = at(tree, ("driver", "args")).key_span
    value = at(tree, ("driver", "args", 0)).span
    assert (key.line, key.column, key.end_column) == (2, 8, 12)
    assert (value.line, value.column) == (2, 13)


def test_judged_like_the_manifest(errors):
    assert errors("", "resources.node=1")[0][0] == "MN101"
    assert errors("", "resources.nodes=many")[0][0] == "MN103"
    assert errors("", "env.X=")[0][0] == "MN106"
    assert errors("", "env.X=${{ nope }}")[0][0] == "MN108"


def test_unknown_target(errors):
    found = errors("targets: {pod: {kind: slurm}}\n", "targets.prd.resources.nodes=1")
    assert ("MN111", "did you mean `pod`?") in [(entry[0], entry[3]) for entry in found]
