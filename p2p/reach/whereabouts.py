# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the members of a running table are: addresses signed by each, and the ticket that carries them.

A member's whereabouts are up to six addresses with a number that only grows, signed by its table key; of one member the
greatest number counts, and anybody may pass them on. A ticket of a running table, as a line of text (`lines`), kind 1:

mark  maker  whereabouts  expiry  signature

The mark is 16 bytes of a hash of the table's id, so members recognize their table and others learn nothing by which
they could link to it: this ticket holds no secret and admits nobody. The maker's table key signs it; its
identity is whom a member that reaches nobody answers (`answer`). Whereabouts are lists [table key, number, addresses,
signature].
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, Self

from engine.core.dataclass import dataclass
from p2p.reach.lines import TABLE, TicketError, read_line, write_line
from p2p.reach.ticket import pack_address, read_address
from p2p.wire.address import TCP, Address
from p2p.wire.codec import Plain, Value, encode
from p2p.wire.signing import KEY_BYTES, verify
from seeds.hashing import H

MAX_PLACES: Final = 6
MAX_MEMBERS: Final = 9
MARK: Final = 16
MAX_NUMBER: Final = 1 << 53

Sign = Callable[[bytes], bytes]
"""Returns the signature of a tagged hash by a table key."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a member can be dialed, by its own word.

    Attributes:
        key: its table key.
        number: grows with each change.
        places: up to 6 addresses, the best first.
    """

    key: bytes
    number: int
    places: tuple[Address, ...]
    signature: bytes

    def fields(self) -> list[Plain]:
        """Return the wire form."""
        return [self.key, self.number, [pack_address(each, TCP) for each in self.places], self.signature]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the whereabouts in `value`. Does not check the signature. Raises TicketError "ticket/form"."""
        match value:
            case [bytes(key), int(number), list(places), bytes(signature)] if (
                len(key) == KEY_BYTES
                and type(number) is int
                and 0 <= number <= MAX_NUMBER
                and len(places) <= MAX_PLACES
            ):
                return cls(key, number, tuple(read_address(each, TCP) for each in places), signature)
        raise TicketError("ticket/form", "whereabouts")

    def right(self, table: bytes) -> bool:
        """True if the key signed this for the table with this id."""
        return verify(self.key, self.signature, _statement(table, self.key, self.number, self.places))


def sign_whereabouts(sign: Sign, key: bytes, table: bytes, number: int, places: Sequence[Address]) -> Whereabouts:
    """Return the first six addresses, signed by the table key `key`."""
    kept = tuple(places[:MAX_PLACES])
    return Whereabouts(key, number, kept, sign(_statement(table, key, number, kept)))


def newer(known: Mapping[bytes, Whereabouts], heard: Whereabouts, table: bytes, keys: Collection[bytes]) -> bool:
    """True if `heard` takes the place of what is known of this member: it sits at the table, the number is greater and
    the signature right. keys: table keys of the members."""
    before = known.get(heard.key)
    return heard.key in keys and (before is None or heard.number > before.number) and heard.right(table)


def table_mark(table: bytes) -> bytes:
    """Return the 16 bytes by which members recognize their table."""
    return H("table mark", table)[:MARK]


@dataclass(frozen=True, slots=True)
class TableTicket:
    """The ways to the members of a running table.

    Attributes:
        mark: names the table to those who know its id.
        maker: table key of the member that made it.
        whereabouts: of each member whose addresses the maker knows.
        expiry: seconds since 1970 (UTC).
    """

    mark: bytes
    maker: bytes
    whereabouts: tuple[Whereabouts, ...]
    expiry: int
    signature: bytes

    def fields(self) -> list[Plain]:
        """Return the fields of its line."""
        return [*_signed(self.mark, self.maker, self.whereabouts, self.expiry), self.signature]

    @classmethod
    def read(cls, fields: Sequence[Value]) -> Self:
        """Inverse of `fields`. Does not check signatures. Raises TicketError "ticket/form"."""
        match fields:
            case [bytes(mark), bytes(maker), list(listed), int(expiry), bytes(signature)] if (
                len(mark) == MARK
                and len(maker) == KEY_BYTES
                and len(listed) <= MAX_MEMBERS
                and type(expiry) is int
                and expiry >= 0
            ):
                places = tuple(map(Whereabouts.read, listed))
                if len({each.key for each in places}) == len(places):
                    return cls(mark, maker, places, expiry, signature)
        raise TicketError("ticket/form", "fields")

    def right(self, table: bytes) -> bool:
        """True if this ticket is one of the table with this id and its maker signed it."""
        said = _signed(self.mark, self.maker, self.whereabouts, self.expiry)
        return self.mark == table_mark(table) and verify(self.maker, self.signature, _ticket_statement(table, said))

    def __str__(self) -> str:
        return write_line(TABLE, self.fields())


def make_table_ticket(
    sign: Sign, maker: bytes, table: bytes, whereabouts: Sequence[Whereabouts], expiry: int
) -> TableTicket:
    """Return a ticket of a running table, signed by its maker's table key."""
    known = tuple(sorted(whereabouts, key=lambda each: each.key))
    said = _signed(table_mark(table), maker, known, expiry)
    return TableTicket(table_mark(table), maker, known, expiry, sign(_ticket_statement(table, said)))


def parse_table_ticket(text: str, now: float = 0) -> TableTicket:
    """Return the first whole ticket of a running table in `text` that has not expired. Raises TicketError."""
    return read_line(text, {TABLE: TableTicket.read}, now)


def _signed(mark: bytes, maker: bytes, whereabouts: Sequence[Whereabouts], expiry: int) -> list[Plain]:
    return [mark, maker, [each.fields() for each in whereabouts], expiry]


def _statement(table: bytes, key: bytes, number: int, places: Sequence[Address]) -> bytes:
    return H("whereabouts", table, key, number, list(places))


def _ticket_statement(table: bytes, said: Sequence[Plain]) -> bytes:
    return H("table ticket", table, encode(list(said)))
