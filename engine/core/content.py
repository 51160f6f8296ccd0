# SPDX-License-Identifier: GPL-3.0-or-later
"""Content: TOML tables of a game read into frozen dataclasses.

A dataclass describes a table, its fields the keys. Field types may be ``int``, ``str``, ``bool``, ``Literal`` texts,
``tuple``, ``Mapping[str, …]`` and other such dataclasses. A key with a default may be absent; any other missing key,
an unknown or a mistyped one raises :class:`ContentError` with the file, the table and the key.

Fields declared ``field(compare=False)`` (sources, confidence) are about the data: they are not in :func:`canonical` and
:func:`content_id`. Fields declared ``field(metadata=SHOWN)`` are display names: they are in the canonical form, which
is sent, but not in the content id, so that a corrected name does not change it. A field at its default is in neither,
so a new field with a default changes no id. A default never changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pkgutil import get_data
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeVar, cast, get_args, get_origin

from engine.core.dataclass import MISSING, Field, fields_of
from engine.core.errors import LocalError, Refusal
from engine.core.hints import hints_of
from engine.core.parsed import parsed

__all__ = [
    "SHOWN", "ContentError", "canonical", "content_id", "fault", "load", "load_rows", "named", "parse", "parse_rows",
    "plain_content", "read", "read_rows", "written",
]  # fmt: skip

T = TypeVar("T")

SHOWN: Mapping[str, bool] = MappingProxyType({"shown": True})
"""Metadata of a field that holds a display name."""
ATOMS = frozenset((int, str, bool, type(None)))
"""Types that are the same in plain form."""
Defaults = Mapping[str, object]
"""By the name of each field that is kept in a plain form: the value that is left out, or ``MISSING``."""
LONGEST = 60
"""Characters of a wrong value that a message quotes."""


class ContentError(LocalError):
    """A content file does not match its dataclass. The text names file, table and key.

    ``refusal`` is the same as a code, which the client words for a file of its user.
    """

    def __init__(self, text: str, refusal: Refusal | None = None) -> None:
        super().__init__(text)
        self.refusal = refusal or Refusal("content/unfit", "", (text,))


def fault(name: str, where: str, problem: str, code: str, *detail: int | str) -> ContentError:
    """Return the error of file ``name`` at a table and key, with a plain text and a code with details."""
    return ContentError(f"{name}: {f'{where}: ' if where else ''}{problem}", Refusal(code, where, detail))


def load(package: str, name: str, shape: type[T]) -> T:
    """Return the content file ``name`` (slashes allowed) in the folder of ``package``, which is one table."""
    return read(_loaded(package, name), name, shape)


def load_rows(package: str, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """Return the rows of a content file that contains only the array of tables ``key``."""
    return _alone(_loaded(package, name), name, key, shape)


def parse(text: str, name: str, shape: type[T]) -> T:
    """Return the TOML ``text`` as a ``shape``. ``name``: the file in error messages."""
    return read(toml_table(text, name), name, shape)


def parse_rows(text: str, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """Return the rows of a TOML ``text`` that contains only the array of tables ``key``."""
    return _alone(toml_table(text, name), name, key, shape)


def _alone(tables: Mapping[str, Any], name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    if list(tables) != [key]:
        found = ", ".join(tables) or "nothing"
        raise fault(name, "", f"[[{key}]] alone expected, not {found}", "content/rows", key, found)
    return read_rows(tables[key], name, key, shape)


def read(table: Any, name: str, shape: type[T]) -> T:
    """Return a table in plain form, as parsed from TOML or JSON, as a ``shape``."""
    return cast("T", _judged(shape, table, name, ""))


def read_rows(rows: Any, name: str, key: str, shape: type[T]) -> tuple[T, ...]:
    """Return the rows of the array of tables ``key`` in plain form."""
    return cast("tuple[T, ...]", _judged(tuple[shape, ...], rows, name, key))  # type: ignore[valid-type]


def canonical(*parts: object) -> bytes:
    """Return the canonical form of loaded content: JSON without fields that do not compare or are at their default."""
    return written(_plain(parts, _differs))


def written(plain: Any) -> bytes:
    """Return tables and lists in canonical form. A lone surrogate, which no content contains, is kept."""
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def content_id(*parts: object) -> bytes:
    """Return the content id: 16 bytes of BLAKE2b over the canonical form without display names."""
    return named(written(_plain(parts, _counts)))


def named(data: bytes) -> bytes:
    """Return the id of a table's own content: 16 bytes of BLAKE2b over the canonical form with display names."""
    return blake2b(data, digest_size=16).digest()


def plain_content(part: object) -> Any:
    """Return loaded content as tables and lists, without the fields that do not compare."""
    return _plain(part, _compares)


@cache
def _compares(cls: type) -> Defaults:
    return {name: MISSING for name, field in fields_of(cls).items() if field.compare}


@cache
def _differs(cls: type) -> Defaults:
    fields = fields_of(cls)
    return {name: _default(fields[name]) for name in _compares(cls)}


@cache
def _counts(cls: type) -> Defaults:
    fields = fields_of(cls)
    return {name: default for name, default in _differs(cls).items() if "shown" not in fields[name].metadata}


def _default(field: Field) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _loaded(package: str, name: str) -> dict[str, Any]:
    # pkgutil, because importing importlib.resources would take a tenth of a command's start.
    try:
        data = get_data(package, name)
    except OSError as error:
        raise fault(name, "", f"cannot be read: {error}", "content/file") from error
    if data is None:
        raise fault(name, "", f"package {package} gives no files", "content/file")
    source = data
    return parsed.keep(package, name, source, lambda: toml_table(source.decode("utf-8", "replace"), name))


