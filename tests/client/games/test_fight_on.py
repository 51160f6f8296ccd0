"""What a player of Eclipse answers who fights on: attack with the first ship, and hit what is advised."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.games.eclipse.show import fight
from client.games.eclipse.show.fight import fight_on
from engine.eclipse.combat.strike import Assign, Attack, Engage


@pytest.mark.parametrize(("battle", "answer"), [(True, ("advised",)), (False, ())])
def test_hits_are_assigned_as_advised_while_there_is_a_battle(
    monkeypatch: pytest.MonkeyPatch, battle: bool, answer: tuple[str, ...]
) -> None:
    frame: Any = SimpleNamespace(g="game")
    monkeypatch.setattr(fight, "stage_of", lambda _g: "stage" if battle else None)
    monkeypatch.setattr(fight, "advised", lambda _g, _ask: "advised")
    assert fight_on(frame, Assign.__new__(Assign)) == answer
    assert fight_on(frame, SimpleNamespace()) == (), "any other question is the player's own"  # type: ignore[arg-type]


def test_the_first_ship_attacks() -> None:
    ask = Engage.__new__(Engage)
    ships: Any = ("one", "two")
    object.__setattr__(ask, "ships", ships)
    assert fight_on(SimpleNamespace(g="game"), ask) == (Attack(ships[0]),)  # type: ignore[arg-type]
