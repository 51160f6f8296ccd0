from __future__ import annotations

import re
from pathlib import Path

from gamekit import claiming

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.emperor.spec import EMPEROR

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"


def end_of(seats: int, seed: int, eager: bool) -> tuple[str, str]:
    """Why and with which role a game ends; eager players claim whatever they can."""
    table = settle_options(EMPEROR, seats, {})
    assert isinstance(table, Table)
    answers = HashDice(f"answers {seats} {seed}")
    match, choose = Match.new(EMPEROR, table, None), claiming(answers) if eager else at_random(answers)
    ended = ("", "")
    for _, told in play(match, Dealer(HashDice(f"dice {seats} {seed}")), choose):
        ended = next(((e.args["why"], e.args["role"]) for e in told if e.id == "game/ending"), ended)  # type: ignore[assignment]
    return ended


def test_games_end_by_the_last_token_and_by_the_last_point() -> None:
    ends = {end_of(seats, seed, eager) for seats in (3, 6) for seed in range(2) for eager in (False, True)}
    assert {why for why, _ in ends} == {"tokens", "pool"}
    assert {role for _, role in ends} <= {"explorer", "warlord", "warlord-2", "regent"}


def test_both_end_triggers_stand_in_the_golden_games() -> None:
    told = [path.read_text("utf-8") for path in TRANSCRIPTS.glob("emperor-*.txt")]
    endings = [re.findall(r"^ +game/ending why=(\S+)", text, re.MULTILINE)[0] for text in told]
    assert {"tokens", "pool"} == set(endings)
