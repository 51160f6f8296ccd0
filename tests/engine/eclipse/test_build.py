"""Build (document 000, section 5)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from eclipse_table import Play, both_editions, own_technology, put, station, table

from engine.core.registry import GameSpec
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import MATERIALS, PIECES


def builder(*technologies: str, materials: int = 30, edition: GameSpec = ECLIPSE2) -> Play:
    play = table(game=edition)
    with play.edit() as g:
        for name in technologies:
            own_technology(g, 0, name)
        g.seats.store[0, MATERIALS] = materials
        put(g, "101", 1, -1, owner=0)
    return play.say("build")


def test_build_pays_materials_for_a_ship_in_a_controlled_sector() -> None:
    play = builder().say("construct cruiser 101")
    assert play.ships("101", 0) == ["cruiser"]
    assert play.store(0)[MATERIALS] == 25


def test_only_controlled_sectors_are_yards() -> None:
    play = builder()
    assert {option.split()[-1] for option in play.options() if option.startswith("construct")} == {"101", play.home(0)}


def test_orbitals_and_monoliths_need_their_technologies() -> None:
    play = builder()
    assert play.refusal("construct orbital 101") == "build/needs-technology"
    assert play.refusal("construct monolith 101") == "build/needs-technology"
    taught = builder("orbital", "monolith").say("construct orbital 101", "construct monolith 101")
    assert (taught.g.sectors.orbital[taught.tile("101")], taught.g.sectors.monolith[taught.tile("101")]) == (1, 1)


def test_a_starbase_needs_its_technology() -> None:
    play = table(species=("draco",))
    with play.edit() as g:
        g.seats.store[0, MATERIALS] = 30
    play.say("build")
    assert play.refusal(f"construct starbase {play.home(0)}") == "build/needs-technology"
    assert "construct starbase 101" in builder().options()


@both_editions
@pytest.mark.parametrize("structure", ["orbital", "monolith"])
def test_a_sector_holds_at_most_one_orbital_and_one_monolith(edition: GameSpec, structure: str) -> None:
    play = builder("orbital", "monolith", edition=edition).say(f"construct {structure} 101")
    assert play.refusal(f"construct {structure} 101") == "build/stands-already"


@both_editions
def test_orbitals_and_monoliths_stay_when_their_sector_is_left(edition: GameSpec) -> None:
    play = table(game=edition)
    home, tile = play.home(0), play.tile(play.home(0))
    with play.edit() as g:
        g.sectors.orbital[tile] = g.sectors.monolith[tile] = 1
    play.say("influence", f"shift {home} track")
    assert play.g.sectors.owner[tile] == NOBODY
    assert (play.g.sectors.orbital[tile], play.g.sectors.monolith[tile]) == (1, 1)


@both_editions
def test_larger_ships_cost_more_and_have_more_room(edition: GameSpec) -> None:
    const = table(game=edition).g.const
    sizes = [PIECES.index(name) for name in ("interceptor", "cruiser", "dreadnought")]
    for costs, boards in zip(const.build_cost, const.printed, strict=True):
        for less, more in pairwise(sizes):
            assert costs[less] < costs[more]
            assert len(boards[less]) < len(boards[more])


@both_editions
def test_a_ship_that_is_not_in_the_supply_cannot_be_built(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        g.seats.store[0, MATERIALS] = 30
        station(g, play.home(0), 0, "dreadnought", "dreadnought")
    play.say("build")
    assert play.refusal(f"construct dreadnought {play.home(0)}") == "build/none-left"


def test_what_costs_too_much_is_refused_with_the_price() -> None:
    play = builder(materials=4)
    assert play.refusal("construct cruiser 101") == "build/too-expensive"


def test_build_has_two_activations_and_nanorobots_give_a_third() -> None:
    play = builder().say("construct interceptor 101", "construct interceptor 101")
    assert play.g.flow.now[0] == "finish"
    play = builder("nanorobots").say("construct interceptor 101", "construct interceptor 101")
    assert play.seat == 0
    assert "stop" in play.options()


def test_the_action_is_refused_when_nothing_can_be_built() -> None:
    play = table()
    with play.edit() as g:
        g.seats.store[0, MATERIALS] = 0
    assert play.refusal("build") == "build/nothing-possible"
