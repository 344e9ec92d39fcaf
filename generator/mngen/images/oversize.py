"""What the readers of an image's files, or the kernel, find too large: refused here, with the field that it is from.

A line of a Dockerfile and a section of a definition file are tokens of Go's ``bufio.Scanner``, whose buffer has 64 KiB
(``frontend/dockerfile/parser/parser.go`` of https://github.com/moby/buildkit, which Docker's classic builder uses too,
and the copy of it in https://github.com/openshift/imagebuilder, podman's; ``pkg/build/types/parser/deffile.go`` of
https://github.com/apptainer/apptainer). A RUN is one argument of its shell, with the here-document that it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mngen.diagnostics import Diagnostic
from mngen.images import apptainer, order
from mngen.images.definition_layers import export, post_lines
from mngen.images.docker_layers import LayerWriter
from mngen.images.plan import definition_path, folder
from mngen.images.recipe import BuildStage, Labels, Layer, SelfTest, Variables
from mngen.manifest.image import FileCopy, Image
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest
from mngen.manifest.said import bracketed
from mngen.plan import RenderedFile

BUFFER = 64 * 1024
"""Bytes of ``bufio.MaxScanTokenSize``, with the line break of a line."""
ARGUMENT = 131071
"""Bytes of one argument, without its NUL: ``MAX_ARG_STRLEN`` of Linux, execve(2)."""
_VARIABLE = r"\s*(?:ENV|ARG|export) (\w+)="
_EXPORTS = r"(?:RUN|   ) export "
_LABEL = r"\s*(?:LABEL |printf '%s %s\\n' )([a-z0-9._-]+)"
_HINT = "keep long text in a file beside the manifest; `files` copies it into the image"


def findings(manifest: Manifest, files: Sequence[RenderedFile]) -> Iterator[Diagnostic]:
    """Yield an error for everything in the rendered files of images that cannot be built."""
    texts = {file.path: file.text for file in files}
    for image in manifest.images.values():
        # Files are small as a rule, and then nothing is laid out again.
        if _size(texts.get(f"{folder(image)}/Dockerfile", "")) > BUFFER:
            yield from map(bracketed, _dockerfile(image))
        definition = texts.get(definition_path(image, manifest.name), "")
        if _size(definition) > BUFFER - 1:
            yield from map(bracketed, _definition(image, definition))


def _dockerfile(image: Image) -> Iterator[Diagnostic]:
    writer, told = LayerWriter(image), set()
    built: dict[str, int] = {}
    for layer in (layer for stage in order.recipe(image).stages for layer in stage.layers):
        if isinstance(layer, Variables):
            built |= {_field(image, layer, f"ARG {v.name}="): _size(v.value) for v in layer.variables if v.build}
        lines = "\n".join(writer.lines(layer)).split("\n")
        for line in lines:
            # Where ARG does not do, each RUN begins with all variables of the build.
            exports = built and image.builder != "buildkit" and re.match(_EXPORTS, line)
            field = max(built, key=lambda name: built[name]) if exports else _field(image, layer, line)
            if _size(line) + 1 > BUFFER and field not in told:
                told.add(field)
                message = f"image.{field} makes a line of {_size(line)} bytes in the Dockerfile; builders read lines"
                yield image_finding(image, "MN818", field, f"{message} of at most {BUFFER - 1}", hint=_HINT)
        run = _run(lines)
        if run > ARGUMENT and layer.origin not in told:
            message = f"image.{layer.origin} makes a RUN of {run} bytes in the Dockerfile; Linux gives a process"
            message = f"{message} at most {ARGUMENT} in one item"
            yield image_finding(image, "MN818", layer.origin, message, hint=_HINT)


def _run(lines: Sequence[str]) -> int:
    """Return the bytes that a shell gets of a layer's RUN: all of it but its mounts, lines joined."""
    at = next((number for number, line in enumerate(lines) if line.startswith("RUN ")), len(lines))
    size = 0
    for line in lines[at:]:
        text = line.removeprefix("RUN ")
        if not text.lstrip().startswith("--mount="):
            size += _size(text.removesuffix("\\")) if text.endswith(" \\") else _size(text) + 1
    return size - 1


def _definition(image: Image, text: str) -> Iterator[Diagnostic]:
    parts = re.split(r"(?mi)^(?=bootstrap:)", text)[1:]
    for stage, part in zip(order.recipe(image).stages, parts, strict=True):
        for name, size, room in _sections(part):
            if size > room:
                field = _largest(image, stage, name)
                what = f"image.{field} and what is beside it make {size} bytes of %{name} in the definition file"
                message = f"{what}; Apptainer reads sections of at most {room}"
                hint = f"{_HINT}; or write apptainer: false"
                yield image_finding(image, "MN818", field, message, hint=hint)


def _sections(part: str) -> Iterator[tuple[str, int, int]]:
    """Yield each section of a stage, its bytes, and how many it may have: the line that follows has to fit as well."""
    found = re.split(r"(?m)^(?=%)", part)
    for section, after in zip(found, [*found[1:], ""], strict=True):
        room = BUFFER - _size(after.partition("\n")[0]) - 1
        name = re.match(r"%(\w+)", section)
        if name:
            yield name[1], _size(section), room


def _largest(image: Image, stage: BuildStage, section: str) -> str:
    """Return the field that most of a section is made from."""
    if section == "environment":
        parts = {
            _field(image, layer, line): _size(line)
            for layer in stage.layers
            if isinstance(layer, Variables)
            for line in map(export, layer.variables)
        }
        return max(parts, key=lambda field: parts[field])
    if section == "test":
        return max((x for x in stage.layers if isinstance(x, SelfTest)), key=lambda layer: _size(layer.step.run)).origin
    if section != "post":
        return section
    staged = apptainer.staged(stage)
    layer = max(stage.layers, key=lambda layer: _size("\n".join(post_lines(layer, staged))))
    return _field(image, layer, _longest(layer, staged))


def _longest(layer: Layer, staged: Mapping[FileCopy, str]) -> str:
    return max(post_lines(layer, staged), key=_size)


def _field(image: Image, layer: Layer, line: str) -> str:
    """Return the field that a line of a layer is made from, as closely as the manifest names it."""
    name = re.match(_VARIABLE, line) if isinstance(layer, Variables) else None
    if isinstance(layer, Labels):
        name = re.match(_LABEL, line)
    if name is None:
        return layer.origin
    fields = (f"{layer.origin}.{name[1]}", f"env.image.{name[1]}", f"env.build.{name[1]}")
    return next((field for field in fields if field in image.spans), layer.origin)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
