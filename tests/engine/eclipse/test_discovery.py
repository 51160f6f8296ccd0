from __future__ import annotations

import pytest
from eclipse_table import Play, clear, put, table

from engine.core.errors import Refusal
from engine.core.registry import GameSpec
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.species import has_technology


def find(discovery: str, play: Play | None = None, sector: str = "304") -> Play:
    """Seat 0 finds this tile in a sector it does not control."""
    play = play or table()
    if play.g.sectors.where[play.tile(sector)] != 2:
        with play.edit() as g:
            put(g, sector, 0, -3)
    pool = [tile for tile, count in enumerate(play.g.round.discoveries) for _ in range(count)]
    play.force("discovery", (1 + pool.index(play.g.const.discovery_index[discovery]),))
    return play.now(["draw-discovery", 0, play.tile(sector)])


def test_after_it_is_seen_a_discovery_is_used_or_kept_for_two_points() -> None:
    play = find("money")
    assert play.options() == ["points", "use"]
    assert play.ask.price(play.g, "points") == (("points", 2),)
    play.say("points")
    assert play.g.seats.kept[0] == 1
    assert sum(play.g.round.discoveries) == 35


@pytest.mark.parametrize(
    ("discovery", "gain"),
    [("money", (8, 0, 0)), ("science", (0, 5, 0)), ("materials", (0, 0, 6)), ("mixed-resources", (3, 2, 2))],
)
def test_resources_go_to_storage(discovery: str, gain: tuple[int, ...]) -> None:
    play = find(discovery)
    before = play.store(0)
    play.say("use")
    assert tuple(after - had for after, had in zip(play.store(0), before, strict=True)) == gain
    assert play.g.seats.kept[0] == 0


def test_an_ancient_part_is_stored_for_later() -> None:
    play = find("shard-hull").say("store")
    part = play.g.const.part_index["shard-hull"]
    assert play.g.seats.parts[0, part] == 1


def test_an_ancient_part_is_installed_at_once_where_the_blueprint_stays_legal() -> None:
    play = find("plasma-turret")
    places = [option for option in play.options() if option.startswith("place")]
    assert "place dreadnought 1 plasma-turret" not in places or play.read(places[0]) is not None
    play = find("shard-hull")
    play.say("place interceptor 4 shard-hull")
    part = play.g.const.part_index["shard-hull"]
    assert play.g.seats.parts[0, part] == 0
    assert play.g.seats.blueprint[0, 0, 3] == 1 + part


def test_the_muon_source_lies_outside_the_grid() -> None:
    play = find("muon-source")
    places = [option for option in play.options() if option.startswith("place")]
    assert places == [f"place {ship} 9 muon-source" for ship in ("cruiser", "dreadnought", "interceptor", "starbase")]
    play.say(places[0])
    assert play.g.seats.blueprint[0, 1, 8] == 1 + play.g.const.part_index["muon-source"]


@pytest.mark.parametrize(
    ("game", "equal"), [(ECLIPSE1, "fusion-source"), (ECLIPSE2, "improved-hull")], ids=["eclipse1", "eclipse2"]
)
def test_ancient_tech_gives_one_of_the_cheapest_regular_technologies_one_lacks(game: GameSpec, equal: str) -> None:
    """What one has, and a rare one, is cheaper here; one that lies there too is dearer."""
    play = table(game=game)
    rare = ["neutron-absorber"] if game is ECLIPSE2 else []
    with play.edit() as g:
        for tech in range(len(g.round.tray)):
            g.round.bag[tech] += g.round.tray[tech]
            g.round.tray[tech] = 0
        for name in ("starbase", "plasma-cannon", equal, "phase-shield", *rare):
            tech = g.const.technology_index[name]
            g.round.tray[tech], g.round.bag[tech] = 1, g.round.bag[tech] - 1
    find("ancient-tech", play)
    assert play.options() == [equal, "plasma-cannon", "points"]
    assert isinstance(play.read("phase-shield"), Refusal)
    play.say(equal)
    assert play.g.round.tray[play.g.const.technology_index[equal]] == 0
    assert has_technology(play.g, 0, play.g.const.technology_index[equal])


def test_ancient_tech_is_kept_for_points_when_nothing_is_eligible() -> None:
    play = table()
    with play.edit() as g:
        for tech in range(len(g.round.tray)):
            g.round.bag[tech] += g.round.tray[tech]
            g.round.tray[tech] = 0
    find("ancient-tech", play)
    assert play.options() == ["points"]
    assert play.refusal("use") == "discovery/no-effect"


def test_an_ancient_cruiser_comes_from_the_supply() -> None:
    play = find("ancient-cruiser").say("use")
    assert play.ships("304", 0) == ["cruiser"]
    play = table()
    with play.edit() as g:
        for ship in range(8, 12):
            g.ships.place[ship] = g.const.sector_index["221"]
    assert find("ancient-cruiser", play).options() == ["points"]


def test_an_ancient_orbital_brings_materials_and_is_one_of_one() -> None:
    play = find("ancient-orbital")
    before = play.store(0)
    play.say("use")
    assert play.g.sectors.orbital[play.tile("304")] == 1
    assert play.store(0)[2] == before[2] + 2
    assert find("ancient-orbital", play).options() == ["points"]


def test_an_ancient_monolith_is_one_of_one() -> None:
    play = find("ancient-monolith").say("use")
    assert play.g.sectors.monolith[play.tile("304")] == 1


def test_the_ancient_warp_portal_lies_in_the_sector_and_is_worth_two_points() -> None:
    play = find("ancient-warp-portal").say("use")
    assert play.g.sectors.warp[play.tile("304")] == 1 + 2
    assert find("ancient-warp-portal", table(), "281").options() == ["points"]


def test_a_find_of_ancient_labs_goes_home_or_is_kept_when_home_is_lost() -> None:
    play = find("ancient-cruiser", table(), "221")
    assert play.options() == ["points", "use"]
    play = table()
    with play.edit() as g:
        clear(g, 0)
    assert find("ancient-cruiser", play, "221").options() == ["points"]


def test_what_lies_face_down_on_the_map_is_not_drawn_elsewhere() -> None:
    play = table()
    with play.edit() as g:
        lying = sum(g.sectors.discovery)
        left = 0
        for tile, count in enumerate(g.round.discoveries):
            g.round.discoveries[tile] = min(count, lying - left)
            left += g.round.discoveries[tile]
    play.now(["draw-discovery", 0, play.tile("221")])
    assert play.events("discovery/none-left") == [{"seat": 0}]
    assert play.g.flow.now[0] == "turn"
