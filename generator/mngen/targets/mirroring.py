"""What jobs fetch, from the mirrors of the site where it has any.

Every text of a target is looked through, the user's own as well: a place that has a mirror is replaced. ``raw`` is
not; it passes as it is. Programs that choose a host by themselves are told by variables, unless the user sets those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from mngen.diagnostics import Diagnostic, Severity, Span
from mngen.images import order
from mngen.images.recipe import Recipe
from mngen.manifest.image import Image
from mngen.manifest.mirrors import Mirrors
from mngen.manifest.model import Manifest, Target
from mngen.manifest.text import Text, literal

_T = TypeVar("_T")

_AS_WRITTEN = frozenset({"name", "kind", "workload", "raw", "spans", "mirrors", "image", "built_image", "version"})
"""Parts of a target in which nothing is fetched by URL, or that are rewritten in a way of their own."""


def mirrored(manifest: Manifest) -> Manifest:
    """Return the manifest as jobs run it; the same one when no target has a mirror."""
    if not any(target.mirrors for target in manifest.targets):
        return manifest
    return replace(manifest, targets=tuple(mirrored_target(target) for target in manifest.targets))


def mirrored_target(target: Target) -> Target:
    """Return a target with everything that its job fetches taken from its mirrors."""
    mirrors = target.mirrors
    if not mirrors:
        return target
    named = [name for name in target.__struct_fields__ if name not in _AS_WRITTEN]
    found = replace(target, **{name: _rewritten(getattr(target, name), mirrors) for name in named})
    if target.code is not None and target.code.git:
        found = replace(found, code=replace(target.code, git=mirrors.source(target.code.git)))
    if target.image is not None:
        ready = _rewritten(target.image, mirrors)
        found = replace(found, image=replace(ready, ref=mirrors.image(ready.ref) if ready.ref else None))
    return replace(found, env=(*((name, literal(value)) for name, value in told(target).items()), *found.env))


def notes(manifest: Manifest) -> Iterator[Diagnostic]:
    """Say once which mirrors change nothing: misspelt, or more than this manifest needs of a site's list."""
    idle: dict[str, Target] = {}
    used: set[str] = set()
    for target in manifest.targets:
        for path, one in target.mirrors.single():
            idle.setdefault(path, target)
            if path not in used and (any(_of_image(i, one) for i in manifest.images.values()) or _matters(target, one)):
                used.add(path)
    named = [path for path in idle if path not in used]
    if named:
        place = idle[named[0]].span(f"mirrors.{named[0]}")
        message = f"mirrors has places that nothing is fetched from: {', '.join(named)}"
        hint = "look at the spelling of each; `mngen urls` lists what is fetched"
        yield Diagnostic("MN257", Severity.NOTE, message, place, hint)


def _matters(target: Target, one: Mirrors) -> bool:
    """Tell whether a mirror changes the job."""
    with_it = replace(mirrored_target(replace(target, mirrors=one)), mirrors=Mirrors())
    built = target.built_image
    pulled = built is not None and replace(built, mirrors=one).pulled != replace(built, mirrors=Mirrors()).pulled
    return pulled or astuple(with_it) != astuple(replace(target, mirrors=Mirrors()))


def _of_image(image: Image, one: Mirrors) -> bool:
    """Tell whether a mirror changes how an image is built; a mirror of another site does not."""
    if not set(one.single()[0][0:1]) <= {path for path, _ in image.mirrors.single()}:
        return False
    return order.recipe(replace(image, mirrors=one)) != _recipe_without(image)


@lru_cache(maxsize=8)
def _recipe_without(image: Image) -> Recipe:
    return order.recipe(replace(image, mirrors=Mirrors()))


def told(target: Target) -> dict[str, str]:
    """Return the variables that tell programs of a target's mirrors, without those that the user sets."""
    taken = {*(name for name, _ in target.env), *(secret.name for secret in target.secrets), *target.unset_env}
    return target.mirrors.variables(taken) | target.mirrors.git_variables(taken)


def _text(text: Text, mirrors: Mirrors) -> Text:
    """Rewrite a text as a whole: a placeholder may stand in the middle of a URL. No text can hold a NUL."""
    whole = "".join(part if isinstance(part, str) else f"\0{index}\0" for index, part in enumerate(text.parts))
    moved = mirrors.text(whole)
    if moved == whole:
        return text
    pieces = moved.split("\0")
    return Text(tuple(text.parts[int(piece)] if number % 2 else piece for number, piece in enumerate(pieces) if piece))


def _rewritten(value: _T, mirrors: Mirrors) -> _T:
    """Return a value with every text in it rewritten."""
    found: Any = value
    if isinstance(value, str):
        found = mirrors.text(value)
    elif isinstance(value, Text):
        found = _text(value, mirrors)
    elif isinstance(value, tuple):
        found = tuple(_rewritten(item, mirrors) for item in value)
    elif isinstance(value, Mapping):
        found = {key: _rewritten(item, mirrors) for key, item in value.items()}
    elif isinstance(value, Struct) and not isinstance(value, Span):
        parts = {name: _rewritten(getattr(value, name), mirrors) for name in value.__struct_fields__}
        found = replace(value, **parts)
    result: _T = found
    return result
