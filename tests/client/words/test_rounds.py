"""The round that is shown is the game's, not a battle's."""

from __future__ import annotations

from client.words.rounds import round_told
from engine.core.events import Event


def test_rounds_of_battles_and_rounds_to_come_do_not_count() -> None:
    game, battle = Event("round/begins", {"round": 3, "start": 0}), Event("combat/round", {"sector": "001", "round": 9})
    away = Event("black-hole/away", {"seat": 0, "ship": "cruiser", "round": 5})
    assert round_told([game, battle, away]) == 3
    assert round_told([battle]) == 0
