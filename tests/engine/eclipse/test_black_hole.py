from __future__ import annotations

import pytest
from eclipse_table import Play, own_technology, put, station, table

from engine.core.hexes import neighbour
from engine.eclipse import sectors
from engine.eclipse.events.black_hole import delay
from engine.eclipse.state import FLEET, NOBODY
from engine.testing.judges.eclipse import check


def near(hole: str = "396", discovery: int = 0, round: int = 1, ship: str = "interceptor", seats: int = 2) -> Play:
    """A black hole north of seat 0's home, reached through 304; a ship stands ready in between."""
    play = table(seats, black_hole=hole)
    with play.edit() as g:
        put(g, "304", 0, -3, 0)
        tile = put(g, hole, 0, -4, 1)
        g.sectors.discovery[tile] = discovery
        put(g, "101", 0, -1)
        station(g, "304", 0, ship)
        own_technology(g, 0, "wormhole-generator")
        g.round.number = round
    return play


def enter(play: Play, face: int, ship: str = "interceptor", hole: str = "396") -> Play:
    return play.force("black-hole", (face,)).say("move", f"fly {ship} 304 {hole}")


@pytest.mark.parametrize(("face", "rounds"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 0)])
def test_the_yellow_die_decides_when_the_ship_returns(face: int, rounds: int) -> None:
    assert delay(face) == rounds


def test_a_ship_that_waits_is_off_the_board_and_not_in_the_supply() -> None:
    play = enter(near(), 2)
    ships = range(FLEET)
    away = [ship for ship in ships if play.g.ships.entered[ship] == -2]
    assert len(away) == 1
    assert play.g.ships.place[away[0]] == NOBODY
    assert play.events("black-hole/away") == [{"seat": 0, "ship": "interceptor", "round": 2}]
    with play.edit() as g:
        g.seats.store[0, 2] = 99
    for _ in range(3):
        play.say("stop" if play.g.flow.now[0] == "move" else "pass")
    assert check(play.g) is None


def test_a_waiting_ship_cannot_be_built_again() -> None:
    play = near(ship="dreadnought")
    with play.edit() as g:
        station(g, "304", 0, "dreadnought")
        g.seats.store[0, 2] = 99
    play.force("black-hole", (4,), (4,))
    play.say("move", "fly dreadnought 304 396", "fly dreadnought 304 396", "stop", "pass", "build")
    assert play.refusal(f"construct dreadnought {play.home(0)}") == "build/none-left"


def test_a_move_ends_in_a_black_hole() -> None:
    play = near()
    with play.edit() as g:
        put(g, "305", 0, -5, 0)
        slot = play.g.const.part_index["fusion-drive"] + 1
        g.seats.blueprint[0, 0, 0] = slot
    play.say("move")
    assert "fly interceptor 304 396" in play.options()
    assert "fly interceptor 304 305" not in play.options()


def test_its_discovery_is_not_taken_when_it_is_explored() -> None:
    play = table(black_hole="396")
    pool = [tile for tile in play.g.const.stacks[3] if play.g.sectors.where[tile] == 1]
    play.force("sector", (1 + pool.index(play.tile("396")),)).say("explore", "zone 0 -3", "lay 396 1")
    assert play.events("discovery/found") == []
    assert play.g.sectors.discovery[play.tile("396")] == 1
    assert play.seat == 1


def test_whoever_enters_first_takes_the_discovery() -> None:
    play = enter(near(discovery=1), 2)
    assert play.ask.word == "take-discovery"
    play.say("points")
    assert play.g.seats.kept[0] == 1
    assert play.g.sectors.discovery[play.tile("396")] == 0
    assert len(play.events("black-hole/rolled")) == 1


def test_what_a_discovery_places_cannot_stand_in_a_black_hole() -> None:
    play = near(discovery=1)
    pool = [d for d, n in enumerate(play.g.round.discoveries) for _ in range(n)]
    cruiser = play.g.const.discovery_index["ancient-cruiser"]
    play.force("discovery", (1 + pool.index(cruiser),))
    enter(play, 2)
    assert play.options() == ["points"]


def test_a_ship_that_returns_at_once_takes_a_damage() -> None:
    play = enter(near(ship="cruiser"), 6, "cruiser")
    assert play.ask.word == "reappear"
    assert play.options() == ["101"]
    play.say("101")
    ship = next(ship for ship, place in enumerate(play.g.ships.place) if place == play.tile("101"))
    assert play.g.ships.damage[ship] == 1


def test_a_ship_that_would_return_at_once_is_lost_without_an_inner_sector_on_the_map() -> None:
    play = near(ship="cruiser")
    with play.edit() as g:
        g.sectors.where[play.tile("101")] = sectors.STACKED
        g.round.left[1] += 1
    enter(play, 6, "cruiser")
    assert play.events("black-hole/lost") == [{"seat": 0, "ship": "cruiser"}]


