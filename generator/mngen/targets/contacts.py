"""Who is asked by anything that a manifest leads to: locking, building, and the jobs of its targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from mngen.diagnostics import Span
from mngen.images import contacts as build
from mngen.images import pinning
from mngen.manifest.contacts import Contact, Origin, asked_by_default
from mngen.manifest.mirrors import HUGGING_FACE, PYPI
from mngen.manifest.model import Manifest, Script, Target
from mngen.manifest.text import Text
from mngen.targets.mirroring import mirrored_target, told

_NOT_TEXTS = frozenset({"name", "kind", "workload", "spans", "mirrors", "image", "built_image", "version", "code"})
_NAMES = {"script": "run", "submit_from": "from"}
"""Keys of the manifest that are called otherwise in the model."""
_BUCKETS = {"s3": "*.amazonaws.com", "gs": "storage.googleapis.com", "r2": "*.r2.cloudflarestorage.com"}
"""Hosts of the storage that SkyPilot mounts by these schemes."""
_WANDB = "https://api.wandb.ai"
"""What wandb asks without WANDB_BASE_URL: https://docs.wandb.ai/guides/track/environment-variables/"""


def contacts(manifest: Manifest) -> tuple[Contact, ...]:
    """Return every host that is asked, each thing once, in the order of phases and of the manifest."""
    found = [*_lock(manifest)]
    for image in manifest.images.values():
        found += build.contacts(image)
    for target in manifest.targets:
        found += _job(target)
    return tuple(dict.fromkeys(found))


def _lock(manifest: Manifest) -> Iterator[Contact]:
    for one in pinning.open_ends(manifest):
        origin = Origin("lock", one.field, one.where)
        yield from origin.text(one.place) if one.url else origin.image(one.place)


def _job(written: Target) -> Iterator[Contact]:
    target = mirrored_target(written)
    image = _pulled(target)
    if image:
        field = "image.ref" if target.image is not None and target.image.ref else "image.repository"
        yield from Origin("job", field, target.name).image(image)
    if target.code is not None and target.code.git:
        yield from Origin("job", "code.git", target.name).text(target.code.git)
    variables = told(written)
    for name, value in variables.items():
        if not name.startswith("GIT_CONFIG_"):
            yield from Origin("job", "mirrors", target.name, "mirror").text(value)
    for url in target.mirrors.git.values():
        yield from Origin("job", "mirrors.git", target.name, "mirror").text(url)
    texts = [(path, text) for path, text in _texts(target) if path.partition("env.")[2] not in variables]
    for path, text in texts:
        yield from Origin("job", path, target.name, "text").text(text)
    yield from _defaults(target, texts, variables)
    for index, mount in enumerate(target.mounts):
        scheme, separator, rest = (mount.source.literal or "").partition("://")
        if separator and scheme in _BUCKETS:
            origin = Origin("job", f"mounts[{index}].source", target.name)
            yield from origin.place("https", f"{_BUCKETS[scheme]}/{rest}", f"{scheme}://{rest}")


def _pulled(target: Target) -> str | None:
    """Return the image that nodes pull, or ``None`` when they have it, or have none."""
    ready, built = target.image, target.built_image
    pulls = target.kind in {"skypilot", "dstack"} or target.runtime.is_container
    kept = target.runtime.is_engine and target.container.pull == "never"
    if not pulls or kept or (ready is not None and ready.ref is None):
        return None
    return ready.ref if ready is not None else (built.pulled if built is not None else None)


def _defaults(target: Target, texts: list[tuple[str, str]], variables: Mapping[str, str]) -> Iterator[Contact]:
    """Yield what programs ask without being told, unless a variable tells them of another place or of none."""
    env = {name: text.literal or "" for name, text in target.env}
    for path, text in texts:
        for url in asked_by_default(text):
            elsewhere = {PYPI: "PIP_INDEX_URL"}.get(url, "HF_ENDPOINT")
            if elsewhere not in env and not (HUGGING_FACE in url and env.get("HF_HUB_OFFLINE") == "1"):
                yield from Origin("job", path, target.name, "default").text(url)
    secrets = {secret.name for secret in target.secrets}
    hub = sorted(name for name in {*env, *secrets} if name.startswith("HF_") and name not in variables)
    if hub and "HF_ENDPOINT" not in env and env.get("HF_HUB_OFFLINE") != "1":
        section = "secrets" if hub[0] in secrets else "env"
        yield from Origin("job", f"{section}.{hub[0]}", target.name, "default").text(f"https://{HUGGING_FACE}")
    wanted = "WANDB_API_KEY" in {*env, *secrets} and env.get("WANDB_MODE") not in {"offline", "disabled"}
    if wanted and "WANDB_BASE_URL" not in env:
        yield from Origin("job", "secrets.WANDB_API_KEY", target.name, "default").text(_WANDB)


def _texts(target: Target) -> Iterator[tuple[str, str]]:
    """Yield all texts of a target with the field that each is from."""
    for name in target.__struct_fields__:
        if name not in _NOT_TEXTS:
            yield from _of(name, getattr(target, name))


def _of(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Text):
        yield path, "".join(part if isinstance(part, str) else "{}" for part in value.parts)
    elif isinstance(value, Script):
        yield from _of(path, value.text)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _of(f"{path}.{key}", item)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            pair = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)
            yield from _of(f"{path}.{item[0]}", item[1]) if pair else _of(f"{path}[{index}]", item)
    elif isinstance(value, Struct) and not isinstance(value, Span):
        name = getattr(value, "name", None) if path.startswith("services[") else None
        base = f"services.{name}" if name else path
        for field in value.__struct_fields__:
            yield from _of(f"{base}.{_NAMES.get(field, field)}", getattr(value, field))
