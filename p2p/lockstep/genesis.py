# SPDX-License-Identifier: GPL-3.0-or-later
"""The genesis: what all members agree on before the first wait. Its hash is the table's id.

In the lobby every member shows the hash of a nonce, then the nonce. So nobody, including the author of the genesis, can
choose the table's id or the seeds derived from it. The first member writes the content as the first entry of its feed
(`genesis`); every member, the first one included, signs the table id as `join`, which names the state of its own
engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Final, Self

from engine.core.dataclass import dataclass, field
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import Certificate, TableKeys
from p2p.lockstep.machine import HandleRef
from p2p.wire.codec import Plain, Value, WireError, encode
from p2p.wire.entry import VERSION
from seeds.hashing import H, kdf

NONCE: Final = 32
HASH: Final = 32
MAX_MEMBERS: Final = 9
MAX_SEATS: Final = 16
MAX_NAME: Final = 96
"""Most bytes of the name on a seat."""
MAX_LEVEL: Final = 32
"""Most bytes of the level of a bot."""
DEFAULT_PATIENCE: Final = 3600.0
JOINT: Final = " & "
"""Stands between the names of one member; a comma stands between members."""


@dataclass(frozen=True, slots=True)
class Row:
    """One seat of a member.

    Attributes:
        name: of the person or bot that plays the seat.
        level: the level of the bot, None for a person.
    """

    seat: int
    name: str
    level: str | None = None

    def fields(self) -> Plain:
        """Return the wire form."""
        return [self.seat, self.name, self.level]


def read_rows(value: Value) -> tuple[Row, ...]:
    """Return the rows in `value`, ascending by seat. Raises WireError "genesis/member"."""
    rows: list[Row] = []
    for item in value if type(value) is list else [None]:
        match item:
            case [int(seat), str(name), None | str() as level] if type(seat) is int and 0 <= seat < MAX_SEATS:
                if 0 < len(name.encode()) <= MAX_NAME and (level is None or 0 < len(level.encode()) <= MAX_LEVEL):
                    rows.append(Row(seat, name, level))
                    continue
        raise WireError("genesis/member", 0, "a row has a seat, a name, and the level of a bot or nothing")
    seats = [row.seat for row in rows]
    if seats != sorted(set(seats)):
        raise WireError("genesis/member", 0, "seats are ascending, each once")
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Member:
    """One machine of the table: one key, whatever number of people and bots play there.

    Attributes:
        certificate: ties its table key to an identity.
        rows: the seats that it holds, ascending.
        nonce: 32 bytes, its part of the table's id.
    """

    certificate: Certificate
    rows: tuple[Row, ...]
    nonce: bytes

    @property
    def key(self) -> bytes:
        return self.certificate.key

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that it holds, ascending."""
        return tuple(row.seat for row in self.rows)

    @property
    def name(self) -> str:
        """The names of its people, or of its bots if there is no person, joined."""
        return name_of(self.rows)

    def record(self) -> Plain:
        return [self.certificate.fields(), [row.fields() for row in self.rows], self.nonce]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the member in `value`. Raises WireError "genesis/member" or "certificate/…"."""
        match value:
            case [certificate, rows, bytes() as nonce] if len(nonce) == NONCE:
                return cls(Certificate.read(certificate), read_rows(rows), nonce)
        raise WireError("genesis/member", 0, "a member has a certificate, rows of seats and a nonce")


def people_of(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of people, or those of bots if there is no person: a member is named after them."""
    return [row for row in rows if row.level is None] or rows


def name_of(rows: Sequence[Row]) -> str:
    """Return the names of the people in these rows, or of the bots if there is no person, joined."""
    return JOINT.join(dict.fromkeys(row.name for row in people_of(rows)))


