"""A job that names its image by a tag may run another image on each node, and another one tomorrow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.checks.foreign.document import Document, Form, Found, Rule
from mngen.checks.foreign.pyxis_options import pyxis_values
from mngen.checks.foreign.script import Script
from mngen.diagnostics import Severity

_MOVING = re.compile(r":(?:latest|main|master|dev|devel|nightly|edge|stable)$")
_ENGINES = ("docker", "podman")
_BUILDS = frozenset({"build", "buildx", "tag", "load", "import", "commit"})
_SIF = ("apptainer exec", "apptainer run", "apptainer pull", "apptainer build")
_LOCAL = re.compile(r"^(?:localhost/|[./~-]|sha256:|[0-9a-f]{12,64}$|.*\.(?:sqsh|squashfs|sif|img)$)")
"""An image of this machine, a path or a file, an image's number."""
_DIGEST = "add the digest that was tested, `NAME:TAG@sha256:…`; `docker buildx imagetools inspect` shows it"
_IMPORT = "import it once to a file that all nodes see: `enroot import --output FILE.sqsh docker://NAME:TAG`"


def _check(document: Document) -> Iterator[Found]:
    named = [item for script in document.scripts for item in _in_script(script)]
    said: set[str] = set()
    steps = [item for script in document.scripts for item in _for_pyxis(script)]
    for reference, line in [*named, *steps, *_in_fields(document)]:
        image = reference.removeprefix("docker://").removeprefix("docker:")
        plain = not _LOCAL.match(image) and not set("$`{<*") & set(image)
        if image and plain and "@sha256:" not in image and image not in said:
            said.add(image)
            yield _found(image, line, _IMPORT if (reference, line) in steps else _DIGEST)


def _found(image: str, line: int, hint: str) -> Found:
    tagged = _is_tagged(image)
    moving = _moves(image)
    what = "has no tag, which means :latest" if not tagged else "is named by a tag, which its owner can move"
    return Found(
        line,
        f"`{image}` {what}: nodes that fetched it on different days run different images",
        hint,
        Severity.WARNING if moving else None,
    )


def _is_tagged(image: str) -> bool:
    return ":" in image.rpartition("#")[2].rpartition("/")[2]


def _moves(image: str) -> bool:
    return not _is_tagged(image) or _MOVING.search(image) is not None


def _in_script(script: Script) -> Iterator[tuple[str, int]]:
    # What a script builds or loads itself comes from no registry.
    local = any(call.command.name in _ENGINES and _BUILDS & set(call.command.args[:1]) for call in script.calls)
    for call in script.containers("run") if not local else ():
        if call.options.operands:
            yield script.resolve(call.options.operands[0]), call.line
    for call in script.called(*_SIF):
        for text in call.options.operands[:2]:
            source = script.resolve(text)
            if source.startswith("docker://"):
                yield source, call.line


def _for_pyxis(script: Script) -> Iterator[tuple[str, int]]:
    """Yield the images of steps whose tag moves: names of pyxis have no digest, so that any other is as good."""
    for image, line in pyxis_values(script, "--container-image"):
        if _moves(image):
            yield image, line


def _in_fields(document: Document) -> Iterator[tuple[str, int]]:
    """Yield the image of a SkyPilot task (``docker:NAME``) and of a dstack configuration."""
    item = document.get("resources", "image_id") if document.form is Form.SKYPILOT else None
    if item is not None and item.text is not None and item.text.startswith("docker:"):
        yield item.text, item.line
    item = document.get("image") if document.form is Form.DSTACK else None
    if item is not None and item.text is not None:
        yield item.text, item.line


RULE = Rule("MN916", Severity.NOTE, _check, choice=True)
