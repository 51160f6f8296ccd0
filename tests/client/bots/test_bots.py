"""Bots answer legally, see what a person sees, write into nothing, and greedy plays well and sanely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from volume import GATE, VOLUME, gated, seeds

from client.bots import LEVELS, NODES, bot, chooser, level
from client.bots.greedy import GreedyBot
from client.bots.ladder import Played, Series, verdict
from client.bots.pool import played
from client.bots.random import RandomBot
from client.games.eclipse.bot import ANSWERS, worth
from client.games.eclipse.bot.battle import SMALL, Ship, Side, chance
from client.system.errors import UserError
from client.system.texts import use
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker
from engine.core.events import Event
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import Score, game, settle_options
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions.move import Fly
from engine.eclipse.actions.upgrade import Remove
from engine.eclipse.diplomacy import related
from engine.eclipse.flow import Menu
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, NOTHING
from engine.eclipse.terms import CRUISER, MONEY
from engine.eclipse.upkeep import Settle

GREEDY = ["greedy"] * 4
SLOW = ("expert", "master")


def new_match(levels: list[str], **options: str) -> Match:
    spec = game("eclipse2")
    table = settle_options(spec, len(levels), {name.replace("_", "-"): value for name, value in options.items()})
    assert isinstance(table, Table)
    return Match.new(spec, table, checkpoint=None)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot was asked and said, before it takes effect."""

    match: Match
    dealer: Dealer
    seat: int
    ask: Choose[Any]
    value: Value


def decisions(match: Match, levels: list[str], seed: str, told: list[Event] | None = None) -> Iterator[Decision]:
    """Every answer of a game of these bots; each is checked by the rules."""
    dealer = Dealer(HashDice(seed))
    choose = chooser([bot(name) for name in levels], dealer, Random(seed))
    while match.pending is not None:
        given: Any = dealer.outcome(match, choose)
        if given is None:
            seat = match.owing()[0]
            ask = match.ask_of(seat)
            assert ask is not None
            given = Answer(seat, choose(match, seat, ask))
            yield Decision(match, dealer, seat, ask, given.value)
        events = match.apply(given)
        if told is not None:
            told += events


def finished(levels: list[str], seed: str, **options: str) -> tuple[list[Score], list[Event]]:
    """A whole game: scores by seat and everything that was told."""
    match = new_match(levels, **options)
    told: list[Event] = []
    for _ in decisions(match, levels, seed, told):
        pass
    return sorted(game("eclipse2").scores(match.g), key=lambda score: score.seat), told


# Levels


def test_a_level_is_said_by_name_or_by_number() -> None:
    assert [level(number) for number in "012345"] == [*LEVELS]
    assert level("greedy") == "greedy"


@pytest.mark.parametrize(
    ("said", "hint"), [("gredy", "greedy"), ("7", "0 random, 1 beginner, 2 casual"), ("-1", "random"), ("", "")]
)
def test_an_unknown_level_is_refused_with_what_there_is(said: str, hint: str) -> None:
    use("en")
    with pytest.raises(UserError) as refused:
        level(said)
    assert refused.value.code == "cli/unknown-bot"
    assert hint in str(refused.value.hint)


def test_a_game_that_greedy_does_not_know_it_plays_like_random() -> None:
    match = new_match(GREEDY, species="eridani,hydran,planta,draco")
    dealer = Dealer(HashDice("chess"))
    while (given := dealer.outcome(match, by_caretaker)) is not None:
        match.apply(given)
    match.g.table.game = "chess"
    seat = match.owing()[0]
    ask = match.ask_of(seat)
    assert ask is not None
    view = View(seat, match.g, match.pending, ask, Lens(), match.height)
    picks = [
        (GreedyBot().choose(view, ask, Random(n), NODES), RandomBot().choose(view, ask, Random(n), NODES))
        for n in range(9)
    ]
    assert all(one == other for one, other in picks)
    assert len({str(one) for one, _ in picks}) > 1


# What a bot may do


@pytest.mark.parametrize(
    ("name", "height"),
    gated([*((name, 60) for name in LEVELS), *((name, 9999) for name in LEVELS if name not in SLOW)], len(LEVELS)),
)
def test_no_bot_writes_into_what_it_is_shown(name: str, height: int) -> None:
    match, dealer = new_match([name] * 2), Dealer(HashDice("w"))
    inner = chooser([bot(name)] * 2, dealer, Random(5))

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        before, lens = match.g.digest(), dict(dealer.lens(seat))
        value = inner(match, seat, ask)
        assert match.g.digest() == before
        assert dict(dealer.lens(seat)) == lens
        return value

    while match.pending is not None and match.height < height:
        given: Any = dealer.outcome(match, choose)
        if given is None:
            seat = match.owing()[0]
            ask = match.ask_of(seat)
            assert ask is not None
            given = Answer(seat, choose(match, seat, ask))
        match.apply(given)


def test_greedy_answers_from_the_view_alone() -> None:
    checked = 0
    for at in decisions(new_match(GREEDY), GREEDY, "faces"):
        if checked % 40 == 0:
            view = at.match.view(at.seat, Lens(dict(at.dealer.lens(at.seat))))
            assert GreedyBot().choose(view, at.ask, Random(1), NODES) == GreedyBot().choose(
                at.match.clone().view(at.seat, Lens(dict(at.dealer.lens(at.seat)))), at.ask, Random(1), NODES
            )
        checked += 1
        if checked > 200 and VOLUME == GATE:
            break
    assert checked > 200


