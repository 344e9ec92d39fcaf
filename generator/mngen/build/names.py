"""Where an image reference leads: the registry's host, and the repository there."""

from __future__ import annotations

from msgspec import Struct

from mngen.manifest.base_image import at_registry, parse_reference


class Location(Struct, frozen=True):
    """A reference in the parts that a registry's interface takes."""

    host: str
    path: str
    tag: str
    digest: str

    @property
    def name(self) -> str:
        """Host and path, without tag or digest."""
        return f"{self.host}/{self.path}"


def location(reference: str) -> Location | None:
    """Return where a reference leads, or ``None`` when it is none.

    Without tag and digest, the tag is ``latest``.
    """
    found = parse_reference(reference)
    if found is None:
        return None
    host, path = at_registry(found.name)
    return Location(host, path, found.tag or ("" if found.digest else "latest"), found.digest)


def registry_of(reference: str) -> str:
    """Return the host of a reference's registry; empty when it is no reference."""
    found = location(reference)
    return found.host if found else ""
