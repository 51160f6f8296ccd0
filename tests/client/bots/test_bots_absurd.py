# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy makes no move that nobody would make, and the program that looks for such moves finds them.

The gate plays the games in which earlier bots made them, the soak 500 of each game.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from volume import VOLUME

sys.path.append(str(Path(__file__).parents[3] / "scripts"))
sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

from absurd import Watch, absurdities
from eclipse_table import Play, both_editions, own_technology, put, station, table
from rex_bot import ADMINUS, BASE, PALACE, PORT
from rex_bot import Play as City
from rex_bot import table as city
from test_bots_rex_battle import duel, until_planned

from client.bots import NODES
from client.bots.graded import ExpertBot
from client.bots.greedy import GreedyBot
from client.games.eclipse.bot import learned, turn, worth
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import GameSpec
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.build import Construct
from engine.eclipse.actions.influence import TRACK, Shift
from engine.eclipse.actions.move import Fly, Move
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Place, Remove, Upgrade
from engine.eclipse.discovery import TakeDiscovery
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import INTERCEPTOR, MATERIALS, MONEY, SCIENCE
from engine.rex.plans import PlanBattle

BEFORE = {"eclipse2": [3, 243], "rex": [0, 2213, 2486], "eclipse1": [73], "emperor": [0]}
"""Numbers of games in which an earlier greedy was absurd, by game; that of 104 is among those of the soak."""
WHOLE = 500


@pytest.mark.parametrize("id", BEFORE)
def test_greedy_makes_no_move_that_nobody_would_make(id: str) -> None:
    faults = [
        f"game {number} height {height}: {kind}: {what}"
        for number in (BEFORE[id] if VOLUME == 1 else range(WHOLE))
        for height, kind, what in absurdities(id, "greedy", 4, f"absurd {number}")
        if kind
    ]
    assert faults == []


def test_nor_does_a_beginner_fly_back_to_what_its_own_upgrade_made_a_target() -> None:
    assert "to and fro" not in [kind for _, kind, _ in absurdities("eclipse2", "beginner", 4, "absurd 162")]


@pytest.mark.soak
@pytest.mark.parametrize(("id", "number"), [("eclipse1", 3), ("eclipse2", 6), ("eclipse1", 50)])
def test_nor_does_the_expert(id: str, number: int) -> None:
    """In the first two games it once moved ships without a target, out of battles and back; in the third it passed with
    a Monolith to be built."""
    assert not [found for found in absurdities(id, "expert", 4, f"absurd {number}") if found[1]]


@pytest.mark.parametrize(("id", "number"), [("eclipse1", 1), ("eclipse2", 0)])
def test_a_beginner_that_errs_ends_no_influence_action_without_effect(id: str, number: int) -> None:
    """In both games one began the action, misjudging a sector, and then moved no disc."""
    found = [kind for _, kind, _ in absurdities(id, "beginner", 4, f"absurd {number}")]
    assert "idle influence" not in found
    assert len(found) > 100


def test_random_play_is_found_to_be_absurd() -> None:
    found: Counter[str] = Counter()
    for number in range(12):
        found.update(kind for _, kind, _ in absurdities("eclipse2", "random", 4, f"absurd {number}") if kind)
    assert found.keys() >= {"there and back", "trade and back", "upkeep ruin", "idle ships"}


def test_a_ship_of_the_emperor_that_comes_back_to_its_start_is_found() -> None:
    found: Counter[str] = Counter()
    for number in range(4):
        found.update(kind for _, kind, _ in absurdities("emperor", "random", 3, f"absurd {number}") if kind)
    assert found["there and back"] > 0


def faults(play: Play, ask: Choose[Value], value: Value) -> list[str]:
    """What the program says of an answer in this position."""
    return [*Watch().faults(play.match, ask.seat, ask, value)]


def contested() -> Play:
    """Two cruisers of seat 0 lie in 304 with an Ancient, 310 is beside it."""
    play = table()
    with play.edit() as g:
        for ship, place in enumerate(g.ships.place):
            if place != NOBODY and ship < 18:
                g.ships.place[ship] = NOBODY
        put(g, "304", 6, 0, owner=0)
        put(g, "310", 6, 1)
        station(g, "304", 0, "cruiser", "cruiser")
        station(g, "304", NOBODY, "ancient")
    return play


