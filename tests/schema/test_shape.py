"""The schema as a document: closed, described, and within what editors understand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from mngen.manifest.definitions import KINDS, definition, ecma, resolved, schema

sys.path.insert(0, str(Path(__file__).resolve().parent))

from schema_parts import SCHEMAS

OPEN = {"raw"}
"""Maps that belong to another program, which mngen passes through."""
JUDGES = {"effective"}
"""Definitions that only add requirements to a closed one."""
IN_EDITORS = {
    *("type", "enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "items", "minItems"),
    *("properties", "additionalProperties", "propertyNames", "required", "dependencies", "minProperties"),
    *("maxProperties", "allOf", "anyOf", "not", "if", "then", "else", "$ref", "$schema", "definitions", "title"),
    *("description", "default", "examples", "enumDescriptions", "patternErrorMessage", "markdownDescription"),
}
"""Keywords of draft 7, and annotations of the YAML language server; the schema uses no others."""


def is_condition(path):
    return bool(re.search(r"/(if|not|allOf|anyOf|dependencies)(/|$)", path)) or path.split("/")[2:3] == ["effective"]


PROPERTIES = {
    path: node for path, node in SCHEMAS.items() if re.search(r"/properties/[^/]+$", path) and not is_condition(path)
}


def test_is_a_draft_7_schema():
    Draft7Validator.check_schema(schema())
    assert schema()["$schema"] == "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize("path", SCHEMAS)
def test_uses_only_keywords_that_editors_know(path):
    assert set(SCHEMAS[path]) <= IN_EDITORS


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "properties" in node and not is_condition(p)])
def test_maps_with_keys_are_closed(path):
    assert SCHEMAS[path].get("additionalProperties") is False


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if node.get("type") == "object"])
def test_maps_without_keys_say_what_they_hold(path):
    node = SCHEMAS[path]
    if path.rpartition("/")[2] in OPEN:
        assert node["additionalProperties"] is True
    elif "properties" not in node and "allOf" not in node:
        assert isinstance(node["additionalProperties"], dict)
        assert "pattern" in node["propertyNames"] or "enum" in node["propertyNames"]


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "$ref" in node])
def test_references_resolve(path):
    assert SCHEMAS[path]["$ref"].startswith("#/definitions/")
    assert resolved(SCHEMAS[path])


@pytest.mark.parametrize("path", PROPERTIES)
def test_keys_have_a_description_and_an_example(path):
    node = resolved(PROPERTIES[path])
    assert re.fullmatch(r"[A-Z`/].*[.)`]", node["description"], re.DOTALL), "a sentence"
    assert node["examples"]


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "enumDescriptions" in node])
def test_each_choice_is_described(path):
    node = SCHEMAS[path]
    assert len(node["enumDescriptions"]) == len(node["enum"])
    assert all(node["enumDescriptions"])


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "pattern" in node])
def test_patterns_read_alike_in_editors_and_here(path):
    pattern = SCHEMAS[path]["pattern"]
    assert not re.search(r"\(\?(P|<)|\\[AZzdwDW]", pattern), "not the same in ECMA 262 and Python"
    assert ecma(pattern)
    assert SCHEMAS[path]["patternErrorMessage"].startswith("expected ")


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "default" in node])
def test_defaults_are_valid(path):
    node = {**resolved(SCHEMAS[path]), "definitions": schema()["definitions"]}
    assert not list(Draft7Validator(node).iter_errors(node["default"]))


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if "examples" in node and "$ref" not in node])
def test_examples_are_valid(path):
    node = {**SCHEMAS[path], "definitions": schema()["definitions"]}
    for example in node["examples"]:
        assert not list(Draft7Validator(node).iter_errors(example))


@pytest.mark.parametrize("path", [p for p, node in SCHEMAS.items() if {"examples", "$ref"} <= set(node)])
def test_examples_beside_a_reference_are_valid(path):
    node = {**resolved(SCHEMAS[path]), "definitions": schema()["definitions"]}
    for example in node["examples"]:
        assert not list(Draft7Validator(node).iter_errors(example))


def test_no_choice_between_shapes():
    """``oneOf`` and ``anyOf`` make messages about the wrong branch; what excludes each other is a ``not``."""
    assert [path for path, node in SCHEMAS.items() if "oneOf" in node] == []
    assert [path for path, node in SCHEMAS.items() if "anyOf" in node and "/not" not in path] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_target_of_each_kind_takes_what_the_top_level_has_for_it(kind):
    own = definition(f"target-{kind}")["properties"]
    anything = definition("target-fields")["properties"]
    assert set(own) <= set(anything)
    assert all(own[key] == anything[key] for key in own)


def test_targets_take_every_field_of_the_top_level():
    anything = set(definition("target-fields")["properties"])
    assert set(schema()["properties"]) - anything == {"apiVersion", "mngen", "name", "targets"}
    assert anything - set(schema()["properties"]) == {"kind", "site", "variant", "runtime", "version", "raw"}
    assert anything == {key for kind in KINDS for key in definition(f"target-{kind}")["properties"]}


def test_an_overlay_takes_what_a_manifest_takes():
    assert set(definition("overlay")["properties"]) == set(schema()["properties"])
    assert "required" not in definition("overlay")
    assert "required" not in definition("target-fields")


def test_no_definition_is_left_over():
    text = str(schema())
    roots = {"overlay", "target-fields", *JUDGES}
    assert [
        name for name in schema()["definitions"] if f"#/definitions/{name}'" not in text and name not in roots
    ] == []
