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
from client.luck import Luck, dice_of, draws, hits_tail, luck, luck_text, tail
from engine.core.events import Event


@given(st.integers(1, 5), st.data())
def test_the_tail_is_the_share_of_all_throws_as_far_from_the_mean(dice: int, data: st.DataObject) -> None:
    pips = data.draw(st.integers(dice, 6 * dice))
    off = abs(2 * pips - 7 * dice)
    far = sum(abs(2 * sum(faces) - 7 * dice) >= off for faces in product(range(1, 7), repeat=dice))
    assert tail(dice, pips) == Fraction(far, 6**dice)


@given(st.lists(st.integers(1, 5), max_size=5), st.data())
def test_the_tail_of_hits_is_the_share_of_all_throws_as_far_from_their_mean(
    chances: list[int], data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, len(chances)))
    off = abs(6 * hits - sum(chances))
    throws = list(product(range(6), repeat=len(chances)))
    landed = [sum(face < chance for face, chance in zip(throw, chances, strict=True)) for throw in throws]
    assert hits_tail(chances, hits) == Fraction(sum(abs(6 * n - sum(chances)) >= off for n in landed), len(throws))


def test_hits_count_dice_of_which_it_is_told_what_hits() -> None:
    events = [
        Event("combat/rolled", {"seat": 0, "dice": ("yellow", "red"), "faces": (6, 2), "needs": 5}),
        Event("combat/bombarded", {"seat": 0, "dice": ("yellow",), "faces": (6,)}),
    ]
    (found,) = luck(events, 1)
    assert (found.aimed, found.hits, found.hits_expected) == (2, 1, Fraction(2, 3))
    assert [(die.colour, die.hit) for event in events for die in dice_of(event)] == [
        ("yellow", True), ("red", False), ("yellow", None),
    ]  # fmt: skip


def test_draws_are_compared_with_shuffles_of_the_same_stacks() -> None:
    stacks = {"I": [1] * 6 + [2] * 6, "II": [3]}
    found = draws([(0, "I", 2), (0, "I", 2), (1, "I", 1), (1, "II", 3)], stacks, 3)
    assert [(each.number, each.worth) for each in found] == [(2, 4), (2, 4), (0, 0)]
    assert found[0].expected == 3
    assert 0.3 < found[0].tail < 0.7  # both of one kind: 5 in 11
    assert found[2].tail == 1
    assert found == draws([(0, "I", 2), (0, "I", 2), (1, "I", 1), (1, "II", 3)], stacks, 3)


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
    said = json.loads(capsys.readouterr().out)
    seats = said["seats"]
    assert sum(seat["draws"] for seat in said["draws"]) > 4
    assert [seat["name"] for seat in seats] == ["Player 0", "Player 1"]
    assert all(0 <= seat["tail"] <= 1 for seat in seats)
    assert main(["luck", str(path)]) == 0
    assert "accuses nobody" in capsys.readouterr().out
