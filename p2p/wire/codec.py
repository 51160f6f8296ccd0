# SPDX-License-Identifier: GPL-3.0-or-later
"""Canonical CBOR for plain data, written by cbor2 and read by a strict decoder of our own.

Two peers must never read one entry differently, so exactly one encoding of a value is accepted: the deterministic one
of RFC 8949 section 4.2.1. Only the subset that the game needs is accepted: null, booleans, integers from -2^63 to
2^64-1, byte strings, text, lists, and maps with text keys. Tags, floats, undefined and other simple values, indefinite
lengths, longer-than-needed lengths, keys out of order and trailing bytes are refused, each with a stable code and the
offset of the first byte at fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, Union

import cbor2

Value: TypeAlias = Union[bool, int, bytes, str, "list[Value]", "dict[str, Value]", None]
"""The values that `decode` returns."""

Plain: TypeAlias = Union[bool, int, bytes, str, "Sequence[Plain]", "Mapping[str, Plain]", None]
"""The values that `encode` takes. A tuple is written as a list."""

MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**64 - 1
MAX_BYTES: Final = 65_519
MAX_DEPTH: Final = 8


class WireError(ValueError):
    """Bytes or a decoded value break the protocol.

    Attributes:
        code: stable name such as "wire/truncated".
        offset: index of the byte at fault, 0 for a decoded value.
        detail: what was found, in plain words for a log.
    """

    def __init__(self, code: str, offset: int = 0, detail: str = "") -> None:
        super().__init__(f"{code} at byte {offset}" + (f": {detail}" if detail else ""))
        self.code = code
        self.offset = offset
        self.detail = detail


def encode(value: Plain) -> bytes:
    """Return the canonical encoding of `value`.

    Raises TypeError for any other type (float, set, a subclass such as IntEnum), and ValueError for an integer or a
    nesting out of range and for text that is not Unicode. These are errors of the caller.
    """
    _check(value, 0)
    return cbor2.dumps(value, canonical=True)


def decode(data: bytes, *, limit: int = MAX_BYTES, depth: int = MAX_DEPTH) -> Value:
    """Return the one value that `data` encodes.

    limit: greatest accepted length in bytes.
    depth: greatest nesting of lists and maps.

    Raises WireError for a value outside the subset or not in canonical form.
    """
    if len(data) > limit:
        raise WireError("wire/too-long", limit, f"{len(data)} bytes, at most {limit}")
    value, end = _item(data, 0, depth)
    if end != len(data):
        raise WireError("wire/trailing", end, f"{len(data) - end} bytes after the value")
    return value


def decode_at(data: bytes, at: int) -> tuple[Value, int]:
    """Return the value whose encoding starts at `at`, and the index after it. Raises WireError as `decode` does."""
    return _item(data, at, MAX_DEPTH)


def _check(value: Plain, depth: int) -> None:
    kind = type(value)
    if value is None or kind is bool or kind is bytes:
        return
    if kind is int:
        if not MIN_INT <= value <= MAX_INT:  # type: ignore[operator]
            raise ValueError(f"integer out of range: {value!r}")
    elif kind is str:
        value.encode()  # type: ignore[union-attr]
    elif kind is list or kind is tuple or kind is dict:
        if depth == MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        if kind is dict:
            for key in value:  # type: ignore[union-attr]
                if type(key) is not str:
                    raise TypeError(f"map key must be text, not {type(key).__name__}")
                key.encode()
            value = tuple(value.values())  # type: ignore[union-attr]
        for part in value:  # type: ignore[union-attr]
            _check(part, depth + 1)
    else:
        raise TypeError(f"cannot be encoded: {kind.__name__}")


_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _LIST, _MAP, _TAG, _SIMPLE = range(8)
_BYTES_1: Final = 0x58
"""Head of a byte string whose length is in the next byte."""
_CONSTANTS: Final[dict[int, bool | None]] = {20: False, 21: True, 22: None}


def _item(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    """Read the item that starts at `at`; return it and the index after it. depth: nesting still allowed."""
    if at >= len(data):
        raise WireError("wire/truncated", at, "a value is missing")
    major, low = data[at] >> 5, data[at] & 31
    if major >= _TAG:
        return _simple(low, at) if major == _SIMPLE else _refuse_tag(at)
    size, after = (low, at + 1) if low < 24 else _argument(data, at, low)
    if major == _UNSIGNED:
        return size, after
    if major == _NEGATIVE:
        if size > -1 - MIN_INT:
            raise WireError("wire/range", at, "integer below -2^63")
        return -1 - size, after
    if size > len(data) - after:  # each item takes a byte or more, so this bounds memory too
        raise WireError("wire/truncated", at, f"length {size}, but {len(data) - after} bytes are left")
    if major == _BYTES:
        return data[after : after + size], after + size
    if major == _TEXT:
        return _text(data, after, size), after + size
    if depth == 0:
        raise WireError("wire/too-deep", at, "too many lists and maps inside each other")
    if major == _MAP:
        return _map(data, after, size, depth - 1)
    return _list(data, after, size, depth - 1)


def _list(data: bytes, at: int, size: int, depth: int) -> tuple[Value, int]:
    """Read `size` items. Small numbers and short strings, the most frequent items, are read inline."""
    parts: list[Value] = []
    last = len(data)
    for _ in range(size):
        head = data[at] if at < last else 0xFF
        if head < 24:
            parts.append(head)
            at += 1
        elif head == _BYTES_1 and at + 2 <= last and 24 <= data[at + 1] <= last - at - 2:
            after = at + 2 + data[at + 1]
            parts.append(data[at + 2 : after])
            at = after
        else:
            part, at = _item(data, at, depth)
            parts.append(part)
    return parts, at


def _argument(data: bytes, at: int, low: int) -> tuple[int, int]:
    """Read a length or number of 1, 2, 4 or 8 bytes, and refuse one that fits a shorter form."""
    if low > 27:
        raise WireError("wire/indefinite" if low == 31 else "wire/reserved", at, f"additional information {low}")
    width = 1 << (low - 24)
    after = at + 1 + width
    if after > len(data):
        raise WireError("wire/truncated", at, f"a number of {width} bytes is cut off")
    number = int.from_bytes(data[at + 1 : after], "big")
    if number < (24 if width == 1 else 1 << (width * 4)):
        raise WireError("wire/not-shortest", at, f"{number} in {width} bytes")
    return number, after


def _text(data: bytes, start: int, size: int) -> str:
    try:
        return data[start : start + size].decode()
    except UnicodeDecodeError as error:
        raise WireError("wire/utf8", start + error.start, "text is not UTF-8") from None


def _map(data: bytes, at: int, size: int, depth: int) -> tuple[Value, int]:
    pairs: dict[str, Value] = {}
    last = b""
    for _ in range(size):
        start = at
        if at < len(data) and data[at] >> 5 != _TEXT:
            raise WireError("wire/key-type", at, "a map key must be text")
        key, at = _item(data, at, depth)
        assert isinstance(key, str)
        written = data[start:at]
        if written <= last:
            raise WireError("wire/key-twice" if written == last else "wire/key-order", start, f"key {key!r}")
        last = written
        pairs[key], at = _item(data, at, depth)
    return pairs, at


def _simple(low: int, at: int) -> tuple[Value, int]:
    if low in _CONSTANTS:
        return _CONSTANTS[low], at + 1
    if 25 <= low <= 27:
        raise WireError("wire/float", at, "floating-point numbers are not used")
    raise WireError("wire/indefinite" if low == 31 else "wire/simple", at, f"simple value {low}")


def _refuse_tag(at: int) -> tuple[Value, int]:
    raise WireError("wire/tag", at, "tags are not used")
