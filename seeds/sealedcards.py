# SPDX-License-Identifier: GPL-3.0-or-later
"""Sealed cards: the sealed forms of a card under a handle, and the message that changes its reader.

A card is a point M = hash to a point ("card", table, deck, number), sealed as a pair (A, B) = (r G, M + r Y). It may be
sealed several times, for one private reader after another (`sealeddeck`).
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dataclass import dataclass, field
from seeds.group import Point, hash_point, pack, read_points, sub, total
from seeds.opendeck import Handle
from seeds.proofs import Proof, read_proof
from seeds.shuffle import Sealed


def card_point(table: bytes, deck: str, number: int) -> Point:
    """Return the point of a physical card."""
    return hash_point("card", table, deck, number)


@dataclass(slots=True)
class SealedForm:
    """One sealed form of a card.

    Attributes:
        reader: key of the only member that may read it, None for none.
        shown: True if a Reveal of it has begun, so that a share of every member may have been published.
        shares: the counted shares, by member.
    """

    sealed: Sealed
    reader: bytes | None = None
    shown: bool = False
    shares: dict[bytes, Point] = field(default_factory=dict)


@dataclass(slots=True)
class Lying:
    """A card under its handle.

    Attributes:
        pairs: its sealed forms, newest last.
        known: its number once all members know it, else None.
    """

    deck: str
    pairs: list[SealedForm]
    known: int | None = None


@dataclass(frozen=True, slots=True)
class Remask:
    """New pairs for the cards that the author must mask anew, in order, each with its proof."""

    pairs: tuple[Sealed, ...]
    proofs: tuple[Proof, ...]

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [pack(half for pair in self.pairs for half in pair), b"".join(proof.packed() for proof in self.proofs)]


def read_remask(body: object, count: int) -> Remask | None:
    """The new pairs of `count` cards in an entry's body."""
    match body:
        case [bytes() as halves, bytes() as proofs] if len(proofs) == 64 * count:
            points = read_points(halves, 2 * count)
            proven = [read_proof(proofs[at : at + 64]) for at in range(0, len(proofs), 64)]
            sound = tuple(proof for proof in proven if proof is not None)
            if points is not None and len(sound) == count:
                return Remask(tuple(zip(points[::2], points[1::2], strict=True)), sound)
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """Which cards lie under which handles, to go back to: what shuffles changed, and nothing that was read."""

    lying: dict[Handle, Lying]
    spent: dict[Handle, Lying]
    numbers: dict[str, tuple[int, ...]]


def opened(pair: SealedForm, shares: Mapping[bytes, Point]) -> Point:
    """Return the card's point, from the shares of all members."""
    return sub(pair.sealed[1], total(shares.values()))
