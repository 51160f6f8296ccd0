# SPDX-License-Identifier: GPL-3.0-or-later
"""The canonical form of loaded content, which peers send, and its id, which they compare.

Fields declared ``field(compare=False)`` (sources, confidence) are about the data: they are in neither. Fields declared
``field(metadata=SHOWN)`` are display names: they are in the canonical form, but not in the content id, so that a
corrected name does not change it. A field at its default is in neither, so a new field with a default changes no id. A
default never changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any

from engine.core.dataclass import MISSING, Field, fields_of

ATOMS = frozenset((int, str, bool, type(None)))
"""Types that are the same in plain form."""
Defaults = Mapping[str, object]
"""By the name of each field that is kept in a plain form: the value that is left out, or ``MISSING``."""


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
