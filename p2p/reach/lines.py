# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of text that messengers carry from one home to another: `starlock:` and base32.

size  body  check       2 bytes; canonical CBOR [version, kind, field…]; 5 bytes of its hash; all of it as base32

The kinds are invitations and announced tables (`ticket`), tickets of running tables (`whereabouts`), and answers
(`answer`). Case, spaces, line breaks, quotation marks, tags such as <br>, marks such as "Ann>" before each line, and
words around a line do not matter, since messengers and people add them. The size says where a line ends. The hash
detects any other change, and the error names the likely kind.
"""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol, TypeVar

from p2p.wire.codec import Plain, Value, WireError, decode, encode
from seeds.hashing import H

PREFIX: Final = "starlock:"
VERSION: Final = 2
INVITATION: Final = 0
TABLE: Final = 1
ANSWER: Final = 2
ANNOUNCED: Final = 3
SIZE: Final = 2
CHECK: Final = 5
MAX_BODY: Final = 3_000
MAX_LETTERS: Final = -(-(SIZE + MAX_BODY + CHECK) * 8 // 5)
MAX_TEXT: Final = 4_000_000
"""Characters of a text that are read."""
MAX_LINES: Final = 1_000
MAX_SEGMENT: Final = 6 * MAX_LETTERS
"""Characters behind a beginning that are read, marks and tags included."""
ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")

_BEGIN: Final = re.compile(r"[\W_]{0,80}".join(PREFIX[:-1]) + r"\s{0,8}:")
_TAG: Final = re.compile(r"</?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,200})?/?>|&(?:[a-z]{2,8}|#[0-9]{1,6});")
_MARK: Final = re.compile(r"(?m)^[ \t]*(?:[^\n>]{0,40}>[ \t]*)+")
_WORST_LAST: Final = (
    *("ticket/expired", "ticket/kind", "ticket/version", "ticket/form"),
    *("ticket/typo", "ticket/letter", "ticket/length", "ticket/prefix"),
)
"""Codes of errors, those of the lines that came nearest to being read first."""


class TicketError(Exception):
    """A text holds no valid line of the wanted kind.

    code: "ticket/prefix" (nothing begins with starlock:), "ticket/letter" (detail: the letter and its place from 1),
    "ticket/length" (letters are missing), "ticket/typo" (all letters are possible, but not together), "ticket/version"
    (detail: its version), "ticket/kind" (detail: the kind, which is another one than wanted), "ticket/form" (made by a
    faulty program), "ticket/expired" (detail: seconds since 1970).
    """

    def __init__(self, code: str, *detail: object) -> None:
        super().__init__(code, *detail)
        self.code = code
        self.detail = detail


class Expiring(Protocol):
    """What a line says, with an end."""

    @property
    def expiry(self) -> int:
        """Seconds since 1970 (UTC)."""


T = TypeVar("T", bound=Expiring)


def write_line(kind: int, fields: Sequence[Plain]) -> str:
    """Return a line. Raises ValueError if its body has more than 3,000 bytes."""
    body = encode([VERSION, kind, *fields])
    if len(body) > MAX_BODY:
        raise ValueError(f"a line has at most {MAX_BODY} bytes, not {len(body)}")
    return PREFIX + _letters(len(body).to_bytes(SIZE, "big") + body + _check(body))


def read_line(text: str, readers: Mapping[int, Callable[[Sequence[Value]], T]], now: float = 0) -> T:
    """Return the first line in `text` that is whole, of a wanted kind and not expired. Raises TicketError, which names
    what is wrong with the line that came nearest.

    readers: by kind, reads the fields; raises TicketError.
    now: seconds since 1970 (UTC); at 0 nothing has expired.
    """
    errors: list[TicketError] = []
    for body in bodies(text):
        try:
            read = _read(body, readers)
        except TicketError as error:
            errors.append(error)
            continue
        if now <= read.expiry:
            return read
        errors.append(TicketError("ticket/expired", read.expiry))
    raise min(errors, key=lambda each: _WORST_LAST.index(each.code), default=TicketError("ticket/prefix"))


def begins(text: str) -> bool:
    """True if `text` contains the beginning of a line."""
    return _BEGIN.search(text[:MAX_TEXT].lower()) is not None


def kind_of(text: str) -> int | None:
    """Return the kind of the first whole line in `text`, None if there is none."""
    for body in bodies(text):
        if isinstance(body, bytes):
            try:
                value = decode(body)
            except WireError:
                continue
            match value:
                case [int(version), int(kind), *_] if version == VERSION and type(kind) is int:
                    return kind
    return None


def unfinished(text: str) -> bool:
    """True if the last line in `text` lacks letters at its end, so that more may follow."""
    found = list(bodies(text))
    return bool(found) and isinstance(found[-1], TicketError) and found[-1].code == "ticket/length"


def _read(body: bytes | TicketError, readers: Mapping[int, Callable[[Sequence[Value]], T]]) -> T:
    if isinstance(body, TicketError):
        raise body
    try:
        value = decode(body)
    except WireError as error:
        raise TicketError("ticket/form", error.code) from error
    match value:
        case [int(version), *_] if type(version) is int and version != VERSION:
            raise TicketError("ticket/version", version)
        case [int(version), int(kind), *fields] if type(version) is type(kind) is int:
            if kind not in readers:
                raise TicketError("ticket/kind", kind)
            return readers[kind](fields)
    raise TicketError("ticket/form", "fields")


def bodies(text: str) -> Iterator[bytes | TicketError]:
    """Yield the body of each line in `text`, in their order, or what is wrong with it; of the first thousand."""
    text = text[:MAX_TEXT].lower()
    begun = [found.span() for found in islice(_BEGIN.finditer(text), MAX_LINES)]
    ends = [*(first for first, _ in begun[1:]), len(text)]
    for (_, start), end in zip(begun, ends, strict=False):
        yield _body(text[start : min(end, start + MAX_SEGMENT)])


def _body(segment: str) -> bytes | TicketError:
    """Return the body of the line that begins before `segment`, also from between tags and marks."""
    untagged = _TAG.sub("", segment.replace("&gt;", ">"))
    errors: list[TicketError] = []
    for each in dict.fromkeys((segment, untagged, _MARK.sub("", segment), _MARK.sub("", untagged))):
        try:
            return _whole("".join(re.findall(r"[^\W_]+", each)))
        except TicketError as error:
            errors.append(error)
    return errors[0]


def _whole(letters: str) -> bytes:
    """Return the body that begins these letters. Raises TicketError."""
    head = _data(letters[:4], 1)
    size = int.from_bytes(head[:SIZE], "big")
    if size > MAX_BODY:
        raise TicketError("ticket/typo")
    length = -(-(SIZE + size + CHECK) * 8 // 5)
    data = _data(letters[:length], 1)
    if len(letters) < length:
        raise TicketError("ticket/length", len(letters))
    body, check = data[SIZE:-CHECK], data[-CHECK:]
    if check != _check(body) or _letters(data) != letters[:length]:
        raise TicketError("ticket/typo")
    return body


def _data(letters: str, first: int) -> bytes:
    """Return the whole bytes in these letters. Raises TicketError. first: the place of the first one behind the
    prefix."""
    for place, letter in enumerate(letters, len(PREFIX) + first):
        if letter not in ALPHABET:
            raise TicketError("ticket/letter", letter, place)
    kept = letters[: len(letters) - (len(letters) % 8 in (1, 3, 6))]
    if len(kept) < 4:
        raise TicketError("ticket/length", len(letters))
    return b32decode(kept.upper() + "=" * (-len(kept) % 8))


def _letters(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()


def _check(body: bytes) -> bytes:
    return H("line-check", body)[:CHECK]
