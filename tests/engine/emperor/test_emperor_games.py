from __future__ import annotations

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor.spec import EMPEROR


def end_of(seats: int, seed: int, eager: bool) -> tuple[str, str]:
    """Why and with which role a game ends; eager players claim whatever they can."""
    table = settle_options(EMPEROR, seats, {})
    assert isinstance(table, Table)
    match, random = Match.new(EMPEROR, table, None), at_random(HashDice(f"answers {seats} {seed}"))

    def choose(match: Match, seat: int, ask: Choose[object]) -> Value:
        if eager and ask.word in ("claim-sector", "claim-tile"):
            return ask.options(match.g)[1]
        if eager and ask.word == "choose-role":
            wanted = [role for role in ("explorer", "warlord", "warlord-2", "engineer") if role in ask.options(match.g)]
            return wanted[0] if wanted else random(match, seat, ask)
        return random(match, seat, ask)

    ended = ("", "")
    for _, told in play(match, Dealer(HashDice(f"dice {seats} {seed}")), choose):
        ended = next(((e.args["why"], e.args["role"]) for e in told if e.id == "game/ending"), ended)  # type: ignore[assignment]
    return ended


def test_games_end_by_the_last_token_and_by_the_last_point() -> None:
    ends = {end_of(seats, seed, eager) for seats in (3, 6) for seed in range(2) for eager in (False, True)}
    assert {why for why, _ in ends} == {"tokens", "pool"}
    assert {role for _, role in ends} <= {"explorer", "warlord", "warlord-2", "regent"}
