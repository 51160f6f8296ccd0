# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 1: the one encoding of plain data."""

from __future__ import annotations

from typing import Any, NoReturn

LONGEST = 65_519
DEEPEST = 8


class Refused(Exception):  # noqa: N818  # the word of the document
    """Bytes or a body that the document refuses; `code` is that of section 13.2."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code} {why}".rstrip())
        self.code = code


def refuse(code: str, why: str = "") -> NoReturn:
    raise Refused(code, why)


def head(major: int, number: int) -> bytes:
    """The first bytes of an item: its major type and the shortest form of a number."""
    if number < 24:
        return bytes([major << 5 | number])
    for info, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * width:
            return bytes([major << 5 | info]) + number.to_bytes(width, "big")
    raise ValueError("a number of more than 64 bits has no encoding")


def encode(value: Any) -> bytes:
    """The encoding of plain data."""
    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        raw = value.encode()
        return head(3, len(raw)) + raw
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    pairs = sorted((encode(key), encode(item)) for key, item in value.items())
    return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)


class Reader:
    """Reads values from bytes and refuses all that is not the one encoding of a value."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            refuse("wire/truncated")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, info: int) -> int:
        if info < 24:
            return info
        if info == 31:
            refuse("wire/indefinite")
        if info > 27:
            refuse("wire/reserved")
        width = 1 << info - 24
        number = int.from_bytes(self.take(width), "big")
        if number < (24 if width == 1 else 1 << 4 * width):
            refuse("wire/not-shortest")
        return number

    def value(self, depth: int = 0) -> Any:
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        if major == 7:
            return self.simple(info)
        if major == 6:
            refuse("wire/tag")
        number = self.number(info)
        if major == 0:
            return number
        if major == 1:
            return -1 - number if number < 1 << 63 else refuse("wire/range")
        if major == 2:
            return self.take(number)
        if major == 3:
            return self.text(number)
        if depth == DEEPEST:
            refuse("wire/too-deep")
        if number > len(self.data) - self.at:
            refuse("wire/truncated")
        if major == 4:
            return [self.value(depth + 1) for _ in range(number)]
        return self.map(number, depth)

    def simple(self, info: int) -> Any:
        if info in (20, 21, 22):
            return {20: False, 21: True, 22: None}[info]
        if info in (25, 26, 27):
            refuse("wire/float")
        if info in (28, 29, 30):
            refuse("wire/reserved")
        refuse("wire/indefinite" if info == 31 else "wire/simple")

    def text(self, length: int) -> str:
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            refuse("wire/utf8")

    def map(self, count: int, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        last = b""
        for _ in range(count):
            start = self.at
            key = self.value(depth + 1)
            if not isinstance(key, str):
                refuse("wire/key-type")
            raw = self.data[start : self.at]
            if raw == last:
                refuse("wire/key-twice")
            if raw < last:
                refuse("wire/key-order")
            last = raw
            found[key] = self.value(depth + 1)
        return found


def decode(data: bytes, longest: int = LONGEST) -> Any:
    """The value that `data` is the encoding of; raises `Refused` if there is none."""
    if len(data) > longest:
        refuse("wire/too-long")
    reader = Reader(data)
    value = reader.value()
    if reader.at < len(data):
        refuse("wire/trailing")
    return value


def is_int(value: Any, low: int = 0, high: int = 2**53 - 1) -> bool:
    """True if the value is an integer (never a boolean) from low to high."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_number(value: Any) -> bool:
    """True if the value is any integer that has an encoding, and no boolean."""
    return is_int(value, -(2**63), 2**64 - 1)


def is_bytes(value: Any, length: int) -> bool:
    return isinstance(value, bytes) and len(value) == length


def is_list(value: Any, length: int) -> bool:
    return isinstance(value, list) and len(value) == length
