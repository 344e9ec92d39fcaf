"""What the systems below mngen can and cannot do, by version: the capability table.

The facts are data, ``capabilities.json``: one row a line with the system it is about, the range of
versions in which its sentence holds, where that was read or how it was tried, and when. Rules ask the
table by row id, so that a new release is a change of data. ``run`` and ``source`` rows refuse a
manifest; an ``announced`` row only warns, because nobody has seen it yet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from mngen.data_files import folder
from mngen.diagnostics import Severity
from mngen.manifest.versions import Range, Version, parse_range, parse_version


class Capability(Struct, frozen=True, kw_only=True):
    """One row: in ``versions`` of ``subject``, the sentence ``holds`` is true."""

    id: str
    subject: str
    """``slurm``, ``ray``, ``apptainer``, ``pyxis``, ``docker``, ``podman``, ``skypilot``, ``dstack`` or ``gpu``;
    the versions of a ``gpu`` row are those of CUDA or ROCm."""
    versions: Range
    holds: str
    source: str
    """The page, thread or commit that says so."""
    seen: str
    """The month in which it was tried or read, ``YYYY-MM``."""
    status: str
    """``run`` (tried), ``source`` (read in the source or manual) or ``announced``."""
    option: str | None = None
    """The option or dotted field that the row is about, where a rule looks rows up by it."""
    vendor: str | None = None
    arch: str | None = None

    @property
    def severity(self) -> Severity:
        """How a rule may use the row: refuse, or only warn."""
        return Severity.WARNING if self.status == "announced" else Severity.ERROR


class Gpu(Struct, frozen=True):
    """A GPU model: its vendor (``nvidia`` or ``amd``) and architecture (``9.0``, ``gfx942``)."""

    name: str
    vendor: str
    arch: str


@cache
def _data() -> Mapping[str, Any]:
    text = folder("mngen.manifest").joinpath("capabilities.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))


@cache
def rows() -> Mapping[str, Capability]:
    """Return all rows by id, in the order of the file."""
    parsed = (Capability(**{**row, "versions": parse_range(row["versions"])}) for row in _data()["rows"])
    return MappingProxyType({row.id: row for row in parsed})


@cache
def covered(subject: str) -> Range:
    """Return the versions of a system that the table was made for; outside of them it may be wrong."""
    return parse_range(_data()["covers"].get(subject, "*"))


@cache
def subjects() -> Mapping[str, Range]:
    """Return every system with a covered range."""
    return MappingProxyType({name: parse_range(text) for name, text in _data()["covers"].items()})


def capability(row_id: str) -> Capability:
    """Return one row. Raises ``KeyError`` for an unknown id, which is a mistake in a rule."""
    return rows()[row_id]


def holds(row_id: str, version: str | Version | None) -> bool | None:
    """Tell whether a row's sentence is true of a version; ``None`` when the version is unknown."""
    if isinstance(version, str):
        version = parse_version(version)
    return None if version is None else version in capability(row_id).versions


@cache
def by_option(subject: str) -> Mapping[str, Capability]:
    """Return the rows of a system that are about one option or field, by that option."""
    return MappingProxyType({row.option: row for row in rows().values() if row.subject == subject and row.option})


@cache
def gpus() -> Mapping[str, Gpu]:
    """Return the known GPU models by name."""
    table = {}
    for key, names in _data()["gpus"].items():
        vendor, arch = key.split(" ")
        table.update({name: Gpu(name, vendor, arch) for name in names})
    return MappingProxyType(table)


def gpu(name: str) -> Gpu | None:
    """Return a GPU model by its name in any case, with ``_`` or a blank for ``-`` and perhaps more words after it.

    >>> gpu("A100_80GB").arch, gpu("h100-mega-80gb").name, gpu("gpu") is None
    ('8.0', 'h100', True)
    """
    words = name.strip().lower().replace("_", "-").replace(" ", "-").split("-")
    for count in range(len(words), 0, -1):
        found = gpus().get("-".join(words[:count])) or gpus().get("".join(words[:count]))
        if found is not None:
            return found
    return None


@cache
def accelerators(subject: str) -> tuple[str, ...]:
    """Return the models that a client's catalogue has, as it spells them."""
    return tuple(_data()["accelerators"][subject]["names"])


def toolkit(vendor: str, arch: str) -> Capability | None:
    """Return the row that says which CUDA or ROCm builds for an architecture."""
    prefix = f"sm_{arch.replace('.', '')}" if vendor == "nvidia" else arch
    return rows().get(f"gpu-{prefix}")
