"""With all other peers' data pooled, a seat's hand, traitors, prediction, tiles and next seed stay unknown: the cards
that the game gives to a seat or shows to it alone, whatever the decks say of who may read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from recorded import GameTable
from volume import gated

from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.sections import row_of
from engine.eclipse.state import Eclipse
from engine.rex.hands import hand, traitors
from engine.rex.state import Rex
from p2p.lockstep.machine import Given, GivenOutcome, HandleRef
from p2p.testing.pooled import find_out
from p2p.testing.tables import DirectTable
from seeds.sealeddeck import SealedDecks

Held = Callable[[Any, int], list[Handle]]


class Watched(GameMachine):
    """A game that notes to which seats it has shown each card; to all, when it was opened."""

    shown: dict[HandleRef, set[int]]

    def apply(self, given: Given) -> Sequence[Any]:
        wait = self.pending()
        if isinstance(given, GivenOutcome) and wait is not None and wait.kind in ("deal", "show", "reveal"):
            for handle in wait.handles:
                self.shown.setdefault(handle, set()).update(wait.seats or range(self.match.g.table.seats))
        return super().apply(given)

    def clone(self) -> Watched:
        copy = GameMachine.clone(self)
        other = Watched(copy.match, copy.lenses)
        other.shown = self.shown
        return other


class Sealed(GameTable):
    """A sealed table whose seats answer at random, three of them to a peer at most."""

    def __init__(self, name: str, holdings: Sequence[Sequence[int]], seed: int, **options: str) -> None:
        settled = settle_options(game(name), sum(map(len, holdings)), options)
        assert isinstance(settled, Table)
        fresh = Watched(Match.new(game(name), settled))
        fresh.shown = {}
        DirectTable.__init__(self, holdings, seed, machine=fresh, game=name, options=dict(settled.options))
        assert self.genesis.sealed
        self.holdings, self.shown = holdings, fresh.shown
        self.start()

    def secrets(self, member: int, held: Held) -> list[HandleRef]:
        """The cards that by the game no other member may know: what its seats hold, and what they alone have looked
        at and still lies in a deck, without what was shown to others."""
        at, mine = self.peers[0].machine, set(self.holdings[member])
        assert isinstance(at, Watched)
        g = at.match.g
        known = [(card.deck, card.index) for seat in sorted(mine) for card in held(g, seat)]
        known += [
            (deck, index) for deck, order in g.decks.order.items() for index in order if (deck, index) in self.shown
        ]
        return [handle for handle in known if self.shown[handle] <= mine]

    def looked(self, held: Held, steps: int, every: int) -> list[Counter[str]]:
        """How many secrets of each member the others did not find, at some points of the game."""
        counted = [Counter[str]() for _ in self.peers]
        for number in range(steps):
            if number % every == 0:
                for victim in range(len(self.peers)):
                    hidden, found = find_out(self.peers, self.keys, victim, self.secrets(victim, held))
                    assert found == []
                    counted[victim] += hidden
            if not self.step():
                break
        return counted


def rex_cards(g: Rex, seat: int) -> list[Handle]:
    """The hand, the traitors and the Betrayal card of a seat."""
    betrayal = [Handle("betrayal", g.seats.betrayal[seat] - 1)] if g.seats.betrayal[seat] else []
    return [*hand(g, seat), *traitors(g, seat), *betrayal]


def tiles(g: Eclipse, seat: int) -> list[Handle]:
    """The reputation tiles of a seat."""
    return [Handle("reputation", tile - 1) for tile in row_of(g.seats.reputation, seat) if tile > 0]


def rex() -> Sealed:
    return Sealed("rex", [[0, 1], [2, 3], [4, 5]], 1, betrayal="on", factions="sol,lazax,hacan,xxcha,jol-nar,letnev")


def test_hands_traitors_and_prediction_of_rex_stay_unknown_to_all_others_together() -> None:
    counted = rex().looked(rex_cards, steps=200, every=4)
    for member in counted:
        assert all(member[f"card of {deck}"] >= 50 for deck in ("strategy", "traitor", "betrayal"))
        assert member["seed"]
    assert sum(member["kept choice"] for member in counted) >= 40
    assert sum(member["card of influence"] for member in counted) >= 2
    assert sum(member["card of bombardment"] for member in counted) >= 40


def test_reputation_tiles_of_eclipse_stay_unknown_to_all_others_together() -> None:
    table = Sealed("eclipse2", [[0], [1], [2]], 2)
    for _ in range(400):
        if table.peers[0].position.chance.looks:
            break
        assert table.step()
    counted = table.looked(tiles, steps=20, every=2)
    assert sum(member["card of reputation"] for member in counted) >= 4


@pytest.mark.parametrize("forgotten", [pytest.param(False, marks=pytest.mark.soak), True])
@pytest.mark.parametrize("deck", gated(["strategy", "traitor", "betrayal", "influence", "bombardment"], 2))
def test_a_reader_that_publishes_its_own_share_is_found_out(
    deck: str, forgotten: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """forgotten: the decks drop that share again, so that it stands in the log alone."""
    owing, finish = SealedDecks.owing_share, SealedDecks.finish

    def all_owe(decks: SealedDecks, member: bytes) -> list[HandleRef]:
        reading = decks.current()
        if member != reading.reader or decks.masking:
            return owing(decks, member)
        cards = [handle for handle in reading.handles if handle[0] == deck and decks.card(handle).known is None]
        return [handle for handle in cards if member not in decks.sealed_form(handle).shares]

    def finished(decks: SealedDecks) -> Any:
        reader, told = decks.current().reader, [decks.sealed_form(handle) for handle in decks.current().handles]
        done = finish(decks)
        if forgotten and reader is not None:
            for pair in told:
                pair.shares.pop(reader, None)
        return done

    monkeypatch.setattr(SealedDecks, "owing_share", all_owe)
    monkeypatch.setattr(SealedDecks, "finish", finished)
    table = rex()
    with pytest.raises(AssertionError, match=f"card .'{deck}'"):
        table.looked(rex_cards, steps=200, every=3)
