"""With all other peers' data pooled, a seat's hand, prediction, reputation tiles and next seed stay unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from test_table_machine import Played

from engine.core.registry import game
from p2p.testing.pooled import find_out


def played(name: str, holdings: Sequence[Sequence[int]], seed: int) -> Played:
    table = Played(game(name), holdings, seed)
    assert table.genesis.sealed
    table.start()
    return table


def looked(table: Played, steps: int, every: int) -> list[Counter[str]]:
    """How many secrets of each member the others did not find, at some points of a game."""
    counted = [Counter[str]() for _ in table.peers]
    for number in range(steps):
        if number % every == 0:
            for victim in range(len(table.peers)):
                hidden, found = find_out(table.peers, table.keys, victim)
                assert found == []
                counted[victim] += hidden
        if not table.step():
            break
    return counted


def test_hands_and_prediction_of_rex_stay_unknown_to_all_others_together() -> None:
    counted = looked(played("rex", [[0, 1], [2, 3], [4, 5]], seed=1), steps=40, every=13)
    assert all(member["card"] >= 6 and member["seed"] for member in counted)
    assert sum(member["kept choice"] for member in counted) >= 1


def test_reputation_tiles_of_eclipse_stay_unknown_to_all_others_together() -> None:
    table = played("eclipse2", [[0], [1], [2]], seed=1)
    for _ in range(400):
        if table.peers[0].position.chance.looks:
            break
        assert table.step()
    counted = looked(table, steps=20, every=10)
    assert sum(member["card"] for member in counted) >= 1
