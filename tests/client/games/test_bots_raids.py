"""Where greedy sends its ships in Eclipse, and where it never does."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

import pytest
from eclipse_table import Play, own_technology, put, station
from test_bots_positions import far_out, only_moves, picked, turn

from client.games.eclipse.bot import raids, worth
from client.games.eclipse.bot import turn as turns
from engine.eclipse.actions.move import Move
from engine.eclipse.sectors import controlled, fleet
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.terms import DREADNOUGHT, MATERIALS, MONEY, SCIENCE


def test_two_dreadnoughts_attack_an_ancient() -> None:
    play = far_out("dreadnought", "dreadnought", foes=("ancient",))
    with play.edit() as g:
        only_moves(g)
    assert turn(play)[:2] == ["move", "fly dreadnought 304 310"]


def test_one_interceptor_attacks_no_guardian() -> None:
    play = far_out("interceptor", foes=("guardian",), seats=6)
    with play.edit() as g:
        only_moves(g)
    assert not [answer for answer in turn(play) if answer.endswith("310")]


def test_no_more_ships_are_sent_than_the_battle_needs() -> None:
    raid = raids.Raids(far_out("dreadnought", "dreadnought", "cruiser", foes=("ancient",)).g, 0, 0).best(3)
    assert raid is not None
    assert len(raid.ships) < 3


def test_a_raid_is_planned_with_the_flights_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    play, left, plan = far_out("dreadnought", "dreadnought"), list[int](), turns._plan

    def planned(g: Eclipse, seat: int, n: int, again: int, discs: int) -> raids.Raid | None:
        left.append(n)
        return plan(g, seat, n, again, discs)

    play.say("move")
    monkeypatch.setattr(turns, "_plan", planned)
    assert isinstance(play.ask, Move)
    of = play.ask.of
    while play.seat == 0 and isinstance(play.ask, Move):
        play.say(picked(play))
    assert left == list(range(of, of - len(left), -1))
    assert len(left) > 1


def test_a_partner_is_left_alone() -> None:
    play = far_out("dreadnought", "dreadnought", seats=4)
    with play.edit() as g:
        only_moves(g)
        tile = g.const.sector_index["310"]
        g.sectors.owner[tile] = 1
        g.seats.discs[1] -= 1
    open_to = raids.Raids(play.g, 0, 0).best(3)
    assert open_to is not None
    assert open_to.tile == play.tile("310")
    with play.edit(possible=False) as g:
        g.seats.envoys[0, 1] = g.seats.envoys[1, 0] = 1
    assert raids.Raids(play.g, 0, 0).best(3) is None


@pytest.mark.parametrize("partner", [False, True])
def test_no_raid_leads_through_a_sector_of_a_partner(partner: bool) -> None:
    """A ship once flew to and fro with seven discs, since the way to its target was closed to it."""
    play = far_out("dreadnought", "dreadnought", seats=4)
    with play.edit(possible=False) as g:
        only_moves(g)
        own_technology(g, 0, "wormhole-generator")
        put(g, "308", 7, 0, owner=0)
        put(g, "309", 6, 2)
        station(g, "309", NOBODY, "ancient")
        g.sectors.owner[g.const.sector_index["310"]] = 1
        g.seats.discs[1] -= 1
        g.seats.envoys[0, 1] = g.seats.envoys[1, 0] = partner
    raid = raids.Raids(play.g, 0, 0).best(4)
    assert (raid is None, turns.move_value(play.g, 0, 2) > 0) == (partner, not partner)


def in_a_row(owner: int) -> Play:
    """304, 310, 309 and 308 are a row; seat 0 has a dreadnought in the first, and 310 belongs to this seat."""
    play = far_out("dreadnought")
    with play.edit(possible=False) as g:
        only_moves(g)
        own_technology(g, 0, "wormhole-generator")
        put(g, "309", 6, 2)
        put(g, "308", 6, 3)
        g.sectors.owner[g.const.sector_index["310"]] = owner
    return play


def test_no_raid_leads_through_a_sector_of_a_rival_in_which_its_ship_would_stay() -> None:
    """A ship on its way to the next sector once stayed there, was forgotten, and flew back with the next action."""
    for owner, reached in ((NOBODY, {"310": 1, "309": 2, "308": 3}), (1, {"310": 1})):
        g = in_a_row(owner).g
        away = raids.distances(g, 0, g.const.sector_index["304"], DREADNOUGHT, fleet(g))
        assert {g.const.sector_ids[tile]: flights for tile, flights in away.items()} == reached


def test_a_ship_flies_all_the_way_to_a_far_target_in_one_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """It once stopped after the first flight unless the next one was the last."""

    def planned(g: Eclipse, seat: int, _n: int, _again: int, _discs: int) -> raids.Raid:
        ships = fleet(g)
        start = next(tile for tile in ships if seat in ships[tile])
        away = raids.distances(g, seat, start, DREADNOUGHT, ships)[play.tile("308")]
        return raids.Raid(play.tile("308"), (raids.Sortie(away, DREADNOUGHT, start),), 5.0)

    play = in_a_row(NOBODY).say("move")
    monkeypatch.setattr(turns, "_plan", planned)
    assert turn(play)[:3] == [f"fly dreadnought {way}" for way in ("304 310", "310 309", "309 308")]


@pytest.mark.parametrize(
    ("foe", "flights", "again", "sent"),
    [("cruiser", 2, 2, 0), ("cruiser", 3, 2, 1), ("dreadnought", 5, 1, 0), ("dreadnought", 3, 3, 2)],
)
def test_no_ship_waits_on_its_way_for_a_second_action(foe: str, flights: int, again: int, sent: int) -> None:
    """Each needs three flights. In between another seat, or an own action, changed what they were to attack, and one
    flew back."""
    play = in_a_row(NOBODY)
    with play.edit(possible=False) as g:
        g.sectors.owner[play.tile("308")] = 1
        station(g, "304", 0, "dreadnought")
        station(g, "308", 1, foe)
    raid = raids.Raids(play.g, 0, 0).best(flights, again)
    assert len(raid.ships if raid else ()) == sent
    assert turns.move_value(play.g, 0, 2) < 0 < turns.move_value(play.g, 0, 3)


def test_a_sector_is_worth_a_raid_after_the_disc_of_the_action() -> None:
    """At the choice of the action the disc is still on the track. Ships once flew for a sector that nobody could pay
    any more, and then without a target."""
    play = far_out("dreadnought", "dreadnought", foes=("ancient",))
    with play.edit() as g:
        only_moves(g)
        g.seats.discs[0], g.seats.spent[0] = 6, 13 - 6 - len(controlled(g, 0))
        g.seats.store[0, MONEY] -= 1 + worth.left_after(g, 0, 3)
    now, then = (raids.prize(play.g, 0, play.tile("001"), fleet(play.g), discs) for discs in (0, 1))
    play.say("move")
    assert now > then == raids.prize(play.g, 0, play.tile("001"), fleet(play.g), 0)


def test_neutron_bombs_make_a_settled_sector_worth_more_unless_its_owner_absorbs_them() -> None:
    play, found = far_out("dreadnought"), list[float]()
    with play.edit(possible=False) as g:
        tile = play.tile("310")
        g.sectors.owner[tile], g.sectors.cubes[tile, 0], g.sectors.cubes[tile, 1] = 1, 1 + SCIENCE, 1 + MATERIALS
        for owner, technology in ((1, ""), (0, "neutron-bombs"), (1, "neutron-absorber")):
            if technology:
                own_technology(g, owner, technology)
            found.append(raids.prize(g, 0, tile, fleet(g), 0))
    bare, bombed, absorbed = found
    assert bombed > bare == absorbed


def test_draco_leaves_ancients_in_peace() -> None:
    play = far_out("dreadnought", "dreadnought", foes=("ancient",), species=("draco",))
    assert raids.Raids(play.g, 0, 0).best(3) is None