@dataclass(frozen=True, slots=True)
class Origin:
    """The table from which one member goes on alone. Nobody else has signed that, so it is that member's word.

    Attributes:
        table, height, head: the old table, the height that was open there, and its head then.
        begins: the name of what the new table keeps of its beginning, see `p2p.wire.content.content_name`.
        cards: the face-down cards, each with its face: those that the member knew, the others drawn anew.
        seen: the cards that a seat knows: the seat, and the card.
    """

    table: bytes
    height: int
    head: bytes
    begins: bytes
    cards: tuple[tuple[HandleRef, Value], ...] = ()
    seen: tuple[tuple[int, HandleRef], ...] = ()

    def fields(self) -> Plain:
        """Return the wire form."""
        cards: list[Plain] = [[deck, index, face] for (deck, index), face in self.cards]
        seen: list[Plain] = [[seat, deck, index] for seat, (deck, index) in self.seen]
        return [self.table, self.height, self.head, self.begins, cards, seen]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the origin in `value`. Raises WireError "genesis/origin"."""
        match value:
            case [
                bytes() as table,
                int() as height,
                bytes() as head,
                bytes() as begins,
                list() as cards,
                list() as seen,
            ]:
                read = cls(table, height, head, begins, tuple(map(_card, cards)), tuple(map(_seen, seen)))
                sized = (len(table), len(head)) == (HASH, HASH) and type(height) is int and height >= 0
                laid = {handle for handle, _ in read.cards}
                if sized and len(laid) == len(read.cards) and all(handle in laid for _, handle in read.seen):
                    return read
        raise WireError("genesis/origin", 0, "a table, height, head, cards with their faces, and who has seen which")


def _card(value: Value) -> tuple[HandleRef, Value]:
    match value:
        case [str() as deck, int() as index, face] if type(index) is int and index >= 0:
            return (deck, index), face
    raise WireError("genesis/origin", 0, "a card has a deck, a number and a face")


def _seen(value: Value) -> tuple[int, HandleRef]:
    match value:
        case [int() as seat, str() as deck, int() as index] if type(seat) is int and 0 <= seat < MAX_SEATS:
            return seat, (deck, index)
    raise WireError("genesis/origin", 0, "a seat has seen the card of a deck")


@dataclass(frozen=True, slots=True)
class Genesis:
    """What all members agree on before the first wait.

    Attributes:
        game, options: game id and options, as the client names them.
        rules, content: the machine's `ident`.
        members: in the order of the roster.
        test: True if the dice come from a known seed.
        position: digest of the position at which the game starts, None for the game's own setup.
        origin: the table from which its one member goes on alone, None for any other table.
    """

    game: str
    options: Mapping[str, Value]
    rules: str
    content: bytes
    members: tuple[Member, ...]
    test: bool = False
    position: bytes | None = None
    origin: Origin | None = None
    table: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", H("genesis", encode(self.body())))

    def body(self) -> Plain:
        return {
            "protocol": VERSION,
            "game": self.game,
            "options": self.options,
            "rules": self.rules,
            "content": self.content,
            "members": [member.record() for member in self.members],
            "test": self.test,
            "position": self.position,
            **({} if self.origin is None else {"origin": self.origin.fields()}),
        }

    @property
    def seats(self) -> int:
        return sum(len(member.seats) for member in self.members)

    @property
    def sealed(self) -> bool:
        """True if cards are secret: option `draws`."""
        return self.options.get("draws") == "sealed"

    @property
    def seedless(self) -> bool:
        """True if dice come from the lock of t members alone: option `dice`. A table of two has no such lock."""
        return self.options.get("dice") == "lock"

    @property
    def patience(self) -> float:
        """Seconds for one answer of a member in reach, after which the others may go on without it: option `patience`,
        such as "10m", or "off" for no limit. DEFAULT_PATIENCE if the table has no such option."""
        return _seconds(str(self.options.get("patience")))

    def member(self, key: bytes) -> Member | None:
        return next((member for member in self.members if member.key == key), None)

    @classmethod
    def read(cls, body: Value) -> Self:
        """Return a checked genesis. Raises WireError "genesis/…" or "certificate/…"."""
        if type(body) is not dict or body.get("protocol") != VERSION:
            raise WireError("genesis/protocol", 0, "of another version of the protocol")
        match body:
            case {
                "game": str() as game, "options": dict() as options, "rules": str() as rules,
                "content": bytes() as content, "members": list() as records, "test": bool() as test,
                "position": None | bytes() as position,
            } if len(body) == 8 + ("origin" in body):  # fmt: skip
                pass
            case _:
                raise WireError("genesis/shape", 0, "fields are missing, unknown or of another type")
        if not 1 <= len(records) <= MAX_MEMBERS:
            raise WireError("genesis/members", 0, f"{len(records)} members, at most {MAX_MEMBERS}")
        members = tuple(Member.read(record) for record in records)
        _check_roster(members)
        origin = Origin.read(body["origin"]) if "origin" in body else None
        if origin is not None and (len(members) > 1 or position is None or options.get("draws") == "sealed"):
            raise WireError(
                "genesis/origin", 0, "one member alone goes on from a table, from a position, with open draws"
            )
        return cls(game, options, rules, content, members, test, position, origin)


@lru_cache(64)
def _seconds(patience: str) -> float:
    """Return the seconds of an option `patience`: a number and its unit, or "off"."""
    if patience == "off":
        return inf
    said = re.fullmatch(r"([1-9]\d{0,3})([smhd])", patience)
    return DEFAULT_PATIENCE if said is None else float(said[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[said[2]]


def _check_roster(members: Sequence[Member]) -> None:
    if min(len({member.key for member in members}), len({m.certificate.identity for m in members})) < len(members):
        raise WireError("genesis/key-twice", 0, "two members share a table key or an identity")
    if len({member.certificate.lobby for member in members}) != 1:
        raise WireError("genesis/lobby", 0, "a certificate was made for another lobby")
    seats = sorted(seat for member in members for seat in member.seats)
    if seats != list(range(len(seats))) or not all(member.seats for member in members):
        raise WireError("genesis/seats", 0, "every seat is held once, and every member holds one")


def nonce_commitment(key: bytes, nonce: bytes) -> bytes:
    """Return the hash of a nonce, which a member shows in the lobby before the nonce."""
    return H("nonce", key, nonce)


def fixed_keys(seed: int, member: int) -> TableKeys:
    """Return table key and secret of a member of a test table, whose dice all follow from one number. The genesis must
    have `test`."""
    root = H("test seed", seed)
    return TableKeys(SigningKey.from_seed(kdf(root, "table key", member)), kdf(root, "table secret", member))


def fixed_nonce(seed: int, member: int) -> bytes:
    """Return the nonce of a member of a test table."""
    return kdf(H("test seed", seed), "nonce", member)
