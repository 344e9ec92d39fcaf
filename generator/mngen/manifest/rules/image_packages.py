"""Python packages of an image: each version once, in pip's own notation, from an index that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic, Severity
from mngen.manifest.base_image import toolkit_version
from mngen.manifest.image import Image
from mngen.manifest.model import Manifest
from mngen.manifest.rules.image_finding import image_finding

_PIN = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*===?\s*([^;,\s]+)\s*")
_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "HEAD", "nightly", "stable"})


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse contradicting pins and comments in requirements; warn about sources that move."""
    for image in manifest.images.values():
        yield from _pins(image)
        yield from _comments(image)
        yield from _index(image)
        yield from _moving(image)


def _requirements(image: Image) -> Iterator[tuple[str, str]]:
    yield from ((f"torch.packages.{index}", text) for index, text in enumerate(image.torch.packages))
    yield from ((f"pip.packages.{index}", text) for index, text in enumerate(image.pip.packages))


def _pins(image: Image) -> Iterator[Diagnostic]:
    seen: dict[str, str] = {"torch": image.torch.version} if image.torch.version else {}
    for field, text in _requirements(image):
        match = _PIN.fullmatch(text)
        if match is None:
            continue
        name = re.sub(r"[-_.]+", "-", match[1]).lower()
        version = match[2].partition("+")[0] if name == "torch" else match[2]
        if seen.setdefault(name, version) != version:
            message = f"image.{field} asks for {name} {version}, but {name} {seen[name]} is asked for as well"
            yield image_finding(image, "MN811", field, message, hint="keep one version")


def _comments(image: Image) -> Iterator[Diagnostic]:
    for field, text in _requirements(image):
        if re.search(r"\s#|^#", text):
            message = f"image.{field} is {text!r}: pip reads nothing after the #"
            yield image_finding(image, "MN812", field, message, hint="end the YAML quotes before the comment")


def _index(image: Image) -> Iterator[Diagnostic]:
    if image.torch.wheel_index and not (image.toolkit or toolkit_version(image.base, image.variant)):
        message = f"image.torch.wheel_index needs the version of the base {image.base}, whose tag does not tell"
        yield image_finding(image, "MN814", "torch.wheel_index", message, hint='write toolkit: "12.8" into the variant')


def _moving(image: Image) -> Iterator[Diagnostic]:
    for index, source in enumerate(image.git):
        if source.ref in _BRANCHES:
            field = f"git.{index}.ref"
            message = f"image.{field} is {source.ref}, a branch: the next build takes other source"
            hint = "write a tag, or the full commit id"
            yield image_finding(image, "MN813", field, message, hint=hint, severity=Severity.WARNING)
