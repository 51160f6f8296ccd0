"""Content: TOML tables of a game read into frozen dataclasses.

A content file is described by a dataclass whose fields are the keys of the file; an array of tables is a ``tuple`` of
row dataclasses.  Field types may be ``int``, ``str``, ``bool``, ``Literal`` texts, ``tuple``, ``Mapping[str, …]`` and
such dataclasses; a key with a default may be absent, any other missing, unknown or mistyped key raises
:class:`ContentError` with the file, the table and the key.

Fields declared ``field(compare=False)`` (sources, confidence) describe the data without being it: they stay out of
:func:`content_id`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from hashlib import blake2b
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from engine.core.errors import LocalError

__all__ = ["ContentError", "content_id", "load", "parse"]

T = TypeVar("T")


class ContentError(LocalError):
    """A content file does not hold what its dataclass asks for; the text names file, table and key."""


def load(package: str, name: str, shape: type[T]) -> T:
    """The content file ``name`` (slashes allowed) beside the modules of ``package``, as a ``shape``."""
    try:
        text = resources.files(package).joinpath(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(f"{name}: cannot be read: {error}") from error
    return parse(text, name, shape)


def parse(text: str, name: str, shape: type[T]) -> T:
    """The TOML ``text`` as a ``shape``; ``name`` stands in error messages."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ContentError(f"{name}: {error}") from error
    return cast("T", _row(shape, tables, name, ""))


def content_id(*parts: object) -> bytes:
    """16 bytes over loaded content: BLAKE2b of its canonical JSON, without the fields that do not compare."""
    text = json.dumps(_plain(parts), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).digest()


def _row(shape: Any, table: Any, name: str, where: str) -> object:
    if not isinstance(table, dict):
        raise _wrong(name, where, "a table", table)
    hints = get_type_hints(shape)
    for key in table:
        if key not in hints:
            raise ContentError(f"{name}: {_join(where, key)}: unknown key; known: {', '.join(hints)}")
    values = {}
    for field in fields(shape):
        if field.name in table:
            values[field.name] = _value(hints[field.name], table[field.name], name, _join(where, field.name))
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ContentError(f"{name}: {_join(where, field.name)}: missing")
    return shape(**values)


def _value(hint: Any, value: Any, name: str, where: str) -> object:
    if hint in (int, str, bool):
        if type(value) is not hint:
            raise _wrong(name, where, hint.__name__, value)
        return value
    if is_dataclass(hint):
        return _row(hint, value, name, where)
    origin, args = get_origin(hint), get_args(hint)
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


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.compare}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if value is None or type(value) in (int, str, bool):
        return value
    raise TypeError(f"not content: {value!r}")


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _wrong(name: str, where: str, wanted: str, value: object) -> ContentError:
    return ContentError(f"{name}: {where or 'file'}: {wanted} expected, not {value!r}")
