"""Magellan, Lyra and the Exiles in whole games of every number of players."""

from __future__ import annotations

import pytest
from volume import gated, seeds

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import MAX_TAIL, Match
from engine.core.registry import settle_options
from engine.eclipse.spec import ECLIPSE2
from engine.testing.gamekit import curious, play_judged, watched
from engine.testing.judges import judge

SPECIES = ("lyra", "exiles", "magellan", "eridani", "terran-union", "draco")
EVENTS = {"pulsar": "on", "black-hole": "on", "supernova": "on", "nebula": "on"}


def agreed(seats: int, **options: str) -> Table:
    table = settle_options(ECLIPSE2, seats, {"wanderers": "on", "species": ",".join(SPECIES[:seats]), **options})
    assert isinstance(table, Table), table
    return table


@pytest.mark.parametrize("seats", gated([4, 2, 3, 5, 6], 2))
@pytest.mark.parametrize("seed", seeds(1))
def test_random_games_with_the_species_of_the_option_play_to_the_end(seats: int, seed: int) -> None:
    table = agreed(seats, species="random") if seed % 2 else agreed(seats, **(EVENTS if seats == 4 else {}))
    match, dice = Match.new(watched(ECLIPSE2), table), HashDice(f"wanderers {seats} {seed}")
    for step, (_, told) in enumerate(play(match, Dealer(dice), curious(dice))):
        assert match.tail <= MAX_TAIL
        assert all(tuple(event.args) == ECLIPSE2.events[event.id] for event in told)
        if match.tail == 0:
            assert judge(ECLIPSE2, match.g) is None, match.g.flow.now
        if step % 60 == 0:
            loaded = Match.load(ECLIPSE2, match.dump())
            assert isinstance(loaded, Match)
            assert loaded.digest() == match.digest() == match.clone().digest()
    assert len(ECLIPSE2.scores(match.g)) == seats


@pytest.mark.parametrize("seats", [2, 3])
def test_every_promise_of_the_core_holds_in_a_game_with_them(seats: int) -> None:
    assert play_judged(ECLIPSE2, agreed(seats), seats) > 0
