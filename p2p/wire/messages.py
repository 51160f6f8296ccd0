"""What two linked peers say to each other. One message a frame, each a list: [number, field, …].

number  message  fields                                 said
0       Hello    wire, program, instance, port          first, once, by each side
1       Ping     serial                                 every 2 s
2       Pong     serial, seen                           at once to a ping; seen is the other's address as I see it
3       Bye      code                                   before a link is closed on purpose
4       Have     table, writer, feeds                   on connect and every 15 s
5       Want     table, author, first, count            to pull what is missing
6       Packed   entries                                entries the other may lack, asked or not
7       Lobby    kind, body                             before a table starts; what it means is the lobby's business
8       Here     addresses, punch                       on connect, when they change, and to open a way through routers
9       Within   stream, data, taken                    a piece of a byte stream within the link

Hello, Ping, Pong, Bye, Here and Within belong to the link and never reach whoever reads from it. A message never
carries trust: an entry inside a push stands on its own signature, whoever passed it on.

`parse` checks every type, size and range and raises WireError "message/…"; the constructors check nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Self, TypeAlias

from p2p.wire.address import MAX_ADDRESS, is_address
from p2p.wire.codec import MAX_INT, Plain, Value, WireError, decode, encode
from p2p.wire.entry import MAX_NUMBER
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.signing import SIGNATURE_BYTES
from seeds.dataclass import dataclass

WIRE_VERSION: Final = 3
"""The number compared in Hello: entries, messages and their order. Peers with different numbers do not talk."""

MAX_ENTRY: Final = 60_000
MAX_FEEDS: Final = 64
MAX_WANT: Final = 64
MAX_PUSH: Final = 256
MAX_CHAT: Final = 500
MAX_HERE: Final = 8
MAX_PIECE: Final = 16_384
SALT: Final = 16
_CODE_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789/-")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message inside the channel.

    instance: 8 random bytes a process, so that two devices of one identity, or a process and its restart, are told
    apart; port: where this side listens at the address it is seen from, 0 for nowhere.
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
        """A hello of another wire version may look otherwise behind the first two fields, which say so."""
        if len(fields) < 2:
            raise WireError("message/fields", 0, f"hello has {len(fields)} fields")
        wire, program = _int(fields[0], 0), _text(fields[1], 64)
        if wire != WIRE_VERSION:
            return cls(wire, program, b"", 0)
        _, _, instance, port = _exactly(fields, 4)
        return cls(wire, program, _bytes(instance, 8), _int(port, 0, 65_535))


@dataclass(frozen=True, slots=True)
class Ping:
    """Shows that this end lives and asks for a pong. serial: any number, chosen by the sender."""

    number: ClassVar[int] = 1
    serial: int

    def fields(self) -> Sequence[Plain]:
        return (self.serial,)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (serial,) = _exactly(fields, 1)
        return cls(_int(serial, 0))


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping. seen: the address from which the pinging side is seen here, or empty."""

    number: ClassVar[int] = 2
    serial: int
    seen: str

    def fields(self) -> Sequence[Plain]:
        return self.serial, self.seen

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        serial, seen = _exactly(fields, 2)
        return cls(_int(serial, 0), _text(seen, 128))


@dataclass(frozen=True, slots=True)
class Bye:
    """Why the link is about to be closed, as a stable code such as "bye/leave"."""

    number: ClassVar[int] = 3
    code: str

    def fields(self) -> Sequence[Plain]:
        return (self.code,)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (code,) = _exactly(fields, 1)
        return cls(_code(code, 64))


@dataclass(frozen=True, slots=True)
class Feed:
    """The last entry that is held of one author, by its seq and id."""

    author: bytes
    seq: int
    id: bytes


