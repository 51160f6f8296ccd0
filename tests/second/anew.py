# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 8.9: a deck is dealt anew under new keys, and whoever has read a card keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from second.cards import Card, DeckKeys, Form, Handle
from second.codec import is_list, refuse
from second.decks import Decks
from second.group import BASE, IDENTITY, minus, read_points, read_scalars, total
from second.proofs import Pair, holds, read_pairs, same_logarithm


@dataclass
class Hand:
    """A card that a holder of a new key has read, with the form by which it reads it."""

    card: Card
    reader: bytes
    form: Form


def hands_of(old: Decks, keys: list[bytes], cards: list[Card], reads: set[tuple[Handle, bytes]]) -> list[Hand]:
    """The hands of the cards, in their order; readers in the order of their forms."""
    found = []
    for card in cards:
        last: dict[bytes, int] = {}
        for at, form in enumerate(card.forms):
            reader = form.reader
            if reader is None or reader not in keys or (card.handle, reader) not in reads:
                continue
            if all(key in form.shares for key in old.keys.keys if key != reader):
                last[reader] = at
        found += [Hand(card, reader, card.forms[at]) for reader, at in sorted(last.items(), key=lambda item: item[1])]
    return found


class Anew:
    """One deck while it is dealt anew. Members are known by their table keys."""

    def __init__(self, old: Decks, new: DeckKeys, deck: str, number: int, reads: set[tuple[Handle, bytes]]) -> None:
        self.old, self.new, self.deck, self.number = old, new, deck, number
        self.cards = [card for card in old.lie.lying.values() if card.handle[0] == deck and not card.known]
        known = {card.number for card in old.lie.lying.values() if card.handle[0] == deck and card.known}
        self.numbers = sorted(set(old.lie.numbers.get(deck, [])) - known)
        self.hands = hands_of(old, new.keys, self.cards, reads)
        held = {hand.card.handle for hand in self.hands}
        self.free = [card.handle for card in self.cards if card.handle not in held]
        self.fresh: list[Pair] = [new.openly(deck, number) for number in self.numbers]
        self.sealed: dict[int, Pair] = {}
        self.blinded: list[Pair] = []
        self.shares: dict[bytes, list[bytes]] = {}

    def hands_by(self, reader: bytes) -> list[int]:
        return [at for at, hand in enumerate(self.hands) if hand.reader == reader]

    def remask(self, author: bytes, body: Any) -> None:
        mine = self.hands_by(author)
        if not is_list(body, 2):
            refuse("anew/form")
        pairs = read_pairs(body[0], len(mine), "anew/form")
        scalars = read_scalars(body[1], 3 * len(mine), "anew/form")
        negated = minus(IDENTITY, self.new.public)
        for at, (number, (first, second)) in enumerate(zip(mine, pairs, strict=True)):
            hand = self.hands[number]
            a, b = hand.form.pair
            plain = minus(b, total(share for key, share in hand.form.shares.items() if key != author))
            place = [self.new.table, self.new.generation, self.new.roster, self.new.public, "hand"]
            rows: list[list[bytes | None]] = [[BASE, None], [None, BASE], [a, negated]]
            images = [self.old.keys.points[author], first, minus(plain, second)]
            if not holds("hand", [*place, *hand.card.handle, author], rows, images, scalars[3 * at : 3 * at + 3]):
                refuse("anew/hand-proof")
        self.sealed.update(zip(mine, pairs, strict=True))

    def to_blind(self) -> list[Pair]:
        return self.blinded or [*self.fresh, *(self.sealed[at] for at in range(len(self.hands)))]

    def blind(self, author: bytes, body: Any) -> None:
        before = self.to_blind()
        if not is_list(body, 3):
            refuse("anew/form")
        after = read_pairs(body[0], len(before), "anew/form")
        known = read_points(body[1], 1, "anew/form")[0]
        scalars = read_scalars(body[2], 2, "anew/form")
        start = [self.new.table, self.new.generation, self.new.roster, self.new.public, self.deck]
        bases = [point for pair in before for point in pair]
        images = [point for pair in after for point in pair]
        weighed = [*start, known, author]
        if not same_logarithm("blind", [*start, author], known, bases, images, scalars, weighed):
            refuse("anew/blind-proof")
        self.blinded = after

    def firsts(self, author: bytes) -> list[bytes]:
        others = [at for at, hand in enumerate(self.hands) if hand.reader != author]
        return [first for first, _ in self.blinded] + [self.sealed[at][0] for at in others]

    def share(self, author: bytes, body: Any) -> None:
        self.shares[author] = self.new.read_share(author, self.firsts(author), body, "anew/form", "anew/share-proof")

    def tags(self) -> list[bytes]:
        given = [self.shares[key] for key in self.new.keys]
        return [minus(pair[1], total(shares[at] for shares in given)) for at, pair in enumerate(self.blinded)]

    def lay(self, decks: Decks) -> None:
        """Lays the cards of the deck."""
        tags = self.tags()
        count = len(self.fresh)
        fresh, held = tags[:count], tags[count:]
        for handle in dict.fromkeys(hand.card.handle for hand in self.hands):
            decks.lie.lying[handle] = Card(handle, self.new_forms(handle))
        left = [pair for pair, tag in zip(self.fresh, fresh, strict=True) if tag not in held]
        for handle, pair in zip(self.free, left, strict=False):
            decks.lie.lying[handle] = Card(handle, [Form(pair)])

    def hand_changed(self, decks: Decks, reads: set[tuple[Handle, bytes]]) -> bool:
        """True if a holder of a new key had read a card of this deck, and now cannot read it."""
        for handle, reader in reads:
            card = decks.lie.lying.get(handle)
            if handle[0] != self.deck or card is None or card.known or reader not in self.new.keys:
                continue
            others = [key for key in self.new.keys if key != reader]
            if not any(form.reader == reader and all(key in form.shares for key in others) for form in card.forms):
                return True
        return False

    def new_forms(self, handle: Handle) -> list[Form]:
        forms = []
        for at, hand in enumerate(self.hands):
            if hand.card.handle == handle:
                shares = {key: self.share_of(key, at) for key in self.new.keys if key != hand.reader}
                forms.append(Form(self.sealed[at], hand.reader, shares))
        return forms

    def share_of(self, key: bytes, at: int) -> bytes:
        """The share of a member in the hand number `at`, which is another's."""
        before = sum(1 for hand in self.hands[:at] if hand.reader != key)
        return self.shares[key][len(self.blinded) + before]
