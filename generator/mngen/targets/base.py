"""What a target module is: one kind of place to run, as a pure function from manifest to files."""

from __future__ import annotations

from typing import Protocol

from mngen.diagnostics import Diagnostic
from mngen.manifest.model import Manifest, Target
from mngen.plan import PlannedFile


class TargetModule(Protocol):
    """A module in ``mngen.targets``, or in another package through the entry-point group ``mngen.targets``.

    A module of another package may have ``schema``, a dict: the Draft 7 definition of its targets, with references to
    the published definitions (``#/definitions/resources``). Without one a target takes every field. Settings of its
    own are those below ``raw``.
    """

    kind: str
    """The manifest's ``kind`` that the module is for. Another package's is selected by its entry point's name."""
    api: int
    """Version of this protocol that the module was written for; currently 1."""

    def notes(self, target: Target, manifest: Manifest) -> list[Diagnostic]:
        """Say which fields have no effect on this kind, and refuse those that cannot be honoured."""
        ...

    def plan(self, target: Target, manifest: Manifest) -> tuple[PlannedFile, ...]:
        """Describe the files of one target; paths begin with the target's name."""
        ...

    def usage(self, target: Target, manifest: Manifest) -> tuple[tuple[str, str], ...]:
        """Commands for the README of the output: (what it does, the command), in order of use."""
        ...