def toml_table(text: str, name: str) -> dict[str, Any]:
    import tomllib  # rarely needed: most starts find the tables parsed

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise fault(name, "", str(error), "content/toml", str(error)) from error


class _UnfitError(Exception):
    """A value does not fit its type: a plain text, a code, and the path of keys and places to the value."""

    def __init__(self, problem: str, code: str, *detail: int | str, path: Sequence[str | int] = ()) -> None:
        super().__init__(problem)
        self.problem, self.code, self.detail = problem, code, detail
        self.path = list(path)


Reader = Callable[[Any], object]
"""Converts a value in plain form to that of a field. Raises _UnfitError if it does not fit."""


def _judged(hint: Any, value: Any, name: str, where: str) -> object:
    try:
        return _reader(hint)(value)
    except _UnfitError as unfit:
        for step in unfit.path:
            where = f"{where}[{step}]" if type(step) is int else _join(where, str(step))
        always = where or ("file" if unfit.code == "content/type" else "")
        raise fault(name, always, unfit.problem, unfit.code, *unfit.detail) from None


@cache
def _reader(hint: Any, field: str = "") -> Reader:
    """Return the reader of a type, made once for each field. Raises TypeError for types that content cannot have."""
    if hint in (int, str, bool):
        return _exactly(hint)
    if fields_of(hint):
        return _row(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _one_of(args)
    if origin is tuple:
        readers = [_reader(arg, field) for arg in args if arg is not Ellipsis]
        return _list(*readers) if args[-1] is Ellipsis else _items(readers)
    if origin is Mapping and args[0] is str:
        return _mapping(_reader(args[1], field))
    raise TypeError(f"{field}: content cannot be of type {hint}")


def _exactly(kind: type) -> Reader:
    def read(value: Any) -> object:
        if type(value) is not kind:
            raise _wrong(kind.__name__, value)
        return value

    return read


def _one_of(known: tuple[str, ...]) -> Reader:
    def read(value: Any) -> object:
        if value not in known:
            raise _wrong(f"one of {', '.join(known)}", value)
        return value

    return read


def _row(shape: Any) -> Reader:
    hints, fields = hints_of(shape), fields_of(shape)
    readers = {key: _reader(hints[key], f"{shape.__name__}.{key}") for key in fields}
    unknown = _unknown(readers)
    wanted = [key for key, field in fields.items() if field.default is field.default_factory is MISSING]

    def read(table: Any) -> object:
        if not isinstance(table, dict):
            raise _wrong("a table", table)
        values = _by_key(table, readers, unknown)
        for key in wanted:
            if key not in values:
                raise _UnfitError("missing", "content/missing", path=[key])
        return shape(**values)

    return read


def _unknown(known: Mapping[str, Any]) -> Reader:
    keys = ", ".join(known)

    def read(_value: Any) -> NoReturn:
        raise _UnfitError(f"unknown key; known: {keys}", "content/unknown-key", keys)

    return read


def _list(item: Reader) -> Reader:
    def read(value: Any) -> object:
        if not isinstance(value, list):
            raise _wrong("a list", value)
        values: list[object] = []
        try:
            values.extend(map(item, value))
        except _UnfitError as unfit:
            unfit.path.insert(0, len(values))
            raise
        return tuple(values)

    return read


def _items(items: list[Reader]) -> Reader:
    def read(value: Any) -> object:
        if not isinstance(value, list):
            raise _wrong("a list", value)
        if len(items) != len(value):
            raise _wrong(f"{len(items)} items", value)
        values: list[object] = []
        try:
            for item, part in zip(items, value, strict=True):
                values.append(item(part))
        except _UnfitError as unfit:
            unfit.path.insert(0, len(values))
            raise
        return tuple(values)

    return read


def _mapping(item: Reader) -> Reader:
    def read(value: Any) -> object:
        if not isinstance(value, dict):
            raise _wrong("a table", value)
        return MappingProxyType(_by_key(value, {}, item))

    return read


def _by_key(table: dict[str, Any], readers: Mapping[str, Reader], other: Reader) -> dict[str, object]:
    """Return what the reader of each key, or else the ``other`` reader, makes of its value. An error names the key."""
    values: dict[str, object] = {}
    key = ""
    try:
        for key, value in table.items():
            values[key] = readers.get(key, other)(value)
    except _UnfitError as unfit:
        unfit.path.insert(0, key)
        raise
    return values


def _wrong(wanted: str, value: object) -> _UnfitError:
    shown = repr(value)[:LONGEST]
    return _UnfitError(f"{wanted} expected, not {shown}", "content/type", wanted, shown)


def _join(where: str, key: str) -> str:
    """Return the path of a key. It may be untrusted, so unprintable characters are escaped."""
    shown = key if key.isprintable() else ascii(key)
    return f"{where}.{shown}" if where else shown


def _plain(value: Any, kept: Callable[[type], Defaults]) -> Any:
    kind = type(value)
    if kind in ATOMS:
        return value
    if isinstance(value, tuple):
        return [item if type(item) in ATOMS else _plain(item, kept) for item in value]
    if fields_of(kind):
        parts = [(name, default, getattr(value, name)) for name, default in kept(kind).items()]
        return {name: _plain(part, kept) for name, default, part in parts if default is MISSING or part != default}
    if isinstance(value, Mapping):
        return {key: _plain(item, kept) for key, item in value.items()}
    raise TypeError(f"not content: {value!r}")
