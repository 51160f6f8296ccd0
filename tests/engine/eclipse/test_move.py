from __future__ import annotations

from eclipse_table import Play, own_technology, put, station, table

from engine.eclipse.state import NOBODY

FAR = 5


def corridor(*ships: str, species: tuple[str, ...] = ()) -> Play:
    """Four sectors in a row far from everything: 304, 310, 107 and 306, seat 0 with ships in the first."""
    play = table(2, species)
    with play.edit() as g:
        for ship in range(36):
            g.ships.place[ship] = NOBODY
        put(g, "304", FAR, 0)
        put(g, "310", FAR, 1)
        put(g, "107", FAR, 2)
        put(g, "313", FAR, 3)
        station(g, "304", 0, *(ships or ("interceptor",)))
    return play


def flights(play: Play) -> list[str]:
    return [option for option in play.options() if option.startswith("fly")]


def drives(play: Play, part: str = "nuclear-drive", ship: int = 0, slot: int = 0) -> None:
    with play.edit() as g:
        g.seats.blueprint[0, ship, slot] = 1 + g.const.part_index[part]


def test_a_ship_moves_as_many_sectors_as_its_drives_add_up_to() -> None:
    play = corridor().say("move")
    assert flights(play) == ["fly interceptor 304 310"]
    drives(play)
    assert flights(play) == ["fly interceptor 304 107", "fly interceptor 304 310"]
    assert play.refusal("fly interceptor 304 313") == "move/too-far"


def test_each_activation_moves_one_ship_and_may_move_the_same_again() -> None:
    play = corridor("interceptor", "cruiser").say(
        "move", "fly interceptor 304 310", "fly interceptor 310 107", "fly cruiser 304 310"
    )
    assert play.seat == 1
    assert (play.ships("107", 0), play.ships("310", 0)) == (["interceptor"], ["cruiser"])


def test_starbases_do_not_move() -> None:
    play = corridor("starbase", "interceptor").say("move")
    assert flights(play) == ["fly interceptor 304 310"]
    assert play.refusal("fly starbase 304 310") == "move/no-drive"


def test_a_player_with_starbases_only_has_nothing_to_move() -> None:
    assert corridor("starbase").refusal("move") == "move/no-ship"


def test_ships_need_a_wormhole_on_both_edges_or_one_with_the_generator() -> None:
    play = corridor()
    with play.edit() as g:
        put(g, "306", FAR + 1, -1, 1)
        g.sectors.turned[g.const.sector_index["304"]] = 0
    assert "fly interceptor 304 306" not in flights(play.say("move"))
    play = corridor()
    with play.edit() as g:
        put(g, "306", FAR, -1, 1)
        own_technology(g, 0, "wormhole-generator")
    assert "fly interceptor 304 306" in flights(play.say("move"))


def test_warp_portals_connect_each_other() -> None:
    play = corridor()
    with play.edit() as g:
        put(g, "281", -FAR, 0)
        g.sectors.warp[g.const.sector_index["304"]] = 2
    assert "fly interceptor 304 281" in flights(play.say("move"))


def test_each_opposing_ship_pins_one() -> None:
    play = corridor("interceptor", "interceptor")
    with play.edit() as g:
        station(g, "304", 1, "interceptor")
    play.say("move", "fly interceptor 304 310")
    assert "fly interceptor 304 310" not in flights(play)
    assert play.refusal("fly interceptor 304 310") == "move/pinned"


def test_ancients_guardians_and_starbases_pin_too() -> None:
    for seat, kind in ((NOBODY, "ancient"), (1, "starbase")):
        play = corridor()
        with play.edit() as g:
            station(g, "304", seat, kind)
        assert play.refusal("move") == "move/all-pinned"


def test_ancients_do_not_pin_draco() -> None:
    play = corridor(species=("draco",))
    with play.edit() as g:
        station(g, "304", NOBODY, "ancient")
    assert flights(play.say("move"))


def test_with_cloaking_two_ships_are_needed_to_pin_one() -> None:
    for foes, pinned in ((1, False), (2, True), (3, True)):
        play = corridor()
        with play.edit() as g:
            own_technology(g, 0, "cloaking-device")
            station(g, "304", 1, *["interceptor"] * foes)
        assert (play.ask.validate(play.g, "move") is not None) is pinned


def test_the_gcds_pins_everything() -> None:
    play = table()
    with play.edit() as g:
        put(g, "102", 0, -1)
        own_technology(g, 0, "cloaking-device")
        g.ships.place[0] = NOBODY
        station(g, "001", 0, *["interceptor"] * 5)
    assert play.refusal("move") == "move/all-pinned"


def test_a_ship_is_stopped_where_opponents_are_unless_enough_of_ones_own_are_there() -> None:
    play = corridor().say("move")
    drives(play)
    with play.edit() as g:
        station(g, "310", 1, "interceptor")
    assert flights(play) == ["fly interceptor 304 310"]
    with play.edit() as g:
        station(g, "310", 0, "starbase")
    assert "fly interceptor 304 107" in flights(play)


def test_a_cloaked_ship_passes_a_single_opponent() -> None:
    play = corridor().say("move")
    drives(play)
    with play.edit() as g:
        station(g, "310", 1, "interceptor")
        own_technology(g, 0, "cloaking-device")
    assert "fly interceptor 304 107" in flights(play)


def test_who_arrives_has_entered_last() -> None:
    play = corridor()
    with play.edit() as g:
        station(g, "310", 1, "interceptor")
    play.say("move", "fly interceptor 304 310")
    assert play.g.ships.entered[0] > play.g.ships.entered[18]
