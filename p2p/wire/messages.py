# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages of a link, one in each frame, each a list: [number, field, …].

number  message  fields                                 when
0       Hello    wire, program, instance, port          first, once, by each side
1       Ping     serial                                 every 2 s; serial 0 asks for no pong
2       Pong     serial, seen                           at once to a ping; seen is the other's address as I see it
3       Bye      code                                   before a link is closed on purpose
4       Have     table, writer, feeds, linked,          on connect, every 15 s, and less often while nothing happens;
                 question, answer                       at once to a new question
5       Want     table, author, first, count            to pull what is missing
6       Packed   entries                                entries the other side may lack, requested or not
7       Lobby    kind, body                             before a table starts; `p2p.lobby` defines the bodies
8       Here     addresses, punch                       on connect, when they change, and to open a way through routers
9       Within   stream, data, taken                    a piece of a byte stream within the link
10      Twin     table, question, signature             a question to a second copy of a home, and its answer

The link itself handles Hello, Ping, Pong, Bye, Here and Within; its reader does not see them. The sender of an entry is
not trusted for it: the entry's own signature counts.

`parse` checks every type, size and range and raises WireError "message/…"; the constructors check nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Self, TypeAlias

from engine.core.dataclass import dataclass
from p2p.wire.address import MAX_ADDRESS, is_address
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.entry import MAX_NUMBER
from p2p.wire.fields import read_bytes, read_code, read_exactly, read_int, read_list, read_text
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.pieces import MAX_PIECE, pack_piece, read_piece
from p2p.wire.signing import SIGNATURE_BYTES

WIRE_VERSION: Final = 7
"""Version of entries, messages and their order, compared in Hello. Peers with different versions do not link."""

MAX_ENTRY: Final = 60_000
MAX_FEEDS: Final = 64
MAX_WANT: Final = 64
MAX_PUSH: Final = 256
MAX_CHAT: Final = 500
MAX_HERE: Final = 8
SALT: Final = 16
QUESTION: Final = 20
"""Bytes of a question for the end of the own feed, new each time."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message inside the channel.

    Attributes:
        instance: 8 random bytes of the process, which differ between two devices of one identity and after a restart.
        port: port on which this side accepts links, 0 for none.
    """

    number: ClassVar[int] = 0
    wire: int
    program: str
    instance: bytes
    port: int

    def fields(self) -> Sequence[Plain]:
        return self.wire, self.program, self.instance, self.port

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        """Return the hello in these fields. Only the first two fields are the same in every wire version."""
        if len(fields) < 2:
            raise WireError("message/fields", 0, f"hello has {len(fields)} fields")
        wire, program = read_int(fields[0], 0), read_text(fields[1], 64)
        if wire != WIRE_VERSION:
            return cls(wire, program, b"", 0)
        _, _, instance, port = read_exactly(fields, 4)
        return cls(wire, program, read_bytes(instance, 8), read_int(port, 0, 65_535))