def test_of_ships_of_a_type_the_last_to_have_entered_moves_with_its_damage() -> None:
    play = near(ship="cruiser")
    with play.edit() as g:
        station(g, "101", 0, "cruiser")
    enter(play, 6, "cruiser").say("101")
    here = [ship for ship, place in enumerate(play.g.ships.place[:FLEET]) if place == play.tile("101")]
    assert sorted(play.g.ships.damage[ship] for ship in here) == [0, 1]
    flight = next(option for option in play.options() if option.startswith("fly cruiser 101 "))
    to = flight.split(" ")[-1]
    play.say(flight)
    moved = next(ship for ship in here if play.g.ships.place[ship] == play.tile(to))
    assert play.g.ships.damage[moved] == 1


def test_a_damaged_ship_without_hull_is_lost() -> None:
    play = enter(near(), 1)
    assert play.events("black-hole/lost") == [{"seat": 0, "ship": "interceptor"}]
    assert play.ships("101", 0) == []


def test_399_lets_ships_out_where_a_wormhole_meets_an_empty_zone() -> None:
    play = enter(near("399", ship="cruiser"), 6, "cruiser", "399")
    ways = sectors.graph(play.g)
    open_to_zones = {
        play.g.const.sector_ids[tile]
        for where, tile in ways.at.items()
        for edge in range(6)
        if ways.masks[tile] >> edge & 1 and neighbour(*where, edge) not in ways.at
    }
    assert play.home(0) in play.options()
    assert set(play.options()) == open_to_zones - {"399"}


def test_in_its_round_a_ship_returns_before_an_action() -> None:
    play = enter(near(), 3).say("stop", "pass", "pass").until("turn")
    assert play.g.round.number == 2
    assert "emerge interceptor 101" not in play.options() or play.seat == 0
    while play.seat != 0:
        play.say("pass")
    assert "emerge interceptor 101" in play.options()
    play.say("emerge interceptor 101")
    assert play.ships("101", 0) == ["interceptor"]
    assert play.seat == 0
    assert "emerge interceptor 101" not in play.options()


def test_before_its_round_a_ship_does_not_return() -> None:
    play = enter(near(), 4).say("stop", "pass", "pass").until("turn")
    assert not [option for option in play.options() if option.startswith("emerge")]


def test_a_ship_not_returned_in_its_round_is_lost() -> None:
    play = enter(near(), 3).say("stop", "pass", "pass").until("turn").until("turn")
    while play.g.round.number < 3:
        play.until("turn")
    assert all(entered >= 0 for entered in play.g.ships.entered)
    assert play.events("black-hole/lost") == [{"seat": 0, "ship": "interceptor"}]


@pytest.mark.parametrize(("round", "face", "lost"), [(8, 2, True), (7, 4, True), (7, 2, False), (6, 5, False)])
def test_beyond_the_last_round_a_ship_is_lost(round: int, face: int, lost: bool) -> None:
    play = enter(near(round=round), face)
    assert bool(play.events("black-hole/lost")) == lost


def test_damage_from_the_black_hole_is_repaired_after_combat() -> None:
    play = enter(near(ship="cruiser"), 6, "cruiser").say("101", "stop")
    assert sum(play.g.ships.damage) == 1
    play.say("pass", "pass").until("turn")
    assert not any(play.g.ships.damage)


def test_nobody_controls_a_black_hole() -> None:
    play = near().say("influence")
    assert play.refusal("shift track 396") == "influence/no-space"


def test_one_black_hole_is_in_the_game_at_most() -> None:
    for drawn, sector in ((1, "396"), (2, "399")):
        play = table(drawn={"black-hole": (drawn,)}, black_hole="on")
        holes = [hole for hole in ("396", "399") if play.g.sectors.where[play.tile(hole)] != 0]
        assert holes == [sector]
    assert [sector for sector in table(black_hole="396").g.const.sector_ids if sector in ("396", "399")] == ["396"]


def test_with_its_only_ships_away_a_player_is_not_out() -> None:
    play = enter(near(), 4).say("stop")
    with play.edit() as g:
        for ship in range(FLEET):
            g.ships.place[ship] = NOBODY
        for tile, owner in enumerate(g.sectors.owner):
            if owner == 0:
                for square in range(8):
                    if g.sectors.cubes[tile, square]:
                        g.seats.track[0, g.sectors.cubes[tile, square] - 1] += 1
                        g.sectors.cubes[tile, square] = 0
                g.sectors.owner[tile] = NOBODY
                g.seats.discs[0] += 1
    play.now(["repair"])
    assert play.g.seats.out[0] == 0


def test_returning_to_a_partner_breaks_relations() -> None:
    play = near(seats=4)
    with play.edit() as g:
        tile = play.tile("101")
        g.sectors.owner[tile] = 1
        g.seats.discs[1] -= 1
        for a, b in ((0, 1), (1, 0)):
            g.seats.envoys[a, b] = 1
            g.seats.track[a, 0] -= 1
            g.seats.ambassadors[a] -= 1
            g.seats.reputation[a, 0] = -1 - b
        ship = next(ship for ship in range(FLEET) if g.ships.place[ship] == NOBODY)
        g.ships.entered[ship] = -g.round.number
    play.say("emerge interceptor 101", "pass")
    assert play.g.round.traitor == 0
