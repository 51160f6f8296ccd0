from __future__ import annotations

from eclipse_table import own_technology, put, station, table

from engine.core.hexes import EDGES
from engine.eclipse import sectors
from engine.eclipse.catalog import second
from engine.eclipse.state import NOBODY


def test_turning_a_sector_turns_its_wormholes() -> None:
    play = table()
    for turned in range(6):
        with play.edit() as g:
            tile = put(g, "304", 5, 0) if g.sectors.where[g.const.sector_index["304"]] != 2 else play.tile("304")
            g.sectors.turned[tile] = turned
        mask = sectors.graph(play.g).masks[tile]
        assert [edge for edge in range(6) if mask >> edge & 1] == sorted(((turned) % 6, (turned + 3) % 6))


def test_sectors_are_connected_by_a_wormhole_on_both_edges() -> None:
    play = table()
    with play.edit() as g:
        put(g, "304", 5, 0)
        put(g, "310", 5, 1)
        put(g, "313", 5, 2, turned=1)
        put(g, "306", 6, 0, turned=2)
    a, b, c, d = map(play.tile, ("304", "310", "313", "306"))
    assert sectors.connected(play.g, a, b)
    assert sectors.connected(play.g, b, a)
    assert not sectors.connected(play.g, b, c)
    assert not sectors.connected(play.g, a, c)
    assert not sectors.connected(play.g, a, d)


def test_the_wormhole_generator_needs_a_wormhole_on_one_edge() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
        put(g, "310", 5, 1)
        put(g, "313", 5, 2, turned=1)
    b, c = play.tile("310"), play.tile("313")
    assert sectors.connected(play.g, b, c, 0)
    assert sectors.connected(play.g, c, b, 0)
    assert not sectors.connected(play.g, b, c, 1)


def test_every_warp_portal_is_connected_with_every_other() -> None:
    play = table()
    with play.edit() as g:
        put(g, "281", 5, 0)
        put(g, "381", -5, 0)
        g.sectors.warp[g.const.sector_index["221"]] = 2
    gates = [play.tile(sector) for sector in ("281", "381", "221")]
    for a in gates:
        assert sorted(set(sectors.neighbours(play.g, a)) & set(gates)) == sorted(set(gates) - {a})


def test_connection_is_mutual_and_only_between_adjacent_sectors_and_portals() -> None:
    play = table(6, seed=3).until()
    g = play.g
    for tile in sectors.graph(g).tiles:
        for other in sectors.neighbours(g, tile, half=True):
            step = (g.sectors.q[other] - g.sectors.q[tile], g.sectors.r[other] - g.sectors.r[tile])
            assert step in EDGES
            assert tile in sectors.neighbours(g, other, half=True)
            assert (other in sectors.neighbours(g, tile)) == (tile in sectors.neighbours(g, other))


def test_homes_are_entered_from_the_centre_by_the_sector_between() -> None:
    play = table()
    with play.edit() as g:
        put(g, "103", 0, -1)
    between = sectors.neighbours(play.g, play.tile("103"))
    assert play.tile("221") in between


def test_ships_are_found_by_sector_and_owner() -> None:
    play = table()
    with play.edit() as g:
        station(g, "221", 1, "cruiser")
    ships = sectors.fleet(play.g)
    assert ships[play.tile("221")] == {0: [0], 1: [26]}
    assert list(ships[play.g.const.center]) == [NOBODY]
    assert sectors.enemies(play.g, 0, play.tile("221")) == [26]
    assert sectors.rivals(play.g, 0, play.g.const.center) == []
    assert len(sectors.enemies(play.g, 0, play.g.const.center)) == 1


def test_no_more_ships_of_nobody_than_figures() -> None:
    play = table()
    with play.edit() as g:
        tile = put(g, "109", 5, 0)
        placed = [sectors.deploy(g, 4, tile) for _ in range(16)]
    assert placed == [True] * 14 + [False] * 2
    assert second().supply[4] == 14
