# SPDX-License-Identifier: GPL-3.0-or-later
"""Content: TOML tables of a game read into frozen dataclasses.

A dataclass describes a table, its fields the keys. Field types may be ``int``, ``str``, ``bool``, ``Literal`` texts,
``tuple``, ``Mapping[str, …]`` and other such dataclasses. A key with a default may be absent; any other missing key,
an unknown or a mistyped one raises :class:`ContentError` with the file, the table and the key.

Content grows with the versions of the rules. A row may have ``since = N``, 1 if absent. A table of version v sees for
each id the row with the greatest ``since`` up to v, at the place of the first of them; ``withdrawn = true`` takes the
id out. The id is the field declared ``field(metadata=KEY)``, or those, else ``id``. Single values change by tables
``[[later]]`` with a ``since`` and the keys that have other values from then on. Neither ``since`` nor rows that a
table does not see are in its content id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pkgutil import get_data
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeVar, cast, get_args, get_origin, get_type_hints

from engine.core.dataclass import MISSING, fields_of
from engine.core.errors import LocalError, Refusal
from engine.core.parsed import parsed

__all__ = ["KEY", "SHOWN", "ContentError", "fault", "load", "load_rows", "parse", "parse_rows", "read", "read_rows"]

T = TypeVar("T")

SHOWN: Mapping[str, bool] = MappingProxyType({"shown": True})
"""Metadata of a field that holds a display name."""
KEY: Mapping[str, bool] = MappingProxyType({"key": True})
"""Metadata of a field that is the id of its row, or a part of it."""
SINCE, WITHDRAWN, LATER = "since", "withdrawn", "later"
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


def load(package: str, name: str, shape: type[T], version: int) -> T:
    """Return the content file ``name`` (slashes allowed) in the folder of ``package``, which is one table, as a table
    of this version of the rules sees it."""
    return read(_at(shape, _changed(_loaded(package, name), name, version), name, version), name, shape)


def load_rows(package: str, name: str, key: str, shape: type[T], version: int) -> tuple[T, ...]:
    """Return the rows of a content file that contains only the array of tables ``key``, those that a table of this
    version of the rules sees."""
    tables = _loaded(package, name)
    return _alone({each: _seen(shape, rows, name, version) for each, rows in tables.items()}, name, key, shape)


def _changed(table: Mapping[str, Any], name: str, version: int) -> dict[str, Any]:
    """The single values of a table at a version."""
    found = {key: value for key, value in table.items() if key != LATER}
    changes = table.get(LATER, [])
    if not isinstance(changes, list) or not all(isinstance(each, dict) for each in changes):
        raise fault(name, LATER, "a list of tables expected", "content/type", "a list of tables", "")
    last = 1
    for each in changes:
        since = _since(each, name, LATER)
        if since <= last:
            raise fault(name, f"{LATER}.{SINCE}", "2 or more, in order", "content/since", since)
        last = since
        if since <= version:
            found = _over(found, {key: value for key, value in each.items() if key != SINCE})
    return found


def _over(base: Any, over: Any) -> Any:
    if isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: _over(base.get(key), value) for key, value in over.items()}}
    return over


def _at(shape: Any, table: Any, name: str, version: int) -> Any:
    """The rows within a table that are seen at a version."""
    if not isinstance(table, dict):
        return table
    hints = get_type_hints(shape, include_extras=True)
    return {
        key: _seen(get_args(hints[key])[0], value, name, version)
        if key in hints and get_origin(hints[key]) is tuple and fields_of(get_args(hints[key])[0])
        else value
        for key, value in table.items()
    }


def _seen(shape: Any, rows: Any, name: str, version: int) -> Any:
    """The rows of a list that are seen at a version, without what says since when. What is no row is left to be
    refused."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return rows
    if not any(SINCE in row or WITHDRAWN in row for row in rows):
        return rows
    fields = fields_of(shape)
    keys = [key for key, field in fields.items() if "key" in field.metadata] or ["id"]
    newest: dict[tuple[str, ...], tuple[int, dict[str, Any]]] = {}
    listed: list[tuple[tuple[str, ...], int]] = []
    for row in rows:
        id = tuple(str(row.get(key)) for key in keys)
        since = _since(row, name, " ".join(id))
        if (id, since) in listed:
            raise fault(name, " ".join(id), f"listed twice since {since}", "content/since", since)
        listed.append((id, since))
        if since > version:
            continue
        known = newest.get(id)
        if known is None or since > known[0]:
            newest[id] = since, row
    return [
        {key: value for key, value in row.items() if key not in (SINCE, WITHDRAWN)}
        for _, row in newest.values()
        if row.get(WITHDRAWN) is not True
    ]


def _since(row: Mapping[str, Any], name: str, where: str) -> int:
    since = row.get(SINCE, 1)
    if type(since) is not int or since < 1:
        raise fault(name, f"{where}.{SINCE}", "1 or more expected", "content/since", str(since)[:LONGEST])
    return since


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
    hints, fields = get_type_hints(shape, include_extras=True), fields_of(shape)
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
