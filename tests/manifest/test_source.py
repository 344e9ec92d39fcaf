"""Reading YAML: types, spellings, places, and what is refused with a place and a hint."""

from __future__ import annotations

import math

import pytest
import yaml

from mngen.manifest import source
from mngen.manifest.characters import decode
from mngen.manifest.node import Scalar, at, plain
from mngen.manifest.source import load_text


def read(text):
    found = load_text(text, "f")
    assert not found.diagnostics, found.diagnostics
    return found.root


@pytest.fixture(params=["C", "Python"], autouse=True)
def loader(request, monkeypatch):
    """Run each test with both of PyYAML's parsers."""
    if request.param == "C" and not yaml.__with_libyaml__:
        monkeypatch.setattr(source, "_LOADER", yaml.SafeLoader)
    if request.param == "Python":
        monkeypatch.setattr(source, "_LOADER", yaml.SafeLoader)
    return request.param


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("1e-6", 1e-6),
        ("1.0e-6", 1e-6),
        ("5e-7", 5e-7),
        (".5", 0.5),
        ("0755", 755),
        ("0o17", 15),
        ("0x1F", 31),
        ("+3", 3),
        ("-12", -12),
        ("1_000", "1_000"),
        ("NO", "NO"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("~x", "~x"),
        ("nULL", "nULL"),
        ("12:30:00", "12:30:00"),
        ("04:00:00", "04:00:00"),
        ("2-00:00:00", "2-00:00:00"),
        ("2024-01-01", "2024-01-01"),
        ("1.2.3", "1.2.3"),
        ("=", "="),
        ("0b11", "0b11"),
        ("1e", "1e"),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_yaml_1_2_core(spelling, value):
    node = at(read(f"a: {spelling}\n"), ("a",))
    assert node.value == Scalar(spelling, value)
    assert type(node.value.value) is type(value)


def test_not_a_number():
    assert math.isnan(at(read("a: .nan"), ("a",)).value.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("'1'", "1"), ('"true"', "true"), ("!!str 1", "1"), ("! 1", "1"), ("''", ""), ("|\n  a\n  b\n", "a\nb\n")],
)
def test_quoted_is_text(text, value):
    scalar = at(read(f"a: {text}\n"), ("a",)).value
    assert (scalar.spelling, scalar.value, scalar.quoted) == (value, value, True)


def test_only_a_literal_block_maps_lines_one_to_one():
    root = read("a: |\n  x\nb: >\n  x\nc: 'x'\n")
    assert [at(root, (key,)).value.literal_block for key in "abc"] == [True, False, False]


def test_spans_count_from_one_and_cover_the_value():
    root = read("a:\n  bc: [x, 'y z']\nd: 1\n")
    second = at(root, ("a", "bc", 1))
    assert (second.span.line, second.span.column, second.span.end_line, second.span.end_column) == (2, 11, 2, 16)
    key = at(root, ("a", "bc")).key_span
    assert (key.line, key.column, key.end_column) == (2, 3, 5)
    block = at(root, ("a",)).span
    assert (block.line, block.end_line) == (2, 2)


def test_anchors_aliases_and_merge_keys():
    root = read(
        "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\none: {<<: *b, y: 9}\ntwo: {<<: [*m, *b]}\nlist: [*b, *b]\n"
    )
    data = plain(root)
    assert data["one"] == {"x": 1, "y": 9}
    assert data["two"] == {"y": 3, "z": 4, "x": 1}
    assert data["list"] == [{"x": 1, "y": 2}] * 2
    assert at(root, ("one", "x")).span.line == 1, "a merged value stays where it was written"


def test_a_quoted_merge_key_is_a_key():
    assert plain(read('a: {"<<": 1}')) == {"a": {"<<": 1}}


def test_crlf_and_byte_order_mark_are_read():
    found = load_text(decode(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n", "f"), "f")
    assert not found.diagnostics
    assert plain(found.root) == {"a": 1, "b": "x\n"}
    assert found.lines == ("a: 1", "b: |", "  x", "")


def test_duplicates_at_any_depth_name_both_places():
    found = load_text("a: 1\nb:\n  - c: 1\n    d: {e: 1, e: 2}\n    c: 2\na: 2\n", "f")
    assert [(d.code, d.span.line, d.labels[0].span.line) for d in found.diagnostics] == [
        ("MN102", 4, 4),
        ("MN102", 5, 3),
        ("MN102", 6, 1),
    ]
    assert found.root is None


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}' if i else '*a'] * 9)}]\n" for i in range(20)
)
MERGE_BOMB = "a: &a {k: [x,x,x,x,x,x,x,x,x]}\n" + "".join(
    f"a{i}: &a{i} {{{', '.join(f'k{n}: {{<<: *a{i - 1 if i else str()}}}' for n in range(9))}}}\n" for i in range(20)
)


