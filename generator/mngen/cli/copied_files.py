"""What images copy, as it lies beside the manifest by now: nothing that is wrong with it is more than a warning.

Files may be made between a render and a build. Apptainer copies what links lead to (``cp -fLr`` in
``internal/pkg/build/files/copy.go`` of https://github.com/apptainer/apptainer), builders of Dockerfiles the links.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.image import FileCopy, Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest
from mngen.manifest.said import bracketed

_MOST = 10_000
"""So many entries of a folder are looked at."""


def findings(manifest: Manifest, folder: Path) -> tuple[Diagnostic, ...]:
    """Return a warning for each source that a build from this folder would not find, or not copy alike everywhere."""
    found = (one for image in manifest.images.values() for one in _of_image(image, folder))
    return tuple(dict.fromkeys(map(bracketed, found)))


def _of_image(image: Image, folder: Path) -> Iterator[Diagnostic]:
    for field, item in _copies(image):
        place = folder / item.source
        if not os.path.lexists(place):
            hint = "it is looked for beside the manifest; make it before the image is built"
            yield _warning(image, field, f"image.{field} is not there: {place}", hint)
        elif item.folder and not place.is_dir():
            yield _warning(image, field, f"image.{field} is no folder: {place}", "remove the `/` at its end")
        elif item.mode and place.is_dir():
            mode = f"{field.rpartition('.')[0]}.mode"
            message = f"image.{mode} is for a file, and {place} is a folder"
            yield _warning(image, mode, message, "remove it, or set modes in a step")
        elif image.apptainer:
            yield from _links(image, field, folder, place)


def _copies(image: Image) -> Iterator[tuple[str, FileCopy]]:
    """Yield everything that is copied from beside the manifest, with the field that names it."""
    lists = {"files": image.files, **{f"stages.{n}.files": stage.files for n, stage in enumerate(image.stages)}}
    for field, files in lists.items():
        yield from ((f"{field}.{number}.source", item) for number, item in enumerate(files) if not item.stage)
    for number, source in enumerate(image.pip.constraints):
        yield f"pip.constraints.{number}", FileCopy(source=source, target="/")


def _links(image: Image, field: str, folder: Path, place: Path) -> Iterator[Diagnostic]:
    """Yield a warning for the first link that Apptainer does not copy as it is; one that stays inside is the same."""
    for link, inside in _all_links(folder, place):
        if not link.exists():
            what = "leads nowhere, at which Apptainer ends the build"
        elif os.path.relpath(os.path.realpath(link), os.path.realpath(inside)).startswith(".."):
            what = f"leads out of {inside}; Apptainer copies what it leads to, Docker the link"
        else:
            continue
        hint = "copy the file itself there, or write apptainer: false"
        yield _warning(image, field, f"image.{field}: the link {link} {what}", hint)
        return


def _all_links(folder: Path, place: Path) -> Iterator[tuple[Path, Path]]:
    """Yield links, each with the folder that it should not lead out of."""
    if place.is_symlink():
        yield place, folder
    entries = (Path(at) / name for at, folders, files in os.walk(place) for name in sorted((*folders, *files)))
    yield from ((entry, place) for entry in islice(entries, _MOST) if entry.is_symlink())


def _warning(image: Image, field: str, message: str, hint: str) -> Diagnostic:
    return image_finding(image, "MN820", field, message, hint=hint, severity=Severity.WARNING)
