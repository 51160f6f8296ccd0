"""Retreat, its price, and stalemates."""

from __future__ import annotations

import pytest
from arena import Arena

from engine.eclipse.state import NOBODY


def test_a_type_attacks_or_retreats_to_a_connected_sector_of_its_own_without_opponents() -> None:
    arena = Arena().owns(0, "102").owns(1, "106").ships(0, "001", cruiser=1).ships(1, "001", dreadnought=1).begin()
    assert arena.options() == ["attack cruiser", "retreat cruiser 102"]
    assert arena.refusal("retreat cruiser 106") == "retreat/not-controlled"


def test_nobody_retreats_to_where_opponents_have_ships() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=2).ships(1, "001", dreadnought=1)
    arena.ships(NOBODY, "102", ancient=1).begin().go((1, 1, 1, 1))
    assert arena.new_events("combat/retreating") == []
    assert ("combat/rolled", 0) in [(event.id, event.args.get("seat")) for event in arena.events]


def test_draco_retreats_to_where_only_ancients_are() -> None:
    arena = Arena("draco", "terran-federation").owns(0, "102").ships(NOBODY, "102", ancient=1)
    arena.ships(0, "001", cruiser=1).ships(1, "001", dreadnought=1).begin()
    assert "retreat cruiser 102" in arena.options()


def test_half_a_wormhole_is_enough_for_a_retreat_with_the_generator() -> None:
    arena = Arena().owns(0, "103").ships(0, "001", cruiser=1).ships(1, "001", dreadnought=1)
    arena.lies("103", 0, -1)
    assert arena.begin().new_events("combat/rolled") == []
    assert not arena.match.owing()
    arena = Arena().owns(0, "103").ships(0, "001", cruiser=1).ships(1, "001", dreadnought=1).lies("103", 0, -1)
    assert arena.knows(0, "wormhole-generator").begin().options() == ["attack cruiser", "retreat cruiser 103"]


def test_there_is_no_retreat_in_the_missile_volley() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=1, interceptor=1).ships(1, "001", dreadnought=1)
    arena.part(0, "cruiser", 5, "flux-missile").part(0, "interceptor", 3, "flux-missile")
    arena.part(0, "interceptor", 2, "conformal-drive").part(0, "cruiser", 4, "conformal-drive").begin()
    arena.go((1, 1), [])
    assert [told["weapons"] for told in arena.new_events("combat/rolled")] == ["missiles"]


def test_starbases_do_not_retreat() -> None:
    arena = Arena().owns(0, "001").owns(0, "102").ships(0, "001", starbase=1).ships(1, "001", interceptor=1)
    arena.part(0, "starbase", 4, "axion-computer").begin()
    assert arena.match.owing() == ()
    arena.go((1,))
    assert [told["ship"] for told in arena.new_events("combat/rolled")] == ["starbase"]


def test_a_retreating_type_leaves_at_its_next_activation_and_can_be_shot_until_then() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=2).ships(1, "001", interceptor=1).begin()
    arena.go((1,), ["retreat cruiser 102"])
    assert arena.in_sector(0, "001") == ["cruiser", "cruiser"]
    arena.go((6,))
    assert arena.new_events("combat/hit")[0]["ship"] == "cruiser"
    assert arena.in_sector(0, "102") == ["cruiser", "cruiser"]
    assert arena.in_sector(1, "001") == ["interceptor"]
    assert len(arena.new_events("combat/retreated")) == 2


def test_who_has_fired_in_a_round_does_not_fire_again_when_a_type_leaves() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=1, dreadnought=1).ships(1, "001", interceptor=1).begin()
    arena.go((1, 1, 1, 1, 1, 1), ["retreat cruiser 102", "attack dreadnought", "attack dreadnought"])
    assert arena.in_sector(0, "102") == ["cruiser"]
    fired = [told["ship"] for told in arena.new_events("combat/rolled")]
    assert fired == ["interceptor", "dreadnought", "interceptor", "dreadnought"]


def test_a_retreating_type_that_is_destroyed_does_not_leave() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.part(1, "interceptor", 0, "antimatter-cannon").begin().go((1, 6), ["retreat cruiser 102"])
    assert arena.new_events("combat/retreated") == []
    assert arena.new_events("combat/destroyed")[0]["seat"] == 0


def test_a_retreating_type_leaves_even_if_the_enemy_is_destroyed_before() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", interceptor=1, dreadnought=1).ships(1, "001", interceptor=1)
    arena.part(0, "interceptor", 2, "fusion-drive").part(1, "interceptor", 0, "hull").begin()
    arena.go((6, 1), ["retreat interceptor 102", "attack dreadnought"])
    assert arena.in_sector(0, "102") == ["interceptor"]
    assert arena.in_sector(0, "001") == ["dreadnought"]