def test_a_ship_that_leaves_others_in_a_battle_is_found_and_greedy_does_not_let_it() -> None:
    play = contested()
    ask = Move(Seat(0), 1, 2)
    flight = next(option for option in ask.options(play.g) if isinstance(option, Fly) and option.sector == "304")
    assert faults(play, ask, flight) == ["leaves a battle"]
    later = Move(Seat(0), 2, 2)
    assert GreedyBot().choose(play.match.view(0), later, Random(1), NODES) == Stop()


def test_a_ship_that_flies_back_in_a_later_action_is_found_unless_a_ship_of_somebody_else_has_come() -> None:
    for comes, found in ((False, ["to and fro"]), (True, [])):
        play, watch = contested(), Watch()
        play.say("move")
        assert [*watch.faults(play.match, 0, play.ask, Fly("cruiser", "304", "310"))] == ["leaves a battle"]
        play.say("fly cruiser 304 310")
        with play.edit() as g:
            if comes:
                station(g, play.home(1), 1, "interceptor")
        assert [*watch.faults(play.match, 0, Move(Seat(0), 1, 2), Fly("cruiser", "310", "304"))] == found


def with_a_monolith(edition: GameSpec, materials: int) -> Play:
    """The last round; seat 0 knows how to build Monoliths."""
    play = table(game=edition)
    with play.edit() as g:
        g.round.number = g.const.constants.rounds
        own_technology(g, 0, "monolith")
        g.seats.store[0, MATERIALS] = materials
        g.seats.colony[0] = 0
    return play


@both_editions
def test_a_last_pass_with_a_monolith_to_be_built_is_found(edition: GameSpec) -> None:
    play = with_a_monolith(edition, 20)
    assert faults(play, play.ask, "pass") == ["points left"]


@both_editions
def test_the_expert_does_not_pass_with_a_monolith_to_be_built_even_if_its_value_says_so(
    edition: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned, "value", lambda _weights, g, seat, _lens: 9 * learned.SCALE * g.seats.passed[seat])
    play = with_a_monolith(edition, 20)
    assert ExpertBot().choose(play.match.view(0), play.ask, Random(1), NODES) != "pass"
    poor = with_a_monolith(edition, 0)
    assert ExpertBot().choose(poor.match.view(0), poor.ask, Random(1), NODES) == "pass"


def with_missiles(edition: GameSpec, *kinds: str) -> Play:
    """Ships of seat 0, and beside the only cannon of its interceptors a missile; it knows how to build hulls."""
    play = table(game=edition)
    with play.edit() as g:
        own_technology(g, 0, "plasma-missile")
        own_technology(g, 0, "improved-hull")
        station(g, play.home(0), 0, *kinds)
        g.seats.colony[0] = 0
        g.seats.blueprint[0, INTERCEPTOR, 3] = 1 + g.const.part_index["plasma-missile"]
    return play


def over_the_cannon(part: str) -> Place:
    """A part in the place of an interceptor's printed cannon."""
    return Place("interceptor", 1, part)


@both_editions
def test_a_part_in_the_place_of_a_ships_only_cannon_is_found_and_greedy_puts_none_there(edition: GameSpec) -> None:
    """It put a hull there, beside a missile, and the ships had nothing to fire with when the missile had missed."""
    play = with_missiles(edition, *["interceptor"] * 7)
    ask = Upgrade(Seat(0), 1, 1)
    assert faults(play, ask, (over_the_cannon("improved-hull"),)) == ["disarms a ship"]
    assert faults(play, ask, (over_the_cannon("plasma-missile"),)) == []
    assert faults(play, ask, (Place("interceptor", 4, "improved-hull"),)) == []
    bare = (Remove("interceptor", 4), over_the_cannon("improved-hull"))
    assert faults(play, ask, bare) == ["disarms a ship"]
    answer = GreedyBot().choose(play.match.view(0), ask, Random(1), NODES)
    assert faults(play, ask, answer) == []
    assert isinstance(answer, tuple)
    assert isinstance(answer[-1], Place), "there are other places"


