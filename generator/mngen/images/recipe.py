"""The layers of an image in order, free of any file format: what both back ends write out.

Each layer says what is wanted, not how: a back end expresses it or the rules refuse it. Comments
travel with the layers so that both files explain themselves in the same words. ``origin`` is the field
that a layer is made from, by its path below ``image``; a failing build names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from mngen.manifest.image import FileCopy, Step, User


class Variable(Struct, frozen=True, kw_only=True):
    """One variable. ``build`` ones end with the build; ``prepend`` keeps the old value behind a colon."""

    name: str
    value: str
    build: bool = False
    prepend: bool = False


class Command(Struct, frozen=True, kw_only=True):
    """One command line. Each inner tuple is a line of words."""

    lines: tuple[tuple[str, ...], ...]


class Variables(Struct, frozen=True, kw_only=True):
    """Variables from here on."""

    why: str
    variables: tuple[Variable, ...]
    origin: str = ""


class Copies(Struct, frozen=True, kw_only=True):
    """Files and folders from beside the manifest or from another stage."""

    why: str
    files: tuple[FileCopy, ...]
    origin: str = ""


class SystemPackages(Struct, frozen=True, kw_only=True):
    """Packages of the distribution, without leaving package lists behind."""

    why: str
    packages: tuple[str, ...]
    options: tuple[str, ...] = ()
    """What each ``apt-get`` gets besides."""
    secrets: tuple[str, ...] = ()
    origin: str = ""


class Commands(Struct, frozen=True, kw_only=True):
    """Commands that run in one shell; the first failure ends the build."""

    why: str
    commands: tuple[Command, ...]
    secrets: tuple[str, ...] = ()
    guard: str = ""
    """The layer's name for the torch guard; empty: not checked."""
    origin: str = ""


class PipInstall(Struct, frozen=True, kw_only=True):
    """``pip install`` with these words, one inner tuple a line, in the current folder."""

    why: str
    lines: tuple[tuple[str, ...], ...]
    env: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    guard: str = ""
    origin: str = ""


class WriteFile(Struct, frozen=True, kw_only=True):
    """A small file whose text is part of the recipe."""

    why: str
    path: str
    lines: tuple[str, ...]
    origin: str = ""


class UserStep(Struct, frozen=True, kw_only=True):
    """The user's own shell text."""

    why: str
    step: Step
    guard: str = ""
    origin: str = ""


class SelfTest(Struct, frozen=True, kw_only=True):
    """Shell text that must succeed in the finished image, as the user that it runs as."""

    why: str
    step: Step
    origin: str = ""


class WorkingDirectory(Struct, frozen=True, kw_only=True):
    """The folder (made if absent) that later layers run in; the last one is where a container starts."""

    why: str
    path: str
    origin: str = ""


class Account(Struct, frozen=True, kw_only=True):
    """Who the image runs as under Docker; Apptainer always runs as the caller."""

    user: User | None
    arbitrary_uid: bool
    folders: tuple[str, ...]
    origin: str = ""


class Labels(Struct, frozen=True, kw_only=True):
    """Metadata that a registry and ``inspect`` show."""

    why: str
    labels: Mapping[str, str]
    origin: str = ""


Layer: TypeAlias = (
    Variables
    | Copies
    | SystemPackages
    | Commands
    | PipInstall
    | WriteFile
    | UserStep
    | SelfTest
    | WorkingDirectory
    | Account
    | Labels
)


class BuildStage(Struct, frozen=True, kw_only=True):
    """One ``FROM``: an unnamed stage is the image itself. Without layers only its base's files are taken."""

    name: str
    base: str
    layers: tuple[Layer, ...]
    origin: str = "base"


class Recipe(Struct, frozen=True, kw_only=True):
    """All stages, the shipped one last."""

    stages: tuple[BuildStage, ...]
    workdir: str

    @property
    def final(self) -> BuildStage:
        """The stage that is shipped."""
        return self.stages[-1]