# How well greedy plays


@pytest.mark.soak
def test_greedy_beats_three_random_bots() -> None:
    series = Series("eclipse2", 4, {}, "greedy", ("random",), "ladder")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(len(seeds(5))), 1)])
    assert found.faults == 0
    assert found.bot.share >= 0.8


@pytest.mark.parametrize("seats", gated([2, 4, 6], 1))
def test_greedy_plays_at_any_number_of_seats_and_nobody_goes_bankrupt(seats: int) -> None:
    scores, told = finished(["greedy"] * seats, f"seats {seats}")
    assert not [event for event in told if event.id == "upkeep/eliminated"]
    assert sum(score.total for score in scores) / seats > 15


def test_greedy_plays_with_every_option() -> None:
    options = {
        "species": "draco,planta,mechanema",
        "ancient_blueprint": "random",
        "guardian_blueprint": "advanced",
        "gcds_blueprint": "alt",
        "ancients": "unlimited",
        "warp_portals": "off",
        "document_scoring": "on",
        "pulsar": "on",
        "black_hole": "on",
        "supernova": "on",
        "nebula": "on",
    }
    scores, told = finished(["greedy"] * 3, "options", **options)
    assert not [event for event in told if event.id == "upkeep/eliminated"]
    assert min(score.total for score in scores) > 10


# What greedy never does: positions of whole games with moves that would be absurd


def test_greedy_makes_no_absurd_move() -> None:
    """Each answer of some games is held against what no sensible player does."""
    faults: list[str] = []
    for seed in ("one", "two")[:VOLUME]:
        for at in decisions(new_match(GREEDY), GREEDY, seed):
            faults += [f"{seed} {at.match.height} {at.ask} {at.value}: {fault}" for fault in absurd(at)]
    assert faults == []


def absurd(at: Decision) -> Iterator[str]:
    """What is absurd about an answer."""
    g, seat = at.match.g, at.seat
    if isinstance(at.ask, Menu) and at.value == "pass":
        if g.round.number == 1 and not g.seats.spent[seat]:
            yield "passes at once"
        if any(
            option for option in at.ask.options(g) if hasattr(option, "square") and worth.colony(g, seat, option) > 0
        ):
            yield "passes with a colony ship that could settle"
    if isinstance(at.ask, Menu) and at.value in {"explore", "research", "upgrade", "build", "move", "influence"}:
        money = g.seats.store[seat, MONEY]
        if worth.left_after(g, seat, 1) < 0:
            yield f"an action that it cannot pay with {money}"
    if isinstance(at.ask, Settle) and type(at.value).__name__ == "Stop" and len(at.ask.options(g)) > 1:
        picks = [option for option in at.ask.options(g) if hasattr(option, "square")]
        if any(worth.colony(g, seat, pick) > 0 for pick in picks):
            yield "colony ships left idle before income"
    if isinstance(at.value, tuple) and any(isinstance(pick, Remove) for pick in at.value):
        yield "takes a part off for nothing"
    if isinstance(at.value, Fly):
        tile = g.const.sector_index[at.value.to]
        there = {g.sectors.owner[tile], *sectors.fleet(g).get(tile, ())} - {seat}
        if any(other >= 0 and related(g, seat, other) for other in there):
            yield "attacks a partner"


def test_every_answer_of_the_bot_is_for_a_wait_of_the_game() -> None:
    words = {cls for cls in game("eclipse2").words.__dict__["_records"].values() if isinstance(cls, type)}
    assert set(ANSWERS) <= words


# The chance to win


def ship(initiative: int, hull: int, computer: int = 0, yellow: int = 1, damage: int = 0) -> Ship:
    values = list(NOTHING)
    values[INITIATIVE], values[HULL], values[COMPUTER], values[CANNONS] = initiative, hull, computer, yellow
    return CRUISER, tuple(values), damage


@pytest.mark.parametrize(
    ("attacker", "defender", "least", "most"),
    [
        ((ship(3, 0),), (), 1.0, 1.0),
        ((), (ship(3, 0),), 0.0, 0.0),
        ((ship(3, 3, 3, 4),), (ship(1, 0),), 0.9, 1.0),
        ((ship(3, 0),), (ship(3, 3, 3, 4),), 0.0, 0.1),
        ((ship(2, 1, 1),), (ship(2, 1, 1),), 0.2, 0.7),
        ((ship(2, 1, 1),) * 3, (ship(2, 1, 1),), 0.85, 1.0),
        ((ship(2, 3, 1, 0),), (ship(2, 0, 0, 1),), 0.0, 0.1),
    ],
)
def test_the_chance_to_win_follows_the_strength(attacker: Side, defender: Side, least: float, most: float) -> None:
    assert least <= chance(attacker, defender) <= most


def test_damage_taken_lowers_the_chance() -> None:
    whole, hurt = (ship(2, 2, 2), ship(2, 2, 2)), (ship(2, 2, 2, damage=2), ship(2, 2, 2, damage=2))
    foe = (ship(2, 2, 2), ship(2, 1, 2))
    assert chance(hurt, foe) < chance(whole, foe)


def test_great_battles_are_estimated_in_line_with_small_ones() -> None:
    for attackers, defenders, least, most in ((8, 4, 0.8, 1.0), (4, 8, 0.0, 0.2), (6, 6, 0.3, 0.7)):
        assert attackers + defenders > SMALL
        assert least <= chance((ship(2, 1, 1),) * attackers, (ship(2, 1, 1),) * defenders) <= most
