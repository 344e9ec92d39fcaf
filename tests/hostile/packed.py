"""Many values in one manifest, a line each, and which of them loading refuses."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mngen.diagnostics import Severity
from mngen.manifest.load import load
from mngen.manifest.model import Manifest

HEAD = "apiVersion: mngen/v1\nname: sim\nresources: {nodes: 1}\n"
DRIVER = "driver: {command: [sim-driver]}\n"


def scalar(value: str) -> str:
    """A YAML scalar that stands for exactly this text; `${{` is doubled, so that it is no placeholder."""
    return '"' + "".join(_character(char) for char in value.replace("${{", "$${{")) + '"'


def _character(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    # A mark on top of nothing would be drawn, and read, as part of what stands before it.
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@dataclass(frozen=True)
class Sorted:
    """A manifest of the values that are accepted, these values, and the code for each refused one."""

    manifest: Manifest
    accepted: tuple[str, ...]
    refused: dict[str, str]


def sort(values: Sequence[str], head: str, line: Callable[[int, str], str], tail: str) -> Sorted:
    """Load `head`, a line for each value, and `tail`; what is refused is left out, until nothing is.

    `line` gets the value's number among all and its scalar. Every refusal must stand at its value's line and say
    how to mend it.
    """
    refused: dict[str, str] = {}
    left = list(enumerate(values))
    while True:
        lines = [line(number, scalar(value)) for number, value in left]
        assert not any("\n" in item for item in lines)
        loaded = load(head + "".join(f"{item}\n" for item in lines) + tail, "manifest.yaml")
        errors = [item for item in loaded.diagnostics if item.severity is Severity.ERROR]
        if not errors:
            assert loaded.manifest is not None
            return Sorted(loaded.manifest, tuple(value for _, value in left), refused)
        first = head.count("\n") + 1
        found = {}
        for item in errors:
            assert item.span is not None, item
            assert item.span.line is not None, item
            assert item.hint, item
            assert 0 <= item.span.line - first < len(left), item
            found[item.span.line - first] = item.code
        refused.update({left[index][1]: code for index, code in found.items()})
        left = [pair for index, pair in enumerate(left) if index not in found]


def counted(what: str, values: Sequence[str], refused: dict[str, str], *, accepted: int = 1900) -> None:
    """Print how many distinct values were tried, and hold that they are many."""
    codes = ", ".join(f"{code} {list(refused.values()).count(code)}" for code in sorted(set(refused.values())))
    sys.stdout.write(f"{what}: {len(set(values))} distinct values, {len(refused)} refused ({codes or '-'})\n")
    assert len(set(values)) >= 2000
    assert len(set(values)) - len(refused) >= accepted
