"""Values that look like credentials: they would stand in every generated file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mngen.diagnostics import Diagnostic
from mngen.manifest.judging.container_names import OWN
from mngen.manifest.judging.container_words import container_options
from mngen.manifest.judging.exported import exported, exports
from mngen.manifest.judging.finding import finding, warning
from mngen.manifest.judging.model_texts import texts_in
from mngen.manifest.judging.secret_options import secret_keys, secret_options, variable_name
from mngen.manifest.judging.words import text_words
from mngen.manifest.model import Target
from mngen.manifest.text import spelled
from mngen.manifest.token_shapes import looks_secret, token_in

_ELSEWHERE = frozenset({"name", "kind", "workload", "env", "built_image", "raw", "spans"})
"""Parts of a target that are no text of the user's, or looked at by name; an image has rules of its own."""
_HINT = "put the name under secrets, and the value into the submitting shell or a file: on the node; if this text was \
ever checked in, revoke the credential"


def check(target: Target) -> Iterator[Diagnostic]:
    """Refuse text shaped like a token; warn about random text in a variable named like a secret."""
    variables = list(_variables(target))
    for field, text in _texts(target, variables):
        what = token_in(text)
        if what is not None:
            message = f"{field} seems to hold {what}; it would be readable in the generated files"
            yield finding(target, "MN267", field, message, hint=_HINT)
    for field, name, value in variables:
        if looks_secret(name, value) and token_in(f"{name}={value}") is None:
            what = f"{field} is" if field.endswith(f".{name}") else f"{field} sets {name}, which is"
            yield warning(
                target,
                "MN267",
                field,
                f"{what} named like a secret and has a value that looks like one",
                hint=_HINT,
            )
    for field, name, value in (*secret_options(target), *secret_keys(target)):
        if looks_secret(variable_name(name), value) and token_in(value) is None:
            message = f"{field} gives {name} a value that looks like a secret; it would be readable in generated files"
            yield warning(target, "MN267", field, message, hint=_HINT)


def _variables(target: Target) -> Iterator[tuple[str, str, str]]:
    for name, text in target.env:
        yield f"env.{name}", name, spelled(text)
    for service in target.services:
        for name, text in service.env:
            yield f"services.{service.name}.env.{name}", name, spelled(text)
    runtime_env = target.driver.runtime_env
    for name, value in runtime_env.env_vars if runtime_env else ():
        yield f"driver.runtime_env.env_vars.{name}", name, value
    yield from _of_launchers(target)


def _of_launchers(target: Target) -> Iterator[tuple[str, str, str]]:
    """Yield the variables that sbatch, a container's client, SkyPilot or dstack is told to set."""
    for field, value in exports(target):
        yield from ((field, name, text) for name, text in exported(value) if text is not None)
    words = text_words(target.container.options)
    for option in container_options(target):
        if option.name == "--env" and target.runtime in OWN:
            behind = words[option.index + 1 : option.index + 2] == (option.value,)
            field = f"container.options.{option.index + behind}"
            # apptainer takes several in one word; a comma in a value of the engines' parts nothing that matters here.
            pairs = (word.partition("=") for word in (option.value or "").split(","))
            yield from ((field, name, text) for name, _, text in pairs)
    for block in ("envs", "env", "secrets"):
        given = target.raw.get(block)
        if isinstance(given, Mapping):
            yield from ((f"raw.{block}.{name}", str(name), str(value)) for name, value in given.items())
        elif isinstance(given, list | tuple):
            pairs = (str(item).partition("=") for item in given)
            yield from ((f"raw.{block}.{index}", name, text) for index, (name, _, text) in enumerate(pairs))


def _texts(target: Target, variables: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield every text of the target with its field; a variable's with its name, which may tell what it is."""
    for field, name, value in variables:
        yield field, f"{name}={value}"
    for name in target.__struct_fields__:
        if name not in _ELSEWHERE and name in target.spans:  # the rest is written nowhere
            yield from texts_in(name, getattr(target, name))
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