@dataclass(frozen=True, slots=True)
class Have:
    """What I hold of a table. writer: the table key I sign with here, or None for one who only follows; linked: the
    table keys I have other links with, whose entries come to me without a detour; your own among them is live in a
    second place."""

    number: ClassVar[int] = 4
    table: bytes
    writer: bytes | None
    feeds: tuple[Feed, ...]
    linked: tuple[bytes, ...] = ()

    def fields(self) -> Sequence[Plain]:
        return (self.table, self.writer, [(feed.author, feed.seq, feed.id) for feed in self.feeds], list(self.linked))

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        table, writer, listed, linked = _exactly(fields, 4)
        feeds = []
        for item in _list(listed, MAX_FEEDS):
            author, seq, last = _exactly(_list(item, 3), 3)
            feeds.append(Feed(_bytes(author, 32), _int(seq, 0), _bytes(last, 32)))
        if len({feed.author for feed in feeds}) != len(feeds):
            raise WireError("message/author-twice", 0, "an author stands twice in have")
        near = tuple(_bytes(key, 32) for key in _list(linked, MAX_FEEDS))
        return cls(_bytes(table, 32), None if writer is None else _bytes(writer, 32), tuple(feeds), near)


@dataclass(frozen=True, slots=True)
class Want:
    """Asks for entries `first`, …, `first` + `count` - 1 of one author; what the other lacks is left out."""

    number: ClassVar[int] = 5
    table: bytes
    author: bytes
    first: int
    count: int

    def fields(self) -> Sequence[Plain]:
        return self.table, self.author, self.first, self.count

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        table, author, first, count = _exactly(fields, 4)
        return cls(_bytes(table, 32), _bytes(author, 32), _int(first, 0), _int(count, 1, MAX_WANT))


@dataclass(frozen=True, slots=True)
class Sent:
    """An entry on its way: its raw bytes as signed, and for chat the salt and text whose hash it carries."""

    raw: bytes
    attachment: tuple[bytes, str] | None = None


