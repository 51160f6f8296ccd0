# SPDX-License-Identifier: GPL-3.0-or-later
"""Header compression: an entry is sent without the fields that follow from an earlier entry on the same link.

Both ends of a link remember the header of each author's last entry in one direction (the context of RFC 5795). An entry
that follows it in the author's feed is sent as `Next`, without table, author, seq, prev and epoch, and without height,
head and state while these stay the same. The receiver restores the header byte for byte, and the signature covers it. A
false reference only produces an entry without a valid signature.

A link keeps all messages in order or ends. A new link begins with an empty context.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.core.dataclass import dataclass
from p2p.wire.codec import Plain, Value, WireError, decode_at, encode
from p2p.wire.entry import KINDS, MAX_NUMBER, VERSION, id_of
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import (
    MAX_CHAT,
    MAX_FEEDS,
    MAX_PUSH,
    SALT,
    Message,
    Next,
    Packed,
    Push,
    Sent,
    pack,
    parse,
)
from p2p.wire.signing import SIGNATURE_BYTES

NUMBERED: Final = tuple(sorted(KINDS))
"""The kinds of entries; the index is the number in `Next`."""

_BEGIN: Final = bytes([0x8C, VERSION])  # a list of twelve
_SIGNATURE_HEAD: Final = b"\x58\x40"  # 64 bytes follow


@dataclass(frozen=True, slots=True)
class _Header:
    """The fields of an entry before its kind. last: id of the entry itself."""

    table: bytes
    author: bytes
    seq: int
    epoch: int
    height: int
    head: bytes
    state: bytes
    last: bytes


class _Context:
    """The last header of each author, in the order of the authors' first entries. Bytes that are not an entry change it
    in the same way at both ends."""

    def __init__(self) -> None:
        self.authors: list[bytes] = []
        self.headers: dict[bytes, _Header] = {}

    def note(self, header: _Header) -> None:
        if header.author not in self.headers:
            if len(self.authors) == MAX_FEEDS:
                return
            self.authors.append(header.author)
        self.headers[header.author] = header


class Compressor:
    """The sending end of one link."""

    def __init__(self) -> None:
        self.context = _Context()

    def pack(self, message: Message | Push) -> bytes:
        """Return the bytes of one message, to be sent next. Raises ValueError if they do not fit a frame."""
        if isinstance(message, Push):
            message = Packed(tuple(map(self._shortened, message.entries)))
        return pack(message)

    def _shortened(self, sent: Sent) -> Sent | Next:
        read = _read(sent.raw)
        if read is None:
            return sent
        header, prev, kind, rest = read
        base = self.context.headers.get(header.author)
        self.context.note(header)
        same = (header.table, header.seq, prev, header.epoch)
        if base is None or sent.attachment is not None or same != (base.table, base.seq + 1, base.last, base.epoch):
            return sent
        author, number = self.context.authors.index(header.author), NUMBERED.index(kind)
        step = header.height - base.height
        if step == 0 and (header.head, header.state) == (base.head, base.state):
            return Next(author, number, rest)
        return sent if step < 0 else Next(author, number, rest, (step, header.head, header.state))


class Decompressor:
    """The receiving end of one link."""

    def __init__(self) -> None:
        self.context = _Context()

    def parse(self, data: bytes) -> Message | Push:
        """Return the message in `data`. Raises WireError. The link must be closed then, since the contexts may
        differ."""
        message = parse(data)
        if isinstance(message, Packed):
            return Push(tuple(map(self._restored, message.entries)))
        return message

    def _restored(self, item: Sent | Next) -> Sent:
        sent = item if isinstance(item, Sent) else Sent(self._rebuilt(item))
        read = _read(sent.raw)
        if read is not None:
            self.context.note(read[0])
        return sent

    def _rebuilt(self, item: Next) -> bytes:
        if item.author >= len(self.context.authors) or item.kind >= len(NUMBERED):
            raise WireError("message/no-base", 0, f"author {item.author}, kind {item.kind} of this link")
        base = self.context.headers[self.context.authors[item.author]]
        step, head, state = item.moved or (0, base.head, base.state)
        if base.seq == MAX_NUMBER or base.height + step > MAX_NUMBER:
            raise WireError("message/number", 0, "a header beyond the greatest number")
        place: list[Plain] = [base.table, base.author, base.seq + 1, base.last, base.epoch, base.height + step]
        body, signature = item.rest[:-SIGNATURE_BYTES], item.rest[-SIGNATURE_BYTES:]
        header = b"".join(map(encode, [*place, head, state, NUMBERED[item.kind]]))
        return _BEGIN + header + body + _SIGNATURE_HEAD + signature


@lru_cache(maxsize=64)
def _read(raw: bytes) -> tuple[_Header, bytes, str, bytes] | None:
    """Return the header, prev and kind of an entry, and the encoding of its body and signature; None for other bytes.
    Body and signature are not checked here; `read_entry` does that."""
    end = len(raw) - SIGNATURE_BYTES - len(_SIGNATURE_HEAD)
    fields, at = list[Value](), len(_BEGIN)
    try:
        for _ in range(9):
            field, at = decode_at(raw, at)
            fields.append(field)
    except WireError:
        return None
    match fields:
        case [
            bytes() as table, bytes() as author, int() as seq, bytes() as prev,
            int() as epoch, int() as height, bytes() as head, bytes() as state, str() as kind,
        ] if kind in KINDS:  # fmt: skip
            pass
        case _:
            return None
    sized = [len(field) for field in (table, author, prev, head, state)] == [32, 32, 32, 32, 16]
    ranged = all(type(number) is int and 0 <= number <= MAX_NUMBER for number in (seq, epoch, height))
    whole = raw.startswith(_BEGIN) and raw[end:].startswith(_SIGNATURE_HEAD) and at <= end
    if not (sized and ranged and whole):
        return None
    header = _Header(table, author, seq, epoch, height, head, state, id_of(raw))
    return header, prev, kind, raw[at:end] + raw[-SIGNATURE_BYTES:]


def pushes(entries: Iterable[Sent]) -> list[Push]:
    """Split entries, in order, into as few pushes as possible that each fit a frame."""
    full: list[Push] = []
    batch: list[Sent] = []
    room = MAX_MESSAGE - 8
    for sent in entries:
        size = len(sent.raw) + (SALT + MAX_CHAT if sent.attachment else 0) + 16  # more than all heads take
        if batch and (size > room or len(batch) == MAX_PUSH):
            full.append(Push(tuple(batch)))
            batch, room = [], MAX_MESSAGE - 8
        batch.append(sent)
        room -= size
    return [*full, Push(tuple(batch))] if batch else full
