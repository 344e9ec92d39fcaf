"""Where a manifest's files go, and the ways between them and the manifest that generated files name.

Links are followed first: a generated file is run from wherever it really lies, by programs of which some
follow ``..`` by name and some by folder, and only between real folders do both arrive at the same place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from posixpath import normpath
from typing import TypeAlias

from msgspec.structs import replace

from mngen.cli.inputs import STDIN, folder_of
from mngen.cli.request import DEFAULT_OUT, STDOUT, Request
from mngen.errors import UsageError
from mngen.manifest.model import Manifest

Real: TypeAlias = Callable[[Path], str]


def root_of(out: str, name: str, *, several: bool) -> Path:
    """Return the folder of one manifest's files; ``several`` says that one call renders more than one manifest."""
    return Path(out) / name if several else Path(out)


def real_folder(folder: Path) -> str:
    """Return a folder's absolute path without links."""
    return os.path.realpath(folder)


def require_no_input(root: Path, paths: Iterable[str], inputs: Iterable[str]) -> None:
    """Raise ``UsageError`` when a file below ``root`` that would be written is one that the manifest was read from.

    A link in the place of an output is replaced itself; what it leads to stays.
    """
    real = cache(real_folder)  # once for each folder
    read = {place: name for name in inputs for place in (os.path.realpath(name), _place(Path(name), real))}
    for path in paths:
        name = read.get(_place(root / path, real))
        if name is not None:
            hint = "choose another folder with -o, or another name for the file; --force does not overwrite it"
            raise UsageError(f"`{root / path}` would be overwritten, and `{name}` is read for this render", hint=hint)


def _place(path: Path, real: Real) -> str:
    return os.path.join(real(path.parent), path.name)  # noqa: PTH118 - of text, as realpath's result is


def placed(manifest: Manifest, request: Request, *, several: bool, real: Real) -> Manifest:
    """Return the manifest with the ways to its folder and back, and the options that give the same files again.

    What goes to standard output is written as for the default folder, since nobody knows where it will be
    unpacked. ``real`` is :func:`real_folder`, or remembers what that said. Raises ``UsageError`` where no way leads
    from one to the other: drives of Windows.
    """
    folder = real(folder_of("-" if manifest.file == STDIN else manifest.file))
    out = DEFAULT_OUT if request.out == STDOUT else request.out
    root = real(root_of(out, manifest.name, several=several))
    return replace(
        manifest,
        source=normpath(f"../{_way(folder, root)}"),
        out=_way(root, folder),
        options=tuple(_options(request, folder, real)),
    )


def _options(request: Request, folder: str, real: Real) -> Iterator[str]:
    """Yield overlays and settings, files as they are named from the manifest's folder."""
    for overlay in request.overlays:
        place = Path(overlay)
        way = overlay if overlay == "-" else _way(Path(real(place.parent), place.name), folder)
        yield from ("--overlay", way)
    for setting in request.sets:
        yield from ("--set", setting)


def _way(to: str | Path, start: str) -> str:
    try:
        way = os.path.relpath(to, start).replace(os.sep, "/")
    except ValueError as error:
        hint = "generated files name each other by relative paths; choose a folder on the manifest's drive"
        raise UsageError(f"no relative path leads from `{start}` to `{to}`", hint=hint) from error
    if not way.isascii() and any("\ud800" <= char <= "\udfff" for char in way):
        raise UsageError(f"`{way}` is not UTF-8, and generated files have to name it", hint="choose another folder")
    return way
