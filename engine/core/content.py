"""Content: TOML tables of a game read into frozen dataclasses.

A dataclass describes a table, its fields the keys.  Field types may be ``int``, ``str``, ``bool``, ``Literal`` texts,
``tuple``, ``Mapping[str, …]`` and other such dataclasses.  A key with a default may be absent; any other missing key,
an unknown or a mistyped one raises :class:`ContentError` with the file, the table and the key.

Fields declared ``field(compare=False)`` (sources, confidence) describe the data without being it: they stay out of
:func:`canonical` and :func:`content_id`.  Fields declared ``field(metadata=SHOWN)`` are display names: part of the
canonical form, which travels, and not of the content id, so that a corrected name locks nobody out.  A field at its
default stays out of both: a new field with a default changes no id, and a default never changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import lru_cache
from hashlib import blake2b
from pkgutil import get_data
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from engine.core.errors import LocalError, Refusal
from engine.core.parsed import parsed

__all__ = [
    "SHOWN", "ContentError", "canonical", "content_id", "fault", "load", "load_rows", "named", "parse", "parse_rows",
    "plain_content", "read", "read_rows", "written",
]  # fmt: skip

T = TypeVar("T")

SHOWN: Mapping[str, bool] = MappingProxyType({"shown": True})
"""Metadata of a field that holds a display name."""
LONGEST = 60
"""Characters of a wrong value that a message quotes."""


class ContentError(LocalError):
    """A content file does not hold what its dataclass asks for; the text names file, table and key.

    ``refusal`` says the same by a code, for a client that words what is wrong with a file of its user.
    """

    def __init__(self, text: str, refusal: Refusal | None = None) -> None:
        super().__init__(text)
        self.refusal = refusal or Refusal("content/unfit", "", (text,))


def fault(name: str, where: str, problem: str, code: str, *detail: int | str) -> ContentError:
    """What is wrong in the file ``name`` at a table and key: in plain words, and as a code with its details."""
    return ContentError(f"{name}: {f'{where}: ' if where else ''}{problem}", Refusal(code, where, detail))


def load(package: str, name: str, shape: type[T]) -> T:
    """The content file ``name`` (slashes allowed) beside the modules of ``package``: one table."""
    return read(_loaded(package, name), name, shape)


def load_rows(package: str, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """A content file that holds nothing but the array of tables ``key``."""
    return _alone(_loaded(package, name), name, key, shape)


def parse(text: str, name: str, shape: type[T]) -> T:
    """The TOML ``text`` as a ``shape``; ``name`` stands in error messages."""
    return read(_toml(text, name), name, shape)


def parse_rows(text: str, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """The rows of a TOML ``text`` that holds nothing but the array of tables ``key``."""
    return _alone(_toml(text, name), name, key, shape)


def _alone(tables: Mapping[str, Any], name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    if list(tables) != [key]:
        found = ", ".join(tables) or "nothing"
        raise fault(name, "", f"[[{key}]] alone expected, not {found}", "content/rows", key, found)
    return read_rows(tables[key], name, key, shape)


def read(table: Any, name: str, shape: type[T]) -> T:
    """A table in plain form, as TOML and JSON give it, as a ``shape``."""
    return cast("T", _row(shape, table, name, ""))


def read_rows(rows: Any, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """The array of tables ``key`` in plain form."""
    return cast("tuple[T, ...]", _items((shape, ...), rows, name, key))


def canonical(*parts: object) -> bytes:
    """The one way to write loaded content down: JSON without fields that do not compare or are at their default."""
    return written(_plain(parts, _differs))


def written(plain: Any) -> bytes:
    """Tables and lists in canonical form; half a character pair, which no content holds, stays what it is."""
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def content_id(*parts: object) -> bytes:
    """16 bytes that name loaded content: BLAKE2b of its canonical form without display names."""
    return named(written(_plain(parts, _counts)))


def named(data: bytes) -> bytes:
    """16 bytes that name content in canonical form, its display names included: those of a table's own content."""
    return blake2b(data, digest_size=16).digest()


def plain_content(part: object) -> Any:
    """Loaded content as tables and lists, without the fields that do not compare."""
    return _plain(part, _compares)


