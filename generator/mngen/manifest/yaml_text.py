"""Plain data as the YAML that a person would write: short collections on one line, long ones as blocks.

For examples in words meant for people. Text that another reader could take for something else (a number, a
boolean in YAML 1.1 or 1.2, a placeholder inside a flow collection) is quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_WIDTH = 88
_PLAIN = r"(?!\.[0-9])[A-Za-z_/.][A-Za-z0-9_/.@+=:-]*(?<!:)"
_ALIKE = r"(?i)(true|false|null|yes|no|on|off|y|n|~)|\.(inf|nan)"


def yaml_text(value: Any) -> str:
    """Return data as YAML without a last newline."""
    return "\n".join(_lines(value)) if isinstance(value, dict | list) and value else flow(value)


def flow(value: Any) -> str:
    """Return data as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, str) and re.fullmatch(_PLAIN, value) and not re.fullmatch(_ALIKE, value):
        return value
    return _quoted(value)


def _key(key: str) -> str:
    # The words of YAML 1.1 are not quoted here: a manifest is YAML 1.2, where `on` is a key like any other.
    return key if re.fullmatch(_PLAIN, key) else _quoted(key)


def _quoted(value: Any) -> str:
    """Return JSON, which YAML reads, with escapes for what YAML does not allow as it is, or a reader cannot see."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(ord(c)) for c in text)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _lines(value: dict[str, Any] | list[Any]) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _entry(f"{_key(key)}:", inner)
    else:
        for item in value:
            yield from _entry("-", item)


def _entry(mark: str, value: Any) -> Iterator[str]:
    line = f"{mark} {flow(value)}"
    if len(line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        yield line
    elif mark == "-":
        first, *rest = _lines(value)
        yield f"- {first}"
        yield from (f"  {text}" for text in rest)
    else:
        yield mark
        yield from (f"  {text}" for text in _lines(value))
