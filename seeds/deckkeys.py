# SPDX-License-Identifier: GPL-3.0-or-later
"""Deck keys: cards are sealed to all members together, so that nobody can read one without all others.

    x_p = number from (table secret, "deck", table, generation)     X_p = x_p G, with a proof of possession
    Y   = sum of all X_p                                            a card M is sealed as (r G, M + r Y)

Without the proofs the last member could announce T minus the others' keys and know the logarithm of the sum. A share of
a sealed card (A, B) is x_p A. A member with all shares but its own can read the card; all others together cannot.

`generation` numbers the sets of members that hold the decks. It changes when a member is gone for good, not when one is
absent, since decks wait for absent members.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dataclass import dataclass, replace
from seeds.errors import ContractError, Fault
from seeds.group import POINT_BYTES, Point, base, mul, pack, read_point, read_points, total
from seeds.hashing import Part
from seeds.proofs import Proof, check, equal_logarithms, logarithm, prove, read_proof, scalar, weighted
from seeds.threshold import roster_hash


@dataclass(frozen=True, slots=True)
class DeckKey:
    """A member's X_p and the proof of knowing x_p."""

    point: Point
    proof: Proof

    def packed(self) -> bytes:
        """Return the wire form, 96 bytes."""
        return self.point + self.proof.packed()


def read_deck_key(data: object) -> DeckKey | None:
    """Return the deck key in these bytes, None for another form."""
    if not isinstance(data, bytes):
        return None
    point, proof = read_point(data[:POINT_BYTES]), read_proof(data[POINT_BYTES:])
    return None if point is None or proof is None else DeckKey(point, proof)


def deck_secret(secret: bytes, table: bytes, generation: int) -> int:
    """Return a member's x_p, from its table secret."""
    return scalar(secret, "deck", table, generation)


@dataclass(frozen=True, slots=True)
class DeckKeys:
    """The keys of one generation, complete.

    Attributes:
        members: keys in roster order.
        points: X_p of each member.
        public: Y.
    """

    table: bytes
    generation: int
    members: tuple[bytes, ...]
    points: tuple[Point, ...]
    public: Point

    def point(self, member: bytes) -> Point:
        """Return this member's X_p."""
        return self.points[self.members.index(member)]

    def handed_on(self, old: bytes, new: bytes) -> DeckKeys:
        """Return these keys with the key of the member `old` held by `new`."""
        return replace(self, members=tuple(new if member == old else member for member in self.members))

    def place(self, author: bytes, *what: Part) -> list[Part]:
        """Return the place of this member's statements about sealed cards."""
        return [self.table, self.generation, roster_hash(self.members), self.public, *what, author]


class Keyring:
    """Collects the deck keys of one generation."""

    def __init__(self, table: bytes, generation: int, members: Sequence[bytes]) -> None:
        if not members or len(set(members)) != len(members):
            raise ContractError("decks are sealed to one member or more, each once")
        self.table, self.generation, self.members = table, generation, tuple(members)
        self._points: dict[bytes, Point] = {}

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The members whose key is missing, in roster order."""
        return tuple(member for member in self.members if member not in self._points)

    def place(self, author: bytes) -> list[Part]:
        """Return the place of a proof of possession."""
        return [self.table, self.generation, roster_hash(self.members), author]

    def make(self, member: bytes, x: int, fresh: bytes) -> DeckKey:
        """Return this member's key, to be sent.

        x: its x_p.
        fresh: 32 random bytes.
        """
        point = base(x)
        return DeckKey(point, prove("pok", self.place(member), logarithm(point), [x], fresh))

    def add(self, member: bytes, key: DeckKey) -> Fault | None:
        """Take a member's key."""
        if member not in self.members:
            return Fault("deck/not-a-member", member)
        if member in self._points:
            return Fault("deck/key-twice", member)
        if not check("pok", self.place(member), logarithm(key.point), key.proof):
            return Fault("deck/key-proof", member)
        self._points[member] = key.point
        return None

    def keys(self) -> DeckKeys:
        """Return all keys. Raises LocalError while one is missing."""
        if self.owing:
            raise ContractError(f"{len(self.owing)} deck keys are missing")
        points = tuple(self._points[member] for member in self.members)
        return DeckKeys(self.table, self.generation, self.members, points, total(points))


# Shares --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shares:
    """x_p A for a list of sealed cards, in order, and one proof for all."""

    values: tuple[Point, ...]
    proof: Proof

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [pack(self.values), self.proof.packed()]


def read_shares(body: object, count: int) -> Shares | None:
    """Return the shares of `count` cards in an entry's body, None for another form."""
    match body:
        case [bytes() as values, bytes() as proof]:
            points, proven = read_points(values, count), read_proof(proof)
            if points is not None and proven is not None:
                return Shares(tuple(points), proven)
    return None


def make_shares(keys: DeckKeys, member: bytes, x: int, firsts: Sequence[Point], fresh: bytes) -> Shares:
    """Return this member's shares of one or more cards. firsts: the first half A of each."""
    values = [mul(x, first) for first in firsts]
    place = keys.place(member)
    relation = equal_logarithms(keys.point(member), *weighted("share", place, firsts, values))
    return Shares(tuple(values), prove("share", place, relation, [x], fresh))


def check_shares(keys: DeckKeys, member: bytes, firsts: Sequence[Point], shares: Shares) -> bool:
    """True if these are the member's shares of exactly these cards."""
    if not firsts or len(firsts) != len(shares.values):
        return False
    place = keys.place(member)
    relation = equal_logarithms(keys.point(member), *weighted("share", place, firsts, shares.values))
    return check("share", place, relation, shares.proof)
