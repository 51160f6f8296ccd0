"""Greedy bots among themselves: games of Rex are not over at once, and no faction wins too often.

The gate plays a few games of each seat count, the soak hundreds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest
from volume import gated, seeds

from client.bots import bot, chooser
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.rex.city_map import faction
from engine.rex.spec import REX
from engine.rex.state import Rex

EARLY = 3
"""A game that is over before this round is over early."""
MOST_EARLY = 0.05
"""The share of games that may be over early."""
TELLING = 40
"""Games of a faction from which on its share of victories tells something."""


@dataclass
class Tally:
    """What came of so many games; a shared victory counts for each in part."""

    games: int = 0
    early: int = 0
    played: Counter[str] = field(default_factory=Counter)
    won: dict[str, float] = field(default_factory=dict)


def tally(seats: int, numbers: range) -> Tally:
    """The games of these numbers at a seat count, by greedy bots with drawn factions."""
    table = settle_options(REX, seats, {"factions": "random"})
    assert isinstance(table, Table)
    result = Tally()
    for number in numbers:
        g = played(table, f"balance/{seats}/{number}")
        result.games += 1
        result.early += g.round.number < EARLY
        result.played.update(faction(g, seat) for seat in range(seats))
        for seat in g.round.winners:
            name = faction(g, seat)
            result.won[name] = result.won.get(name, 0.0) + 1 / len(g.round.winners)
    return result


def played(table: Table, seed: str) -> Rex:
    """The end of the game that follows from a seed."""
    match, dealer = Match.new(REX, table, checkpoint=None), Dealer(HashDice(seed))
    choose = chooser([bot("greedy")] * table.seats, dealer, Random(seed))
    for _ in play(match, dealer, choose):
        pass
    g: Rex = match.g
    return g


@pytest.mark.parametrize("seats", gated(REX.seats, 1))
def test_few_games_are_over_early_and_no_faction_wins_twice_its_share(seats: int) -> None:
    result = tally(seats, seeds(3))
    assert result.early <= max(1, MOST_EARLY * result.games)
    for name, games in result.played.items():
        assert games < TELLING or result.won.get(name, 0.0) <= 2 * games / seats, f"{name}: {result}"
