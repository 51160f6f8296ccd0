# SPDX-License-Identifier: GPL-3.0-or-later
"""A ``dataclass`` decorator for classes with slots that generates no code at import.

The decorator of the standard library compiles six functions for each class and imports large modules to do so, which
took a third of a command's start. Here ``__init__`` is compiled only for a class with many objects, and the other
methods need no compilation. Fields, methods and errors are those of the standard library, whose ``fields`` and
``replace`` take such classes too; type checkers see its decorator.

It is the one module of the engine that ``seeds`` and ``p2p`` import too: with the standard library's in these two,
``verify`` takes half as long again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from reprlib import recursive_repr
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn

__all__ = ["MISSING", "Field", "dataclass", "field", "fields_of", "replace"]

MISSING: Final[Any] = ...
"""Marks a missing default."""
FEW: Final = 64
"""Number of objects of a class that are made before its ``__init__`` is compiled. Compiling costs about as much
time."""


class Field:
    """The properties of a field other than its name and type, as in the standard library."""

    __slots__ = ("compare", "default", "default_factory", "init", "metadata", "repr")

    def __init__(
        self,
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        metadata: Mapping[Any, Any] = MappingProxyType({}),
    ) -> None:
        self.default, self.default_factory, self.init = default, default_factory, init
        self.repr, self.compare, self.metadata = repr, compare, metadata

    def standard(self) -> Any:
        """Return the same field as one of the standard library."""
        from dataclasses import field

        given = {name: getattr(self, name) for name in self.__slots__}
        return field(**{name: value for name, value in given.items() if value is not MISSING})


REQUIRED: Final = Field()
"""A field of the usual kind, without a default."""

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    field = Field

    def dataclass(
        *, slots: bool, frozen: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        """Return a decorator that makes a dataclass with slots. Raises TypeError without ``slots=True``."""
        if not slots:
            raise TypeError("this dataclass has slots; the standard library makes those without")
        return lambda cls: _made(cls, frozen, kw_only, eq)

    def replace(changed: Any, /, **changes: Any) -> Any:
        """Return a copy with other values for some fields. Accepts the standard library's dataclasses too."""
        known = fields_of(type(changed))
        if not known:
            from dataclasses import replace

            return replace(changed, **changes)
        for name, each in known.items():
            if not each.init and name in changes:
                raise ValueError(f"field {name} is declared with init=False, it cannot be specified with replace()")
            if each.init and name not in changes:
                changes[name] = getattr(changed, name)
        return type(changed)(**changes)


def fields_of(cls: Any) -> Mapping[str, Field]:
    """Return the fields by name of a class made by :func:`dataclass`, inherited ones first; empty for any other
    class."""
    found: Mapping[str, Field] = getattr(getattr(cls, "__fields__", None), "found", {})
    return found


class _Fields:
    """The fields of a class by name, inherited ones first, and their annotations."""

    def __init__(self, found: Mapping[str, Field], hints: Mapping[str, Any], kw_only: bool) -> None:
        self.found, self.hints, self.kw_only = found, hints, kw_only


class _Standard:
    """Descriptor of ``__dataclass_fields__``, which is made when it is first read."""

    def __init__(self, fields: _Fields) -> None:
        self.fields = fields

    def __get__(self, instance: object, owner: type) -> Mapping[str, Any]:
        from dataclasses import dataclass as standard

        texts = {"__module__": owner.__module__, "__doc__": owner.__name__}
        found = {name: each.standard() for name, each in self.fields.found.items()}
        shadow: Any = type(owner.__name__, (), {**texts, "__annotations__": dict(self.fields.hints), **found})
        standard(init=False, repr=False, eq=False, kw_only=self.fields.kw_only)(shadow)
        listed: Mapping[str, Any] = shadow.__dataclass_fields__
        owner.__dataclass_fields__ = listed  # type: ignore[attr-defined]
        return listed


