"""Values that look like credentials: they would stand in every generated file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.finding import finding, spelled, warning
from mngen.manifest.judging.placed_texts import scripts
from mngen.manifest.model import Target
from mngen.manifest.token_shapes import looks_random, named_like_secret, token_in

_HINT = "put the name under secrets, and the value into the submitting shell or a file: on the node; if this text was \
ever checked in, revoke the credential"


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse text shaped like a token; warn about random text in a variable named like a secret."""
    for field, text in _texts(target):
        what = token_in(text)
        if what is not None:
            message = f"{field} seems to hold {what}; it would be readable in the generated files"
            yield finding(target, "MN267", field, message, hint=_HINT)
    for field, name, value in _variables(target):
        if named_like_secret(name) and token_in(f"{name}={value}") is None and looks_random(value):
            yield warning(
                target,
                "MN267",
                field,
                f"{field} is named like a secret and has a value that looks like one",
                hint=_HINT,
            )


def _variables(target: Target) -> Iterator[tuple[str, str, str]]:
    for name, text in target.env:
        yield f"env.{name}", name, spelled(text)
    for service in target.services:
        for name, text in service.env:
            yield f"services.{service.name}.env.{name}", name, spelled(text)
    runtime_env = target.driver.runtime_env
    for name, value in runtime_env.env_vars if runtime_env else ():
        yield f"driver.runtime_env.env_vars.{name}", name, value


def _texts(target: Target) -> Iterator[tuple[str, str]]:
    for field, name, value in _variables(target):
        yield field, f"{name}={value}"
    driver = target.driver
    for part in ("command", "args", "extra_args"):
        for index, text in enumerate(getattr(driver, part)):
            yield f"driver.{part}.{index}", spelled(text)
    for service in target.services:
        for index, text in enumerate(service.command):
            yield f"services.{service.name}.command.{index}", spelled(text)
    for field, script in scripts(target):
        yield field, spelled(script.text)
    raw_lists = {"slurm.extra": target.slurm.extra}
    raw_lists.update({f"ray.{n}": getattr(target.ray, n) for n in ("start_args", "head_args", "worker_args")})
    for field, words in raw_lists.items():
        for index, word in enumerate(words):
            yield f"{field}.{index}", word
    for index, option in enumerate(target.container.options):
        yield f"container.options.{index}", spelled(option)
    yield from _raw("raw", target.raw)


def _raw(field: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _raw(f"{field}.{key}", item)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _raw(f"{field}.{index}", item)
    elif isinstance(value, str):
        yield field, f"{field.rpartition('.')[2]}={value}"
