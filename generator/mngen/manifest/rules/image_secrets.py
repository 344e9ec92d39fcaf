"""Credentials of a build: mounted for one step, never part of the image."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.image import Image, Step
from mngen.manifest.image_description import texts
from mngen.manifest.judging.image_finding import image_finding
from mngen.manifest.model import Manifest
from mngen.manifest.token_shapes import looks_secret, token_in

_HINT = "give it to the build as a secret (image.secrets)"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def check(manifest: Manifest) -> Iterator[Diagnostic]:
    """Refuse secrets where no builder can mount them, and credentials in plain text."""
    for image in manifest.images.values():
        yield from _mounts(image)
        yield from _plain_text(image)
        yield from _steps_text(image)


def steps(image: Image) -> Iterator[tuple[str, Step]]:
    """Yield every shell text of an image with its field."""
    yield from ((f"steps.{index}", step) for index, step in enumerate(image.steps))
    yield from ((f"self_test.{index}", step) for index, step in enumerate(image.self_test))
    for number, stage in enumerate(image.stages):
        yield from ((f"stages.{number}.steps.{index}", step) for index, step in enumerate(stage.steps))


def _mounts(image: Image) -> Iterator[Diagnostic]:
    fields = ["secrets"] if image.secrets else []
    fields += [f"{field}.secrets" for field, step in steps(image) if step.secrets]
    for field in fields if image.builder == "classic" else ():
        message = f"image.{field}: the classic builder cannot mount a secret for one step"
        yield image_finding(image, "MN809", field, message, hint="write builder: buildkit, or builder: podman")


def _plain_text(image: Image) -> Iterator[Diagnostic]:
    for field, name, text in texts(image):
        what = token_in(f"{name}={text}")
        if what is not None:
            message = f"image.{field} seems to hold {what}; everybody who can pull the image could read it"
            yield image_finding(image, "MN810", field, message, hint=_HINT)
        elif looks_secret(name, text):
            message = f"image.{field} is named like a secret and has a value that looks like one"
            yield image_finding(image, "MN810", field, message, hint=_HINT)


def _steps_text(image: Image) -> Iterator[Diagnostic]:
    for field, step in steps(image):
        if _CONTROL.search(step.run):
            message = f"image.{field} holds a control character, which neither file format can hold"
            yield image_finding(image, "MN805", field, message, hint="write it as an escape: printf '\\033[0m'")
