"""YAML documents for other systems: from plain data to text, with comments and the manifest's ``raw`` merged in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from mngen.manifest.model import Target
from mngen.plan import Language, PlannedFile, Raw

_EMPTY: tuple[Any, ...] = (None, {}, [], "")


class _Dumper(yaml.SafeDumper):
    """Writes lists indented below their key, as people do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent sequences too."""
        del indentless
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: object) -> bool:
        """Write out what stands at two places at both: an anchor is for people who write, not for readers."""
        del data
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    """Escape what YAML 1.1 takes for a line break: only double quotes keep it. Texts of several lines are blocks."""
    style = '"' if any(char in value for char in "\x85\u2028\u2029") else "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def merge(base: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Lay ``raw`` over ``base``: maps merge, lists are appended, everything else replaces.

    A list that replaced the generated one would take away what the job cannot do without, such as the
    entry of ``files`` that carries its script.
    """
    out = dict(base)
    for key, value in raw.items():
        old = out.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            out[key] = merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            out[key] = [*old, *(item for item in value if item not in old)]
        else:
            out[key] = value
    return out


def clashes(base: Mapping[str, Any], raw: Mapping[str, Any], path: str = "raw") -> Iterator[tuple[str, str]]:
    """Yield each place where ``raw`` has something else than the map or list that it would be laid over, and which."""
    for key, value in raw.items():
        old, here = base.get(key), f"{path}.{key}"
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            yield from clashes(old, value, here)
        elif isinstance(old, Mapping):
            yield here, "map"
        elif isinstance(old, list) and not isinstance(value, list):
            yield here, "list"


def without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out keys without a value, at the top."""
    return {key: value for key, value in data.items() if value not in _EMPTY}


def body(data: Mapping[str, Any], comments: Mapping[str, str] | None = None) -> Raw:
    """Return data as YAML; keys keep their order.

    ``comments`` has words to stand above a key, by its dotted path (``config.docker``); those of absent keys
    are left out.
    """
    return Raw("\n".join(_lines(data, comments or {})) + "\n")


def text(header: Sequence[str], data: Mapping[str, Any]) -> Raw:
    """Return a plain document below its header; empty values are left out."""
    return Raw("\n".join([*header, "", body(without_empty(data))]))


def _lines(data: Mapping[str, Any], comments: Mapping[str, str], path: str = "", indent: str = "") -> Iterator[str]:
    plain: dict[str, Any] = {}  # written in one go: setting up a dump costs more than writing a key
    for key, value in data.items():
        here = f"{path}{key}"
        nested = isinstance(value, Mapping) and any(other.startswith(f"{here}.") for other in comments)
        if nested or here in comments:
            yield from _dump(plain, indent)
            plain = {}
        if here in comments:
            yield from (f"{indent}# {line}" for line in comments[here].split("\n"))
        if nested:
            yield f"{indent}{_dump(key)[0]}:"
            yield from _lines(value, comments, f"{here}.", f"{indent}  ")
        else:
            plain[key] = value
    yield from _dump(plain, indent)


def _dump(data: Any, indent: str = "") -> list[str]:
    """Return the lines of a value; none for an empty map."""
    if data == {}:
        return []
    options: dict[str, Any] = {"sort_keys": False, "default_flow_style": False, "width": 100, "allow_unicode": True}
    dumped: str = yaml.dump(data, Dumper=_Dumper, **options)
    return [f"{indent}{line}" for line in dumped.rstrip("\n").split("\n")]


def file(target: Target, name: str, content: Raw) -> PlannedFile:
    """Return a plain document as a planned file."""
    return _planned(target, name, "text.j2", {"text": content})


def described(target: Target, name: str, header: Sequence[str], content: Raw) -> PlannedFile:
    """Return a document of the target's own system as a planned file, by the template of its name."""
    return _planned(target, name, f"{target.kind}/{name}.j2", {"header": tuple(header), "body": content})


def _planned(target: Target, name: str, template: str, context: Mapping[str, Any]) -> PlannedFile:
    path = f"{target.name}/{name}"
    return PlannedFile(path=path, language=Language.YAML, template=template, context=context, group=target.name)
