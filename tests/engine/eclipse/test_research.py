"""Research, and what technologies do at once (document 000, section 5)."""

from __future__ import annotations

from itertools import groupby, product

import pytest
from eclipse_table import Play, both_editions, own_technology, put, table

from engine.core.ids import Seat
from engine.core.registry import GameSpec
from engine.eclipse.actions.research import Split, TakeResources
from engine.eclipse.cleanup import technology_dice
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import RARE, SCIENCE


def on_tray(g: Eclipse, *names: str) -> None:
    """The tray shows just these tiles; all others are in the bag."""
    for tech, tiles in enumerate(g.round.tray):
        g.round.bag[tech] += tiles
        g.round.tray[tech] = 0
    for name in names:
        tech = g.const.technology_index[name]
        g.round.bag[tech] -= 1
        g.round.tray[tech] += 1


def researcher(*tray: str, science: int = 20, owned: tuple[str, ...] = (), species: tuple[str, ...] = ()) -> Play:
    play = table(species=species)
    with play.edit() as g:
        for name in owned:
            own_technology(g, 0, name)
        on_tray(g, *tray)
        g.seats.store[0, SCIENCE] = science
    return play.say("research")


def test_research_pays_science_and_takes_the_tile_from_the_tray() -> None:
    play = researcher("gauss-shield", "plasma-cannon", science=7)
    play.say("buy gauss-shield grid")
    assert play.store(0)[SCIENCE] == 5
    assert sum(play.g.round.tray) == 1
    assert play.events("research/bought") == [{"seat": 0, "tech": "gauss-shield", "track": "grid", "science": 2}]


def test_technologies_on_the_track_make_it_cheaper_down_to_the_minimum() -> None:
    plain = researcher("quantum-grid", "fusion-source")
    assert dict(plain.ask.price(plain.g, plain.read("buy quantum-grid grid")))["science"] == -16
    cheap = researcher("quantum-grid", "fusion-source", owned=("gauss-shield", "improved-hull", "positron-computer"))
    assert dict(cheap.ask.price(cheap.g, cheap.read("buy quantum-grid grid")))["science"] == -13
    assert dict(cheap.ask.price(cheap.g, cheap.read("buy fusion-source grid")))["science"] == -3


def test_a_technology_one_has_cannot_be_researched_again() -> None:
    assert researcher("starbase", "gauss-shield").refusal("buy starbase military") == "research/owned"


def test_a_technology_that_costs_too_much_is_refused() -> None:
    play = researcher("quantum-grid", "gauss-shield", science=3)
    assert play.refusal("buy quantum-grid grid") == "research/too-expensive"


def test_a_track_holds_seven_technologies() -> None:
    grid = ("gauss-shield", "fusion-source", "improved-hull", "positron-computer", "advanced-economy", "tachyon-drive")
    play = researcher("quantum-grid", "nanorobots", "conifold-field", owned=(*grid, "antimatter-cannon"))
    assert play.refusal("buy quantum-grid grid") == "research/track-full"
    assert play.refusal("buy conifold-field grid") == "research/track-full"


def test_a_rare_technology_goes_to_the_track_its_buyer_chooses() -> None:
    play = researcher("conifold-field")
    assert {"buy conifold-field grid", "buy conifold-field military", "buy conifold-field nano"} <= set(play.options())
    play.say("buy conifold-field nano")
    tech = play.g.const.technology_index["conifold-field"]
    assert play.g.seats.techs[0, tech] == 3


def test_hydrans_may_research_twice_or_stop_after_one() -> None:
    play = researcher("gauss-shield", "nanorobots", "plasma-cannon", species=("hydran", "terran-directorate"))
    assert "stop" not in play.options()
    play.say("buy gauss-shield grid")
    assert "stop" in play.options()
    play.say("buy nanorobots nano")
    assert play.seat == 1


def test_robotics_and_quantum_grid_bring_discs_from_the_reserve() -> None:
    play = researcher("quantum-grid")
    before = play.g.seats.discs[0]
    play.say("buy quantum-grid grid")
    assert (play.g.seats.discs[0], play.g.seats.reserve[0]) == (before + 2, 1)


@both_editions
def test_the_artifact_key_gives_five_of_one_resource_for_each_artifact_of_controlled_sectors(
    edition: GameSpec,
) -> None:
    play = table(game=edition)
    with play.edit() as g:
        put(g, "101", 1, -1, owner=0)
        put(g, "102", -1, 1, owner=0)
        on_tray(g, "artifact-key")
        g.seats.store[0, SCIENCE] = 20
    count = sum(play.g.const.artifacts[tile] for tile, owner in enumerate(play.g.sectors.owner) if owner == 0)
    assert count >= 1
    before = play.store(0)
    price = play.g.const.cost[play.g.const.technology_index["artifact-key"]]
    play.say("research", "buy artifact-key nano", f"split 0 {count} 0")
    assert play.store(0) == (before[0], before[1] - price + 5 * count, before[2])


@pytest.mark.parametrize("artifacts", range(1, 5))
def test_the_artifact_key_offers_each_way_to_split_the_artifacts_once_and_no_other(artifacts: int) -> None:
    offered = [
        (split.money, split.science, split.materials)
        for split in TakeResources(Seat(0), artifacts).options(table().g)
        if isinstance(split, Split)
    ]
    whole = product(range(artifacts + 1), repeat=3)
    assert sorted(offered) == [split for split in whole if sum(split) == artifacts]


def test_the_warp_portal_goes_to_a_controlled_sector() -> None:
    play = researcher("warp-portal")
    play.say("buy warp-portal grid", play.home(0))
    assert play.g.sectors.warp[play.tile(play.home(0))] == 2


def test_ancient_labs_draw_a_discovery_for_the_starting_sector() -> None:
    play = researcher("ancient-labs").force("discovery", (1,))
    play.say("buy ancient-labs grid")
    assert play.g.flow.now[0] != "turn"
    assert play.seat == 0


def test_trades_and_colony_ships_come_before_the_choice() -> None:
    play = researcher("gauss-shield", science=2)
    assert "trade money science" in play.options()
    play.say("trade money science", "buy gauss-shield grid")
    assert play.store(0)[SCIENCE] == 1


@both_editions
def test_new_technologies_of_one_kind_are_told_side_by_side_in_whatever_order_they_are_drawn(
    edition: GameSpec,
) -> None:
    play = table(6, game=edition)
    bag = [tech for tech, tiles in enumerate(play.g.round.bag) for _ in range(tiles)]
    regular = (tech for tech in range(len(play.g.round.bag)) if play.g.const.category[tech] != RARE)
    first, second = sorted(regular, key=lambda tech: -play.g.round.bag[tech])[:2]
    faces = [1] * len(technology_dice(play.g, play.g.const.setups[6].new_technologies))
    for at, tech in enumerate((second, first, second, first)):
        faces[at] = 1 + bag.index(tech)
        bag.remove(tech)
    (told,) = play.force("technologies", faces).now(["phase", "cleanup"]).events("research/new-technologies")
    kinds = [kind for kind, _tiles in groupby(told["techs"])]
    assert len(told["techs"]) > len(kinds) == len({*kinds})
