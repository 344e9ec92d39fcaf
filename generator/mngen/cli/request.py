"""What the command line asks of the pipeline, beyond the manifests themselves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from msgspec import Struct

STDOUT = "-"
DEFAULT_OUT = "out"


class Request(Struct, frozen=True, kw_only=True):
    """Which targets, what is laid over the manifest, where files go, and how strictly the result is judged."""

    targets: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    out: str = DEFAULT_OUT
    """The output folder as it was named, or ``STDOUT``."""
    lint: bool = True
    strict: bool = False

    @property
    def complete(self) -> bool:
        """Tell whether whole manifests are meant, not some of their targets."""
        return not self.targets

    def words(self) -> Iterator[str]:
        """Yield the options that give the same files again."""
        for option, values in (("--target", self.targets), ("--overlay", self.overlays), ("--set", self.sets)):
            for value in values:
                yield from (option, value)


def render_command(manifests: tuple[str, ...], out: str, request: Request, *, force: bool = False) -> str:
    """Return the ``mngen render`` line that brings an output folder up to date."""
    words = ["mngen", "render", *manifests, *request.words(), "-o", out, *(["--force"] if force else [])]
    return shlex.join(words)
