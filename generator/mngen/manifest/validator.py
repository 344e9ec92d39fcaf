"""The manifest's schema, compiled for jsonschema.

Two things differ from the plain Draft 7 validator. A field of text takes every scalar by its spelling, so a
pattern there also judges numbers (``time: 90``) as they were written. And patterns mean what they mean to
an editor (:func:`~mngen.manifest.definitions.ecma`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

from jsonschema import Draft7Validator, validators
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from msgspec import Struct

from mngen.manifest.definitions import Kinds, definition, ecma, is_text, resolved
from mngen.manifest.node import Node, Scalar

_extend: Callable[..., Any] = validators.extend


class Mismatch(Struct, frozen=True):
    """One keyword of the schema that the data does not meet."""

    keyword: str
    wanted: Any
    """The keyword's own value: the list of an ``enum``, the limit of a ``minimum``."""
    instance: Any
    schema: dict[str, Any]
    """The schema that the keyword stands in, without references."""
    path: tuple[str | int, ...]
    """Where the data is."""
    schema_path: tuple[str | int, ...]
    """Where the keyword is, seen from the definition."""
    message: str


class SpelledInt(int):
    """A whole number that remembers how it was written."""

    spelling: str


class SpelledFloat(float):
    """A number that remembers how it was written."""

    spelling: str


def typed(node: Node) -> Any:
    """Return the data of a node as the validator wants it: like JSON, with numbers that know their spelling."""
    value = node.value
    if isinstance(value, Scalar):
        return _typed_scalar(value)
    if isinstance(value, tuple):
        return [typed(item) for item in value]
    return {key: typed(item) for key, item in value.items()}


def _typed_scalar(scalar: Scalar) -> Any:
    value = scalar.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    number = SpelledInt(value) if isinstance(value, int) else SpelledFloat(value)
    number.spelling = scalar.spelling
    return number


def spelled(instance: object) -> str:
    """Return a scalar of validated data as its author wrote it (a boolean in lower case)."""
    if isinstance(instance, SpelledInt | SpelledFloat):
        return instance.spelling
    return str(instance).lower() if isinstance(instance, bool) else str(instance)


def _pattern(_: Validator, pattern: str, instance: object, schema: dict[str, Any]) -> Iterator[ValidationError]:
    applies = isinstance(instance, str) or (is_text(schema) and isinstance(instance, int | float))
    if applies and not ecma(pattern).search(spelled(instance)):
        yield ValidationError(f"{spelled(instance)!r} does not match {pattern!r}")


def _is_integer(_: object, instance: object) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


@cache
def _compiled(name: str, kinds: Kinds) -> dict[str, Any]:
    """Return a definition with every ``$ref`` replaced, which is much faster than following them."""
    compiled: dict[str, Any] = _inlined(definition(name, kinds), {}, kinds)
    compiled.pop("definitions", None)
    return compiled


def _inlined(node: Any, seen: dict[int, Any], kinds: Kinds) -> Any:
    if isinstance(node, list):
        return [_inlined(item, seen, kinds) for item in node]
    if not isinstance(node, dict):
        return node
    if id(node) not in seen:
        flat = {key: value for key, value in resolved(node, kinds).items() if key != "definitions"}
        seen[id(node)] = {key: _inlined(value, seen, kinds) for key, value in flat.items()}
    return seen[id(node)]


@cache
def _validator(name: str, kinds: Kinds) -> Validator:
    checker = Draft7Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    kind = _extend(Draft7Validator, {"pattern": _pattern}, type_checker=checker)
    return cast("Validator", kind(_compiled(name, kinds)))


def mismatches(node: Node, name: str, kinds: Kinds = ()) -> Iterator[Mismatch]:
    """Return everything in which a tree differs from a definition. The validator of each definition is made once."""
    for error in _validator(name, kinds).iter_errors(typed(node)):
        yield Mismatch(
            str(error.validator),
            error.validator_value,
            error.instance,
            error.schema if isinstance(error.schema, dict) else {},
            tuple(error.absolute_path),
            tuple(error.absolute_schema_path),
            error.message,
        )
