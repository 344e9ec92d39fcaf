"""Whatever a file holds, validation answers with diagnostics that have a place; and it stays cheap."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mngen.manifest.schema import validate
from mngen.manifest.source import load_text
from mngen.manifest.validator import _compiled, _validator

sys.path.insert(0, str(Path(__file__).resolve().parent))

from schema_parts import EXAMPLES, VALUES, node, places, replaced


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_value_anywhere(data):
    manifest = data.draw(st.sampled_from(EXAMPLES))
    path = data.draw(st.sampled_from(list(places(manifest))[1:]))
    wrong = replaced(manifest, path, data.draw(VALUES))
    for definition in ("manifest", "overlay"):
        for found in validate(node(wrong), definition):
            assert found.span is not None
            assert found.message
            assert "\n" not in found.message


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), st.sampled_from(["target-fields", "effective"]))
def test_any_map(value, definition):
    validate(node(value), definition)


LARGE = """\
apiVersion: mngen/v1
name: x
resources: {nodes: 2, gpus: 8}
driver: {command: python3 -m verl.trainer.main_ppo, args: [%s]}
env: {%s}
targets:
%s
"""


def large(count):
    args = ", ".join(f"a.b{i}=1" for i in range(20 * count))
    env = ", ".join(f"V{i}: {i}" for i in range(10 * count))
    target = (
        "  t%d: {kind: slurm, runtime: apptainer, image: {sif: /i.sif}, slurm: {partition: gpu, time: 30}, env: {A: 1}}"
    )
    return load_text(LARGE % (args, env, "\n".join(target % i for i in range(5 * count))), "m.yaml").root


def calls(root):
    """How many functions a validation calls, those in C included: no clock, so a busy machine changes nothing."""
    count = 0

    def counted(_frame, event, _what):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        found = validate(root)
    finally:
        sys.setprofile(before)
    assert found == []
    return count


def test_cost_grows_with_the_file():
    small, big = large(1), large(10)
    validate(small)  # makes the validator, once
    once = calls(small)
    assert once < 8_000, "a few milliseconds"
    assert calls(big) < 12 * once, "ten times the fields"


def test_the_validator_is_made_once():
    root = large(1)
    validate(root)
    made = (_validator.cache_info().misses, _compiled.cache_info().misses)
    for _ in range(20):
        validate(root)
    assert (_validator.cache_info().misses, _compiled.cache_info().misses) == made
