"""Whoever reads every share of a sealed card that was ever published, at heights that stand and at those that votes
have undone, with or without the secrets of some members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from seeds.anew import DealingAnew
from seeds.deckkeys import DeckKeys, Shares, deck_secret
from seeds.errors import Fault
from seeds.group import Point, mul, sub, total
from seeds.opendeck import Handle
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import Sealed as Pair


class Share(NamedTuple):
    """reader: to whom alone the card was dealt or shown when this share was published; None if it was opened to all."""

    value: Point
    reader: bytes | None


class Published(NamedTuple):
    """keys: those under which a pair is sealed; shares: the first of each member, in the order of their coming."""

    keys: DeckKeys
    shares: dict[bytes, Share]


class Outsider:
    def __init__(self) -> None:
        self.pairs: dict[tuple[Pair, tuple[bytes, ...]], Published] = {}
        self.decks: list[SealedDecks] = []

    def note(self, keys: DeckKeys, pair: Pair, member: bytes, value: Point, reader: bytes | None = None) -> None:
        found = self.pairs.setdefault((pair, keys.members), Published(keys, {}))
        found.shares.setdefault(member, Share(value, reader))

    def read(self, secrets: Mapping[bytes, bytes] | None = None) -> set[Handle]:
        """The cards that all shares of one pair have opened while they were dealt or shown to somebody else alone.
        secrets: the table secrets of members who help, by their keys."""
        points = {point: card for decks in self.decks for point, card in decks.points.items()}
        return {points[point] for point in self._opened(secrets or {}) if point in points}

    def _opened(self, secrets: Mapping[bytes, bytes]) -> Iterator[Point]:
        for ((first, second), members), found in self.pairs.items():
            missing = [member for member in members if member not in found.shares and member not in secrets]
            others = [share for member, share in found.shares.items() if member not in secrets]
            if missing or not others or others[-1].reader is None or others[-1].reader in secrets:
                continue
            own = {
                member: mul(deck_secret(secret, found.keys.table, found.keys.generation), first)
                for member, secret in secrets.items()
                if member in members
            }
            values = {**{member: share.value for member, share in found.shares.items()}, **own}
            yield sub(second, total(list(values.values())))


def listening(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    """Hears all tables of this process."""
    reads, share, shared = Outsider(), SealedDecks.share, DealingAnew.share

    def heard(decks: SealedDecks, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        asked = [(decks.sealed_form(handle), decks.card(handle)) for handle in decks.owing_share(member)]
        reader = decks.current().reader
        fault = share(decks, member, message, judged=judged)
        for (form, card), value in zip(asked, message.values, strict=True) if fault is None else ():
            reads.note(decks.keys, form.sealed, member, value, None if decks._for_all(card) else reader)
        reads.decks.append(decks)
        return fault

    def heard_anew(anew: DealingAnew, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        hands = anew._others(member)
        pairs = [(pair, None) for pair in anew.unblinded()] + [(anew.new_hands[hand], hand[1]) for hand in hands]
        fault = shared(anew, member, message, judged=judged)
        for (pair, reader), value in zip(pairs, message.values, strict=True) if fault is None else ():
            reads.note(anew.keys, pair, member, value, reader)
        return fault

    monkeypatch.setattr(SealedDecks, "share", heard)
    monkeypatch.setattr(DealingAnew, "share", heard_anew)
    return reads
