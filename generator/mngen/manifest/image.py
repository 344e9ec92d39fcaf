"""The description of an image to build, independent of Dockerfile or definition file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """One variant of the manifest's ``image`` section, merged; see the schema for each field."""

    variant: str
    repository: str
    tag: str
    base: str
    gpu_arch: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """``repository:tag``, what is pushed and pulled."""
        return f"{self.repository}:{self.tag}"
