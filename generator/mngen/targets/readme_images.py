"""What the README of the output says of images: how each is built, and how nodes come by it."""

from __future__ import annotations

from pathlib import PurePath

from msgspec import Struct

from mngen.images import dockerfile, order
from mngen.images.plan import definition_path, folder
from mngen.launch.header import below_out
from mngen.launch.words import quote, word
from mngen.manifest.image import Image
from mngen.manifest.judging.image_use import built_image
from mngen.manifest.model import Manifest
from mngen.manifest.text import Text


class SifFile(Struct, frozen=True):
    """A file that targets start from and that is made of a described image."""

    targets: tuple[str, ...]
    command: str


def build_command(manifest: Manifest) -> str:
    """Return the command by which mngen builds the images."""
    out = () if manifest.out == "out" else ("-o", manifest.out)
    words = ("mngen", "build-image", manifest.file_name, *manifest.options, *out)
    return " ".join(quote(word) for word in words)


def by_hand(manifest: Manifest) -> tuple[str, ...]:
    """Return the commands that build the images without mngen, each as its Dockerfile has it."""
    return tuple(_built(manifest, image) for image in manifest.images.values())


def pulled(manifest: Manifest) -> tuple[str, ...]:
    """Return the references of built images that a target's nodes pull; the others start from a file."""
    used = (built_image(target) for target in manifest.targets if target.image is None)
    return tuple(dict.fromkeys(image.reference for image in used if image is not None))


def files(manifest: Manifest) -> tuple[SifFile, ...]:
    """Return the files that targets start from, each with what makes it and puts it into its place."""
    found: dict[str, list[str]] = {}
    for target in manifest.targets:
        image = built_image(target)
        if image is not None and target.image is not None and target.image.sif is not None:
            found.setdefault(_made(manifest, image, target.image.sif), []).append(target.name)
    return tuple(SifFile(tuple(names), command) for command, names in found.items())


def _built(manifest: Manifest, image: Image) -> str:
    return "\n".join(dockerfile.build_command(image, f"{below_out(manifest)}{folder(image)}/Dockerfile"))


def _made(manifest: Manifest, image: Image, place: Text) -> str:
    definition = f"{below_out(manifest)}{definition_path(image, manifest.name)}"
    how = "--builder apptainer" if image.apptainer else "--sif"
    one = f" --{image.variant}" if len(manifest.images) > 1 else ""
    stages = order.recipe(image).stages
    secrets = dict.fromkeys(name for stage in stages for name in order.layer_secrets(stage.layers))
    given = "".join(f" --secret id={quote(name)},src=FILE" for name in secrets)
    made = PurePath(definition).with_suffix(".sif").as_posix()
    return f"{build_command(manifest)}{one} {how}{given}\ncp {quote(made)} {word(place, _variable)}"


def _variable(name: str) -> str:
    """Return the shell's name of a placeholder that the node fills in: what the node's ``env`` has, this shell has."""
    return name.removeprefix("env.")
