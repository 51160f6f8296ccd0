from __future__ import annotations

import pytest
from eclipse_table import Play, both_editions, clear, own_technology, put, station, table

from engine.core.registry import GameSpec
from engine.eclipse.sectors import DISCARDED, ON_MAP, STACKED, UNUSED
from engine.eclipse.state import NOBODY


def zones(play: Play) -> list[str]:
    return [option for option in play.options() if option.startswith("zone")]


def draws(play: Play, ring: int, sector: str) -> tuple[int]:
    """The roll that draws a sector from its stack."""
    pool = [tile for tile in play.g.const.stacks[ring] if play.g.sectors.where[tile] == STACKED]
    return (1 + pool.index(play.tile(sector)),)


def explore(play: Play, zone: str, ring: int, sector: str) -> Play:
    return play.force("sector", draws(play, ring, sector)).say("explore", zone)


@both_editions
def test_zones_lie_behind_wormholes_of_controlled_sectors(edition: GameSpec) -> None:
    play = table(game=edition).say("explore")
    assert zones(play) == ["zone -1 -1", "zone 0 -3", "zone 0 -1", "zone 1 -3"]
    assert play.refusal("zone 1 -2") == "explore/no-wormhole"
    assert play.refusal("zone 5 5") == "notation/unknown"


def test_with_the_wormhole_generator_no_wormhole_is_needed_there() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
    play.say("explore")
    assert {"zone -1 -2", "zone 1 -2"} <= set(zones(play))
    assert len(zones(play)) == 6


def test_unpinned_ships_explore_from_where_they_are() -> None:
    play = table()
    with play.edit() as g:
        put(g, "107", 1, 0)
        station(g, "107", 0, "interceptor")
    play.say("explore")
    assert "zone 1 -1" in zones(play)
    with play.edit() as g:
        station(g, "107", 1, "interceptor")
    assert "zone 1 -1" not in zones(play)


def test_the_stack_depends_on_the_distance_from_the_centre() -> None:
    for zone, ring in (("zone 0 -1", 1), ("zone -1 -1", 2), ("zone 0 -3", 3)):
        play = table().say("explore", zone)
        (drawn,) = play.events("explore/drawn")
        assert drawn["sector"][0] == str(ring)
        assert play.g.round.left[ring] == table().g.round.left[ring] - 1


def test_a_sector_is_placed_where_wormholes_meet() -> None:
    play = explore(table(), "zone 0 -3", 3, "304")
    assert play.options() == ["discard", "lay 304 0"]
    play.say("lay 304 0")
    assert play.g.sectors.where[play.tile("304")] == ON_MAP
    assert play.events("explore/placed") == [{"seat": 0, "sector": "304", "q": 0, "r": -3, "turned": 0, "ancients": 0}]


def test_turns_that_look_alike_are_one_option_and_every_other_is_listed() -> None:
    play = explore(table(), "zone 0 -3", 3, "301")
    assert play.options() == ["discard", "lay 301 0", "lay 301 1", "lay 301 3"]


def test_with_the_wormhole_generator_one_wormhole_is_enough() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
    explore(play, "zone 0 -3", 3, "304")
    assert len(play.options()) == 1 + 3
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
    explore(play, "zone -1 -2", 3, "304")
    assert len(play.options()) == 1 + 1


def test_a_sector_may_be_discarded() -> None:
    play = explore(table(), "zone 0 -3", 3, "304").say("discard")
    assert play.g.sectors.where[play.tile("304")] == DISCARDED
    assert play.events("explore/discarded") == [{"seat": 0, "sector": "304"}]
    assert play.seat == 1


def test_an_empty_stack_is_made_of_its_discarded_sectors() -> None:
    play = table()
    with play.edit() as g:
        g.round.left[3] = 1
    explore(play, "zone 0 -3", 3, "304").say("discard", "influence", "stop", "explore", "zone 0 -3")
    assert play.events("explore/reshuffled") == [{"stack": 3, "sectors": 1}]
    assert "lay 304 0" in play.options()
    stacks = play.g.const.stacks[3]
    assert all(play.g.sectors.where[tile] == UNUSED for tile in stacks if tile != play.tile("304"))
    play.say("lay 304 0", "-", "influence", "stop")
    assert play.g.round.left[3] == 0
    play.say("explore")
    assert play.refusal("zone 1 -3") == "explore/stack-empty"