@dataclass(frozen=True, slots=True)
class Push:
    """Entries in the order in which their sender would like them read. On a link they go as `Packed`
    (`p2p.wire.compression`)."""

    entries: tuple[Sent, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """The entry that follows the last one of its author on this link, at the same height unless it has moved.

    author: its number among the authors whose entries came over this link, in the order of their first; kind: its
    number in `compression.NUMBERED`; rest: the encoded body and the 64 bytes of the signature; moved: how many heights
    further on, head and state there.
    """

    author: int
    kind: int
    rest: bytes
    moved: tuple[int, bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """A push as it travels: entries whole, or as the next of their author."""

    number: ClassVar[int] = 6
    entries: tuple[Sent | Next, ...]

    def fields(self) -> Sequence[Plain]:
        return ([_sent_fields(sent) for sent in self.entries],)

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        (listed,) = _exactly(fields, 1)
        return cls(tuple(_read_sent(item) for item in _list(listed, MAX_PUSH)))


@dataclass(frozen=True, slots=True)
class Lobby:
    """A word of the lobby: kind names it, body is plain data that the lobby checks."""

    number: ClassVar[int] = 7
    kind: str
    body: Value

    def fields(self) -> Sequence[Plain]:
        return self.kind, self.body

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        kind, body = _exactly(fields, 2)
        return cls(_code(kind, 32), body)


@dataclass(frozen=True, slots=True)
class Here:
    """Where the sender can be dialed now. punch: 1 asks the other side to connect to these addresses at the same moment
    as the sender to its own, 2 agrees, 0 is for knowledge only."""

    number: ClassVar[int] = 8
    addresses: tuple[str, ...]
    punch: int = 0

    def fields(self) -> Sequence[Plain]:
        return list(self.addresses), self.punch

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        listed, punch = _exactly(fields, 2)
        addresses = tuple(_text(item, MAX_ADDRESS) for item in _list(listed, MAX_HERE))
        return cls(tuple(filter(is_address, addresses)), _int(punch, 0, 2))


@dataclass(frozen=True, slots=True)
class Within:
    """A piece of a byte stream within the link, which a friend passes on, or how many pieces were taken. stream: even
    where the side opened it that dialed the link, else odd; without data and with nothing taken the stream ends."""

    number: ClassVar[int] = 9
    stream: int
    data: bytes = b""
    taken: int = 0

    def fields(self) -> Sequence[Plain]:
        return self.stream, self.data, self.taken

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        stream, data, taken = _exactly(fields, 3)
        return cls(_int(stream, 0), _bytes(data, 0, MAX_PIECE), _int(taken, 0, 255))


Message: TypeAlias = Hello | Ping | Pong | Bye | Have | Want | Packed | Lobby | Here | Within
OfLink: TypeAlias = Hello | Ping | Pong | Bye | Here | Within
"""What a link says for itself."""
_CLASSES: Final = (Hello, Ping, Pong, Bye, Have, Want, Packed, Lobby, Here, Within)

_OF_OTHERS: Final = range(Have.number, Here.number)


def pack(message: Message) -> bytes:
    """Return the bytes of one message. Raises ValueError when they do not fit a frame."""
    data = encode([message.number, *message.fields()])
    if len(data) > MAX_MESSAGE:
        raise ValueError(f"{type(message).__name__} of {len(data)} bytes does not fit a frame")
    return data


def parse(data: bytes) -> Message:
    """Return the message that `data` holds. Raises WireError."""
    value = decode(data, limit=MAX_MESSAGE)
    if not isinstance(value, list) or not value:
        raise WireError("message/not-a-list", 0, "a message is a list that starts with its number")
    number = _int(value[0], 0)
    if number >= len(_CLASSES):
        raise WireError("message/unknown", 1, f"message number {number}")
    return _CLASSES[number].read(value[1:])


def link_message(data: bytes) -> OfLink | None:
    """Return the message if it is one of the link itself, else None without a look at the rest. Raises WireError."""
    if len(data) > 1 and data[1] in _OF_OTHERS:  # a short list and a small number take one byte each
        return None
    message = parse(data)
    return message if isinstance(message, OfLink) else None


def pushes(entries: Iterable[Sent]) -> list[Push]:
    """Share entries out over as few pushes as fit a frame each, in order."""
    full: list[Push] = []
    batch: list[Sent] = []
    room = MAX_MESSAGE - 8
    for sent in entries:
        size = len(sent.raw) + (SALT + MAX_CHAT if sent.attachment else 0) + 16  # all heads take fewer
        if batch and (size > room or len(batch) == MAX_PUSH):
            full.append(Push(tuple(batch)))
            batch, room = [], MAX_MESSAGE - 8
        batch.append(sent)
        room -= size
    return [*full, Push(tuple(batch))] if batch else full


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
    fields = _list(value, 6)
    if fields and type(fields[0]) is int:
        return _read_next(fields)
    if len(fields) == 1:
        return Sent(_bytes(fields[0], 1, MAX_ENTRY))
    raw, salt, text = _exactly(fields, 3)
    return Sent(_bytes(raw, 1, MAX_ENTRY), (_bytes(salt, SALT), _text(text, MAX_CHAT)))


def _read_next(fields: Sequence[Value]) -> Next:
    author, kind, rest, *moved = fields if len(fields) == 3 else _exactly(fields, 6)
    read = _int(author, 0, MAX_FEEDS - 1), _int(kind, 0, 255), _bytes(rest, SIGNATURE_BYTES + 1, MAX_ENTRY)
    if not moved:
        return Next(*read)
    step, head, state = moved
    return Next(*read, (_int(step, 0, MAX_NUMBER), _bytes(head, 32), _bytes(state, 16)))


def _exactly(fields: Sequence[Value], count: int) -> Sequence[Value]:
    if len(fields) != count:
        raise WireError("message/fields", 0, f"{len(fields)} fields, not {count}")
    return fields


def _int(value: Value, low: int, high: int = MAX_INT) -> int:
    if type(value) is not int or not low <= value <= high:
        raise WireError("message/number", 0, f"expected a number from {low} to {high}")
    return value


def _bytes(value: Value, low: int, high: int | None = None) -> bytes:
    if type(value) is not bytes or not low <= len(value) <= (low if high is None else high):
        raise WireError("message/bytes", 0, f"expected bytes, {low} of them" + (f" to {high}" if high else ""))
    return value


def _text(value: Value, most: int) -> str:
    if type(value) is not str or len(value.encode()) > most:
        raise WireError("message/text", 0, f"expected text of at most {most} bytes")
    return value


def _code(value: Value, most: int) -> str:
    code = _text(value, most)
    if not code or not _CODE_LETTERS.issuperset(code):
        raise WireError("message/code", 0, "expected a code of small letters, digits, '/' and '-'")
    return code


def _list(value: Value, most: int) -> list[Value]:
    if type(value) is not list or len(value) > most:
        raise WireError("message/list", 0, f"expected a list of at most {most}")
    return value
