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
