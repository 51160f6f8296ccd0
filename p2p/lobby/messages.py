# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies of the lobby's messages, read strictly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Self

from engine.core.dataclass import dataclass
from p2p.identity.tablekey import Certificate
from p2p.lockstep.genesis import MAX_MEMBERS, MAX_SEATS, NONCE, Genesis, Member, Row, name_of, read_rows
from p2p.wire.address import Address, is_address
from p2p.wire.codec import Plain, Value, WireError
from p2p.wire.content import MAX_CONTENT, content_name
from p2p.wire.entry import VERSION

MAX_FILES: Final = 64
MAX_ADDRESSES: Final = 8
MAX_TEXT: Final = 200
MAX_WISH: Final = 64
MAX_FREE_NAMES: Final = 3
MAX_SAID: Final = 500
"""Greatest number of characters of a text in the lobby."""
MAX_SPOKEN: Final = 100
"""Greatest number of texts of one guest that are passed on."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a table.

    Attributes:
        rules, content: ids of the rules and of the content, as the machine names them.
        files: digest of each content file, so that an error can name the file that differs.
        seats: number of seats of the table.
        test: True if the dice come from a known seed.
        program: name and version of the inviter's program.
    """

    game: str
    options: Mapping[str, str]
    seats: int
    rules: str
    content: bytes
    files: Mapping[str, bytes]
    test: bool
    program: str
    protocol: int = VERSION

    def fields(self) -> Plain:
        """Return the wire form."""
        return [
            self.protocol, self.program, self.game, self.options, self.seats, self.rules, self.content, self.files,
            self.test,
        ]  # fmt: skip

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the terms in `value`. Raises WireError "lobby/terms", or "lobby/protocol" with the version of another
        protocol."""
        match value:
            case [int(protocol), str(program), *_] if protocol != VERSION:
                raise WireError("lobby/protocol", 0, f"{protocol} {program[:MAX_TEXT]}")
            case [
                _,
                str(program),
                str(game),
                dict(options),
                int(seats),
                str(rules),
                bytes(content),
                dict(files),
                bool(test),
            ]:
                if 1 <= seats <= MAX_SEATS and len(files) <= MAX_FILES and len(options) <= MAX_FILES:
                    given = {name: value for name, value in options.items() if isinstance(value, str)}
                    known = {name: value for name, value in files.items() if isinstance(value, bytes)}
                    if len(given) == len(options) and len(known) == len(files):
                        return cls(game, given, seats, rules, content, known, test, program)
        raise WireError("lobby/terms", 0, "terms of another form")


@dataclass(frozen=True, slots=True)
class Sitter:
    """A request for seats.

    Attributes:
        players: the name of each person or bot that wants a seat, with the level of a bot, None for a person.
        wants: the seats wished for, by number, for the first of the players; the others take any.
        places: addresses at which the member may be dialed.
    """

    certificate: Certificate
    players: tuple[tuple[str, str | None], ...]
    wants: tuple[int, ...]
    places: tuple[Address, ...]

    @property
    def count(self) -> int:
        """The number of seats."""
        return len(self.players)

    @property
    def name(self) -> str:
        """The names of its people, or of its bots if there is no person."""
        return name_of(self.rows(range(self.count)))

    def rows(self, free: Iterable[int]) -> tuple[Row, ...]:
        """Return who sits where if these seats are free: the wishes first, then the first free seats. There are fewer
        rows than players if there are too few seats."""
        left = list(free)
        wished = [seat for seat in self.wants if seat in left]
        seats = [*wished, *(seat for seat in left if seat not in wished)]
        rows = (Row(seat, name, level) for seat, (name, level) in zip(seats, self.players, strict=False))
        return tuple(sorted(rows, key=lambda row: row.seat))

    @property
    def identity(self) -> bytes:
        """The person's identity key."""
        return self.certificate.identity

    def fields(self) -> list[Plain]:
        """Return the wire form."""
        return [self.certificate.fields(), self.players, self.wants, pack_places(self.places)]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Raises WireError."""
        match value:
            case [certificate, list(players), list(wants), places] if 0 < len(players) <= MAX_SEATS:
                seats = tuple(seat for seat in wants if type(seat) is int and 0 <= seat < MAX_SEATS)
                if len(set(seats)) == len(wants) <= len(players):
                    rows = read_rows([[n, *who] if type(who) is list else who for n, who in enumerate(players)])
                    named = tuple((row.name, row.level) for row in rows)
                    return cls(Certificate.read(certificate), named, seats, read_places(places))
        raise WireError("lobby/sitter", 0, "who sits of another form")


@dataclass(frozen=True, slots=True)
class Seated:
    """A seated member, as told to all. wish: what the member would like to play, such as a faction, empty for no
    wish."""

    identity: bytes
    rows: tuple[Row, ...]
    ready: bool
    wish: str = ""

    @property
    def name(self) -> str:
        """The names of its people, or of its bots if there is no person."""
        return name_of(self.rows)

    @property
    def seats(self) -> tuple[int, ...]:
        """Its seats, ascending."""
        return tuple(row.seat for row in self.rows)

    def fields(self) -> Plain:
        """Return the wire form."""
        return [self.identity, [row.fields() for row in self.rows], self.ready, self.wish]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Raises WireError."""
        match value:
            case [bytes(identity), rows, bool(ready), str(wish)] if len(wish) <= MAX_WISH:
                return cls(identity, read_rows(rows), ready, wish)
        raise WireError("lobby/seated", 0, "a row of the room of another form")


