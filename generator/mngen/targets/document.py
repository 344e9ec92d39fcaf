"""YAML documents for other systems: from plain data to text, with the manifest's ``raw`` merged in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from mngen.manifest.model import Target
from mngen.plan import Language, PlannedFile, Raw


class _Dumper(yaml.SafeDumper):
    """Writes lists indented below their key, as people do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent sequences too."""
        del indentless
        super().increase_indent(flow, False)


def merge(base: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Lay ``raw`` over ``base``: maps merge, everything else replaces."""
    out = dict(base)
    for key, value in raw.items():
        old = out.get(key)
        out[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return out


def text(header: Sequence[str], data: Mapping[str, Any]) -> Raw:
    """A document with its header comment; keys keep their order, empty values are left out."""
    full = {key: value for key, value in data.items() if value not in (None, {}, [], "")}
    body = yaml.dump(full, Dumper=_Dumper, sort_keys=False, default_flow_style=False, width=100, allow_unicode=True)
    return Raw("\n".join(header) + "\n\n" + body)


def file(target: Target, name: str, content: Raw) -> PlannedFile:
    """A document as a planned file."""
    return PlannedFile(
        path=f"{target.name}/{name}",
        language=Language.YAML,
        template="text.j2",
        context={"text": content},
        group=target.name,
    )
