# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes as text that survives messengers: numbered parts, short enough for each of them, in any order.

(2/5) starlock-post: and base32 of    version  tag  number  count  size    payload    check

The tag is the beginning of the hash of all bytes, number counts from 1, size is that of the payload, check is the
beginning of the hash of the part. Case, line breaks, quotation marks and words around a part, repeated parts and their
order do not matter. The check detects any other change, and only that part has to be copied again. Later versions keep
this form around the payload, so that their parts are not taken for damaged ones.
"""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from collections.abc import Iterator
from typing import Final

from engine.core.dataclass import dataclass, field
from seeds.hashing import H

PREFIX: Final = "starlock-post:"
PART: Final = 1_000
"""Bytes of payload. A part then has about 1,700 characters, below the limit of every common messenger."""
MAX_TEXT: Final = 40_000_000
LINE: Final = 64
TAG: Final = 5
CHECK: Final = 5
_VERSION: Final = 1
_HEAD: Final = 1 + TAG + 2 + 2 + 2
_BEGIN: Final = PREFIX.replace("-", "")
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def pasted_parts(data: bytes) -> list[str]:
    """Return `data` as a list of parts."""
    tag = H("post", data)[:TAG]
    chunks = [data[at : at + PART] for at in range(0, len(data), PART)] or [b""]
    return [_part(tag, number, len(chunks), chunk) for number, chunk in enumerate(chunks, 1)]


def _part(tag: bytes, number: int, count: int, chunk: bytes) -> str:
    numbers = b"".join(each.to_bytes(2, "big") for each in (number, count, len(chunk)))
    body = bytes([_VERSION]) + tag + numbers + chunk
    letters = b32encode(body + _check(body)).decode().rstrip("=").lower()
    lines = [letters[at : at + LINE] for at in range(0, len(letters), LINE)]
    return "\n".join([f"({number}/{count}) {PREFIX}", *lines])


@dataclass(slots=True)
class Pasted:
    """Collects the parts in texts.

    Attributes:
        damaged: number of parts with a changed or missing letter.
        other: number of parts of another version.
    """

    damaged: int = 0
    other: int = 0
    _parts: dict[tuple[bytes, int], dict[int, bytes]] = field(default_factory=dict)

    def add(self, text: str) -> int:
        """Collect the parts in a text, which may contain other words. Return their number, damaged ones included."""
        begun = _kept(text).split(_BEGIN)[1:]
        for letters in begun:
            self._add(letters)
        return len(begun)

    def _add(self, letters: str) -> None:
        head = _data(letters[: -(-_HEAD * 8 // 5)])
        if head is None or len(head) < _HEAD:
            self.damaged += 1
        else:
            size = int.from_bytes(head[_HEAD - 2 : _HEAD], "big")
            body = _data(letters[: -(-(_HEAD + size + CHECK) * 8 // 5)])
            number, count = (int.from_bytes(head[at : at + 2], "big") for at in (1 + TAG, 3 + TAG))
            whole = body is not None and body[-CHECK:] == _check(body[:-CHECK]) and len(body) == _HEAD + size + CHECK
            if body is None or not whole or not 1 <= number <= count:
                self.damaged += 1
            elif head[0] != _VERSION:
                self.other += 1
            else:
                self._parts.setdefault((head[1 : 1 + TAG], count), {})[number] = body[_HEAD:-CHECK]

    def taken(self) -> Iterator[bytes]:
        """Yield each complete sequence of bytes once."""
        for (tag, count), parts in list(self._parts.items()):
            if len(parts) == count:
                del self._parts[tag, count]
                data = b"".join(parts[number] for number in range(1, count + 1))
                if H("post", data)[:TAG] == tag:
                    yield data
                else:
                    self.damaged += 1

    def missing(self) -> list[tuple[int, list[int]]]:
        """Return, for each incomplete sequence, its number of parts and the missing ones."""
        return [
            (count, [number for number in range(1, count + 1) if number not in parts])
            for (_, count), parts in self._parts.items()
        ]


def begins(text: str) -> bool:
    """True if `text` contains the beginning of a part."""
    return _BEGIN in _kept(text)


def _kept(text: str) -> str:
    """Return the letters, digits and colons of a text."""
    return "".join(re.findall(r"[^\W_]+|:", text[:MAX_TEXT].lower()))


def unfinished(text: str) -> bool:
    """True if `text` ends inside a part, so that more must follow."""
    _before, begun, letters = _kept(text).rpartition(_BEGIN)
    if not begun:
        return False
    head = _data(letters[: -(-_HEAD * 8 // 5)])
    if head is None or len(head) < _HEAD:
        return head is not None
    size = int.from_bytes(head[_HEAD - 2 : _HEAD], "big")
    return len(letters) < -(-(_HEAD + size + CHECK) * 8 // 5)


def _data(letters: str) -> bytes | None:
    """Return the bytes of these letters, None if one of them is not a base32 letter."""
    if not _LETTERS.issuperset(letters):
        return None
    whole = letters[: len(letters) - (len(letters) % 8 in (1, 3, 6))]
    return b32decode(whole.upper() + "=" * (-len(whole) % 8))


def _check(body: bytes) -> bytes:
    return H("post-part", body)[:CHECK]
