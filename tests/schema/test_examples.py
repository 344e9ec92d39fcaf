"""Every example of the schema stands in a manifest that loads without an error."""

from __future__ import annotations

import json

import pytest

from mngen.diagnostics import Severity
from mngen.manifest.examples import examples
from mngen.manifest.field_index import fields
from mngen.manifest.load import LoadOptions, load

EXAMPLES = list(examples())


def read(_):
    return "slurm: {partition: gpu}\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.path}-{i}" for i, e in enumerate(EXAMPLES)])
def test_loads(example):
    loaded = load(json.dumps(example.manifest), "m.yaml", LoadOptions(read=read))
    assert [d for d in loaded.diagnostics if d.severity is Severity.ERROR] == []
    assert loaded.manifest is not None


def test_every_field_has_one():
    assert {example.path for example in EXAMPLES} == set(fields())


@pytest.mark.parametrize("kind", ["slurm", "skypilot", "dstack", "manual"])
def test_the_ports_of_the_examples_are_free_on_every_kind(kind):
    prefix = "ray.ports."
    ports = {e.path.removeprefix(prefix): e.value for e in EXAMPLES if e.path.startswith(prefix)}
    manifest = {**EXAMPLES[0].manifest, "ray": {"ports": ports}, "resources": {"nodes": 2}}
    manifest["targets"] = {"here": {"kind": kind}}
    loaded = load(json.dumps(manifest), "m.yaml", LoadOptions())
    about = {"MN212", "MN213", "MN214", "MN215", "MN248"}
    assert len(ports) > 8
    assert [d.message for d in loaded.diagnostics if d.code in about] == []
