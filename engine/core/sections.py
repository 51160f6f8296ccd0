# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections: the parts of a position, with copy, digest, dump and load generated from their fields.

A section is a class of annotated fields under ``@section``. Allowed: ``int``, ``str``, ``bool``, NewTypes of them,
:data:`Column` (an ``array('h')``, range-checked on write), lists and ``dict[str, ...]`` of these (``list[int | str]``
is an agenda item), and :class:`Grid` with its shape (see :mod:`engine.core.columns`). Other types are refused at
import. Tracebacks and pdb show the generated source.

The column behind a grid ``techs`` is in the slot ``_techs``, for code that handles whole columns. Making a grid costs
more than copying its column, so a copy that is not read has no grids: see :meth:`Section.unread_copy`.
"""

from __future__ import annotations

import json
import struct
import sys
import types
from array import array
from collections.abc import Callable
from hashlib import blake2b
from json.encoder import c_make_encoder, encode_basestring_ascii  # type: ignore[attr-defined]
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

from engine.core.columns import Column, Grid, Shape, column, flat, grid, row_of, view
from engine.core.dataclass import dataclass, field

__all__ = [
    "LARGEST", "Column", "Generated", "Grid", "Section", "SectionError", "column", "compact", "compiled", "flat",
    "grid", "row_of", "section",
]  # fmt: skip

S = TypeVar("S", bound="type[Section]")
GENERATED = ("copy", "unread_copy", "feed", "dump", "load")
SCALARS = {int: "int", str: "str", bool: "bool"}
LARGEST = 1_000_000
"""Greatest number of a loaded section, far above those of any game: rules may count up to it."""
_plain_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, check_circular=False)


def compact_encoder() -> Callable[[Any], str]:
    """Return a function that writes JSON without blanks.

    The standard encoder makes an encoder in C for each text, which takes longer than to write a short one. Where
    Python has that encoder, it is made once here.
    """
    if c_make_encoder is None:
        return _plain_json.encode
    encode = c_make_encoder(
        None, _plain_json.default, encode_basestring_ascii, None, ":", ",", False, False, True
    )  # does not look for circles, no indent, keys in their order
    return lambda value: "".join(encode(value, 0))


compact = compact_encoder()


class SectionError(ValueError):
    """Data does not fit a section. ``path`` is the field (``discs.1``); the text says what is wrong there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class Section:
    """Base of sections, with the types of the functions that :func:`section` generates."""

    __slots__ = ()
    shapes: ClassVar[dict[str, Any]]
    grids: ClassVar[dict[str, Shape]]

    if TYPE_CHECKING:

        def copy(self) -> Self:
            """Return an independent section with the same content."""

        def unread_copy(self) -> Self:
            """Return a copy without grids, in less time. It can be copied, digested and dumped, but not read."""

        def feed(self) -> bytes:
            """Return the input of the digest: lengths of columns, their little-endian numbers in order, the rest as
            JSON."""

        def dump(self) -> dict[str, Any]:
            """Return the content as JSON-able data by field name."""

        @classmethod
        def load(cls, data: object) -> Self:
            """Return the section of a dump. Raises :class:`SectionError`, which names the field."""

    def digest(self) -> bytes:
        """Return 16 bytes of BLAKE2b over :meth:`feed`."""
        return blake2b(self.feed(), digest_size=16).digest()


@dataclass_transform()
def section(cls: S) -> S:
    """Make the class a slots dataclass and generate its functions."""
    hints = get_type_hints(cls, include_extras=True)
    grids = {name: hint.__metadata__ for name, hint in hints.items() if get_args(hint)[:1] == (Grid,)}
    for name in grids:
        setattr(cls, name, field(compare=False, repr=False))
    for name in (*(f"_{name}" for name in grids), *(["_sizes"] if grids else [])):
        setattr(cls, name, field(init=False, compare=name != "_sizes", repr=name != "_sizes"))
        cls.__annotations__[name] = "Any"
    made: Any = dataclass(slots=True)(cls)
    made.shapes = {
        name: "column" if name in grids else _shape(hints[name], f"{cls.__name__}.{name}")
        for name in made.__match_args__
    }
    made.grids = grids
    if grids:
        made.__post_init__ = _keep_grids
        made.__reduce__ = lambda self: (_read_again, (made, self.dump()))
    for method in GENERATED:
        setattr(made, method, Generated(method, _generate))
    return cast("S", made)


class Generated:
    """A function that is generated, with the others of its class, when one of them is first used."""

    def __init__(self, name: str, generate: Callable[[type], None]) -> None:
        self.name, self.generate = name, generate

    def __get__(self, instance: object, owner: type) -> Any:
        self.generate(owner)
        return getattr(owner if instance is None else instance, self.name)


def compiled(source: str, made: type, scope: dict[str, Any]) -> dict[str, Any]:
    """Return the names defined by a generated source for a class. Tracebacks show its lines."""
    name = f"section {made.__module__}.{made.__qualname__}"
    found = {"cls": made, "__name__": name, "__loader__": Shown(source), **scope}
    exec(compile(source, name, "exec", dont_inherit=True), found)  # noqa: S102 - our own text, made from the field names of a class
    return found


class Shown:
    """The loader of a generated source, which ``linecache`` asks for its lines when a traceback or pdb shows them.

    Registering the lines there at once would import it, and with it a tokenizer that a start does not need.
    """

    def __init__(self, source: str) -> None:
        self.source = source

    def get_source(self, name: str) -> str:
        """Return the source. ``name``: the same as its file in tracebacks."""
        return self.source


