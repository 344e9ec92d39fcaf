"""Types of plain YAML scalars: the core schema of YAML 1.2, with the spelling kept.

Under YAML 1.1, which PyYAML follows by default, ``NO`` is a boolean, ``12:30:00`` a number in base 60
and ``0755`` octal. The core schema (https://yaml.org/spec/1.2.2/#103-core-schema) has none of these.
"""

from __future__ import annotations

import re

from mngen.manifest.node import Scalar
from mngen.manifest.whole_numbers import MOST_DIGITS

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)")
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_NUMERIC = frozenset("+-.0123456789")
"""What a number begins with."""


def typed(spelling: str) -> str | int | float | bool | None:
    """Return what an unquoted scalar means under the YAML 1.2 core schema."""
    if spelling in _NULLS:
        return None
    if spelling in _BOOLEANS:
        return _BOOLEANS[spelling]
    if spelling[0] in _NUMERIC and len(spelling) <= MOST_DIGITS:  # what is longer stays text
        return _number(spelling)
    return spelling


def _number(spelling: str) -> str | int | float:
    if _INTEGER.fullmatch(spelling):
        return int(spelling)
    if _BASED.fullmatch(spelling):
        return int(spelling, 0)
    if _FLOAT.fullmatch(spelling):
        return float(spelling)
    if _INFINITE.fullmatch(spelling):
        return float(spelling.replace(".", ""))
    if spelling in _NAN:
        return float("nan")
    return spelling


def plain_scalar(spelling: str) -> Scalar:
    """Return the scalar that an unquoted text stands for."""
    return Scalar(spelling, typed(spelling))


def quoted_scalar(text: str, *, literal_block: bool = False) -> Scalar:
    """Return the scalar of a quoted or block text, which is text whatever it looks like."""
    return Scalar(text, text, quoted=True, literal_block=literal_block)
