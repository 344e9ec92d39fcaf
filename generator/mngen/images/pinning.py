"""What a manifest leaves open, and closing it with a lock file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.images import contract
from mngen.images.lock_file import COMMIT, NAME, Lock
from mngen.manifest.base_image import parse_reference
from mngen.manifest.image import Image, Pins
from mngen.manifest.model import Manifest, Target


class Open(Struct, frozen=True):
    """Something whose meaning can change: an image's tag, or the ref of a git source (then ``url`` is not empty)."""

    name: str
    url: str = ""
    platform: str = ""
    place: str = ""
    """Where to look it up: the image's or repository's mirror, or what it is called."""
    field: str = ""
    """The field that names it, and the variant or target that it is of."""
    where: str = ""
    span: Span | None = None

    @property
    def words(self) -> str:
        """The name for people."""
        return f"{self.name} of {self.url}" if self.url else self.name


def open_ends(manifest: Manifest) -> tuple[Open, ...]:
    """Return everything that a lock file can pin, each once, in the manifest's order."""
    found: dict[tuple[str, str], Open] = {}
    for one in (*_of_images(manifest), *_of_targets(manifest)):
        found.setdefault((one.name, one.url), one)
    return tuple(found.values())


def _of_images(manifest: Manifest) -> Iterator[Open]:
    for image in manifest.images.values():
        names = {stage.name for stage in image.stages}
        bases = [(image.base, "base"), *((s.base, f"stages.{n}.base") for n, s in enumerate(image.stages))]
        for base, path in bases:
            if base not in names and _is_open(base):
                yield _of_image(image, base, path, place=image.mirrors.image(base))
        for number, source in enumerate(image.git):
            if not COMMIT.fullmatch(source.ref):
                place = image.mirrors.source(source.url)
                yield _of_image(image, source.ref, f"git.{number}.ref", url=source.url, place=place)


def _of_image(image: Image, name: str, path: str, *, place: str, url: str = "") -> Open:
    return Open(
        name,
        url,
        platform="" if url else image.platform,
        place=place,
        field=re.sub(r"\.(\d+)", r"[\1]", f"image.{path}"),
        where=image.variant,
        span=image.span(path),
    )


def _of_targets(manifest: Manifest) -> Iterator[Open]:
    for target in manifest.targets:
        if target.image is not None and target.image.ref is not None and _is_open(target.image.ref):
            place, path = target.mirrors.image(target.image.ref), "image.ref"
            yield Open(target.image.ref, place=place, field=path, where=target.name, span=target.span(path))
        code = target.code
        if code is not None and code.git and code.ref and not COMMIT.fullmatch(code.ref):
            place, span = target.mirrors.source(code.git), target.span("code.ref")
            yield Open(code.ref, code.git, place=place, field="code.ref", where=target.name, span=span)


def _is_open(reference: str) -> bool:
    found = parse_reference(reference)
    return found is not None and not found.digest


def pinned(manifest: Manifest, lock: Lock) -> Manifest:
    """Return the manifest with everything pinned that the lock knows."""
    if lock.is_empty:
        return manifest
    images = {variant: _pinned_image(image, lock) for variant, image in manifest.images.items()}
    return replace(manifest, images=images, targets=tuple(_pinned_target(target, lock) for target in manifest.targets))


def _pinned_image(image: Image, lock: Lock) -> Image:
    pushed = lock.pushed.get(image.reference)
    # Another description is another image, whatever its name: the digest of the old one is no use.
    digest = pushed.digest if pushed is not None and pushed.description == contract.digest(image) else ""
    pins = Pins(
        bases={name: tag.digest for name, tag in lock.tags.items()},
        commits={source: commit.commit for source, commit in lock.git.items()},
        pushed=digest,
    )
    return replace(image, pins=pins)


def _pinned_target(target: Target, lock: Lock) -> Target:
    built = _pinned_image(target.built_image, lock) if target.built_image is not None else None
    ready = target.image
    if ready is not None and ready.ref is not None and ready.ref in lock.tags and _is_open(ready.ref):
        found = parse_reference(ready.ref)
        ready = replace(ready, ref=f"{found.name if found else ready.ref}@{lock.tags[ready.ref].digest}")
    code = target.code
    commit = lock.git.get((code.git or "", code.ref or "")) if code is not None else None
    if code is not None and commit is not None:
        code = replace(code, ref=commit.commit)
    return replace(target, built_image=built, image=ready, code=code)


def notes(manifest: Manifest, lock: Lock) -> tuple[Diagnostic, ...]:
    """Return one note on what may mean something else tomorrow; none when all is pinned."""
    loose = [one for one in open_ends(manifest) if not is_known(one, lock)]
    used = {id(t.built_image): t.built_image for t in manifest.targets if t.built_image is not None}
    unpushed = sorted({image.reference for image in used.values() if not _pinned_image(image, lock).pins.pushed})
    parts = [one.words for one in loose] + [f"{name} (not pushed as described)" for name in unpushed]
    if not parts:
        return ()
    shown = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
    commands = [*(["mngen lock"] if loose else []), *(["mngen build-image --push"] if unpushed else [])]
    hint = f"{NAME} pins them: run {' and '.join(f'`{one}`' for one in commands)}, and check it in"
    span = loose[0].span if loose else None
    return (Diagnostic("MN607", Severity.NOTE, f"not pinned to a digest or commit: {shown}", span, hint),)


def settled(manifest: Manifest, lock: Lock) -> frozenset[Span | None]:
    """Return the places of everything that a lock pins."""
    return frozenset(one.span for one in open_ends(manifest) if is_known(one, lock))


def is_known(one: Open, lock: Lock) -> bool:
    """Tell whether a lock pins something."""
    return (one.url, one.name) in lock.git if one.url else one.name in lock.tags