def _generate(made: Any) -> None:
    shapes = made.shapes
    scope = {
        "array": array,
        "compact": compact,
        "shapes": shapes,
        "check": _check,
        "load_grids": _load_grids,
        "SectionError": SectionError,
        "little": _little,
        "lengths": struct.Struct(f"<{sum(shape == 'column' for shape in shapes.values())}I").pack,
    }
    found = compiled(_source(shapes, made.grids), made, scope)
    for method in GENERATED:
        setattr(made, method, staticmethod(found[method]) if method == "load" else found[method])


def _shape(hint: Any, where: str) -> Any:
    """Return the hint as nested plain tuples. Raises TypeError for types that a position may not contain."""
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
    """Return the source of an expression that copies a field of that shape as fast as possible."""
    if shape == "column":
        return f"{name}.__copy__()"
    if isinstance(shape, str):
        return name
    inner = shape[1]
    if isinstance(inner, str) and inner != "column":
        return f"{name}.copy()"
    if shape[0] == "list":
        return f"([{_copied(inner, 'x')} for x in {name}] if {name} else [])"
    return f"({{k: {_copied(inner, 'x')} for k, x in {name}.items()}} if {name} else {{}})"


def _holds_columns(shape: Any) -> bool:
    return shape == "column" or (isinstance(shape, tuple) and _holds_columns(shape[1]))


def _dumped(shape: Any, name: str) -> str:
    if shape == "column":
        return f"{name}.tolist()"
    if isinstance(shape, str):
        return name
    inner = _dumped(shape[1], "x")
    return f"[{inner} for x in {name}]" if shape[0] == "list" else f"{{k: {inner} for k, x in {name}.items()}}"


def _source(shapes: dict[str, Any], grids: dict[str, Shape]) -> str:
    slots = {name: f"_{name}" if name in grids else name for name in shapes}
    dumped = ", ".join(f"{name!r}: " + _dumped(shape, "s." + slots[name]) for name, shape in shapes.items())
    copied = [f"    c.{slots[name]} = " + _copied(shape, "s." + slots[name]) for name, shape in shapes.items()]
    sizes = ["    c._sizes = sizes = s._sizes"] if grids else []
    viewed = [f"    c.{name} = memoryview(c._{name}).cast('B').cast('h', sizes[{at}])" for at, name in enumerate(grids)]
    lines = [
        "new = cls.__new__",
        *["def copy(s):", "    c = new(cls)", *copied, *sizes, *viewed, "    return c"],
        *(["def unread_copy(s):", "    c = new(cls)", *copied, *sizes, "    return c"] if grids else []),
        *([] if grids else ["unread_copy = copy"]),
        "def feed(s):",
        f"    return {_fed(shapes, slots)}",
        "def dump(s):",
        f"    return {{{dumped}}}",
        "def load(data):",
        "    check(data, shapes)",
        "    c = new(cls)",
        *[f"    c.{slots[name]} = " + _loaded(shape, f"data[{name!r}]") for name, shape in shapes.items()],
        *(["    load_grids(c)"] if grids else []),
        "    return c",
    ]
    return "\n".join(lines) + "\n"


def _fed(shapes: dict[str, Any], slots: dict[str, str]) -> str:
    """Return the source of the bytes that a section's digest covers."""
    columns = [slots[name] for name, shape in shapes.items() if shape == "column"]
    numbers = [name for name, shape in shapes.items() if shape == "int"]
    others = [name for name, shape in shapes.items() if shape not in ("column", "int")]
    pieces = [f"lengths({', '.join(f'len(s.{name})' for name in columns)})"] if columns else []
    pieces += [f"s.{name}" if sys.byteorder == "little" else f"little(s.{name})" for name in columns]
    if numbers:  # the same as JSON, without the cost of an encoder
        pieces.append("f'[" + ",".join("{s." + name + "}" for name in numbers) + "]'.encode()")
    if others:
        listed = ", ".join(
            _dumped(shapes[name], "s." + name) if _holds_columns(shapes[name]) else "s." + name for name in others
        )
        pieces.append(f"compact([{listed}]).encode()")
    return f"b''.join(({', '.join(pieces)},))" if pieces else "b''"


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


def _keep_grids(made: Any) -> None:
    """Store the columns and sizes of the grids with which a section was made."""
    made._sizes = tuple(getattr(made, name).shape for name in made.grids)
    for name in made.grids:
        setattr(made, "_" + name, getattr(made, name).obj)


def _read_again(made: Any, data: dict[str, Any]) -> Any:
    """Return the section of a dump, for pickle, which cannot pickle grids."""
    return made.load(data)


def _load_grids(made: Any) -> None:
    """Make the grids of loaded columns. Raises SectionError if the number of values does not fit a shape."""
    for name, shape in made.grids.items():
        sizes = [len(getattr(made, size)) if isinstance(size, str) else size for size in shape]
        try:
            setattr(made, name, view(getattr(made, "_" + name), sizes))
        except ValueError as problem:
            raise SectionError(name, str(problem)) from None
    _keep_grids(made)


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
        if type(value) is int and abs(value) > LARGEST:
            raise SectionError(path, f"expected a number up to {LARGEST}, got {_kind(value)}")
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
