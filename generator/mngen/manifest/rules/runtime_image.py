"""A runtime needs an image that it can start, and a reference that stays the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mngen.diagnostics import Diagnostic
from mngen.manifest.base_image import image_form, parse_reference
from mngen.manifest.capabilities import capability
from mngen.manifest.judging.container_words import container_options
from mngen.manifest.judging.finding import finding, note, warning
from mngen.manifest.judging.image_use import built_image
from mngen.manifest.model import Runtime, Target, Variant

_ON_NODES = frozenset({"slurm", "manual"})
_ANY_UID = 1001
"""Whom an image with ``arbitrary_uid`` and no user of its own runs as."""
_SCHEME = re.compile(r"^(?P<scheme>[a-z][a-z-]*)(?:://|:(?=[a-z0-9./-]+[:/]))")
_SCHEMES = frozenset(
    {"docker", "dockerd", "docker-daemon", "oras", "library", "shub", "podman", "oci", "http", "https"}
)


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse a runtime without an image, a file of another runtime, and a reference with a scheme."""
    image = target.image
    if target.kind in _ON_NODES:
        yield from _presence(target)
        yield from _user(target)
    elif target.kind == "dstack" and target.variant is Variant.ROCM and image is None and target.built_image is None:
        message = "variant is rocm and there is no image; dstack refuses AMD GPUs without one"
        yield finding(target, "MN270", "variant", message, hint="write image: {ref: …}, or describe one")
    if image is None:
        return
    form = "sqsh" if image.sqsh else "sif" if image.sif else "ref"
    if form in {"sif", "sqsh"} and not _takes(target, form):
        runtime = target.runtime.value if target.kind in _ON_NODES else target.kind
        needs = "pyxis" if form == "sqsh" else "apptainer"
        yield finding(
            target,
            "MN271",
            f"image.{form}",
            f"image.{form} is a file for {needs}, but this target runs with {runtime}",
            hint=f"write runtime: {needs}, or image: {{ref: …}}"
            if target.kind in _ON_NODES
            else "write image: {ref: …}",
            other=("runtime",),
        )
    if image.ref is not None:
        yield from _reference(target, image.ref)


def _takes(target: Target, form: str) -> bool:
    if target.kind not in _ON_NODES or target.runtime is Runtime.PREFIX:
        return target.kind in _ON_NODES
    if target.runtime is Runtime.NONE:
        return True  # noted by _presence
    return target.runtime is (Runtime.PYXIS if form == "sqsh" else Runtime.APPTAINER)


def _presence(target: Target) -> Iterator[Diagnostic]:
    has_image = target.image is not None or target.built_image is not None
    if target.runtime.is_container and not has_image:
        yield finding(
            target,
            "MN270",
            "runtime",
            f"runtime is {target.runtime.value}, but there is no image for variant {target.variant.value}",
            hint=f"write image: {{ref: …}} for a ready one, describe one with image.variants.{target.variant.value}, "
            "or runtime: none",
            other=("image", "variant"),
        )
    elif target.runtime is Runtime.NONE and target.image is not None:
        yield note(
            target,
            "MN270",
            "image",
            "image names a ready image, but runtime is none: the job runs on the node's own system",
            hint="right where the node has all it needs; else write runtime: apptainer, docker, podman or pyxis",
            other=("runtime",),
        )
    if target.runtime is Runtime.PYXIS and target.kind == "manual":
        message = "runtime is pyxis, a plugin of Slurm's srun, which does not start a manual target"
        hint = "write runtime: apptainer, docker or podman"
        yield finding(target, "MN270", "runtime", message, hint=hint, other=(f"targets.{target.name}.kind",))
    if target.runtime is Runtime.PREFIX and not target.container.prefix and not target.container.command:
        message = "runtime is prefix, but container.prefix does not say which"
        hint = 'write container: {prefix: [shifter, "--image=…"]}'
        yield finding(target, "MN270", "runtime", message, hint=hint, other=("container",))


def _user(target: Target) -> Iterator[Diagnostic]:
    """Warn of an image's own user, who cannot read the job's folder unless it is who submits the job.

    The engines start a container as the image's ``USER``; the folder has mode 700. Who writes ``container.user`` has
    chosen. Root of the image reads it: docker's is the node's, and podman's stands for who started it.
    """
    image = built_image(target)
    if image is None or not target.runtime.is_engine or target.spans.get("container.user"):
        return
    chosen = any(option.name in {"--user", "--userns"} for option in container_options(target))
    if not (image.user or image.arbitrary_uid) or chosen:
        return
    field, uid = ("user", image.user.uid) if image.user else ("arbitrary_uid", _ANY_UID)
    own = f"image.variants.{image.variant}.{field}"
    message = f"image.{field}: {target.runtime.value} starts the job as user {uid}, who cannot read the job's folder"
    hint = "write container: {user: host}; where only that user submits, container: {user: image} says so"
    yield warning(target, "MN270", own if target.spans.get(own) else f"image.{field}", message, hint=hint)


def _reference(target: Target, ref: str) -> Iterator[Diagnostic]:
    match = _SCHEME.match(ref)
    if match is not None and match["scheme"] in _SCHEMES:
        scheme = match["scheme"]
        why = (
            capability("pyxis-no-dockerd-import").holds if scheme.startswith("dockerd") else "each target adds its own"
        )
        rest = _with_slash(ref[match.end() :].lstrip("/"))
        yield finding(
            target,
            "MN272",
            "image.ref",
            f"image.ref {ref!r} begins with a scheme: {why}",
            hint=f"write {rest!r}; a local file goes to image.sif or image.sqsh",
        )
        return
    parsed = parse_reference(ref)
    form = image_form(ref)
    if parsed is None or form != "ref":
        lower = ref.lower()
        hint = f"did you mean {lower!r}?" if parse_reference(lower) else "write [registry/]path:tag or path@sha256:…"
        why = ": its repository must be in lower case" if parse_reference(lower) else ""
        if form != "ref":
            hint, why = f"write image: {{{form}: …}} for a file", ""
        elif parse_reference(_with_slash(ref)):
            hint, why = f"write {_with_slash(ref)!r}: for pyxis the job's file gets the `#`", ""
        yield finding(target, "MN272", "image.ref", f"image.ref {ref!r} is no image reference{why}", hint=hint)
    elif not parsed.digest and parsed.tag in {"", "latest"}:
        yield warning(
            target,
            "MN273",
            "image.ref",
            f"image.ref {ref!r} has " + ("the tag latest" if parsed.tag else "no tag") + ": nodes may start different "
            "images, and Ray stops when versions differ",
            hint="name a version's tag, or a digest (@sha256:…)",
        )


def _with_slash(ref: str) -> str:
    """Return a reference in enroot's spelling, whose registry ends in ``#``, as every other client spells it."""
    return ref.replace("#", "/", 1)
