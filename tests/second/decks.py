# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 8.1 to 8.9: what lies under the handles of a table, through shuffles, votes and new keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from second.cards import Card, DeckKeys, Form, Handle, card_point
from second.hashing import Stream
from second.proofs import Pair


@dataclass
class OpenDecks:
    """Section 8.1: cards that everybody can compute."""

    faces: dict[Handle, Any] = field(default_factory=dict)

    def shuffle(self, value: bytes, cards: list[Any], handles: list[Handle]) -> None:
        known = [self.faces.get(tuple(card)) if isinstance(card, list) else card for card in cards]
        order = Stream(value, "shuffle").permutation(len(cards))
        for handle, place in zip(handles, order, strict=True):
            self.faces[handle] = known[place]


@dataclass
class Lie:
    """Which cards lie where, which are spent, and which numbers each deck has."""

    lying: dict[Handle, Card] = field(default_factory=dict)
    spent: dict[Handle, Card] = field(default_factory=dict)
    numbers: dict[str, list[int]] = field(default_factory=dict)

    def copy(self) -> Lie:
        numbers = {deck: list(found) for deck, found in self.numbers.items()}
        return Lie(dict(self.lying), dict(self.spent), numbers)


@dataclass
class Decks:
    """The decks of one generation of keys; `shuffles` have begun, `done` says how things lay after each."""

    keys: DeckKeys
    made: bool = False
    lie: Lie = field(default_factory=Lie)
    shuffles: int = 0
    anew: list[str] = field(default_factory=list)
    done: list[tuple[int, Lie]] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """True if keys and all decks are complete."""
        return self.made and not self.anew

    def card(self, handle: Handle) -> Card | None:
        return self.lie.lying.get(handle) or self.lie.spent.get(handle)

    def record(self, height: int) -> None:
        self.done.append((height, self.lie.copy()))

    def back(self, to: int) -> None:
        """Things lie as after the last shuffle or dealing anew below `to`; what was learnt from there on is unknown."""
        self.done = [(height, lie) for height, lie in self.done if height < to]
        self.lie = self.done[-1][1].copy() if self.done else Lie()
        for card in {**self.lie.spent, **self.lie.lying}.values():
            card.known_at = [height for height in card.known_at if height < to]


class SealedDecks:
    """All sealed cards of a table, and the generations of its deck keys."""

    def __init__(self, table: bytes, holders: list[bytes]) -> None:
        self.table = table
        self.faces: dict[str, list[Any]] = {}
        self.before: Decks | None = None
        self.decks = Decks(DeckKeys(table, 0, holders))
        self.reads: list[tuple[int, Handle, bytes]] = []
        self.floor = 0
        self.changed = False
        """True if somebody cannot read a card any more that it had read (8.9)."""

    @property
    def keys(self) -> DeckKeys:
        return self.decks.keys

    def standing(self) -> Decks | None:
        """The decks to which keys and all decks are complete, if any."""
        return self.decks if self.decks.finished else self.before

    def next_generation(self, holders: list[bytes], height: int) -> None:
        self.before = self.standing()
        self.decks = Decks(DeckKeys(self.table, self.keys.generation + 1, holders))
        self.floor = height

    def rename(self, old: bytes, new: bytes) -> None:
        """Section 9.4, `moved`: the new key takes the place of the old one in the deck keys that stand."""
        decks = self.standing()
        self.reads = [(height, handle, new if reader == old else reader) for height, handle, reader in self.reads]
        if decks is None:
            return
        keys = decks.keys
        keys.keys = [new if key == old else key for key in keys.keys]
        keys.points = {new if key == old else key: point for key, point in keys.points.items()}
        lies = [decks.lie, *(lie for _, lie in decks.done)]
        cards = {id(card): card for lie in lies for card in (*lie.lying.values(), *lie.spent.values())}
        for card in cards.values():
            for form in card.forms:
                form.reader = new if form.reader == old else form.reader
                form.shares = {new if key == old else key: share for key, share in form.shares.items()}

    def make(self, height: int) -> None:
        """Section 8.8: makes the decks of the generation where all keys are there and they are not made yet."""
        decks = self.decks
        if decks.made or not decks.keys.complete:
            return
        decks.made = True
        if self.before is None:
            return
        self.floor = height
        old = self.before.lie
        decks.shuffles = self.before.shuffles + 1
        decks.lie.numbers = {deck: list(found) for deck, found in old.numbers.items()}
        for place, cards in ((decks.lie.lying, old.lying), (decks.lie.spent, old.spent)):
            for handle, card in cards.items():
                if card.known and card.number is not None:
                    form = Form(decks.keys.openly(handle[0], card.number))
                    place[handle] = Card(handle, [form], card.number, list(card.known_at))
        decks.anew = sorted({handle[0] for handle, card in old.lying.items() if not card.known})
        decks.record(-1)

    def back(self, to: int) -> None:
        self.reads = [read for read in self.reads if read[0] < to]
        for decks in (self.before, self.decks):
            if decks is not None:
                decks.back(to)

    def enter(self, deck: str, cards: list[Any]) -> tuple[list[Pair], list[int]]:
        """The pairs of the cards of a shuffle that begins, and the numbers of those that enter."""
        known = self.faces.setdefault(deck, [])
        pairs, numbers = [], []
        for card in cards:
            if isinstance(card, list):
                pairs.append(self.decks.lie.lying[card[0], card[1]].last.pair)
            else:
                numbers.append(len(known))
                pairs.append(self.keys.openly(deck, len(known)))
                known.append(card)
        return pairs, numbers

    def lay(self, height: int, cards: list[Any], handles: list[Handle], pairs: list[Pair], numbers: list[int]) -> None:
        """The new handles lie on the last output of a shuffle; cards put back are spent."""
        lie = self.decks.lie
        for card in cards:
            if isinstance(card, list):
                lie.spent[card[0], card[1]] = lie.lying.pop((card[0], card[1]))
        for handle, pair in zip(handles, pairs, strict=True):
            lie.lying[handle] = Card(handle, [Form(pair)])
        if handles:
            lie.numbers.setdefault(handles[0][0], []).extend(numbers)
        self.decks.record(height)

    def number_of(self, deck: str, point: bytes) -> int | None:
        """The number of the card with this point."""
        numbers = range(len(self.faces.get(deck, [])))
        return next((number for number in numbers if card_point(self.table, deck, number) == point), None)

    def face(self, card: Card) -> Any:
        return self.faces[card.handle[0]][card.number] if card.number is not None else None

    def entered(self, handle: Any) -> bool:
        """True if the handle is of a deck that sealed cards have entered."""
        return bool(self.faces.get(handle[0]))
