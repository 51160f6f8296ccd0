# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 8.2 to 8.5: cards that are sealed to all holders of deck keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from second.codec import is_bytes, is_list, refuse
from second.group import BASE, add, hashed_point, minus, read_points, read_scalars, total
from second.hashing import H
from second.proofs import Pair, holds, read_pairs, same_logarithm

Handle = tuple[str, int]


def card_point(table: bytes, deck: str, number: int) -> bytes:
    return hashed_point("card", table, deck, number)


@dataclass
class DeckKeys:
    """One set of deck keys: of the holders with these table keys, in roster order."""

    table: bytes
    generation: int
    keys: list[bytes]
    points: dict[bytes, bytes] = field(default_factory=dict)

    @property
    def roster(self) -> bytes:
        return H("roster", self.keys)

    @property
    def complete(self) -> bool:
        return all(key in self.points for key in self.keys)

    @property
    def public(self) -> bytes:
        return total(self.points[key] for key in self.keys)

    def read_key(self, author: bytes, body: Any) -> bytes:
        if not is_bytes(body, 96):
            refuse("deck/form")
        point = read_points(body[:32], 1, "deck/form")[0]
        scalars = read_scalars(body[32:], 2, "deck/form")
        place = [self.table, self.generation, self.roster, author]
        if not holds("pok", place, [[BASE]], [point], scalars):
            refuse("deck/key-proof")
        return point

    def openly(self, deck: str, number: int) -> Pair:
        """A card as everybody can seal it."""
        return BASE, add(card_point(self.table, deck, number), self.public)

    def shuffle_place(self, deck: str, number: int, author: bytes) -> list[Any]:
        return [self.table, self.generation, self.roster, self.public, deck, number, author]

    def read_remask(self, author: bytes, handles: list[Handle], old: list[Pair], body: Any) -> list[Pair]:
        """The new pairs of a `remask` at a deal or show."""
        if not is_list(body, 2):
            refuse("deck/form")
        pairs = read_pairs(body[0], len(handles), "deck/form")
        scalars = read_scalars(body[1], 2 * len(handles), "deck/form")
        for at, (handle, before, after) in enumerate(zip(handles, old, pairs, strict=True)):
            place = [self.table, self.generation, self.roster, self.public, *handle, before[0] + before[1], author]
            images = [minus(after[0], before[0]), minus(after[1], before[1])]
            proof = scalars[2 * at : 2 * at + 2]
            if after[0] == before[0] or not holds("remask", place, [[BASE], [self.public]], images, proof):
                refuse("deck/remask-proof")
        return pairs

    def read_share(self, author: bytes, firsts: list[bytes], body: Any, form: str, false: str) -> list[bytes]:
        """The shares of the author in pairs with these first halves."""
        if not is_list(body, 2):
            refuse(form)
        shares = read_points(body[0], len(firsts), form)
        scalars = read_scalars(body[1], 2, form)
        place = [self.table, self.generation, self.roster, self.public, author]
        if not same_logarithm("share", place, self.points[author], firsts, shares, scalars, place):
            refuse(false)
        return shares


@dataclass(eq=False)
class Form:
    """One pair of a card; the members whose keys read it and who gave shares are known by their deck keys' keys."""

    pair: Pair
    reader: bytes | None = None
    shares: dict[bytes, bytes] = field(default_factory=dict)
    shown: bool = False

    def opened(self, keys: list[bytes]) -> bytes | None:
        """The point under the pair, if all these holders have given their shares."""
        if not all(key in self.shares for key in keys):
            return None
        return minus(self.pair[1], total(self.shares[key] for key in keys))


@dataclass(eq=False)
class Card:
    """What lies or lay under a handle: its forms, and its number with the heights where all learnt it."""

    handle: Handle
    forms: list[Form]
    number: int | None = None
    known_at: list[int] = field(default_factory=list)

    @property
    def known(self) -> bool:
        return self.number is not None and bool(self.known_at)

    @property
    def last(self) -> Form:
        return self.forms[-1]

    def own_form(self, reader: bytes | None) -> Form | None:
        if reader is None:
            return None
        return next((form for form in self.forms if form.reader == reader and not form.shown), None)

    def used(self, reader: bytes | None) -> Form:
        return self.own_form(reader) or self.last


@dataclass
class Opening:
    """A `deal`, `show` or `reveal` of sealed cards while it is open. `reader` is the key of R, None at a reveal."""

    keys: DeckKeys
    cards: list[Card]
    reader: bytes | None
    reveal: bool
    new_forms: list[Card] = field(default_factory=list)
    new_shares: list[tuple[Form, bytes]] = field(default_factory=list)

    def begin(self) -> None:
        if self.reveal:
            for card in self.cards:
                card.last.shown = True

    def for_all(self, card: Card) -> bool:
        return self.reveal or (card.last.shown and card.last.reader is None)

    def to_remask(self, member: bytes) -> list[Card]:
        wanted = [card for card in self.cards if not card.known and not self.for_all(card)]
        without = [card for card in wanted if card.own_form(self.reader) is None]
        return [card for card in without if (card.last.reader or self.reader) == member]

    def to_share(self, member: bytes) -> list[Card]:
        return [
            card
            for card in self.cards
            if not card.known
            and (member != self.reader or self.for_all(card))
            and member not in card.used(self.reader).shares
        ]

    def remask(self, member: bytes, body: Any) -> None:
        cards = self.to_remask(member)
        pairs = self.keys.read_remask(member, [card.handle for card in cards], [card.last.pair for card in cards], body)
        for card, pair in zip(cards, pairs, strict=True):
            card.forms.append(Form(pair, self.reader))
            self.new_forms.append(card)

    def share(self, member: bytes, body: Any) -> None:
        forms = [card.used(self.reader) for card in self.to_share(member)]
        firsts = [form.pair[0] for form in forms]
        shares = self.keys.read_share(member, firsts, body, "deck/form", "deck/share-proof")
        for form, share in zip(forms, shares, strict=True):
            form.shares[member] = share
            self.new_shares.append((form, member))

    def undo(self) -> None:
        for form, member in self.new_shares:
            form.shares.pop(member, None)
        for card in reversed(self.new_forms):
            card.forms.pop()

    def end(self, height: int, number_of: Callable[[str, bytes], int | None]) -> None:
        """Each card that is for all becomes known."""
        for card in self.cards:
            if card.known or not self.for_all(card):
                continue
            point = card.last.opened(self.keys.keys)
            if point is not None:
                card.number = number_of(card.handle[0], point)
                card.known_at.append(height)