def read_room(value: Value) -> tuple[Seated, ...]:
    """Return the seated members in a room message. Raises WireError."""
    if type(value) is not list or len(value) > MAX_MEMBERS:
        raise WireError("lobby/room", 0, "a room of another form")
    room = tuple(Seated.read(item) for item in value)
    if sum(len(seated.rows) for seated in room) > MAX_SEATS:
        raise WireError("lobby/room", 0, "more seats than a table has")
    return room


@dataclass(frozen=True, slots=True)
class Roster:
    """All members as in the genesis, with empty nonces. round: number of this attempt."""

    round: int
    members: tuple[Member, ...]

    def fields(self) -> Plain:
        """Return the wire form."""
        return [self.round, [[m.certificate.fields(), [row.fields() for row in m.rows]] for m in self.members]]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Raises WireError."""
        match value:
            case [int(number), list(rows)] if 1 <= len(rows) <= MAX_MEMBERS:
                members = [Member.read([*row, bytes(NONCE)]) for row in rows if isinstance(row, list)]
                if len(members) == len(rows):
                    return cls(number, tuple(members))
        raise WireError("lobby/roster", 0, "a roster of another form")


def read_taken_name(value: Value) -> tuple[str, tuple[str, ...]]:
    """Return a name that is taken, and names that are free. Raises WireError."""
    match value:
        case [str(name), *free] if len(free) <= MAX_FREE_NAMES:
            names = tuple(each for each in free if isinstance(each, str) and len(each) <= MAX_WISH)
            if len(names) == len(free) and len(name) <= MAX_WISH:
                return name, names
    raise WireError("lobby/taken", 0, "names of another form")


def read_content(value: list[Value], terms: Terms) -> bytes:
    """Return the table's own content from an offer, empty if there is none. Raises WireError."""
    match value:
        case []:
            return b""
        case [bytes(content)] if 0 < len(content) <= MAX_CONTENT:
            if content_name(content) != terms.content:
                raise WireError("lobby/other-content", 0, "not the content that the terms name")
            return content
    raise WireError("lobby/content", 0, "content of another form")


def read_hashes(value: Value) -> tuple[int, tuple[bytes, ...]]:
    """Return the round, and one hash or nonce for each member, or a single one. Raises WireError."""
    match value:
        case [int(number), list(rows)] if 1 <= len(rows) <= MAX_MEMBERS:
            hashes = tuple(row for row in rows if isinstance(row, bytes) and len(row) == NONCE)
            if len(hashes) == len(rows):
                return number, hashes
    raise WireError("lobby/hashes", 0, "hashes of another form")


def read_start(value: Value) -> tuple[Genesis, dict[bytes, tuple[Address, ...]]]:
    """Return the genesis and the addresses of its members, by identity key. Raises WireError."""
    match value:
        case [body, list(rows)] if len(rows) <= MAX_MEMBERS:
            known: dict[bytes, tuple[Address, ...]] = {}
            for row in rows:
                match row:
                    case [bytes(identity), places]:
                        known[identity] = read_places(places)
                    case _:
                        raise WireError("lobby/start", 0, "addresses of another form")
            return Genesis.read(body), known
    raise WireError("lobby/start", 0, "a start of another form")


def pack_places(places: tuple[Address, ...]) -> Plain:
    """Return addresses in their wire form."""
    return list(places[:MAX_ADDRESSES])


def read_places(value: Value) -> tuple[Address, ...]:
    """Return the addresses in `value`. Raises WireError."""
    if type(value) is list and len(value) <= MAX_ADDRESSES:
        places = tuple(item for item in value if isinstance(item, str) and is_address(item))
        if len(places) == len(value):
            return places
    raise WireError("lobby/places", 0, "addresses of another form")


def read_no(value: Value) -> tuple[str, tuple[str, ...]]:
    """Return code and details of a refusal. Raises WireError."""
    match value:
        case [str(code), *details] if len(code) <= 64 and len(details) <= 8:
            return code, tuple(str(detail)[:MAX_TEXT] for detail in details)
    raise WireError("lobby/no", 0, "a refusal of another form")
