"""Sections: the typed columns a position is made of, with their copy, digest, dump and load generated from the fields.

A section is a class of annotated fields under ``@section``.  Allowed: ``int``, ``str``, ``bool``, NewTypes of them,
:data:`Column` (an ``array('h')``, range-checked on write), and lists and ``dict[str, ...]`` of these (``list[int |
str]`` is an agenda item).  Anything else is refused at import.  The generated source is registered in ``linecache``
so that tracebacks and pdb show it.
"""

from __future__ import annotations

import json
import linecache
import struct
import sys
import types
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NewType,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from engine.core.dataclass import dataclass

__all__ = ["Column", "Section", "SectionError", "column", "compact", "section"]

if TYPE_CHECKING:
    Column = array[int]
else:  # `array[int]` cannot be subscripted at run time before Python 3.12
    Column = array

S = TypeVar("S", bound="type[Section]")
GENERATED = ("copy", "feed", "dump", "load")
SCALARS = {int: "int", str: "str", bool: "bool"}
compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, check_circular=False).encode


def column(values: Iterable[int] = ()) -> Column:
    """A new column holding the given numbers, each from -32,768 to 32,767."""
    return array("h", values)


class SectionError(ValueError):
    """Data that does not fit a section: ``path`` is the field (``discs.1``), the text says what was wrong there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class Section:
    """Typed face of what :func:`section` generates."""

    __slots__ = ()
    shapes: ClassVar[dict[str, Any]]

    if TYPE_CHECKING:

        def copy(self) -> Self:
            """An independent section with the same content."""

        def feed(self) -> bytes:
            """What the digest covers: lengths of columns, their little-endian numbers in order, the rest as JSON."""

        def dump(self) -> dict[str, Any]:
            """The content as JSON-able data by field name."""

        @classmethod
        def load(cls, data: object) -> Self:
            """The section of a dump; raises :class:`SectionError` naming the field."""

    def digest(self) -> bytes:
        """16 bytes of BLAKE2b over :meth:`feed`."""
        return blake2b(self.feed(), digest_size=16).digest()


@dataclass_transform()
def section(cls: S) -> S:
    """Make a slots dataclass of the class and generate its four functions."""
    made: Any = dataclass(slots=True)(cls)
    hints = get_type_hints(made)
    shapes = {name: _shape(hints[name], f"{cls.__name__}.{name}") for name in made.__match_args__}
    made.shapes = shapes
    for method in GENERATED:
        setattr(made, method, _Generated(method))
    return cast("S", made)


class _Generated:
    """One of the generated functions of a section; whoever needs the first of them has all compiled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        _generate(owner)
        return getattr(owner if instance is None else instance, self.name)


def _generate(made: Any) -> None:
    source, shapes = _source(made.shapes), made.shapes
    name = f"<section {made.__module__}.{made.__qualname__}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope: dict[str, Any] = {
        "cls": made,
        "array": array,
        "compact": compact,
        "shapes": shapes,
        "check": _check,
        "SectionError": SectionError,
        "little": _little,
        "lengths": struct.Struct(f"<{sum(shape == 'column' for shape in shapes.values())}I").pack,
    }
    exec(compile(source, name, "exec"), scope)  # noqa: S102 - our own text, made from the field names of a class
    for method in GENERATED:
        setattr(made, method, staticmethod(scope[method]) if method == "load" else scope[method])


def _shape(hint: Any, where: str) -> Any:
    """The hint reduced to nested plain tuples; refuses what may not stand in a position."""
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    if hint is array:
        return "column"
    if hint in SCALARS:
        return SCALARS[hint]
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, types.UnionType) and {int, str} == {_base(arg) for arg in args}:
        return "int|str"
    if origin is list and len(args) == 1:
        return ("list", _shape(args[0], where))
    if origin is dict and len(args) == 2 and args[0] is str:
        return ("dict", _shape(args[1], where))
    raise TypeError(f"{where}: {hint} may not stand in a section")


def _base(hint: Any) -> Any:
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    return hint


def _copied(shape: Any, name: str) -> str:
    """Source of an expression that copies a field of that shape."""
    if shape == "column":
        return f"{name}[:]"
    if isinstance(shape, str):
        return name
    inner = shape[1]
    if shape[0] == "list":
        return (
            f"{name}[:]" if isinstance(inner, str) and inner != "column" else f"[{_copied(inner, 'x')} for x in {name}]"
        )
    if isinstance(inner, str) and inner != "column":
        return f"{name}.copy()"
    return f"{{k: {_copied(inner, 'x')} for k, x in {name}.items()}}"


