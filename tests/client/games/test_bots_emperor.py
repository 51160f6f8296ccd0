"""Greedy plays Galactic Emperor: what it must do in positions set up by hand, what it must never do, whole games."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parents[2] / "engine" / "emperor"))

from emperor_table import Play, face_up, own, put, station, swap_black_hole, table

from client.bots import NODES, bot, chooser
from client.bots.greedy import GreedyBot
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.errors import Refusal
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import settle_options
from engine.emperor.catalog import away
from engine.emperor.galaxy import planets
from engine.emperor.spec import EMPEROR


def picked(game: Play) -> str:
    """What greedy answers to the question."""
    value = GreedyBot().choose(game.match.view(game.seat), game.ask, Random(1), NODES)
    assert not isinstance(game.ask.validate(game.g, value), Refusal)
    return format_value(value)


def role(name: str, *technologies: str, marks: int = 5, metal: int = 1, energy: int = 1) -> Play:
    """Seat 0 has chosen a role; it may have technologies, and other stocks."""
    game = table(3)
    with game.edit() as g:
        g.seats.marks[0], g.seats.metal[0], g.seats.energy[0] = marks, metal, energy
        own(g, 0, *technologies)
    return game.say("left", name)


def exploring(*tiles: str) -> Play:
    game = table(3)
    with game.edit() as g:
        face_up(g, *tiles)
    return game.say("left", "explorer")


def war(*mine: str, theirs: tuple[str, ...] = (), token: bool = True, starbase: bool = False) -> Play:
    """Seat 0's Warlord: ships in c6, beside c5 with a planet that seat 2 may hold."""
    game = table(3)
    with game.edit() as g:
        station(g, 0, "c6", *mine)
        put(g, "oatha", "c5", 2 if token else -1, starbase=starbase)
        station(g, 2, "c5", *theirs)
    return game.say("left", "warlord")


# Positions


def test_the_best_planets_are_explored_first() -> None:
    assert picked(exploring("oatha", "ember-sun", "hearth-and-meadow", "long-dark")).startswith("hearth-and-meadow ")


def test_a_planet_is_placed_nearer_to_home_than_to_others() -> None:
    game = exploring("oatha")
    space = game.at(picked(game).split()[1])
    mine, *others = [away(game.g.const, space, game.at(home)) for home in ("d7", "g1", "a1")]
    assert mine < min(others)


def test_a_sun_is_not_placed_beside_the_own_home() -> None:
    game = exploring("ember-sun")
    assert game.at(picked(game).split()[1]) not in game.g.const.near[game.at("d7")]


def test_a_placed_planet_is_claimed() -> None:
    assert picked(exploring("oatha").say("oatha d5")) == "claim"


def test_the_last_token_is_not_placed_by_a_loser() -> None:
    game = exploring("oatha")
    with game.edit() as g:
        g.seats.throne[0], g.seats.reserve[0] = 10, 1
        g.seats.vp[1], g.round.pool = 50, g.round.pool - 50
    assert picked(game.say("oatha d5")) == "-"


def test_the_last_token_is_placed_by_the_leader() -> None:
    game = exploring("oatha")
    with game.edit() as g:
        g.seats.throne[0], g.seats.reserve[0] = 10, 1
        g.seats.vp[0], g.round.pool = 50, g.round.pool - 50
    assert picked(game.say("oatha d5")) == "claim"


def test_sectors_are_fed() -> None:
    game = role("merchant")
    game.say(game.options()[0])
    assert "lay:d7:2" in picked(game)


def test_marks_are_not_laid_out_to_the_last() -> None:
    game = role("merchant", marks=0)
    game.say(game.options()[0])
    said = picked(game)
    assert game.say(said).g.seats.marks[0] >= 2


def test_a_free_cube_is_energy_while_it_fits() -> None:
    assert picked(role("steward")) == "energy"
    assert picked(role("steward", energy=3)) == "metal"


def test_robotics_runs_the_richest_sector() -> None:
    game = table(3)
    with game.edit() as g:
        put(g, "twin-lodes", "d6", 0)
        own(g, 0, "robotics")
    assert picked(game.say("left", "steward", "-")) == "d6"


def test_a_free_fighter_is_taken() -> None:
    assert picked(role("engineer")) == "d7"


@pytest.mark.parametrize(
    ("marks", "energy", "ship"), [(9, 3, "dreadnought"), (9, 1, "cruiser"), (9, 0, "fighter"), (2, 3, "-")]
)
def test_the_largest_ship_is_built_that_leaves_two_marks(marks: int, energy: int, ship: str) -> None:
    said = picked(role("engineer", marks=marks, energy=energy).say("-"))
    assert said == (ship if ship == "-" else f"build {ship} d7")


def test_modular_hulls_are_used_before_building() -> None:
    assert picked(role("engineer", "modular-hulls", marks=9).say("-")) == "modular-hulls"


def test_an_affordable_technology_is_bought() -> None:
    game = role("scientist", metal=6, energy=3)
    assert picked(game) != "-"


def test_ships_move_onto_free_planets() -> None:
    game = war("fighter", token=False)
    said = picked(game)
    assert "c5" in said.split()
    game.say(said, "-")
    assert picked(game) == "c5"


