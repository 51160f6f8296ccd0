"""A game in which nobody reads the events goes just as it does with them, and makes none."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.match import Match
from engine.core.registry import GAMES, game, settle_options


def played(id: str, *, heard: bool, inputs: int = 50) -> tuple[Match, Dealer, int]:
    """A match after some inputs, its dealer, and how many events were told."""
    table = settle_options(game(id), 3, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(game(id), table), Dealer(HashDice("heard"))
    steps = play(match, dealer, at_random(HashDice("players")), heard=heard)
    told = sum(len(events) for _given, events in islice(steps, inputs))
    return match, dealer, told


@pytest.mark.parametrize("id", GAMES)
def test_a_game_goes_on_alike_whether_its_events_are_read_or_not(id: str) -> None:
    (one, _, told), (other, _, untold) = played(id, heard=True), played(id, heard=False)
    assert told > 2
    assert untold == 0
    assert one.digest() == other.digest()
    assert one.g.history.ledger == other.g.history.ledger, "what is public in Rex is kept all the same"


@pytest.mark.parametrize("id", GAMES)
def test_events_are_told_again_after_an_unheard_step_and_in_copies(id: str) -> None:
    match, dealer, _ = played(id, heard=False, inputs=2)
    assert match.clone().g.heard
    assert match.g.heard
    assert Match.load(match.spec, match.dump()).g.heard  # type: ignore[union-attr]
    assert any(told for _, told in play(match.clone(), dealer, lambda match, seat, ask: match.caretaker(seat)))
