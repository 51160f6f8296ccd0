"""An outsider with the log alone learns no face that its rules keep from him, over games of Rex that go back."""

from __future__ import annotations

from random import Random

import pytest
from outsider import Outsider, listening
from recorded import GameTable
from volume import gated

from engine.core.registry import game
from p2p.lockstep.pacts import Pact


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    return listening(monkeypatch)


def taken_back(table: GameTable, random: Random) -> bool:
    """All go back by a few heights, across whatever was shown, and choose otherwise from there."""
    position = table.peers[0].position
    to = random.randrange(max(position.chance.dealt_since, position.height - 8), position.height)
    pact = Pact("takeback", position.height, position.head, (), [to, True])
    if not position.sensible(pact):
        return False
    for peer in table.peers:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    return True


def went_back(table: GameTable, seed: int, steps: int, times: int) -> int:
    """Play so many steps, going back after some at which cards were shown; return how often new deck keys followed."""
    random, shown = Random(seed), 0
    table.start()
    for _ in range(steps):
        looks = len(table.peers[0].position.chance.looks)
        if not table.step():
            break
        if times and len(table.peers[0].position.chance.looks) != looks and random.random() < 0.5:
            times -= taken_back(table, random)
    decks = table.peers[0].position.chance.decks
    assert decks is not None
    shown += decks.keys.generation
    assert not [peer.faults for peer in table.peers if peer.faults]
    return shown


@pytest.mark.parametrize("members", gated([3, 2], 1))
def test_nobody_reads_a_hand_of_rex_from_a_log_that_went_back(outsider: Outsider, members: int) -> None:
    seats = [[0, 2], [1]] if members == 2 else [[0], [1], [2]]
    table = GameTable(seats, seed=members, spec=game("rex"))
    assert went_back(table, members, steps=60, times=2)
    assert outsider.pairs
    assert outsider.read() == set()


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_nobody_reads_a_hand_of_whole_games_of_rex_that_went_back(outsider: Outsider, seed: int) -> None:
    seats = [[[0], [1], [2]], [[0], [1], [2], [3]], [[0, 3], [1], [2]]][seed % 3]
    table = GameTable(seats, seed=seed, spec=game("rex"))
    assert went_back(table, seed, steps=5000, times=8)
    assert table.peers[0].position.over
    assert outsider.read() == set()
