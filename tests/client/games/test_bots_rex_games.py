"""Whole games of Rex by greedy bots: legal, without a foul or an absurd move, and much better than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from volume import gated

from client.bots import bot, chooser
from client.bots.ladder import Played, Series, verdict
from client.bots.pool import played
from client.games.rex.bot import ANSWERS
from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.waits import Choose, Seal
from engine.rex.city_map import allied
from engine.rex.spec import REX

ROOT = Path(__file__).parents[3]


def decisions(match: Match, dealer: Dealer, levels: list[str], seed: str) -> Iterator[tuple[int, Choose[Any], Value]]:
    """Every answer of a game of these bots, before it takes effect; fouls and false claims end the test."""
    choose = chooser([bot(name) for name in levels], dealer, Random(seed))
    said: list[tuple[int, Choose[Any], Value]] = []

    def watched(match: Match, seat: int, ask: Choose[Any]) -> Value:
        before = match.g.digest()
        value = choose(match, seat, ask)
        assert match.g.digest() == before, f"{ask} writes"
        sealed = isinstance(match.pending, Seal)
        assert ask.validate(None if sealed else match.g, value, dealer.lens(seat)) is None
        said.append((seat, ask, value))
        return value

    for _, told in play(match, dealer, watched):
        assert not [event for event in told if event.id in {"core/foul", "claim/false", "card/spoiled"}]
        yield from said
        said.clear()


def city(seats: int, **options: str) -> Match:
    agreed = settle_options(REX, seats, options)
    assert isinstance(agreed, Table)
    return Match.new(REX, agreed, None)


@pytest.mark.parametrize("seats", gated([3, 5, 4, 6], 2))
def test_greedy_games_end_without_a_foul_or_an_absurd_move(seats: int) -> None:
    match, dealer = city(seats, factions="random", betrayal="on"), Dealer(HashDice(f"greedy {seats}"))
    faults: list[str] = []
    answered: Counter[str] = Counter()
    member_secrets: list[int] = []
    for seat, ask, value in decisions(match, dealer, ["greedy"] * seats, f"{seats}"):
        answered[ask.word] += 1
        faults += [f"{ask} {value}: {fault}" for fault in absurd(match, seat, ask, value)]
        member_secrets = list(match.g.seats.influence)
    assert match.over
    assert faults == []
    assert min(member_secrets) >= 0
    assert len(answered) > 10


def absurd(match: Match, seat: int, ask: Choose[Any], value: Value) -> Iterator[str]:
    """What no sensible player does."""
    if ask.word == "bid" and isinstance(value, int) and (value > ask.low or value > 12):  # type: ignore[attr-defined]
        yield "pays too much for a card"
    if ask.word == "talk" and value[0] == "give":
        yield "gives influence away"
    if ask.word == "call-traitor" and isinstance(value, Handle):
        foe = next((one for one in match.g.battle.seat if one != seat and one >= 0), seat)
        if allied(match.g, seat, foe) and seat in match.g.battle.seat:
            yield "betrays an ally"
    if ask.word == "plan-battle" and ask.most >= 1 and value[1] == "nobody" and ask.leaders:  # type: ignore[attr-defined]
        yield "leaves its leaders at home"


@pytest.mark.parametrize("seats", gated([5, 3, 6], 1))
def test_greedy_beats_random_at_any_number_of_seats(seats: int) -> None:
    wins = 0
    for number in range(4):
        match, dealer = city(seats, factions="random"), Dealer(HashDice(f"ladder {number}"))
        levels = ["random"] * seats
        levels[number % seats] = "greedy"
        choose = chooser([bot(name) for name in levels], dealer, Random(number))
        for _ in play(match, dealer, choose):
            pass
        wins += number % seats in match.g.round.winners
    assert wins >= 3


@pytest.mark.soak
def test_greedy_beats_three_random_bots_on_the_ladder() -> None:
    series = Series("rex", 4, {}, "greedy", ("random",), "ladder")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(20), 1)])
    assert found.better


def test_greedy_has_thoughts_about_every_question_of_the_game() -> None:
    """What is left to the stand-in is left on purpose: nothing."""
    questions = {cls for cls in REX.words.__dict__["_records"].values() if issubclass(cls, Choose)}
    assert set(ANSWERS) == questions
