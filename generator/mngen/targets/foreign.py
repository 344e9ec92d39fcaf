"""Kinds of target that other installed packages bring, by the entry-point group ``mngen.targets``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from mngen.errors import EnvironmentFailure
from mngen.manifest.definitions import definition as own_definition
from mngen.targets.base import TargetModule

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "mngen.targets"
API = 1
"""Version of the interface, :class:`~mngen.targets.base.TargetModule`."""


def points() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the entry points by kind, in order; more than one for a kind is a conflict."""
    # Here, not above: with its e-mail parser it takes longer to import than all targets, and few installations ask.
    from importlib.metadata import entry_points  # noqa: PLC0415

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, package(point))):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def package(point: EntryPoint) -> str:
    """Name the package that an entry point belongs to."""
    return point.dist.name if point.dist else point.value


def load(kind: str) -> TargetModule:
    """Return the module of a kind.

    Raises EnvironmentFailure, with the package's name, when the module cannot be used or several packages bring the
    kind; KeyError when none does.
    """
    point, *others = points()[kind]
    who = f"the target kind {kind!r} of package {package(point)}"
    if others:
        names = ", ".join(package(one) for one in (point, *others))
        raise EnvironmentFailure(f"several packages bring the target kind {kind!r}: {names}", hint="remove all but one")
    try:
        found = cast("TargetModule", point.load())
    except Exception as error:
        message = f"{who} cannot be loaded: {type(error).__name__}: {error}"
        raise EnvironmentFailure(message, hint=f"update or remove the package {package(point)}") from error
    api = getattr(found, "api", None)
    missing = [name for name in ("notes", "plan", "usage") if not callable(getattr(found, name, None))]
    if api != API:
        message = f"{who} is for version {api} of the interface, this is {API}"
    elif missing:
        message = f"{who} has no {', '.join(missing)}"
    else:
        return found
    raise EnvironmentFailure(message, hint=f"update the package {package(point)}")


def definition(kind: str) -> str | None:
    """Return the schema of a kind's fields as JSON text: the package's own, else that of any target.

    ``None`` when no package brings the kind. Raises EnvironmentFailure as :func:`load` does, and for a schema
    that is none.
    """
    found = points().get(kind)
    if found is None:
        return None
    schema = getattr(load(kind), "schema", None)
    if schema is None:
        return json.dumps(own_definition("target-fields"))
    from jsonschema import Draft7Validator  # noqa: PLC0415 - late, as everywhere

    try:
        Draft7Validator.check_schema(schema)
        text = json.dumps(schema)
        schema["properties"]["kind"], schema["properties"]["driver"]
        for name in _references(schema):
            own_definition(name)
    except Exception as error:
        message = (
            f"the schema of the target kind {kind!r} of package {package(found[0])} is broken: {_first_line(error)}"
        )
        raise EnvironmentFailure(message, hint=f"update the package {package(found[0])}") from error
    return text


def _references(node: object) -> list[str]:
    if isinstance(node, list):
        return [name for item in node for name in _references(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node["$ref"]).removeprefix("#/definitions/")] if "$ref" in node else []
    return own + [name for item in node.values() for name in _references(item)]


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
