"""From a manifest to the files of its images."""

from __future__ import annotations

import re

from msgspec import Struct

from mngen.images import apptainer, constraints, dockerfile, order
from mngen.manifest.image import Image
from mngen.manifest.model import Manifest
from mngen.plan import Language, PlannedFile, UserText

GROUP = "images"


class FileText(Struct, frozen=True):
    """The context of a file that is built as text: back ends quote by the rules of their own formats."""

    text: str


def plan(manifest: Manifest) -> tuple[PlannedFile, ...]:
    """Return the files of every described image; none when the manifest only uses ready ones."""
    return tuple(
        planned for image in manifest.images.values() for planned in _image(image, manifest.name, manifest.file_name)
    )


def slug(name: str) -> str:
    """Return a name as a file name: lower case, anything unusual becomes a dash."""
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-.") or "image"


def folder(image: Image) -> str:
    """Return the folder of an image's files below the output folder."""
    return f"{GROUP}/{image.variant}"


def definition_path(image: Image, name: str) -> str:
    """Return the place of the definition file; ``name`` is the manifest's."""
    return f"{folder(image)}/{slug(name)}.def"


def _image(image: Image, name: str, file_name: str) -> tuple[PlannedFile, ...]:
    user_texts = tuple(_user_texts(image))
    files = [
        _file(f"{folder(image)}/Dockerfile", Language.DOCKERFILE, dockerfile.text(image, file_name), user_texts),
        _file(f"{folder(image)}/Dockerfile.dockerignore", Language.TEXT, dockerfile.dockerignore(image, file_name)),
        _file(f"{folder(image)}/constraints.txt", Language.TEXT, constraints.text(image, file_name)),
    ]
    if image.apptainer:
        text = apptainer.text(image, file_name)
        files.insert(2, _file(definition_path(image, name), Language.APPTAINER, text, user_texts))
    return tuple(files)


def _file(path: str, language: Language, text: str, user_texts: tuple[UserText, ...] = ()) -> PlannedFile:
    return PlannedFile(
        path=path,
        language=language,
        template="text.j2",
        context=FileText(text),
        user_texts=user_texts,
        group=GROUP,
    )


def _user_texts(image: Image) -> list[UserText]:
    return [
        UserText(
            name=f"image step {step.name}".rstrip(),
            text=step.run,
            span=step.span,
            literal_block=step.literal_block,
        )
        for step in order.all_steps(image)
    ]