@pytest.mark.parametrize(
    ("text", "code", "line", "word"),
    [
        ("", "MN106", 1, "empty"),
        ("# only a comment\n", "MN106", 1, "empty"),
        ("---\n...\n", "MN106", 1, "empty"),
        ("- a\n", "MN103", 1, "no map"),
        ("text\n", "MN103", 1, "no map"),
        ("a: 1\n---\nb: 2\n", "MN100", 2, "second document"),
        ("a: b\n1: 2\n", "MN103", 2, "not text"),
        ("true: 2\n", "MN103", 1, "not text"),
        ("~: 2\n", "MN103", 1, "not text"),
        ("?\n: 2\n", "MN106", 1, "empty"),
        ("'': 2\n", "MN106", 1, "empty"),
        ("? [a]\n: b\n", "MN103", 1, "list"),
        ("a: {{ x }}\n", "MN103", 1, "placeholder"),
        ("a: !include x\n", "MN100", 1, "!include"),
        ("a: !!python/object/apply:os.system [id]\n", "MN100", 1, "!!python"),
        ("a: !!binary aGk=\n", "MN100", 1, "!!binary"),
        ("a: *b\n", "MN100", 1, "no anchor"),
        ("a: &a [*a]\n", "MN100", 1, "contains itself"),
        ("a: &a {b: *a}\n", "MN100", 1, "contains itself"),
        ("<<: 1\n", "MN103", 1, "takes a map"),
        ("a:\n\tb: 1\n", "MN107", 2, "tab"),
        ("a: {b: 1,\n\tc: 2}\n", "MN107", 2, "tab"),
        ("a: [\n  \t1]\n", "MN107", 2, "tab"),
        ("a: b: c\n", "MN100", 1, "quotes"),
        ("a: @x\n", "MN100", 1, "`@`"),
        ("a: `x`\n", "MN100", 1, "quotes"),
        ("a: %x\n", "MN100", 1, "`%`"),
        ("a: *.py\n", "MN100", 1, "quotes"),
        ("a: [1, 2\nb: 3\n", "MN100", 2, "bracket"),
        ("a: [${{ nodes }}]\n", "MN100", 1, "in quotes"),
        ("a: 'x\nb: 1\n", "MN100", 1, "not closed"),
        ('a: "x\nb: 1\n', "MN100", 1, "not closed"),
        ('a: ["x, y]\nb: "z"\n', "MN100", 2, "opened in line 1"),
        ("a: ['it's']\n", "MN100", 1, "earlier quote"),
        ('a: "\\q"\n', "MN100", 1, "single quotes"),
        ("a: \x07\n", "MN107", 1, "U+0007"),
        ("a: 1\nb: x\x00y\n", "MN107", 2, "U+0000"),
        ("a: x\x85y\n", "MN107", 1, "U+0085"),
        ("a: x\u2028y\n", "MN107", 1, "U+2028"),
        ("a: x\ufeffy\n", "MN107", 1, "U+FEFF"),
        ("a: x\ud800y\n", "MN107", 1, "surrogate"),
        ('a: "\\U00110000"\n', "MN100", 1, ""),
        ("%YAML 3.0\n---\na: 1\n", "MN100", 1, ""),
        ("a: " + "[" * 60 + "]" * 60, "MN107", 1, "levels"),
        ("a: " + "{a: " * 60, "MN107", 1, "levels"),
        (BOMB, "MN107", 5, "aliases"),
        (MERGE_BOMB, "MN107", 5, "aliases"),
    ],
)
def test_refused_with_place_and_hint(text, code, line, word):
    found = load_text(text, "f")
    assert found.root is None
    first = found.diagnostics[0]
    assert first.code == code, found.diagnostics
    assert first.span.file == "f"
    assert first.span.line == line
    assert first.span.column >= 1
    assert first.hint
    assert word in first.message + first.hint


def test_escaped_surrogate_half_is_refused(loader):
    found = load_text('a: "\\ud800"\n', "f")
    assert found.diagnostics[0].code == ("MN100" if loader == "C" and yaml.__with_libyaml__ else "MN107")


def test_tabs_inside_text_are_text():
    assert plain(read('a: |\n  x\n  \ty\nb: "x\n\t y"\nc: 1\n')) == {
        "a": "x\n\ty\n",
        "b": "x y",
        "c": 1,
    }


@pytest.mark.parametrize(
    ("data", "line", "column", "word"),
    [
        (b"a: 1\nb: caf\xe9\n", 2, 7, "0xe9"),
        (b"\xef\xbb\xbfa: \xff\n", 1, 4, "0xff"),
        ("a: é\nb: ".encode() + b"\xc3", 2, 4, "0xc3"),
        (b"\xff\xfea\x00", 1, 1, "the file is UTF-16"),
        ("name: a".encode("utf-32"), 1, 1, "the file is UTF-32"),
        (b"\0\0\xfe\xff" + "name: a".encode("utf-32-be"), 1, 1, "the file is UTF-32"),
        (b"\0\0\0\0\0\0", 1, 1, "NUL bytes"),
        (b"\0\0", 1, 1, "NUL bytes"),
        ("name: a".encode("utf-16-le"), 1, 1, "UTF-16"),
        ("name: a".encode("utf-16-be"), 1, 1, "UTF-16"),
        (b"a: " + b"x" * 3_000_000, 1, 1, "bytes"),
    ],
)
def test_bytes_that_are_no_text(data, line, column, word):
    finding = decode(data, "f")
    assert (finding.code, finding.span.line, finding.span.column) == ("MN107", line, column)
    assert word in finding.message


def test_layer_marks_every_node():
    root = load_text("a: {b: [1]}", "f", layer="site").root
    assert {root.layer, at(root, ("a",)).layer, at(root, ("a", "b", 0)).layer} == {"site"}
