"""A game of Rex past set-up, driven by answers in notation, with dice and cards as a test wants them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.agenda import Item, Table
from engine.core.cards import Handle
from engine.core.dealer import Chooser, Dealer, HashDice
from engine.core.errors import Refusal
from engine.core.match import Match
from engine.core.notation import format_value, parse
from engine.core.outcomes import settle
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.waits import Choose, Seal, Shuffle
from engine.rex.city_map import units
from engine.rex.spec import REX
from engine.rex.state import PHASES, Rex
from engine.testing.driven import Driven


def lensed(dealer: Dealer, dice: HashDice, shy: int = 3) -> Chooser:
    """Answers at random with what the own lens allows; plays cards outside battles once in ``shy`` chances."""

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        g = None if isinstance(match.pending, Seal) else match.g
        lens = dealer.lens(seat)
        so_far: tuple[Value, ...] = ()
        options = ask.options(g, lens, so_far)
        if not ask.staged:
            return options[dice.below(len(options))]
        while options:
            pick = options[dice.below(len(options))]
            if ask.word == "play-card" and not so_far and dice.below(shy):
                pick = options[0]
            so_far = (*so_far, pick)
            options = ask.options(g, lens, so_far)
        return so_far

    return choose


PARKED: Item = ["deploy", 0]
"""A question that is asked in any position; what a test runs comes before it."""


class Play(Driven[Rex]):
    """A match of Rex. ``secrets``: what seats seal next, in notation; who has none there seals as its stand-in."""

    def __init__(self, table: Table, seed: int) -> None:
        self.secrets: dict[int, list[str]] = {}
        super().__init__(Match.new(REX, table), seed)

    # Cards and secrets

    def secret(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        if not self.secrets.get(seat):
            return match.caretaker(seat)
        text = self.secrets[seat].pop(0)
        value = parse(text, ask, None)
        assert not isinstance(value, Refusal), f"{text}: {value}; {ask}"
        return value

    def top(self, deck: str, face: Value) -> Play:
        """The next card of a deck shows this face: it changes places with one that does. Cards put back come in."""
        if self.g.decks.unmixed(deck):
            cards = self.g.decks.top(deck, 99)
            with self.edit() as g:
                handles = g.decks.next_handles(deck, len(cards))
                settle(g.decks, Shuffle(deck, cards, deck))
            self.dealer.faces.update(zip(handles, [self.dealer.faces[card] for card in cards], strict=True))
        first, *rest = self.g.decks.top(deck, 99)
        if self.dealer.faces[first] != face:
            other = next(handle for handle in rest if self.dealer.faces[handle] == face)
            self.dealer.faces[first], self.dealer.faces[other] = face, self.dealer.faces[first]
        return self

    def deal(self, seat: int, *cards: str) -> list[str]:
        """Exactly these Strategy cards for a seat, what it had goes to the deck; gives them in notation."""
        return self._deal("strategy", "hand", seat, cards)

    def traitor(self, seat: int, *leaders: str) -> list[str]:
        """Exactly these traitors for a seat."""
        return self._deal("traitor", "traitors", seat, leaders)

    def naive(self) -> Play:
        """Nobody holds a traitor."""
        for seat in range(self.g.table.seats):
            self._deal("traitor", "traitors", seat, ())
        return self

    def _deal(self, deck: str, column: str, seat: int, wanted: Sequence[str]) -> list[str]:
        given: list[str] = []
        with self.edit() as g:
            hands = getattr(g.seats, column)
            g.decks.order[deck] += hands[seat]
            hands[seat] = []
            for face in wanted:
                index = next(at for at in g.decks.order[deck] if self.dealer.faces[Handle(deck, at)] == face)
                g.decks.order[deck].remove(index)
                hands[seat].append(index)
                self.dealer.lens(seat).learn(Handle(deck, index), face)
                given.append(f"{deck}#{index}")
        return given

    # Answers

    def seen(self, *so_far: Value) -> list[str]:
        """What may be answered by who knows the own cards."""
        lens = self.dealer.lens(self.seat)
        return [format_value(option) for option in self.ask.options(self.g, lens, so_far)]

    def quiet(self) -> Play:
        """Nobody plays a card while windows are open."""
        while not self.match.over and self.g.flow.now[:1] == ["window"]:
            self.answer(("no",))
        return self

    # Positions

    def run(self, *items: Item, phase: str = "maneuvering") -> Play:
        """Run these segments next, in this phase, and then ask seat 0 for a deployment."""
        with self.edit() as g:
            g.round.phase = PHASES.index(phase)
            g.flow.now, g.flow.agenda = [], [*items, PARKED]
        return self

    def army(self, seat: int, space: str, count: int, mech: int = 0) -> Play:
        """So many units of a seat in a space, from or to its reserves."""
        with self.edit() as g:
            at = g.const.space_index[space]
            g.seats.reserve[seat] += g.board.units[seat, at] - count
            g.seats.mech_reserve[seat] += g.board.mech[seat, at] - mech
            g.board.units[seat, at], g.board.mech[seat, at] = count, mech
        return self

    def influence(self, *influence: int) -> Play:
        """The influence of every seat."""
        with self.edit() as g:
            for seat, amount in enumerate(influence):
                g.seats.influence[seat] = amount
        return self

    def ally(self, *seats: int) -> Play:
        """These seats are allies."""
        with self.edit() as g:
            for seat in seats:
                g.seats.alliance[seat] = 1 + min(seats)
        return self

    def count(self, seat: int, space: str) -> int:
        """The units of a seat in a space."""
        return units(self.g, seat, self.g.const.space_index[space])


def table(factions: str = "sol,hacan,letnev", **options: str) -> Play:
    """A game past set-up: an empty board, no cards in hand, the fleet over sector 1, seat 0 first and parked."""
    play = opening(factions, **options).until("window")
    with play.edit() as g:
        for seat in range(g.table.seats):
            for space in range(len(g.const.spaces)):
                g.seats.reserve[seat] += g.board.units[seat, space]
                g.board.units[seat, space] = 0
            g.decks.order["strategy"] += g.seats.hand[seat]
            g.seats.hand[seat] = []
        g.round.first, g.round.fleet, g.round.phase = 0, 1, PHASES.index("maneuvering")
        g.flow.now, g.flow.agenda = [], [PARKED]
    return play


def opening(factions: str = "sol,hacan,letnev", **options: str) -> Play:
    """A game before its first answer."""
    settled = settle_options(REX, len(factions.split(",")), {"factions": factions, **options})
    assert isinstance(settled, Table), settled
    return Play(settled, 1)
