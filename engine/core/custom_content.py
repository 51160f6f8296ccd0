# SPDX-License-Identifier: GPL-3.0-or-later
"""A table's own content: tables of a file override those of the game, and have one canonical form.

The file is TOML with the schema of the game's own tables, all in one file. Missing keys keep the game's values: keys
of a table, and in a row of a list those of the game's row with the same id. A list in the file contains exactly the
rows given. ``version = 1`` says for which version of the game's content the file was made, the latest if it is absent:
the game's values are those of that version, for ever.

Peers send the canonical form of the whole content (:func:`engine.core.canonical.canonical`), whose hash is the content
id of such a table. So comments, order and notation of the file do not matter, and the other peers do not need the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.bounds import bounded
from engine.core.canonical import canonical, named, plain_content, written
from engine.core.content import fault
from engine.core.dataclass import dataclass, replace
from engine.core.registry import GameSpec, Tables

__all__ = ["MAX_DATA", "MAX_FILE", "Change", "CustomContent", "of_data", "of_file"]

MAX_FILE = 64_000
"""Greatest size of a content file in bytes."""
MAX_DATA = 48_000
"""Greatest size of the canonical form in bytes, far more than any valid file needs."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs from the game's: its path, and both values in plain form, None for a missing one."""

    path: str
    built_in: Any
    own: Any


@dataclass(frozen=True, slots=True)
class CustomContent:
    """A game with a table's own content: the game to play, the bytes to send, and the changes to show."""

    spec: GameSpec
    data: bytes
    changes: tuple[Change, ...]

    @property
    def id(self) -> bytes:
        """The 16-byte id of this content."""
        return named(self.data)


def of_file(spec: GameSpec, raw: bytes, name: str) -> CustomContent:
    """Return the game with the content of a file. Raises ContentError."""
    import tomllib

    tables = _tables(spec)
    if len(raw) > MAX_FILE:
        raise fault(name, "", f"{len(raw)} bytes, at most {MAX_FILE}", "content/too-long", len(raw), MAX_FILE)
    try:
        text = bounded(raw.decode(), name)
    except UnicodeDecodeError as error:
        raise fault(name, "", f"not UTF-8 at byte {error.start}", "content/not-utf8", error.start) from error
    try:
        found = tomllib.loads(text)
    except ValueError as error:
        raise fault(name, "", str(error), "content/toml", str(error)[:200]) from error
    version = found.pop("version", spec.rules_version)
    if type(version) is not int or not 1 <= version <= spec.rules_version:
        wanted = f"1 to {spec.rules_version}"
        raise fault(name, "version", f"{wanted} expected", "content/version", wanted, repr(version)[:60])
    rest = {key: value for key, value in found.items() if key not in tables.rows}
    rows = {tables.rows[key]: value for key, value in found.items() if key in tables.rows}
    built_in = {**plain_content(tables.content(version)), "version": version}
    return _own(spec, tables.replaced(spec, merged(built_in, {tables.rest: rest, **rows}), name))


def of_data(spec: GameSpec, data: bytes, name: str) -> CustomContent:
    """Return the game with the content of a received canonical form. Raises ContentError."""
    if len(data) > MAX_DATA:
        raise fault(name, "", f"{len(data)} bytes, at most {MAX_DATA}", "content/too-long", len(data), MAX_DATA)
    try:
        whole = json.loads(bounded(data.decode(), name))
    except ValueError as error:
        raise fault(name, "", "not in canonical form", "content/form") from error
    match whole:
        case [dict() as found] if written(whole) == data:
            pass
        case _:
            raise fault(name, "", "not in canonical form", "content/form")
    own = _own(spec, _tables(spec).replaced(spec, found, name))
    if own.data != data:
        raise fault(name, "", "not in canonical form", "content/form")
    return own


def merged(base: Any, over: Any) -> Any:
    """Return the base overridden by ``over``: tables key by key, rows by their id, all else as a whole."""
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        return {**base, **{key: merged(base.get(key), value) for key, value in over.items()}}
    if isinstance(base, list) and isinstance(over, list):
        known = {row["id"]: row for row in base if isinstance(row, dict) and "id" in row}
        return [merged(known.get(_id(row)), row) for row in over] if known else over
    return over


def _id(row: Any) -> str:
    id = row.get("id") if isinstance(row, dict) else None
    return id if isinstance(id, str) else ""


def _tables(spec: GameSpec) -> Tables:
    if spec.tables is None:
        raise fault(spec.id, "", "the game takes no content of a table", "content/no-own", spec.id)
    return spec.tables


def _own(base: GameSpec, spec: GameSpec) -> CustomContent:
    spec = replace(spec, rules_version=base.rules_version) if spec.rules_version != base.rules_version else spec
    ours, own = _tables(base), _tables(spec)
    names = {ours.rest: "", **{field: row for row, field in ours.rows.items()}}
    made = own.content(base.rules_version)
    before, after = plain_content(ours.content(made.version)), plain_content(made)
    changes = [change for field, shown in names.items() for change in _changes(shown, before[field], after[field])]
    return CustomContent(spec, canonical(made), tuple(changes))


def _changes(path: str, before: Any, after: Any) -> Iterator[Change]:
    """Yield every value that differs, tables key by key and rows by their id."""
    if before == after:
        return
    one, other = _by_key(before), _by_key(after)
    if one is None or other is None:
        yield Change(path, before, after)
        return
    for key in [*one, *(key for key in other if key not in one)]:
        yield from _changes(f"{path}.{key}" if path else key, one.get(key), other.get(key))


def _by_key(value: Any) -> Mapping[str, Any] | None:
    """Return the named parts of a value: the values of a table by key, rows by id; None for other values."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, list) and value and all(isinstance(row, dict) and "id" in row for row in value):
        return {row["id"]: row for row in value}
    return None
