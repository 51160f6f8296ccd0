# SPDX-License-Identifier: GPL-3.0-or-later
"""Threshold keys: t of n members together compute a value that no t-1 of them can foresee.

A threshold key x is shared among the members of an epoch (`dealing`): member j, counted from 1 in roster order, holds
s_j = f(j) for a polynomial f of degree t-1 with f(0) = x that nobody knows. Y = x G and P_j = s_j G are public. For any
point B a member can publish its partial s_j B with a proof that it used the logarithm of P_j, and any t partials give
the same x B by Lagrange interpolation. t = floor(n/2) + 1.

The lock of a roll uses a point that is fixed before anybody can know the dice:

    B(k) = hash to a point ("dice/in", table, epoch, k)       gamma = x B(k)

This is the DDH-based distributed verifiable random function. Members release their partials once all seeds of the roll
are open. Nobody can stop the roll after seeing the dice, since t of the others suffice. The input contains the number
of the roll and nothing that a player chooses; otherwise a player could try actions until one gives good dice.

    state    input                      next     what happens
    ---------------------------------------------------------------------------------------------------------
    LOCKED   release(member, partial)   LOCKED   if its proof is valid; else Fault. With the t-th: gamma is known
    OPEN     release(member, partial)   OPEN     checked as before, and changes nothing

Limit: t members together can compute gamma before they release anything. They do not know the seeds of the others,
which must open first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from engine.core.dataclass import dataclass
from seeds.errors import ContractError, Fault
from seeds.group import POINT_BYTES, L, Point, combination, hash_point, mul, read_point
from seeds.hashing import H, Part
from seeds.proofs import Proof, Relation, check, equal_logarithms, prove, read_proof


def threshold(members: int) -> int:
    """Return t for n members: more than half."""
    return members // 2 + 1


def roster_hash(members: Sequence[bytes]) -> bytes:
    """Return a hash of the members of an epoch in order."""
    return _roster_hash(tuple(members))


@lru_cache(64)
def _roster_hash(members: tuple[bytes, ...]) -> bytes:
    return H("roster", members)


@dataclass(frozen=True, slots=True)
class ThresholdKey:
    """The public side of one key.

    Attributes:
        purpose: "dice" or "seal".
        members: keys in roster order.
        t: number of partials that suffice.
        public: Y.
        shares: P_j of each member.
    """

    table: bytes
    epoch: int
    purpose: str
    members: tuple[bytes, ...]
    t: int
    public: Point
    shares: tuple[Point, ...]

    def place(self, author: bytes) -> list[Part]:
        """Return the place of this member's statements about this key."""
        return [self.table, self.epoch, self.purpose, roster_hash(self.members), self.public, author]


@dataclass(frozen=True, slots=True)
class Partial:
    """s_j B with a proof of correctness."""

    value: Point
    proof: Proof

    def packed(self) -> bytes:
        """Return the wire form, 96 bytes."""
        return self.value + self.proof.packed()


def read_partial(data: object) -> Partial | None:
    """Return the partial in these bytes, None for another form."""
    if not isinstance(data, bytes):
        return None
    value, proof = read_point(data[:POINT_BYTES]), read_proof(data[POINT_BYTES:])
    return None if value is None or proof is None else Partial(value, proof)


def make_partial(key: ThresholdKey, member: bytes, share: int, point: Point, fresh: bytes) -> Partial:
    """Return this member's partial for a point.

    share: its s_j.
    fresh: 32 random bytes.
    """
    value = mul(share, point)
    return Partial(value, prove("partial", key.place(member), _relation(key, member, point, value), [share], fresh))


def check_partial(key: ThresholdKey, member: bytes, point: Point, partial: Partial) -> bool:
    """True if this is the member's partial for this point under this key."""
    relation = _relation(key, member, point, partial.value)
    return check("partial", key.place(member), relation, partial.proof)


def check_partials(partials: Iterable[tuple[ThresholdKey, bytes, Point, Partial]]) -> bool:
    """True if each of these is valid: (key, member, point, partial)."""
    return all(check_partial(*each) for each in partials)


def combine(key: ThresholdKey, partials: Mapping[bytes, Point]) -> Point:
    """Return x B from the partials of t members or more. Any t give the same; the first t in roster order are used."""
    indices = [index for index, member in enumerate(key.members, 1) if member in partials][: key.t]
    if len(indices) < key.t:
        raise ContractError(f"{len(indices)} partials of the {key.t} that are needed")
    return combination(lagrange(indices), [partials[key.members[index - 1]] for index in indices])


def lagrange(indices: Sequence[int]) -> list[int]:
    """Return the Lagrange coefficients of these indices: with them the values of a polynomial sum up to its value at
    0."""
    weights = []
    for one in indices:
        above, below = 1, 1
        for other in indices:
            if other != one:
                above, below = above * other % L, below * (other - one) % L
        weights.append(above * pow(below, -1, L) % L)
    return weights


def _relation(key: ThresholdKey, member: bytes, point: Point, value: Point) -> Relation:
    return equal_logarithms(key.shares[key.members.index(member)], point, value)


def roll_point(table: bytes, epoch: int, k: int) -> Point:
    """Return the point B(k) that locks roll k."""
    return hash_point("dice/in", table, epoch, k)


CheckPartial = Callable[[ThresholdKey, bytes, Point, Partial], bool]
"""`check_partial`, or what stands for it where partials are checked later."""


class Lock:
    """The state machine above, for one roll. key: the epoch's key for dice."""

    def __init__(self, key: ThresholdKey, k: int, check: CheckPartial = check_partial) -> None:
        self.key, self.k, self._check = key, k, check
        self.point = roll_point(key.table, key.epoch, k)
        self.gamma: bytes | None = None
        self._values: dict[bytes, Point] = {}

    @property
    def silent(self) -> tuple[bytes, ...]:
        """The members whose partial is missing, in roster order; empty once gamma is known."""
        return tuple(member for member in self.key.members if member not in self._values)

    def judge(self, member: bytes, partial: Partial) -> Fault | None:
        """Return what is wrong with the partial of a member that holds a share."""
        return None if self._check(self.key, member, self.point, partial) else Fault("lock/proof", member)

    def release(self, member: bytes, partial: Partial) -> Fault | None:
        """Take a member's partial for this roll."""
        if member not in self.key.members:
            return Fault("lock/not-a-member", member)
        if member in self._values:
            return Fault("lock/released-twice", member)
        fault = self.judge(member, partial)
        if fault is not None:
            return fault
        self._values[member] = partial.value
        if self.gamma is None and len(self._values) == self.key.t:
            self.gamma = combine(self.key, self._values)
        return None