def test_ships_that_retreat_have_entered_the_new_sector_last() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.ships(0, "102", interceptor=1).part(1, "interceptor", 0, "hull").begin()
    arena.go((), ["retreat cruiser 102"]).to_the_end()
    entered = [arena.now.ships.entered[ship] for ship in (8, 0)]
    assert entered[0] > entered[1] > 0


def test_who_retreats_with_all_remaining_ships_draws_nothing_for_taking_part_but_for_ships_destroyed() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", interceptor=2).ships(1, "001", interceptor=1, cruiser=1)
    arena.part(0, "interceptor", 2, "fusion-drive").begin()
    arena.go((6, 1), ["attack interceptor", "target:interceptor:0"])
    arena.go((1,), ["retreat interceptor 102"])
    arena.to_the_end(1)
    assert arena.new_events("combat/forfeited") == [{"seat": 0, "sector": "001"}]
    assert [(told["seat"], told["tiles"]) for told in arena.new_events("reputation/drawn")] == [(0, 1), (1, 1)]


def test_the_last_ship_that_stays_being_destroyed_makes_it_a_full_retreat() -> None:
    arena = Arena().owns(0, "102").ships(0, "001", cruiser=1, interceptor=1).ships(1, "001", dreadnought=1)
    arena.part(1, "dreadnought", 7, "flux-missile").begin()
    arena.go((1, 1), [])
    arena.go((), ["attack interceptor"]).go((1,), ["retreat cruiser 102"])
    assert arena.new_events("combat/forfeited") == []
    arena.go((6, 1), ["target:interceptor:0"])
    assert arena.new_events("combat/forfeited") == [{"seat": 0, "sector": "001"}]


def unarmed(arena: Arena) -> Arena:
    for seat in (0, 1):
        arena.part(seat, "interceptor", 0, "hull").part(seat, "cruiser", 1, "hull")
    return arena


def test_without_cannons_on_either_side_the_attacker_must_retreat() -> None:
    arena = unarmed(Arena().owns(1, "106").ships(0, "001", interceptor=1).ships(1, "001", cruiser=1, interceptor=2))
    arena.begin()
    assert arena.new_events("combat/stalemate") == [{"sector": "001", "attacker": 1}]
    assert arena.in_sector(1, "106") == ["interceptor", "interceptor", "cruiser"]
    assert arena.in_sector(0, "001") == ["interceptor"]


def test_in_a_stalemate_the_attacker_chooses_where_to_go() -> None:
    arena = unarmed(Arena().owns(1, "106").owns(1, "102").ships(0, "001", interceptor=1).ships(1, "001", cruiser=1))
    arena.begin()
    assert arena.options() == ["102", "106"]
    arena.go((), ["102"])
    assert arena.in_sector(1, "102") == ["cruiser"]


def test_in_a_stalemate_ships_that_cannot_retreat_are_destroyed_and_nobody_is_credited() -> None:
    arena = unarmed(Arena().ships(0, "001", interceptor=1).ships(1, "001", cruiser=1)).begin().to_the_end()
    assert arena.new_events("combat/stranded") == [{"seat": 1, "ship": "cruiser", "sector": "001"}]
    assert arena.in_sector(1, "001") == []
    assert [(told["seat"], told["tiles"]) for told in arena.new_events("reputation/drawn")] == [(0, 1)]


def test_an_attacker_that_withdraws_from_a_stalemate_draws_nothing_for_taking_part() -> None:
    arena = unarmed(Arena().owns(1, "106").ships(0, "001", interceptor=1).ships(1, "001", cruiser=1))
    arena.begin().to_the_end()
    assert arena.in_sector(1, "106") == ["cruiser"]
    assert [told["seat"] for told in arena.new_events("reputation/drawn")] == [0]


def test_missiles_alone_end_in_a_stalemate_after_the_volley() -> None:
    arena = unarmed(Arena().ships(0, "001", interceptor=1).ships(1, "001", cruiser=1))
    arena.part(0, "interceptor", 3, "flux-missile").begin().go((1, 1))
    assert arena.new_events("combat/stalemate") == [{"sector": "001", "attacker": 1}]


@pytest.mark.parametrize("armed", [0, 1])
def test_one_cannon_on_either_side_is_no_stalemate(armed: int) -> None:
    arena = unarmed(Arena().ships(0, "001", interceptor=1).ships(1, "001", cruiser=1))
    arena.part(armed, "interceptor" if armed == 0 else "cruiser", 1, "ion-cannon").begin()
    assert arena.new_events("combat/stalemate") == []
    assert not arena.over
