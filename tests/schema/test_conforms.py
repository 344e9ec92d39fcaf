"""The quick answer, whether a tree meets the schema, is always the one that jsonschema gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from mngen.manifest.conforms import KEYWORDS, conforms
from mngen.manifest.source import load_text
from mngen.manifest.validator import mismatches

sys.path.insert(0, str(Path(__file__).resolve().parent))

from schema_parts import EXAMPLES, SCHEMAS, VALUES, node, places, replaced

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
ROOTS = ("manifest", "overlay", "target-fields", "effective")
WORDS = {
    *("$ref", "$schema", "definitions", "title", "description", "markdownDescription", "default", "examples"),
    *("enumDescriptions", "patternErrorMessage", "then", "else"),
}
"""Keys of the schema that are no question of their own."""
CLOSE = st.sampled_from(
    [0, 1, -1, 65536, 1.0, 0.5, True, False, None, "", "a", "A b", "${{ name }}", "1", "slurm", "a\n", [], {}, ["a"]]
)
"""Values that a keyword might take the other way."""


def agree(tree):
    for root in ROOTS:
        assert conforms(tree, root) == (not list(mismatches(tree, root))), root


@pytest.mark.parametrize("path", SCHEMAS)
def test_every_keyword_is_known(path):
    assert set(SCHEMAS[path]) <= KEYWORDS.keys() | WORDS


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("**/*.yaml")), ids=lambda file: file.stem)
def test_files(file):
    root = load_text(file.read_text(errors="replace"), "m.yaml").root
    if root is not None:
        agree(root)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_any_value_anywhere(data):
    manifest = data.draw(st.sampled_from(EXAMPLES))
    path = data.draw(st.sampled_from(list(places(manifest))))
    agree(node(replaced(manifest, path, data.draw(CLOSE | VALUES))))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_key_anywhere(data):
    manifest = data.draw(st.sampled_from(EXAMPLES))
    maps = [path for path in places(manifest) if isinstance(_at(manifest, path), dict)]
    path = data.draw(st.sampled_from(maps))
    known = sorted({key for part in SCHEMAS.values() for key in part.get("properties", ())})
    key = data.draw(st.sampled_from(known) | st.text(max_size=8))
    agree(node(replaced(manifest, path, {**_at(manifest, path), key: data.draw(CLOSE)})))


def _at(value, path):
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize("b", [{"const": 2}, {"type": "integer"}, {}])
@pytest.mark.parametrize("required", [["a", "b"], ["b", "a"], ["a"], ["b"], []])
@pytest.mark.parametrize(
    "value", [{}, {"a": 1}, {"b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 2, "b": 2}, [], "a"]
)
def test_a_condition_on_several_keys(b, required, value) -> None:
    """The schema has none yet: its own conditions ask for one key."""
    asked = {"properties": {"a": {"const": 1}, "b": b}, "required": required}
    schema = {"if": asked, "then": {"type": "string"}, "else": {}}
    wanted = not list(Draft7Validator(schema).iter_errors(value))
    assert KEYWORDS["if"](node(value), schema, {}) == wanted
