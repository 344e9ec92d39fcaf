"""Every text of a target that may hold placeholders known only at run time, with its field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from mngen.manifest.judging.shell_words import script_word
from mngen.manifest.model import Script, Service, Target
from mngen.manifest.text import Text

Words: TypeAlias = tuple[tuple[str, Text], ...]
"""Texts with their fields, such as ``driver.args.0``."""


@lru_cache(maxsize=8)  # many rules ask
def argument_lists(target: Target) -> Words:
    """Return every word of the driver's, a resumed driver's and the services' commands."""
    return tuple(word for words in (*commands(target), *probes(target)) for word in words)


def probes(target: Target) -> Iterator[Words]:
    """Yield the commands that ask services whether they are ready."""
    for service in target.services:
        if service.ready:
            yield _words({f"services.{service.name}.ready.command": service.ready.command})


def service_words(service: Service) -> Words:
    """Return the words of a service's command, with their fields."""
    return _words({f"services.{service.name}.command": service.command})


def ray_arguments(target: Target) -> Iterator[tuple[str, Text]]:
    """Yield the raw arguments of ``ray start``."""
    ray = target.ray
    yield from _words(
        {"ray.start_args": ray.start_args, "ray.head_args": ray.head_args, "ray.worker_args": ray.worker_args}
    )


@lru_cache(maxsize=8)
def commands(target: Target) -> tuple[Words, ...]:
    """Return each command that is started, the driver's first and the services', as its words with their fields."""
    driver = target.driver
    lists = {"driver.command": driver.command, "driver.args": driver.args, "driver.extra_args": driver.extra_args}
    lists["resume.args"] = target.resume.args if target.resume else ()
    return (_words(lists), *map(service_words, target.services))


def inline_scripts(target: Target) -> Iterator[tuple[str, Text]]:
    """Yield every word that a command's own shell reads as a script: ``bash -c '…'``."""
    for words in commands(target):
        place = script_word([text.literal or "" for _, text in words])
        if place is not None:
            yield from words[place : place + 1]


def _words(lists: Mapping[str, tuple[Text, ...]]) -> Words:
    return tuple([(f"{field}.{index}", text) for field, texts in lists.items() for index, text in enumerate(texts)])


def scripts(target: Target) -> Iterator[tuple[str, Script]]:
    """Yield every shell text of the user's."""
    for name in ("host_setup", "setup", "preflight", "cleanup"):
        script = getattr(target, name)
        if script is not None:
            yield name, script
    for index, step in enumerate(target.prepare):
        yield f"prepare.{index}.run", step.script


@lru_cache(maxsize=8)
def cluster_texts(target: Target) -> Words:
    """Return fields whose texts may name what is known once the cluster's head is chosen."""
    return tuple(_cluster_texts(target))


def placeholders(target: Target) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the placeholders of those that have any, with their fields."""
    return tuple((field, text.refs) for field, text in cluster_texts(target) if text.refs)


def _cluster_texts(target: Target) -> Iterator[tuple[str, Text]]:
    yield from ((f"env.{name}", text) for name, text in target.env)
    yield from argument_lists(target)
    yield from ray_arguments(target)
    for service in target.services:
        for name, text in service.env:
            yield f"services.{service.name}.env.{name}", text
    for index, step in enumerate(target.prepare):
        yield f"prepare.{index}.run", step.script.text
        if step.creates is not None:
            yield f"prepare.{index}.creates", step.creates
    for name, script in scripts(target):
        if name in {"setup", "preflight", "cleanup"}:
            yield name, script.text
    if target.endpoint is not None:
        yield "endpoint.file", target.endpoint.file


def paths(target: Target) -> Iterator[tuple[str, Text]]:
    """Yield every path that may hold placeholders."""
    for index, mount in enumerate(target.mounts):
        yield f"mounts.{index}.source", mount.source
        if mount.target != mount.source:
            yield f"mounts.{index}.target", mount.target
    for index, text in enumerate(target.env_files):
        yield f"env_files.{index}", text
    for secret in target.secrets:
        if secret.file is not None:
            yield f"secrets.{secret.name}.file", secret.file
    single = {
        "workdir": target.workdir,
        "image.sif": target.image.sif if target.image else None,
        "image.sqsh": target.image.sqsh if target.image else None,
        "endpoint.file": target.endpoint.file if target.endpoint else None,
    }
    single.update({f"prepare.{index}.creates": step.creates for index, step in enumerate(target.prepare)})
    for field, path in single.items():
        if path is not None:
            yield field, path
