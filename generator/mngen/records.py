"""Frozen, slotted dataclasses that cost little to define.

For each class the standard decorator writes six functions as text and compiles them. All classes together, that is
most of what importing mngen costs, and a command may use few of them. Here all methods but one are shared, and
``__init__`` is compiled when the first value of a class is made. To type checkers, and to ``fields``, ``replace`` and
``field`` of :mod:`dataclasses`, a record is an ordinary frozen dataclass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

T = TypeVar("T")

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        """Do nothing: this is for type checkers, and Python 3.10 does not have it."""
        return lambda decorator: decorator


@overload
def record(cls: type[T], /) -> type[T]: ...


@overload
def record(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[Any] | None = None, /, *, kw_only: bool = False) -> Any:
    """Turn a class into a frozen dataclass with slots; ``kw_only`` makes its fields keywords."""
    if cls is None:
        return lambda cls: _record(cls, kw_only=kw_only)
    return _record(cls, kw_only=kw_only)


def _record(cls: Any, *, kw_only: bool) -> Any:
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    compared = [item.name for item in fields(made) if item.compare]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda _: ()

    def init(self: Any, *args: Any, **keywords: Any) -> None:
        made.__init__ = _init(made)
        made.__init__(self, *args, **keywords)

    def equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    made.__init__ = init
    made.__eq__ = equal
    if "__hash__" not in cls.__dict__:
        made.__hash__ = lambda self: hash(values(self))
    made.__repr__ = _repr
    made.__setattr__ = made.__delattr__ = _refuse
    return made


def _init(cls: type[Any]) -> Callable[..., None]:
    """Compile the ``__init__`` of a class: one assignment for each field."""
    names: dict[str, Any] = {"MISSING": MISSING}
    parameters, keywords, body = ["self"], ["*"], []
    for item in fields(cls):
        name = item.name
        names[f"set_{name}"] = getattr(cls, name).__set__
        value, parameter = name, name
        if item.default is not MISSING:
            names[f"default_{name}"] = item.default
            parameter = f"{name}=default_{name}"
        elif item.default_factory is not MISSING:
            names[f"make_{name}"] = item.default_factory
            parameter, value = f"{name}=MISSING", f"make_{name}() if {name} is MISSING else {name}"
        (keywords if item.kw_only else parameters).append(parameter)
        body.append(f"    set_{name}(self, {value})")
    arguments = ", ".join(parameters + (keywords if keywords[1:] else []))
    text = "\n".join([f"def __init__({arguments}):", *(body or ["    pass"])])
    exec(text, names)  # noqa: S102 - names and defaults of the class alone, as the standard library does
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _repr(self: Any) -> str:
    parts = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({', '.join(parts)})"


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of a {self.__class__.__qualname__}")
