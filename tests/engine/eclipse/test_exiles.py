"""The Exiles: their armed orbitals (document 000, section 6; their rulings)."""

from __future__ import annotations

from arena import Arena
from eclipse_table import own_technology, put, station, wander

from engine.core.ids import Seat
from engine.eclipse import population
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.stats import CANNONS, COMPUTER, DRIVE, HULL, PRODUCTION
from engine.eclipse.terms import STARBASE
from engine.testing.judges import judge


def test_the_exiles_begin_with_an_orbital_that_is_armed_once_it_has_a_cube() -> None:
    play = wander("exiles", "hydran")
    tile = play.tile("234")
    assert play.g.sectors.orbital[tile] == 1
    assert play.ships("234", 0) == ["interceptor"]
    play.say("colonise 234 orbital science")
    assert play.ships("234", 0) == ["interceptor", "starbase"]
    with play.edit() as g:
        population.kill(g, tile, population.ORBITAL_SQUARE)
    assert play.ships("234", 0) == ["interceptor"]


def test_no_more_orbitals_are_armed_than_there_are_pieces() -> None:
    play = wander("exiles", "hydran")
    with play.edit() as g:
        for number, sector in enumerate(("101", "103", "105", "106", "107")):
            tile = put(g, sector, 5 + number, -9, owner=0)
            g.sectors.orbital[tile] = 1
            population.place(g, 0, tile, population.ORBITAL_SQUARE, 0)
    armed = [sector for sector in ("101", "103", "105", "106", "107") if play.ships(sector, 0)]
    assert armed == ["101", "103", "105", "106"]


def test_a_sector_that_is_left_has_no_armed_orbital() -> None:
    play = wander("exiles", "hydran").say("colonise 234 orbital science")
    with play.edit() as g:
        for answer in population.abandon(g, Seat(0), play.tile("234")):
            raise AssertionError(answer)
    assert play.ships("234", 0) == ["interceptor"]


def test_an_armed_orbital_has_its_own_blueprint_without_a_drive() -> None:
    play = wander("exiles", "hydran")
    can = ship_stats(play.g, 0, STARBASE)
    assert (can[CANNONS], can[COMPUTER], can[HULL], can[PRODUCTION], can[DRIVE]) == (2, 1, 3, 4, 0)


def test_the_exiles_build_no_starbases() -> None:
    play = wander("exiles", "hydran")
    with play.edit() as g:
        own_technology(g, 0, "starbase")
        g.seats.store[0, 2] = 20
    play.say("build")
    assert not any("starbase" in option for option in play.options())
    assert play.refusal("construct starbase 234") == "build/never"


def test_a_destroyed_orbital_loses_its_cube_and_stands_on_and_counts_one_draw() -> None:
    arena = Arena("exiles", "terran-federation", wanderers="on").owns(0, "102", (population.ORBITAL_SQUARE, "money"))
    arena.ships(1, "102", dreadnought=2)
    tile = arena.tile("102")
    arena.g.sectors.orbital[tile] = 1
    assert arena.begin().in_sector(0, "102") == ["starbase"]
    arena.to_the_end()
    g = arena.now
    assert arena.new_events("combat/orbital-emptied") == [{"seat": 0, "sector": "102", "by": 1}]
    assert (g.sectors.orbital[tile], g.sectors.cubes[tile, population.ORBITAL_SQUARE]) == (1, 0)
    assert [event["tiles"] for event in arena.new_events("reputation/drawn") if event["seat"] == 1] == [2]


def test_a_ship_of_the_exiles_that_is_no_orbital_is_refused() -> None:
    play = wander("exiles", "hydran")
    with play.edit(possible=False) as g:
        station(g, "234", 0, "starbase")
    problem = judge(ECLIPSE2, play.g)
    assert problem is not None
    assert problem.code == "position/armed-orbital"