@pytest.mark.parametrize(("left", "why"), [(0, "explore/stack-empty"), (1, "explore/no-zone")])
def test_the_menu_says_whether_sectors_or_ways_are_lacking(left: int, why: str) -> None:
    play = table()
    with play.edit(possible=False) as g:
        for stack in range(4):
            g.round.left[stack] = left
        if left:
            clear(g, 0)
    assert play.refusal("explore") == why


def test_discovery_of_an_undefended_sector_is_taken_at_once_whether_or_not_it_is_controlled() -> None:
    play = explore(table(), "zone 0 -3", 3, "313").say("lay 313 0")
    assert play.g.flow.now[0] == "discovery"
    play.say("points", "-")
    assert play.g.seats.kept[0] == 1
    assert play.g.sectors.owner[play.tile("313")] == NOBODY


def test_a_disc_from_the_track_takes_control() -> None:
    play = explore(table(), "zone 0 -3", 3, "304").say("lay 304 0")
    discs = play.g.seats.discs[0]
    assert play.options() == ["-", "control 304"]
    play.say("control 304")
    assert play.g.sectors.owner[play.tile("304")] == 0
    assert play.g.seats.discs[0] == discs - 1


def test_without_a_disc_control_is_not_asked() -> None:
    play = table()
    with play.edit() as g:
        g.seats.spent[0], g.seats.discs[0] = g.seats.discs[0] - 1, 1
    explore(play, "zone 0 -3", 3, "304").say("lay 304 0")
    assert play.seat == 1


def test_ancients_guard_discovery_and_control() -> None:
    play = explore(table(), "zone 0 -1", 1, "104").say("lay 104 0")
    assert play.ships("104") == ["ancient", "ancient"]
    assert play.g.sectors.discovery[play.tile("104")] == 1
    assert play.seat == 1


def test_draco_controls_sectors_with_ancients_but_takes_no_discovery_there() -> None:
    play = explore(table(2, ["draco"]), "zone 0 -1", 1, "104").say("-", "lay 104 0")
    assert play.options() == ["-", "control 104"]
    play.say("control 104")
    assert play.g.sectors.owner[play.tile("104")] == 0
    assert play.g.sectors.discovery[play.tile("104")] == 1


def test_draco_may_look_at_a_second_sector_and_keeps_at_most_one() -> None:
    play = table(2, ["draco"])
    explore(play, "zone 0 -3", 3, "304")
    assert play.options() == ["-", "look"]
    play.force("sector", draws(play, 3, "306")).say("look")
    assert play.options() == ["discard", "lay 304 0", "lay 306 0", "lay 306 2"]
    play.say("lay 306 2", "-")
    assert play.g.sectors.where[play.tile("304")] == DISCARDED
    assert play.g.sectors.where[play.tile("306")] == ON_MAP


def test_fourteen_ancients_are_on_the_map_at_most_and_discoveries_without_any_are_undefended() -> None:
    def crowded(ancients: str = "limited") -> Play:
        play = table(ancients=ancients)
        with play.edit() as g:
            put(g, "109", 1, 0)
            station(g, "109", NOBODY, *["ancient"] * 13)
        return play

    play = explore(crowded(), "zone 0 -1", 1, "104").say("lay 104 0")
    assert play.ships("104") == ["ancient"]
    play = crowded()
    with play.edit() as g:
        station(g, "109", NOBODY, "ancient")
    explore(play, "zone 0 -1", 1, "104").say("lay 104 0")
    assert play.ships("104") == []
    assert play.g.flow.now[0] == "discovery"
    play = explore(crowded(ancients="unlimited"), "zone 0 -1", 1, "104").say("lay 104 0")
    assert play.ships("104") == ["ancient", "ancient"]


def test_the_second_activation_of_planta_is_optional_and_follows_the_first() -> None:
    play = explore(table(2, ["planta"]), "zone 0 -3", 3, "304").say("lay 304 0", "control 304")
    assert play.seat == 0
    assert "zone 0 -4" in zones(play)
    assert "stop" in play.options()
    play.say("stop", "done")
    assert play.seat == 1


def test_new_sectors_are_colonised_in_the_same_action() -> None:
    play = explore(table(), "zone 0 -3", 3, "304").say("lay 304 0", "control 304")
    assert play.seat == 0
    play.say("colonise 304 materials materials")
    assert play.track(0)[2] == 9


def test_warp_portals_do_not_help_to_explore() -> None:
    play = table()
    before = zones(play.say("explore"))
    with play.edit() as g:
        put(g, "281", 1, -2)
        g.sectors.warp[g.const.sector_index["221"]] = 2
    assert [zone for zone in zones(play) if zone not in before] == []