@both_editions
def test_the_expert_puts_no_discovery_in_the_place_of_a_ships_only_cannon_even_if_its_value_says_so(
    edition: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = table(game=edition)
    found, slot = play.g.const.discovery_index["conformal-drive"], (0, INTERCEPTOR, 0)
    monkeypatch.setattr(learned, "value", lambda _weights, g, _seat, _lens: 9 * learned.SCALE * g.seats.blueprint[slot])
    with play.edit() as g:
        g.sectors.discovery[put(g, "103", 1, 0)] = 1
        station(g, "103", 0, "interceptor")
    play.force("discovery", (1 + sum(list(play.g.round.discoveries)[:found]),)).say("influence", "shift track 103")
    assert isinstance(play.ask, TakeDiscovery)
    assert over_the_cannon("conformal-drive") in play.ask.options(play.g)
    assert faults(play, play.ask, over_the_cannon("conformal-drive")) == ["disarms a ship"]
    expert = ExpertBot()
    assert faults(play, play.ask, expert.choose(play.match.view(0), play.ask, Random(1), NODES)) == []
    assert len(expert.weighed) > 2


@both_editions
def test_an_influence_action_without_effect_is_found_and_the_expert_does_not_even_weigh_one(edition: GameSpec) -> None:
    """No sector is in reach and every colony ship is ready: a disc would be spent for nothing."""
    play, watch, expert = table(game=edition), Watch(), ExpertBot()
    assert "influence" in play.ask.options(play.g)
    expert.choose(play.match.view(0), play.ask, Random(1), NODES)
    weighed = {plan[0] for _, plan in expert.weighed}
    assert len(weighed) > 2
    assert "influence" not in weighed
    assert [*watch.faults(play.match, 0, play.ask, "influence")] == []
    play.say("influence")
    assert [*watch.faults(play.match, 0, play.ask, Stop())] == ["idle influence"]


@both_editions
def test_greedy_begins_no_influence_action_for_a_sector_that_is_worth_a_disc_only_before_the_discs_own_cost(
    edition: GameSpec,
) -> None:
    """The disc of the action makes the one in the sector dearer. It once saw that in the middle of the action, and
    stopped. Who errs may begin one: the sector is better than nothing then."""
    play = table(game=edition)
    with play.edit() as g:
        g.round.number = g.const.constants.rounds - 6
        tile = put(g, "318", 1, 0)
        station(g, "318", 0, "interceptor")
    assert turn.take(play.g, 0, tile) > worth.disc(play.g, 0)
    assert turn.influence_value(play.g, 0, 2) == 0
    play.say("influence")
    assert turn.take(play.g, 0, tile) <= 0
    assert GreedyBot().choose(play.match.view(0), play.ask, Random(1), NODES) == Shift(TRACK, "318")


@both_editions
def test_an_influence_action_that_readies_a_colony_ship_has_an_effect(edition: GameSpec) -> None:
    play, watch = table(game=edition), Watch()
    with play.edit() as g:
        g.seats.colony[0] -= 1
    assert [*watch.faults(play.match, 0, play.ask, "influence")] == []
    play.say("influence")
    assert [*watch.faults(play.match, 0, play.ask, Stop())] == []


def with_little_money(edition: GameSpec, rich_in: int) -> Play:
    """The last round; seat 0 can pay the upkeep, and one disc more, by trades of all that it has of one resource. A
    piece and a technology would bring points."""
    play = table(game=edition)
    with play.edit() as g:
        g.round.number = g.const.constants.rounds
        g.seats.colony[0] = 0
        g.seats.spent[0], g.seats.discs[0] = 7, 5
        for resource in (SCIENCE, MATERIALS):
            g.seats.store[0, resource] = 10 * (resource == rich_in)
        g.seats.store[0, MONEY] = 5
        for name in ("nanorobots", "orbital", "monolith"):
            own_technology(g, 0, name)
    return play


@both_editions
@pytest.mark.parametrize(("resource", "action"), [(SCIENCE, "research"), (MATERIALS, "build")])
def test_a_purchase_for_what_the_last_upkeep_needs_is_found_and_no_bot_makes_it(
    edition: GameSpec, resource: int, action: str
) -> None:
    """The seat would give a sector up at the end of the game."""
    play = with_little_money(edition, resource)
    assert worth.left_after(play.g, 0, 1) == 0
    expert = ExpertBot()
    for bot in (GreedyBot(), expert):
        assert bot.choose(play.match.view(0), play.ask, Random(1), NODES) != action
    assert action not in {plan[0] for _, plan in expert.weighed}
    play.say(action)
    for option in play.ask.options(play.g):
        bought = isinstance(option, Buy | Construct)
        assert faults(play, play.ask, option) == ["upkeep ruin"] * bought
    assert len(play.ask.options(play.g)) > 1
    with play.edit() as g:
        g.round.number -= 1
    assert not any(faults(play, play.ask, option) for option in play.ask.options(play.g)), "income will come"


def test_a_dial_above_all_that_can_come_is_found_and_greedy_dials_no_such() -> None:
    game, match = duel(units=(12, 1))
    seat = next(seat for seat in match.owing() if isinstance(match.ask_of(seat), PlanBattle))
    side = list(match.g.battle.seat).index(seat)
    if match.g.battle.strength[side] < 12:
        seat = match.g.battle.seat[1 - side]
    ask = match.ask_of(seat)
    assert isinstance(ask, PlanBattle)
    leader = ask.options(None, None, (12,))[0]
    assert [*Watch().faults(match, seat, ask, (12, leader, "none"))] == ["dominated dial"]
    value = GreedyBot().choose(match.view(seat, game.dealer.lens(seat)), ask, Random(1), NODES)
    assert [*Watch().faults(match, seat, ask, value)] == []


# Lazax is an ally of Sol, whose victory after the last round its units hinder in the palace


def said_of(game: City, match: Match) -> tuple[Value, list[str]]:
    """What greedy answers for Lazax, and what the program says of it."""
    ask = match.ask_of(0)
    assert ask is not None
    value = GreedyBot().choose(match.view(0, game.dealer.lens(0)), ask, Random(1), NODES)
    return value, [*Watch().faults(match, 0, ask, value)]


def in_the_palace() -> City:
    """Nine units of Lazax are in the palace; Letnev and Hacan, the foes, may land."""
    game = city("lazax,hacan,sol,letnev").ally(0, 2).ally(1, 3).influence(5, 5, 5, 5)
    return game.army(0, PALACE, 9).army(0, ADMINUS, 1).army(2, "scholara-imperialis", 1).army(2, PORT, 2)


def for_the_palace(round: int) -> tuple[City, Match]:
    """Eight units of Lazax fight for the palace against one of Letnev."""
    game = city("lazax,hacan,sol,letnev").ally(0, 2).ally(1, 3).naive()
    game.army(0, PALACE, 8).army(3, PALACE, 1).army(1, PORT, 9).army(1, BASE, 9).army(3, ADMINUS, 3)
    match = until_planned(game, 0, 3, space=PALACE)
    match.g.round.number = round
    return game, match


@pytest.mark.parametrize("round", [6, 7])
def test_an_ally_of_sol_keeps_the_palace_while_it_can_leave_it_in_a_later_round(round: int) -> None:
    game = in_the_palace().run(["move", 0])
    game.match.g.round.number = round
    value, found = said_of(game, game.match)
    assert found == []
    assert value != (PALACE, "palace-approach", 9)
    game, match = for_the_palace(round)
    value, found = said_of(game, match)
    assert found == []
    assert isinstance(value, tuple)
    assert value[0] != 8


def test_in_the_last_round_an_ally_of_sol_clears_the_palace_and_nobody_calls_that_absurd() -> None:
    game = in_the_palace().run(["move", 0])
    game.match.g.round.number = 8
    value, found = said_of(game, game.match)
    assert isinstance(value, tuple)
    assert (value[0], value[2:], found) == (PALACE, (9,), [])
    game, match = for_the_palace(8)
    value, found = said_of(game, match)
    assert isinstance(value, tuple)
    assert (value[0], found) == (8, [])


def test_whoever_has_not_allied_with_sol_has_no_such_excuse() -> None:
    _, match = for_the_palace(8)
    match.g.seats.alliance[0] = match.g.seats.alliance[2] = 0
    ask = match.ask_of(0)
    assert isinstance(ask, PlanBattle)
    leader = ask.options(None, None, (8,))[0]
    assert [*Watch().faults(match, 0, ask, (8, leader, "none"))] == ["dominated dial"]
