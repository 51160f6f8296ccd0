"""A handicap gives a seat more in each round, and nobody else; without one nothing changes."""

from __future__ import annotations

import pytest

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.handicap import HANDICAP, handicap
from engine.core.match import Match
from engine.core.registry import GAMES, game, settle_options

PAID = {
    "eclipse2": ("upkeep/paid", "money"),
    "eclipse1": ("upkeep/paid", "money"),
    "emperor": ("handicap/paid", "marks"),
    "rex": ("collection/handicap", "influence"),
}
"""By game, the event that tells what a seat gets, and the argument that says how much."""


def table(id: str, **options: str) -> Table:
    found = settle_options(game(id), 3, options)
    assert isinstance(found, Table)
    return found


def first_round(id: str, **options: str) -> list[Event]:
    """What is told until all three seats have got what the first round gives."""
    match, dealer, told = Match.new(game(id), table(id, **options)), Dealer(HashDice("handicap")), list[Event]()
    for _, events in play(match, dealer, by_caretaker):
        told += events
        if match.g.round.number > 1:
            break
    return told


def paid(id: str, told: list[Event]) -> dict[int, int]:
    event, argument = PAID[id]
    return {int(str(each.args["seat"])): int(str(each.args[argument])) for each in told if each.id == event}


@pytest.mark.parametrize("id", [id for id in GAMES if HANDICAP in game(id).options])
def test_a_seat_gets_its_handicap_in_each_round_and_the_others_get_what_they_always_get(id: str) -> None:
    usual, helped = paid(id, first_round(id)), paid(id, first_round(id, handicap="0,4,0"))
    assert helped == {**usual, 1: usual.get(1, 0) + 4}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("3,0", "option/handicap-count"),
        ("3,0,0,0", "option/handicap-count"),
        ("10,0,0", "option/handicap-number"),
        ("-1,0,0", "option/handicap-number"),
        ("٣,0,0", "option/handicap-number"),
        ("03,0,0", "option/handicap-number"),
        ("", "option/handicap-number"),
        ("0,0,0", "option/handicap-none"),
    ],
)
def test_a_handicap_is_one_number_for_each_seat(value: str, code: str) -> None:
    refused = settle_options(game("rex"), 3, {"handicap": value})
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_a_table_without_a_handicap_is_the_same_as_before_there_were_any() -> None:
    assert HANDICAP.name not in table("emperor").options
    assert table("emperor", handicap="none") == table("emperor")
    assert [handicap(table("emperor", handicap="0,9,1"), seat) for seat in range(3)] == [0, 9, 1]
