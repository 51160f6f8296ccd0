"""Build (document 000, section 5)."""

from __future__ import annotations

from eclipse_table import Play, both_editions, own_technology, put, station, table

from engine.core.registry import GameSpec
from engine.eclipse.terms import MATERIALS


def builder(*technologies: str, materials: int = 30) -> Play:
    play = table()
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


def test_a_sector_holds_at_most_one_orbital_and_one_monolith() -> None:
    play = builder("orbital").say("construct orbital 101")
    assert play.refusal("construct orbital 101") == "build/stands-already"


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
