"""``dataclass`` with slots whose methods cost nothing at import.

The decorator of the standard library writes and compiles six functions for each class; a third of the time in which a
command starts went there.  Here ``__init__`` is compiled when the first object is made, and the other methods need no
compiler.  Fields, methods and errors are those of the standard library, whose ``fields`` and ``replace`` take such
classes too; type checkers see its decorator.

``engine`` and ``seeds`` share no package: ``seeds/dataclass.py`` is this very file, and a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, field
from dataclasses import dataclass as standard
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False, kw_only: bool = False) -> Callable[[type], type]:
        """Make a dataclass with slots of a class; TypeError without slots, which the standard library is for."""
        if not slots:
            raise TypeError("this dataclass has slots; the standard library makes those without")
        return lambda cls: _made(cls, frozen, kw_only)


class _Fields:
    """The fields of a class by name, inherited ones first, and their annotations.

    As ``__dataclass_fields__`` they become what the standard library makes of them when somebody asks.
    """

    def __init__(self, found: Mapping[str, Field[Any]], hints: Mapping[str, Any], kw_only: bool) -> None:
        self.found, self.hints, self.kw_only = found, hints, kw_only

    def __get__(self, instance: object, owner: type) -> Mapping[str, Field[Any]]:
        texts = {"__module__": owner.__module__, "__doc__": owner.__name__}
        space = {**texts, "__annotations__": dict(self.hints), **self.found}
        shadow: Any = type(owner.__name__, (), space)
        standard(init=False, repr=False, eq=False, kw_only=self.kw_only)(shadow)
        listed: Mapping[str, Field[Any]] = shadow.__dataclass_fields__
        owner.__dataclass_fields__ = listed  # type: ignore[attr-defined]
        return listed


def _made(cls: type, frozen: bool, kw_only: bool) -> type:
    space = {**cls.__dict__, "__qualname__": cls.__qualname__}
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    above = next((base.__dict__["__fields__"] for base in cls.__mro__[1:] if "__fields__" in base.__dict__), None)
    own = {name: hint for name, hint in cls.__annotations__.items() if not str(hint).startswith("ClassVar")}
    found: dict[str, Field[Any]] = dict(above.found) if above else {}
    space["__slots__"] = tuple(name for name in own if name not in found)
    for name in own:
        given = space.pop(name, MISSING)
        found[name] = given if isinstance(given, Field) else field(default=given)
    fields = _Fields(found, {**above.hints, **own} if above else own, kw_only)
    space["__fields__"] = space["__dataclass_fields__"] = fields
    space["__match_args__"] = () if kw_only else tuple(name for name, each in found.items() if each.init)
    for method, function in _methods(found, frozen).items():
        space.setdefault(method, function)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    if "__init__" not in cls.__dict__:
        made.__init__ = _first_init(made, fields, frozen)  # type: ignore[misc]
    return made


# Methods ------------------------------------------------------------------------------------------------------------


def _methods(found: Mapping[str, Field[Any]], frozen: bool) -> dict[str, Any]:
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

    if not frozen:
        return {"__eq__": equal, "__hash__": None, "__repr__": written}

    def state(self: object) -> list[object]:
        return [getattr(self, name) for name in found]

    def restore(self: object, values: list[object]) -> None:
        for name, value in zip(found, values, strict=True):
            object.__setattr__(self, name, value)

    fixed = {"__setattr__": _no_assignment, "__delattr__": _no_deletion}
    kept = {"__getstate__": state, "__setstate__": restore}
    return {"__eq__": equal, "__hash__": hashed, "__repr__": written, **fixed, **kept}


def _no_assignment(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _first_init(made: type, fields: _Fields, frozen: bool) -> Callable[..., None]:
    """An ``__init__`` that puts the compiled one in its place when it is first called."""

    def first(self: object, *args: object, **kwargs: object) -> None:
        compiled = _init(made, fields, frozen)
        made.__init__ = compiled  # type: ignore[misc]
        compiled(self, *args, **kwargs)

    return first


def _init(made: type, fields: _Fields, frozen: bool) -> Callable[..., None]:
    """The ``__init__`` of a class; that of a frozen one writes to the slots themselves."""
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
            continue  # for __post_init__ to fill
        scope[f"set_{name}"] = getattr(made, name).__set__
        lines.append(f"    set_{name}(self, {value})" if frozen else f"    self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append("    self.__post_init__()")
    source = "\n".join([f"def __init__({', '.join(takes)}):", *(lines or ["    pass"])])
    exec(compile(source, f"<dataclass {made.__module__}.{made.__qualname__}>", "exec"), scope)  # noqa: S102 - our text
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    return init