def _compares(field: Field[Any], value: object) -> bool:
    return field.compare


def _differs(field: Field[Any], value: object) -> bool:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return field.compare and (default is MISSING or value != default)


def _counts(field: Field[Any], value: object) -> bool:
    return "shown" not in field.metadata and _differs(field, value)


def _loaded(package: str, name: str) -> dict[str, Any]:
    # pkgutil, because importlib.resources alone would take a tenth of the time a command has to start in.
    try:
        data = get_data(package, name)
    except OSError as error:
        raise fault(name, "", f"cannot be read: {error}", "content/file") from error
    if data is None:
        raise fault(name, "", f"package {package} gives no files", "content/file")
    source = data
    return parsed.keep(package, name, source, lambda: _toml(source.decode("utf-8", "replace"), name))


def _toml(text: str, name: str) -> dict[str, Any]:
    import tomllib  # seldom needed: most starts find the tables parsed

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(name, "", str(error), "content/toml", str(error)) from error


@lru_cache
def _fields(shape: Any) -> dict[str, tuple[Any, Field[Any]]]:
    """Type and field of each key."""
    hints = get_type_hints(shape)
    return {field.name: (hints[field.name], field) for field in fields(shape)}


def _row(shape: Any, table: Any, name: str, where: str) -> object:
    if not isinstance(table, dict):
        raise _wrong(name, where, "a table", table)
    known = _fields(shape)
    for key in table:
        if key not in known:
            path, keys = _join(where, key), ", ".join(known)
            raise fault(name, path, f"unknown key; known: {keys}", "content/unknown-key", keys)
    values = {}
    for key, (hint, field) in known.items():
        if key in table:
            values[key] = _value(hint, table[key], name, _join(where, key))
        elif field.default is MISSING and field.default_factory is MISSING:
            raise fault(name, _join(where, key), "missing", "content/missing")
    return shape(**values)


@lru_cache
def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a hint asks for, and of what; a dataclass is asked for by that word."""
    return ("dataclass" if is_dataclass(hint) else get_origin(hint)), get_args(hint)


def _value(hint: Any, value: Any, name: str, where: str) -> object:
    if hint in (int, str, bool):
        if type(value) is not hint:
            raise _wrong(name, where, hint.__name__, value)
        return value
    origin, args = _taken_apart(hint)
    if origin == "dataclass":
        return _row(hint, value, name, where)
    if origin is Literal:
        if value not in args:
            raise _wrong(name, where, f"one of {', '.join(args)}", value)
        return value
    if origin is tuple:
        return _items(args, value, name, where)
    if origin is Mapping and args[0] is str:
        if not isinstance(value, dict):
            raise _wrong(name, where, "a table", value)
        return MappingProxyType({key: _value(args[1], item, name, _join(where, key)) for key, item in value.items()})
    raise TypeError(f"{name}: {where}: content cannot be of type {hint}")


def _items(args: tuple[Any, ...], value: Any, name: str, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _wrong(name, where, "a list", value)
    if args[-1] is Ellipsis:
        args = args[:1] * len(value)
    elif len(args) != len(value):
        raise _wrong(name, where, f"{len(args)} items", value)
    return tuple(
        _value(hint, item, name, f"{where}[{at}]") for at, (hint, item) in enumerate(zip(args, value, strict=True))
    )


def _plain(value: Any, kept: Callable[[Field[Any], object], bool]) -> Any:
    if value is None or type(value) in (int, str, bool):
        return value
    if isinstance(value, tuple):
        return [_plain(item, kept) for item in value]
    if is_dataclass(value):
        parts = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _plain(part, kept) for field, part in parts if kept(field, part)}
    if isinstance(value, Mapping):
        return {key: _plain(item, kept) for key, item in value.items()}
    raise TypeError(f"not content: {value!r}")


def _join(where: str, key: str) -> str:
    """The path of a key, which may be a stranger's: what cannot be printed is written by number."""
    shown = key if key.isprintable() else ascii(key)
    return f"{where}.{shown}" if where else shown


def _wrong(name: str, where: str, wanted: str, value: object) -> ContentError:
    shown = repr(value)[:LONGEST]
    return fault(name, where or "file", f"{wanted} expected, not {shown}", "content/type", wanted, shown)
