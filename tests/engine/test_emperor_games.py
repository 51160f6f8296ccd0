from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from volume import gated

from engine.core.agenda import Table
from engine.core.custom_content import of_file
from engine.core.dealer import Chooser, Dealer, HashDice, at_random, play
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.waits import Roll
from engine.emperor.spec import EMPEROR
from engine.emperor.state import NOBODY, Emperor, places_of, ship_kind
from engine.emperor.terms import UNITS
from engine.testing.gamekit import claiming

CONTENT = Path(__file__).parent.parent / "content"
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


def test_prices_fire_and_time_warp_are_rolled_with_dice_of_six_sides() -> None:
    table = settle_options(EMPEROR, 6, {})
    assert isinstance(table, Table)
    match, dice = Match.new(EMPEROR, table, None), HashDice("six")
    sides: dict[str, set[int]] = {}
    for wait in (match.pending, *(match.pending for _ in play(match, Dealer(dice), claiming(dice)))):
        if isinstance(wait, Roll):
            sides.setdefault(wait.tag, set()).update(wait.sides)
    assert sides["market"] == sides["fire"] == {6}
    assert sides["throne"] == {6}
    assert sides.get("time-warp", {6}) == {6}


def test_both_end_triggers_stand_in_the_golden_games() -> None:
    told = [path.read_text("utf-8") for path in TRANSCRIPTS.glob("emperor-*.txt")]
    endings = [re.findall(r"^ +game/ending why=(\S+)", text, re.MULTILINE)[0] for text in told]
    assert {"tokens", "pool"} == set(endings)


class Books:
    """What every seat must have by what the game has told, from the first position on."""

    def __init__(self, g: Emperor) -> None:
        self.g, n = g, g.table.seats
        self.marks, self.metal, self.energy = list(g.seats.marks), list(g.seats.metal), list(g.seats.energy)
        self.points = [0] * n
        self.food = [0] * len(g.const.spaces)
        self.ships = [Counter({"fighter": g.const.numbers.fighters}) for _ in range(n)]
        self.unfed: set[int] = set()

    def enter(self, event: Event) -> None:
        told: Any = dict(event.args)
        seat = told.get("seat", -1)
        match event.id:
            case "merchant/rolled":
                self.marks[seat] += told["marks"]
            case "merchant/traded":
                self.pay(seat, -told["marks"], -told["metal"], -told["energy"])
                for space in told["laid"]:
                    self.food[self.g.const.space_index[space]] += 1
            case "steward/cube":
                self.pay(seat, 0, -(told["resource"] == "metal"), -(told["resource"] == "energy"))
            case "steward/produced":
                self.pay(seat, 0, -told["metal"], -told["energy"])
                self.food[self.g.const.space_index[told["space"]]] -= seat not in self.unfed
                self.unfed.discard(seat)
            case "technology/used" if told["technology"] == "robotics":
                self.unfed.add(seat)
            case "technology/sabotaged" if told["technology"] == "robotics":
                self.unfed.discard(seat)
            case _:
                self.enter_pieces(event.id, seat, told)

    def enter_pieces(self, id: str, seat: int, told: Any) -> None:
        match id:
            case "engineer/built":
                self.pay(seat, told["marks"], told["metal"], told["energy"])
                self.ships[seat][told["ship"]] += 1
            case "engineer/fighter":
                self.ships[seat]["fighter"] += 1
            case "scientist/bought":
                self.pay(seat, 0, told["metal"], told["energy"])
            case "regent/bought":
                self.pay(seat, told["marks"], 0, 0)
            case "throne/round-ends":
                self.marks = [marks + told["marks"] for marks in self.marks]
            case "control/claimed" if told["how"] == "colony-pods":
                pods = self.g.const.technologies[self.g.const.with_effect["colony-pods"][0]]
                self.pay(seat, pods.marks, 0, 0)
            case "regent/scored" | "warlord/won":
                self.points[seat] += told["points"]
            case "warlord/losses":
                for unit in told["units"]:
                    self.ships[seat][{"damaged": "dreadnought", "dreadnought": "turned"}.get(unit, unit)] -= 1

    def pay(self, seat: int, marks: int, metal: int, energy: int) -> None:
        self.marks[seat] -= marks
        self.metal[seat] -= metal
        self.energy[seat] -= energy

    def close(self, g: Emperor) -> None:
        """Nothing comes from nowhere, and nothing is lost without a word."""
        assert (self.marks, self.metal, self.energy) == (
            list(g.seats.marks),
            list(g.seats.metal),
            list(g.seats.energy),
        )
        assert self.points == list(g.seats.vp)
        assert sum(self.points) + g.round.pool == g.const.numbers.pool[str(g.table.seats)]
        assert self.food == list(g.sectors.food)
        for seat, ships in enumerate(self.ships):
            there = Counter(UNITS[ship_kind(at)] for at, place in enumerate(places_of(g, seat)) if place != NOBODY)
            assert [ships[kind] for kind in UNITS[:3]] == [there[kind] for kind in UNITS[:3]]


TOGETHER = [
    (seats, (at_random, claiming)[number & 1], ("", "emperor-market.toml")[number >> 1])
    for number in range(4)
    for seats in EMPEROR.seats
]
BOOKS = sorted(TOGETHER, key=lambda each: TOGETHER.index(each) % 5)
"""First, for the gate, each seat count once, and each bot with each content."""


@pytest.mark.parametrize(("seats", "bot", "content"), gated(BOOKS, len(EMPEROR.seats)))
def test_marks_cubes_ships_and_points_are_what_the_events_tell(
    seats: int, bot: Callable[[HashDice], Chooser], content: str
) -> None:
    spec = of_file(EMPEROR, (CONTENT / content).read_bytes(), content).spec if content else EMPEROR
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table)
    match, dice = Match.new(spec, table, None), HashDice(f"books {seats} {content}")
    books = Books(match.g)
    for _, told in play(match, Dealer(dice), bot(dice)):
        for event in told:
            books.enter(event)
        books.close(match.g)