def _made(cls: type, frozen: bool, kw_only: bool, eq: bool) -> type:
    space = {**cls.__dict__, "__qualname__": cls.__qualname__}
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    above = next((base.__dict__["__fields__"] for base in cls.__mro__[1:] if "__fields__" in base.__dict__), None)
    own = {name: hint for name, hint in cls.__annotations__.items() if not str(hint).startswith("ClassVar")}
    found: dict[str, Field] = dict(above.found) if above else {}
    space["__slots__"] = tuple(name for name in own if name not in found)
    for name in own:
        given = space.pop(name, MISSING)
        if type(given).__module__ == "dataclasses":
            raise TypeError(f"{cls.__name__}.{name}: a field of this dataclass is made by the field of its own module")
        found[name] = given if isinstance(given, Field) else REQUIRED if given is MISSING else Field(default=given)
    fields = _Fields(found, {**above.hints, **own} if above else own, kw_only)
    space["__fields__"], space["__dataclass_fields__"] = fields, _Standard(fields)
    space["__match_args__"] = () if kw_only else tuple(name for name, each in found.items() if each.init)
    for method, function in _methods(found, frozen, eq).items():
        space.setdefault(method, function)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    if "__init__" not in cls.__dict__:
        made.__init__ = _first_init(made, fields, frozen)  # type: ignore[misc]
    return made


# Methods ------------------------------------------------------------------------------------------------------------


def _methods(found: Mapping[str, Field], frozen: bool, eq: bool) -> dict[str, Any]:
    compared = [name for name, each in found.items() if each.compare]
    shown = [name for name, each in found.items() if each.repr]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda self: ()

    def equal(self: object, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    @recursive_repr()
    def written(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    compares: dict[str, Any] = {"__eq__": equal, "__hash__": hashed if frozen else None} if eq else {}
    if not frozen:
        return {**compares, "__repr__": written}

    def state(self: object) -> list[object]:
        return [getattr(self, name) for name in found]

    def restore(self: object, values: list[object]) -> None:
        for name, value in zip(found, values, strict=True):
            object.__setattr__(self, name, value)

    fixed = {"__setattr__": _no_assignment, "__delattr__": _no_deletion}
    kept = {"__getstate__": state, "__setstate__": restore}
    return {**compares, "__repr__": written, **fixed, **kept}


def _no_assignment(self: object, name: str, value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _first_init(made: Any, fields: _Fields, frozen: bool) -> Callable[..., None]:
    """Return an ``__init__`` that replaces itself by the compiled one after FEW calls or a wrong call."""
    calls = 0

    def first(self: Any, *args: object, **kwargs: object) -> None:
        nonlocal calls
        calls += 1
        values = _values(fields, args, kwargs) if calls < FEW else None
        if values is None:
            made.__init__ = compiled = _init(made, fields, frozen)
            compiled(self, *args, **kwargs)
            return
        put = object.__setattr__ if frozen else setattr
        for name, value in values.items():
            put(self, name, value)
        if hasattr(made, "__post_init__"):
            self.__post_init__()

    return first


def _values(fields: _Fields, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object] | None:
    """Return the values of a call by field, without fields that ``__post_init__`` sets; None for a wrong call."""
    values: dict[str, object] = {}
    placed, named = iter(args), 0
    for name, each in fields.found.items():
        if each.init and not fields.kw_only and (value := next(placed, MISSING)) is not MISSING:
            values[name] = value
        elif each.init and name in kwargs:
            values[name], named = kwargs[name], named + 1
        elif each.default_factory is not MISSING:
            values[name] = each.default_factory()
        elif each.default is not MISSING:
            values[name] = each.default
        elif each.init:
            return None
    return values if named == len(kwargs) and next(placed, MISSING) is MISSING else None


def _init(made: type, fields: _Fields, frozen: bool) -> Callable[..., None]:
    """Return the compiled ``__init__`` of a class. For a frozen class it writes to the slots directly."""
    scope: dict[str, Any] = {"MISSING": MISSING, "__name__": made.__module__}
    takes, lines = ["self"], []
    if made.__match_args__ == () and fields.found:  # type: ignore[attr-defined]
        takes.append("*")
    for name, each in fields.found.items():
        scope[f"default_{name}"], scope[f"make_{name}"] = each.default, each.default_factory
        if each.default_factory is not MISSING:
            value = f"make_{name}() if {name} is MISSING else {name}" if each.init else f"make_{name}()"
            default = "=MISSING"
        else:
            value = name if each.init else f"default_{name}"
            default = "" if each.default is MISSING else f"=default_{name}"
        if each.init:
            takes.append(name + default)
        elif value == f"default_{name}" and each.default is MISSING:
            continue  # set by __post_init__
        scope[f"set_{name}"] = getattr(made, name).__set__
        lines.append(f"    set_{name}(self, {value})" if frozen else f"    self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append("    self.__post_init__()")
    source = "\n".join([f"def __init__({', '.join(takes)}):", *(lines or ["    pass"])])
    exec(compile(source, f"<dataclass {made.__module__}.{made.__qualname__}>", "exec"), scope)  # noqa: S102 - our text
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    return init