@dataclass(frozen=True, slots=True)
class Ping:
    """Shows that this end is alive and asks for a pong, unless its serial is 0. serial: chosen by the sender."""

    number: ClassVar[int] = 1
    serial: int

    def fields(self) -> Sequence[Plain]:
        return (self.serial,)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (serial,) = read_exactly(fields, 1)
        return cls(read_int(serial, 0))


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping. seen: the address of the pinging side as seen here, or empty."""

    number: ClassVar[int] = 2
    serial: int
    seen: str

    def fields(self) -> Sequence[Plain]:
        return self.serial, self.seen

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        serial, seen = read_exactly(fields, 2)
        return cls(read_int(serial, 0), read_text(seen, 128))


@dataclass(frozen=True, slots=True)
class Bye:
    """Announces that the link is about to be closed. code: the reason, such as "bye/leave"."""

    number: ClassVar[int] = 3
    code: str

    def fields(self) -> Sequence[Plain]:
        return (self.code,)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (code,) = read_exactly(fields, 1)
        return cls(read_code(code, 64))


@dataclass(frozen=True, slots=True)
class Feed:
    """The last entry of one author that the sender holds, by seq and id."""

    author: bytes
    seq: int
    id: bytes


@dataclass(frozen=True, slots=True)
class Have:
    """The feeds of a table that the sender holds.

    Attributes:
        writer: the table key with which the sender signs, None for a watcher.
        linked: the table keys with which the sender has other links, so that their entries reach it directly. If the
            receiver's own key is among them, that key is in use in a second place.
        question: asks for a have, empty if the sender's own feed is confirmed.
        answer: the receiver's last question, empty without one.
    """

    number: ClassVar[int] = 4
    table: bytes
    writer: bytes | None
    feeds: tuple[Feed, ...]
    linked: tuple[bytes, ...] = ()
    question: bytes = b""
    answer: bytes = b""

    def fields(self) -> Sequence[Plain]:
        feeds = [(feed.author, feed.seq, feed.id) for feed in self.feeds]
        return self.table, self.writer, feeds, list(self.linked), self.question, self.answer

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        table, writer, listed, linked, question, answer = read_exactly(fields, 6)
        feeds = []
        for item in read_list(listed, MAX_FEEDS):
            author, seq, last = read_exactly(read_list(item, 3), 3)
            feeds.append(Feed(read_bytes(author, 32), read_int(seq, 0), read_bytes(last, 32)))
        if len({feed.author for feed in feeds}) != len(feeds):
            raise WireError("message/author-twice", 0, "an author stands twice in have")
        near = tuple(read_bytes(key, 32) for key in read_list(linked, MAX_FEEDS))
        writer = None if writer is None else read_bytes(writer, 32)
        asked = _read_question(question), _read_question(answer)
        return cls(read_bytes(table, 32), writer, tuple(feeds), near, *asked)


@dataclass(frozen=True, slots=True)
class Want:
    """Asks for entries `first`, …, `first` + `count` - 1 of one author. The other side sends those that it holds."""

    number: ClassVar[int] = 5
    table: bytes
    author: bytes
    first: int
    count: int

    def fields(self) -> Sequence[Plain]:
        return self.table, self.author, self.first, self.count

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        table, author, first, count = read_exactly(fields, 4)
        return cls(read_bytes(table, 32), read_bytes(author, 32), read_int(first, 0), read_int(count, 1, MAX_WANT))


@dataclass(frozen=True, slots=True)
class Sent:
    """An entry to be sent: its raw bytes as signed, and for a chat its salt and text."""

    raw: bytes
    attachment: tuple[bytes, str] | None = None


@dataclass(frozen=True, slots=True)
class Push:
    """Entries in the order in which they should be read. On a link they are sent as `Packed`
    (`p2p.wire.compression`)."""

    entries: tuple[Sent, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """The entry that follows its author's last one on this link.

    Attributes:
        author: index of the author in the order of the authors' first entries on this link.
        kind: index in `compression.NUMBERED`.
        rest: encoding of the body, then the signature (64 bytes).
        moved: number of heights further on, and head and state there; None at the same height.
    """

    author: int
    kind: int
    rest: bytes
    moved: tuple[int, bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """A push as it is sent: each entry in full or as the next of its author."""

    number: ClassVar[int] = 6
    entries: tuple[Sent | Next, ...]

    def fields(self) -> Sequence[Plain]:
        return ([_sent_fields(sent) for sent in self.entries],)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (listed,) = read_exactly(fields, 1)
        return cls(tuple(_read_sent(item) for item in read_list(listed, MAX_PUSH)))


@dataclass(frozen=True, slots=True)
class Lobby:
    """A message of the lobby, which checks `body` for each `kind`."""

    number: ClassVar[int] = 7
    kind: str
    body: Value

    def fields(self) -> Sequence[Plain]:
        return self.kind, self.body

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        kind, body = read_exactly(fields, 2)
        return cls(read_code(kind, 32), body)


@dataclass(frozen=True, slots=True)
class Here:
    """The present addresses of the sender. punch: 1 asks for hole punching, in which both sides connect to each other
    at the same moment; 2 agrees; 0 only informs."""

    number: ClassVar[int] = 8
    addresses: tuple[str, ...]
    punch: int = 0

    def fields(self) -> Sequence[Plain]:
        return list(self.addresses), self.punch

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        listed, punch = read_exactly(fields, 2)
        addresses = tuple(read_text(item, MAX_ADDRESS) for item in read_list(listed, MAX_HERE))
        return cls(tuple(filter(is_address, addresses)), read_int(punch, 0, 2))


@dataclass(frozen=True, slots=True)
class Within:
    """A piece of a byte stream within the link, which a friend forwards, an acknowledgement of pieces, or both.

    A message without data and with `taken` 0 ends the stream. stream: even if opened by the side that dialed the link,
    else odd.
    """

    number: ClassVar[int] = 9
    stream: int
    data: bytes = b""
    taken: int = 0

    def fields(self) -> Sequence[Plain]:
        return self.stream, self.data, self.taken

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        stream, data, taken = read_exactly(fields, 3)
        return cls(read_int(stream, 0), read_bytes(data, 0, MAX_PIECE), read_int(taken, 0, 255))


@dataclass(frozen=True, slots=True)
class Twin:
    """A question of one copy of a home to another one, which the peer between them passes on.

    Attributes:
        signature: that of the other copy by their common table key, empty in the question.
    """

    number: ClassVar[int] = 10
    table: bytes
    question: bytes
    signature: bytes = b""

    def fields(self) -> Sequence[Plain]:
        return self.table, self.question, self.signature

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        table, question, signature = read_exactly(fields, 3)
        signed = b"" if signature == b"" else read_bytes(signature, SIGNATURE_BYTES)
        return cls(read_bytes(table, 32), read_bytes(question, QUESTION), signed)


def _read_question(value: Value) -> bytes:
    return b"" if value == b"" else read_bytes(value, QUESTION)


Message: TypeAlias = Hello | Ping | Pong | Bye | Have | Want | Packed | Lobby | Here | Within | Twin
OfLink: TypeAlias = Hello | Ping | Pong | Bye | Here | Within
"""Messages that the link itself handles."""
_CLASSES: Final = (Hello, Ping, Pong, Bye, Have, Want, Packed, Lobby, Here, Within, Twin)

_OF_OTHERS: Final = range(Have.number, Here.number)


def pack(message: Message) -> bytes:
    """Return the bytes of one message. Raises ValueError if they do not fit a frame."""
    piece = pack_piece(message.stream, message.data, message.taken) if isinstance(message, Within) else None
    data = piece or encode([message.number, *message.fields()])
    if len(data) > MAX_MESSAGE:
        raise ValueError(f"{type(message).__name__} of {len(data)} bytes does not fit a frame")
    return data


def parse(data: bytes) -> Message:
    """Return the message in `data`. Raises WireError."""
    value = decode(data, limit=MAX_MESSAGE)
    if not isinstance(value, list) or not value:
        raise WireError("message/not-a-list", 0, "a message is a list that starts with its number")
    number = read_int(value[0], 0)
    if number >= len(_CLASSES):
        raise WireError("message/unknown", 1, f"message number {number}")
    return _CLASSES[number].read(value[1:])


def link_message(data: bytes) -> OfLink | None:
    """Return the message if it is one of the link itself, else None without parsing it. Raises WireError."""
    if len(data) > 1 and data[1] in _OF_OTHERS:  # a short list and a small number take one byte each
        return None
    message = Within(*piece) if (piece := read_piece(data)) else parse(data)
    return message if isinstance(message, OfLink) else None


def _sent_fields(sent: Sent | Next) -> list[Plain]:
    match sent:
        case Next(author, kind, rest, None):
            return [author, kind, rest]
        case Next(author, kind, rest, (step, head, state)):
            return [author, kind, rest, step, head, state]
        case Sent(raw, None):
            return [raw]
        case Sent(raw, (salt, text)):
            return [raw, salt, text]
    raise TypeError(f"cannot be sent: {type(sent).__name__}")


def _read_sent(value: Value) -> Sent | Next:
    fields = read_list(value, 6)
    if fields and type(fields[0]) is int:
        return _read_next(fields)
    if len(fields) == 1:
        return Sent(read_bytes(fields[0], 1, MAX_ENTRY))
    raw, salt, text = read_exactly(fields, 3)
    return Sent(read_bytes(raw, 1, MAX_ENTRY), (read_bytes(salt, SALT), read_text(text, MAX_CHAT)))


def _read_next(fields: Sequence[Value]) -> Next:
    author, kind, rest, *moved = fields if len(fields) == 3 else read_exactly(fields, 6)
    read = read_int(author, 0, MAX_FEEDS - 1), read_int(kind, 0, 255), read_bytes(rest, SIGNATURE_BYTES + 1, MAX_ENTRY)
    if not moved:
        return Next(*read)
    step, head, state = moved
    return Next(*read, (read_int(step, 0, MAX_NUMBER), read_bytes(head, 32), read_bytes(state, 16)))
