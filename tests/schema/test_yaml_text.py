"""Examples are written as YAML that reads back as the same data."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mngen.manifest.examples import examples
from mngen.manifest.node import plain
from mngen.manifest.source import load_text
from mngen.manifest.yaml_text import flow, yaml_text

EXAMPLES = list(examples())
SCALARS = st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)
KEYS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True).filter(
    lambda key: key not in {"true", "false", "null"}
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.path}-{i}" for i, e in enumerate(EXAMPLES)])
def test_an_example_reads_back(example):
    source = load_text(yaml_text(example.manifest), "m.yaml")
    assert source.diagnostics == ()
    assert plain(source.root) == example.manifest


@given(st.dictionaries(KEYS, VALUES, max_size=4))
@example({"A": ".0"})
@example({".5e1": "a"})
@example({"a": "\ufffe\uffff\u2028\ufeff\U000e0001"})
def test_any_data_reads_back(value):
    if not value:
        assert yaml_text(value) == "{}"
        return
    for text in (yaml_text(value), flow(value)):
        source = load_text(text, "m.yaml")
        assert source.diagnostics == ()
        assert plain(source.root) == value


def test_looks_like_what_people_write():
    data = {"env": {"A": "1", "B": 1}, "mounts": [{"source": "${{ env.HOME }}/data", "target": "/workspace/data"}] * 2}
    assert yaml_text(data) == (
        'env: {A: "1", B: 1}\n'
        "mounts:\n"
        '  - {source: "${{ env.HOME }}/data", target: /workspace/data}\n'
        '  - {source: "${{ env.HOME }}/data", target: /workspace/data}'
    )
