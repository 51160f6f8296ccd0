"""Luck of the dice: figures by seat, and how unusual they are for fair dice."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import finished

from client.cli import main
from client.luck import Luck, luck, luck_text, tail
from engine.core.events import Event


@given(st.integers(1, 5), st.data())
def test_the_tail_is_the_share_of_all_throws_as_far_from_the_mean(dice: int, data: st.DataObject) -> None:
    pips = data.draw(st.integers(dice, 6 * dice))
    off = abs(2 * pips - 7 * dice)
    far = sum(abs(2 * sum(faces) - 7 * dice) >= off for faces in product(range(1, 7), repeat=dice))
    assert tail(dice, pips) == Fraction(far, 6**dice)


def test_without_dice_nothing_is_unusual() -> None:
    assert tail(0, 0) == 1
    assert "no dice" in luck_text(Luck(0, 0, 0, Fraction(1)), "Ana")


def test_dice_count_for_who_rolled_them() -> None:
    events = [
        Event("combat/rolled", {"seat": 0, "faces": (6, 6, 6)}),
        Event("combat/rolled", {"seat": -1, "faces": (1,)}),
        Event("warlord/rolled", {"seats": (1, 0), "dice": (2, 1), "phase": 1}),
        Event("supernova/rolled", {"faces": (6, 6)}),
    ]
    found = luck(events, 3)
    assert [(each.dice, each.pips) for each in found] == [(4, 19), (1, 2), (0, 0)]
    assert found[0].expected == 14


def test_what_is_unusual_is_said_without_accusing() -> None:
    lucky = Luck(0, 20, 120, tail(20, 120))
    assert "unusual, but not impossible" in luck_text(lucky, "Ana")
    assert "That is usual" in luck_text(Luck(0, 20, 70, tail(20, 70)), "Ana")


def test_the_command_tells_every_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.star"
    path.write_bytes(finished().star())
    assert main(["luck", str(path), "--json"]) == 0
    seats = json.loads(capsys.readouterr().out)["seats"]
    assert [seat["name"] for seat in seats] == ["Player 0", "Player 1"]
    assert all(0 <= seat["tail"] <= 1 for seat in seats)
    assert main(["luck", str(path)]) == 0
    assert "accuses nobody" in capsys.readouterr().out