def _holds_columns(shape: Any) -> bool:
    return shape == "column" or (isinstance(shape, tuple) and _holds_columns(shape[1]))


def _dumped(shape: Any, name: str) -> str:
    if shape == "column":
        return f"{name}.tolist()"
    if isinstance(shape, str):
        return name
    inner = _dumped(shape[1], "x")
    return f"[{inner} for x in {name}]" if shape[0] == "list" else f"{{k: {inner} for k, x in {name}.items()}}"


def _source(shapes: dict[str, Any]) -> str:
    columns = [name for name, shape in shapes.items() if shape == "column"]
    numbers = [name for name, shape in shapes.items() if shape == "int"]
    others = [name for name, shape in shapes.items() if shape not in ("column", "int")]
    pieces = [f"lengths({', '.join(f'len(s.{name})' for name in columns)})"] if columns else []
    pieces += [f"s.{name}" if sys.byteorder == "little" else f"little(s.{name})" for name in columns]
    if numbers:  # JSON as well, but an encoder costs more than the numbers
        pieces.append("f'[" + ",".join("{s." + name + "}" for name in numbers) + "]'.encode()")
    if others:
        listed = ", ".join(
            _dumped(shapes[name], "s." + name) if _holds_columns(shapes[name]) else "s." + name for name in others
        )
        pieces.append(f"compact([{listed}]).encode()")
    dumped = ", ".join(f"{name!r}: " + _dumped(shape, "s." + name) for name, shape in shapes.items())
    lines = [
        "new = cls.__new__",
        "def copy(s):",
        "    c = new(cls)",
        *["    c." + name + " = " + _copied(shape, "s." + name) for name, shape in shapes.items()],
        "    return c",
        "def feed(s):",
        f"    return b''.join(({', '.join(pieces)},))" if pieces else "    return b''",
        "def dump(s):",
        f"    return {{{dumped}}}",
        "def load(data):",
        "    check(data, shapes)",
        "    c = new(cls)",
        *["    c." + name + " = " + _loaded(shape, f"data[{name!r}]") for name, shape in shapes.items()],
        "    return c",
    ]
    return "\n".join(lines) + "\n"


def _loaded(shape: Any, name: str) -> str:
    if shape == "column":
        return f"array('h', {name})"
    if isinstance(shape, str):
        return name
    inner = _loaded(shape[1], "x")
    return f"[{inner} for x in {name}]" if shape[0] == "list" else f"{{k: {inner} for k, x in {name}.items()}}"


def _little(numbers: Column) -> bytes:
    if sys.byteorder == "little":
        return numbers.tobytes()
    swapped = numbers[:]
    swapped.byteswap()
    return swapped.tobytes()


def _check(data: object, shapes: dict[str, Any]) -> None:
    if type(data) is not dict:
        raise SectionError("", f"expected an object, got {_kind(data)}")
    for name in shapes:
        if name not in data:
            raise SectionError(name, "is missing")
    for name in data:
        if name not in shapes:
            raise SectionError(str(name), "is not a field")
        _check_value(data[name], shapes[name], name)


def _check_value(value: object, shape: Any, path: str) -> None:
    if shape == "column":
        if type(value) is not list:
            raise SectionError(path, f"expected a list of numbers, got {_kind(value)}")
        for index, number in enumerate(value):
            if type(number) is not int or not -32768 <= number <= 32767:
                raise SectionError(f"{path}.{index}", f"expected a number from -32768 to 32767, got {number!r}")
    elif isinstance(shape, str):
        wanted = (int, str) if shape == "int|str" else tuple(kind for kind, name in SCALARS.items() if name == shape)
        if type(value) not in wanted:
            raise SectionError(path, f"expected {shape}, got {_kind(value)}")
    elif shape[0] == "list":
        if type(value) is not list:
            raise SectionError(path, f"expected a list, got {_kind(value)}")
        for index, item in enumerate(value):
            _check_value(item, shape[1], f"{path}.{index}")
    else:
        if type(value) is not dict:
            raise SectionError(path, f"expected an object, got {_kind(value)}")
        for key, item in value.items():
            if type(key) is not str:
                raise SectionError(path, f"expected text keys, got {key!r}")
            _check_value(item, shape[1], f"{path}.{key}")


def _kind(value: object) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {value!r}"[:60]