def test_a_weak_defender_is_attacked_and_a_strong_one_is_not() -> None:
    assert "c5" in picked(war("dreadnought", "dreadnought", "cruiser"))
    assert "c5" not in picked(war("fighter", starbase=True, theirs=("cruiser", "cruiser")))


def test_ships_do_not_wander() -> None:
    assert picked(table(3).say("left", "warlord")) == "-"


def test_ships_warp_to_a_free_planet() -> None:
    game = table(3)
    with game.edit() as g:
        swap_black_hole(g)
        station(g, 0, "d4", "fighter")
        put(g, "hearth-and-meadow", "g4")
    assert picked(game.say("left", "warlord")) == "ship:fighter:d4 warp:g4"


def test_a_lost_battle_is_broken_off_and_a_good_one_is_not() -> None:
    bad = war("fighter", "fighter", theirs=("cruiser", "cruiser")).force("fire", (1,) * 6, (5, 5, 1))
    bad.say("ship:fighter:c6 c5", "ship:fighter:c6 c5", "-")
    assert (bad.asked, picked(bad)) == ("retreat", "retreat")
    good = war("cruiser", "cruiser").force("fire", (1,) * 7)
    good.say("ship:cruiser:c6 c5", "ship:cruiser:c6 c5", "-")
    assert (good.asked, picked(good)) == ("retreat", "-")


def test_the_extra_die_goes_to_the_best_shot() -> None:
    game = war("fighter", "dreadnought").say("ship:fighter:c6 c5", "ship:dreadnought:c6 c5", "-")
    assert picked(game) == "dreadnought"


def exerting() -> Play:
    """Seat 0 exerts influence last; c6 has a free planet."""
    game = table(3)
    with game.edit() as g:
        put(g, "oatha", "c6")
    return game.say("left", "regent", "-", "-", "-")


def test_influence_takes_a_free_planet() -> None:
    game = exerting().say("-", "-")
    assert "c6" in picked(game).split()


def test_influence_does_not_go_where_it_changes_nothing() -> None:
    game = exerting().say("c6 c6", "c6 c6")
    assert "c6" not in picked(game).split()


def test_cheap_influence_is_bought_and_dear_one_is_not() -> None:
    assert picked(table(3).say("left", "regent")) == "buy"
    assert picked(role("regent", marks=3)) == "-"


def test_the_stronger_empire_calls_the_regent() -> None:
    game = table(3)
    with game.edit() as g:
        for space, tile in (("c6", "oatha"), ("c5", "hearth-and-meadow"), ("b5", "forge-and-flare")):
            put(g, tile, space, 0)
    assert picked(game.say("left")) == "regent"


def test_technologies_that_cost_nothing_are_used() -> None:
    game = role("merchant", "hydroponics")
    game.say(game.options()[0])
    assert picked(game) == "hydroponics"


def test_saboteurs_are_used() -> None:
    game = table(3)
    with game.edit() as g:
        own(g, 0, "hydroponics")
        own(g, 1, "saboteurs")
    game.say("left", "merchant")
    game.say(game.options()[0], "hydroponics")
    assert (game.seat, picked(game)) == (1, "sabotage")


def test_a_missed_die_is_rolled_again_in_an_own_battle() -> None:
    game = war("cruiser", "cruiser")
    with game.edit() as g:
        own(g, 0, "time-warp")
    game.force("fire", (4, 1, 4, 1, 1, 1, 1)).say("ship:cruiser:c6 c5", "ship:cruiser:c6 c5", "-")
    assert (game.asked, picked(game)) == ("reroll", "2")


# Whole games


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_greedy_beats_random(seats: int) -> None:
    table = settle_options(EMPEROR, seats, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(EMPEROR, table, None), Dealer(HashDice(seats))
    choose = chooser([bot("greedy"), *[bot("random")] * (seats - 1)], dealer, Random(seats))
    for _ in play(match, dealer, choose):
        pass
    assert next(score.rank for score in EMPEROR.scores(match.g) if score.seat == 0) == 1


def test_greedy_never_writes_into_what_it_is_shown() -> None:
    table = settle_options(EMPEROR, 3, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(EMPEROR, table, None), Dealer(HashDice("watched"))
    choose = chooser([bot("greedy")] * 3, dealer, Random(1))

    def watched(match: Match, seat: int, ask: object) -> object:
        before = match.g.digest()
        answer = choose(match, seat, ask)  # type: ignore[arg-type]
        assert match.g.digest() == before, ask
        return answer

    for _ in play(match, dealer, watched):
        pass


@pytest.mark.parametrize(("number", "hurries"), [(3, False), (40, True)])
def test_who_trails_in_planets_has_them_counted_all_the_same_when_a_game_is_long(number: int, hurries: bool) -> None:
    game = table(3)
    with game.edit() as g:
        face_up(g, "oatha", "verdance", "tillerfall")
        put(g, "brook-and-barrow", "c5", 2)
        g.round.number = number
    assert all(planets(game.g, seat) for seat in range(3))  # each count empties the pool further
    assert (picked(game.say("left")) == "regent") is hurries
