# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the fields of a message: each function returns its value or raises WireError "message/…"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p.wire.codec import MAX_INT, Value, WireError

_CODE_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789/-")


def read_exactly(fields: Sequence[Value], count: int) -> Sequence[Value]:
    """Return `fields`, which must be `count` values."""
    if len(fields) != count:
        raise WireError("message/fields", 0, f"{len(fields)} fields, not {count}")
    return fields


def read_int(value: Value, low: int, high: int = MAX_INT) -> int:
    """Return an integer from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise WireError("message/number", 0, f"expected a number from {low} to {high}")
    return value


def read_bytes(value: Value, low: int, high: int | None = None) -> bytes:
    """Return `low` to `high` bytes; exactly `low` without `high`."""
    if type(value) is not bytes or not low <= len(value) <= (low if high is None else high):
        raise WireError("message/bytes", 0, f"expected bytes, {low} of them" + (f" to {high}" if high else ""))
    return value


def read_text(value: Value, most: int) -> str:
    """Return text of at most `most` bytes in UTF-8."""
    if type(value) is not str or len(value.encode()) > most:
        raise WireError("message/text", 0, f"expected text of at most {most} bytes")
    return value


def read_code(value: Value, most: int) -> str:
    """Return a code of at most `most` small letters, digits, "/" and "-"."""
    code = read_text(value, most)
    if not code or not _CODE_LETTERS.issuperset(code):
        raise WireError("message/code", 0, "expected a code of small letters, digits, '/' and '-'")
    return code


def read_list(value: Value, most: int) -> list[Value]:
    """Return a list of at most `most` values."""
    if type(value) is not list or len(value) > most:
        raise WireError("message/list", 0, f"expected a list of at most {most}")
    return value
