"""What is found in recorded games, and what of games with a changed entry, as kept in tests/client/proof/found."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from kept import compared
from replaying import STARS

from client.proof.audit import SavedGame, judged, read_game
from client.proof.audit_report import claims_of, log_fields, log_text
from client.proof.luck import hits_tail, luck, tail
from client.proof.recording import Recording
from client.proof.walk import walk_of

KEPT: Final = Path(__file__).with_name("found")


def silent(*_progress: object) -> None:
    """Nobody looks on."""


def told(log: SavedGame) -> list[str]:
    """What is found in a game, for people and for programs."""
    found = judged(log, silent)
    out = [log_text(log, found)]
    for name, value in log_fields(log, found).items():
        rows: list[Any] = value if isinstance(value, list) else [value]
        out += [f"{name}: {json.dumps(row, ensure_ascii=False)}" for row in rows]
    return [*out, *map(str, claims_of(found))]


@pytest.mark.parametrize("name", ["nim.1", "emperor-left.1"])
def test_a_recorded_game_is_judged_and_walked_through_as_kept(name: str) -> None:
    log = read_game(STARS / f"{name}.star", silent)
    out = told(log)
    walk = walk_of(log, name, silent)
    recording = Recording(walk)
    out += walk.log_lines(walk.last)[:60]
    out += [f"{at} {step}"[:200] for at, step in enumerate(recording.steps) if at % 9 == 0]
    out += [str(each) for each in luck(walk.events, walk.genesis.seats)]
    for height in (0, 1, walk.last // 2, walk.last, walk.last + 1):
        match = walk.match_at(height)
        out.append(f"{height} {walk.round_at(height)} {match and match.digest().hex()} {walk.stands(height)}")
    compared(KEPT / f"{name}.txt", "\n".join(out).replace(log.program, "VERSION") + "\n")


def test_games_that_lack_or_change_something_are_judged_as_kept() -> None:
    log, out = read_game(STARS / "nim.1.star", silent), list[str]()
    whole, last = log.entries, log.entries[-1]
    cases = {
        "without the end": whole[:-1],
        "without the middle": (*whole[:8], *whole[9:]),
        "half": whole[:10],
        "doubled": (*whole, whole[6]),
        "another signature": (*whole[:9], replace(whole[9], signature=bytes(64)), *whole[10:]),
        "another height": (*whole[:-1], replace(last, height=last.height + 1)),
        "nothing": (),
    }
    for name, entries in cases.items():
        out += [f"== {name}", *told(replace(log, entries=tuple(entries)))]
    compared(KEPT / "faults.txt", "\n".join(out).replace(log.program, "VERSION") + "\n")


def test_the_chances_of_dice_are_those_that_are_counted_by_hand() -> None:
    for dice in range(1, 5):
        sums = [0]
        for _die in range(dice):
            sums = [each + face for each in sums for face in range(1, 7)]
        for pips in range(dice, 6 * dice + 1):
            off = abs(2 * pips - 7 * dice)
            assert tail(dice, pips) == Fraction(sum(abs(2 * each - 7 * dice) >= off for each in sums), 6**dice)
    for chances in ((3,), (1, 5), (2, 2, 4), (0, 6, 3)):
        ways = [(0, Fraction(1))]
        for chance in chances:
            hit = Fraction(chance, 6)
            ways = [(hits + more, part * (hit if more else 1 - hit)) for hits, part in ways for more in (0, 1)]
        mean = Fraction(sum(chances), 6)
        for hits in range(len(chances) + 1):
            far = sum((part for each, part in ways if abs(each - mean) >= abs(hits - mean)), Fraction(0))
            assert hits_tail(chances, hits) == far
