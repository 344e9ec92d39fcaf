"""The plan: a pure description of the files to write, and the files once rendered.

A target turns a manifest into ``PlannedFile`` values; ``mngen.render`` turns those into
``RenderedFile`` values. Neither touches the disk.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from msgspec import Struct

from mngen.diagnostics import Span


class Language(Enum):
    """What a rendered file is written in; decides quoting, header comment and checks."""

    BASH = "bash"
    YAML = "yaml"
    DOCKERFILE = "dockerfile"
    APPTAINER = "apptainer"
    MARKDOWN = "markdown"
    TEXT = "text"


class UserText(Struct, frozen=True):
    """The user's own shell text inside a rendered file, with its place in the manifest."""

    name: str
    text: str
    span: Span | None
    literal_block: bool = False
    """True when the manifest holds it as a ``|`` block, so that lines map one to one."""
    linted: bool = True
    """False for a word of a command, of which only the syntax is mngen's business."""
    placeholders: tuple[tuple[str, str], ...] = ()
    """How each placeholder stands in ``text``, and in the manifest: ``${SCRATCH}`` for ``${{ env.SCRATCH }}``.

    The job ends where one has no value, before it runs the text.
    """


class PlannedFile(Struct, frozen=True, kw_only=True):
    """One file to write: ``path`` is relative to the output folder, in POSIX form.

    ``template`` names a file below ``templates/``; ``context`` is the template's own frozen
    ``Struct`` (its field names are the template's variables) or a plain mapping.
    """

    path: str
    language: Language
    template: str
    context: Any
    mode: int = 0o644
    user_texts: tuple[UserText, ...] = ()
    group: str = ""
    """The target (or ``images``) that the file belongs to; orphans are removed group by group."""


class Plan(Struct, frozen=True):
    """All files that one manifest asks for."""

    name: str
    files: tuple[PlannedFile, ...]
    groups: tuple[str, ...]
    """Every group that was planned in full, also those without files."""


class RenderedFile(Struct, frozen=True, kw_only=True):
    """A file's final text. ``mode`` is the permission bits that ops teams get."""

    path: str
    text: str
    language: Language
    mode: int = 0o644
    user_texts: tuple[UserText, ...] = ()
    group: str = ""


class RenderedTree(Struct, frozen=True):
    """Everything one manifest renders to, with the digest of its effective input."""

    name: str
    files: tuple[RenderedFile, ...]
    groups: tuple[str, ...]
    manifest_digest: str


class Raw(str):
    """Text that is already in the output's own language; templates insert it as it is."""

    __slots__ = ()
