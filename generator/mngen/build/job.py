"""One image to build: from what, under which names, and with which of the builder's abilities."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from msgspec import Struct, field

from mngen.images import order
from mngen.manifest.image import Image


class Job(Struct, frozen=True, kw_only=True):
    """What a builder is asked for. Paths are as the process sees them."""

    image: Image
    dockerfile: str
    definition: str
    """The Apptainer definition file."""
    context: str
    """The folder that is sent to the builder: the manifest's."""
    tags: tuple[str, ...] = ()
    """Further references of the same image."""
    push: bool = False
    secrets: Mapping[str, str] = field(default_factory=dict)
    """By id, what follows ``id=ID,``: ``src=FILE`` or ``env=NAME``."""
    cache_to: tuple[str, ...] = ()
    cache_from: tuple[str, ...] = ()
    platform: str = ""
    no_cache: bool = False
    epoch: str = ""
    """SOURCE_DATE_EPOCH: seconds that stand for the time of the build (https://reproducible-builds.org/specs/)."""

    @property
    def sif(self) -> str:
        """Where a SIF of the image goes: beside its definition file."""
        return PurePath(self.definition).with_suffix(".sif").as_posix()

    @property
    def references(self) -> tuple[str, ...]:
        """Every name that the image gets, the manifest's first."""
        return tuple(dict.fromkeys((self.image.reference, *self.tags)))


def secret_ids(image: Image) -> tuple[str, ...]:
    """Return the ids of all build secrets that an image's steps read."""
    found = [name for stage in order.recipe(image).stages for name in order.layer_secrets(stage.layers)]
    return tuple(dict.fromkeys(found))


def tested_ids(image: Image) -> tuple[str, ...]:
    """Return the ids of those that the self-tests of the finished image read."""
    return order.tested_secrets(order.recipe(image).final.layers)
