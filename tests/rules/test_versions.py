"""Versions are lists of whole numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mngen.manifest.versions import Version, parse_range, parse_version

NUMBERS = st.lists(st.integers(0, 99), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("older", "newer"),
    [("7.2", "7.14"), ("7.14", "10.0"), ("2.9.3", "2.49"), ("25.11", "26.05"), ("1.4", "1.4.1"), ("2.52.0", "2.52.1")],
)
def test_order(older, newer):
    assert parse_version(older) < parse_version(newer)
    assert parse_version(newer) > parse_version(older)


@pytest.mark.parametrize(
    ("one", "same"), [("2.52", "2.52.0"), ("v1.2", "1.2"), ("26.05", "26.5"), ("2.9.3rc1", "2.9.3")]
)
def test_equal(one, same):
    assert parse_version(one) == parse_version(same)
    assert hash(parse_version(one)) == hash(parse_version(same))


@pytest.mark.parametrize("text", ["", "nightly", "x1.2", "latest", "-1"])
def test_no_version(text):
    assert parse_version(text) is None


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=2.49", ["2.49", "2.60.1"], ["2.48.9", "2.9"]),
        (">=22.05,<23.11", ["22.05.8", "23.02"], ["21.08", "23.11.0"]),
        ("*", ["0", "99"], []),
        ("", ["1"], []),
        ("!=1.5", ["1.4"], ["1.5.0"]),
        ("==1.5", ["1.5.0"], ["1.5.1"]),
        (">1,<=2", ["1.0.1", "2"], ["1", "2.0.1"]),
    ],
)
def test_ranges(text, inside, outside):
    bounds = parse_range(text)
    assert all(parse_version(version) in bounds for version in inside)
    assert not any(parse_version(version) in bounds for version in outside)


@pytest.mark.parametrize("text", ["2.49", ">=", ">=a", "~=1.2", ">=1;<2"])
def test_no_range(text):
    with pytest.raises(ValueError, match="not a version bound"):
        parse_range(text)


@given(NUMBERS, NUMBERS)
def test_order_is_total(left, right):
    one, other = Version(tuple(left)), Version(tuple(right))
    assert (one < other) + (one == other) + (one > other) == 1


@given(NUMBERS)
def test_text_and_back(numbers):
    version = Version(tuple(numbers))
    assert parse_version(str(version)) == version
