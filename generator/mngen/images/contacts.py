"""Who is asked while an image is built: read off the recipe, layer by layer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.images import fetching, order
from mngen.images.recipe import (
    BuildStage,
    Commands,
    Layer,
    PipInstall,
    SelfTest,
    SystemPackages,
    UserStep,
    Variables,
)
from mngen.manifest.base_image import parse_reference
from mngen.manifest.contacts import Contact, Origin, asked_by_default
from mngen.manifest.image import Image
from mngen.manifest.mirrors import HUGGING_FACE, PYPI, instead

_UBUNTU = ("http://archive.ubuntu.com/ubuntu", "http://security.ubuntu.com/ubuntu")
_UBUNTU_ARM = ("http://ports.ubuntu.com/ubuntu-ports",)
_DEBIAN = ("http://deb.debian.org/debian", "http://deb.debian.org/debian-security")
_CUDA = ("https://developer.download.nvidia.com/compute/cuda/repos",)
_ROCM = ("https://repo.radeon.com/rocm/apt", "https://repo.radeon.com/amdgpu")
"""What source files of published bases name."""
_APT = re.compile(r"\bapt(-get)?\s+(-\S+\s+)*(update|install)\b")


def contacts(image: Image) -> Iterator[Contact]:
    """Yield every host that building and pushing an image asks."""
    stages = order.recipe(image).stages
    named = {stage.name for stage in stages}
    for stage in stages:
        if stage.base not in named - {""}:
            yield from _origin(image, stage.origin).image(stage.base)
        for layer in stage.layers:
            yield from _layer(image, stage, layer)
    if image.mirrors.git:
        for url in image.mirrors.git.values():
            yield from _told(image, "mirrors.git").text(url)
    yield from _origin(image, "repository").image(image.reference)


def _origin(image: Image, path: str, how: str = "field") -> Origin:
    written = re.sub(r"\.(\d+)", r"[\1]", path)
    return Origin("build", f"image.{written}" if written else "image", image.variant, how)


def _told(image: Image, field: str) -> Origin:
    return Origin("build", field, image.variant, "mirror")


def _layer(image: Image, stage: BuildStage, layer: Layer) -> Iterator[Contact]:
    match layer:
        case SystemPackages():
            yield from _packages(image, stage, layer.origin)
        case Commands():
            yield from _commands(image, layer)
        case PipInstall():
            yield from _pip(image, layer)
        case Variables():
            yield from _variables(image, layer)
        case UserStep() | SelfTest():
            yield from _step(image, stage, layer)
        case _:
            pass


def _packages(image: Image, stage: BuildStage, path: str) -> Iterator[Contact]:
    origin, places = _origin(image, path, "default"), tuple(_package_sources(image, stage.base))
    for place in places:
        yield from origin.text(place)
    if not places and not image.mirrors.apt:
        yield from origin.unknown(f"the package sources that {stage.base} has")


def _commands(image: Image, layer: Commands) -> Iterator[Contact]:
    if layer.origin == "mirrors.apt":
        for url in image.mirrors.apt.values():
            yield from _told(image, layer.origin).text(url)
        return
    words = [word for command in layer.commands for line in command.lines for word in line]
    yield from _origin(image, layer.origin).text("\n".join(words))


def _pip(image: Image, layer: PipInstall) -> Iterator[Contact]:
    """Yield what pip asks: also ``--no-deps -e .`` does, for what the build itself requires (PEP 517)."""
    words = [word for line in layer.lines for word in line]
    yield from _origin(image, layer.origin).text("\n".join(words))
    if not {"--index-url", "--no-index"} & set(words) and not {"--no-deps", "--no-build-isolation"} <= set(words):
        yield from _default(image, layer.origin, PYPI)


def _variables(image: Image, layer: Variables) -> Iterator[Contact]:
    own = fetching.variables(image.mirrors, ())
    for variable in layer.variables:
        told = own.get(variable.name) == variable.value
        yield from (_told(image, "mirrors") if told else _origin(image, layer.origin)).text(variable.value)


def _step(image: Image, stage: BuildStage, layer: UserStep | SelfTest) -> Iterator[Contact]:
    yield from _origin(image, layer.origin, "text").text(layer.step.run)
    for url in asked_by_default(layer.step.run):
        yield from _default(image, layer.origin, url)
    if _APT.search(layer.step.run):
        yield from _packages(image, stage, layer.origin)


def _default(image: Image, path: str, url: str) -> Iterator[Contact]:
    """Yield what a program asks by default, or the mirror that it is told of."""
    mirrors = image.mirrors
    place = mirrors.wheels(url)
    if place == url and url.endswith(HUGGING_FACE) and mirrors.huggingface:
        place = mirrors.huggingface
    yield from _origin(image, path, "default").text(place)


def _package_sources(image: Image, base: str) -> Iterator[str]:
    """Yield the package sources that a base is known to have; nobody but the base knows those of others."""
    reference = parse_reference(image.base if base == order.recipe(image).final.base else base)
    name, tag = (reference.name, reference.tag) if reference else (base, "")
    places: list[str] = []
    if re.search(r"(^|/)debian$", name):
        places += _DEBIAN
    if "ubuntu" in f"{name}:{tag}":
        places += _UBUNTU_ARM if image.platform.endswith("/arm64") else _UBUNTU
    if re.search(r"(^|/)nvidia/cuda$", name):
        places += _CUDA
    if re.search(r"(^|/)rocm/", name):
        places += _ROCM
    for place in places:
        yield instead(image.mirrors.apt, place.partition("://")[2]) or place
