"""Which battles are fought, by whom, in what order."""

from __future__ import annotations

import pytest
from arena import TERRANS, Arena

from engine.eclipse.combat.order import due, kinds, pair, sides, sole
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import CRUISER, DREADNOUGHT, INTERCEPTOR, STARBASE


def battles(arena: Arena) -> list[tuple[str, int, int]]:
    return [(told["sector"], told["attacker"], told["defender"]) for told in arena.new_events("combat/battle")]


def test_a_sector_with_ships_of_one_player_sees_no_battle() -> None:
    assert battles(Arena().ships(0, "102", cruiser=2).ships(1, "106", cruiser=1).begin().to_the_end()) == []


def test_sectors_are_fought_over_from_the_highest_number_down_and_the_centre_last() -> None:
    arena = Arena()
    for sector in ("102", "001", "221", "106"):
        arena.ships(0, sector, interceptor=1).ships(1, sector, interceptor=1)
    assert [sector for sector, _, _ in battles(arena.begin().to_the_end())] == ["221", "106", "102", "001"]


def test_who_enters_last_attacks() -> None:
    arena = Arena().ships(1, "102", cruiser=1).ships(0, "102", cruiser=1)
    assert pair(arena.g, arena.tile("102")) == (0, 1)


def test_entry_counts_from_the_first_ship_that_is_still_there() -> None:
    arena = Arena().ships(0, "102", cruiser=1).ships(1, "102", cruiser=1).ships(0, "102", interceptor=3)
    assert pair(arena.g, arena.tile("102")) == (1, 0)


def test_who_controls_the_sector_defends_whenever_it_entered() -> None:
    arena = Arena().owns(1, "102").ships(0, "102", cruiser=1).ships(1, "102", cruiser=1)
    assert pair(arena.g, arena.tile("102")) == (0, 1)


def test_a_starbase_attacks_where_its_builder_gives_up_the_sector_that_others_were_in_before() -> None:
    """One may build whoever else is there, what is built enters now, and any disc may be taken back."""
    arena = Arena().owns(0, "102").ships(1, "102", interceptor=1).ships(0, "102", starbase=1)
    arena.begin(["influence", 0, 1, 1, 0], ["combat"]).go((), ["shift 102 track"])
    assert [told["attacker"] for told in arena.new_events("combat/battle")] == [0]


def test_three_players_fight_in_reverse_order_of_entry_and_the_survivor_goes_on() -> None:
    arena = Arena(*TERRANS)
    for seat in (2, 0, 1):
        arena.ships(seat, "102", interceptor=1)
    arena.begin().to_the_end()
    assert battles(arena) == [("102", 1, 0), ("102", 0, 2)]
    assert arena.in_sector(2, "102") == ["interceptor"]


def test_ships_of_nobody_defend_against_the_last_survivor() -> None:
    arena = Arena().ships(NOBODY, "102", ancient=1).ships(0, "102", interceptor=1).ships(1, "102", interceptor=1)
    assert sides(arena.g, arena.tile("102")) == (NOBODY, 0, 1)
    assert battles(arena.begin().to_the_end()) == [("102", 1, 0), ("102", 0, NOBODY)]


def test_ancients_and_draco_leave_each_other_alone() -> None:
    arena = Arena("draco", "terran-federation").ships(NOBODY, "102", ancient=2).ships(0, "102", interceptor=1)
    assert pair(arena.g, arena.tile("102")) is None
    assert sole(arena.g, arena.tile("102")) == 0
    assert battles(arena.begin().to_the_end()) == []


def test_draco_fights_other_players_among_ancients_and_they_fight_the_ancients() -> None:
    arena = Arena("draco", "terran-federation").ships(NOBODY, "102", ancient=1)
    arena.ships(1, "102", interceptor=1).ships(0, "102", interceptor=1)
    arena.part(1, "interceptor", 3, "flux-missile")
    arena.begin().to_the_end()
    assert battles(arena) == [("102", 0, 1), ("102", 1, NOBODY)]


@pytest.mark.parametrize("guard", ["guardian", "gcds"])
def test_draco_fights_guardians_and_the_centre_defence(guard: str) -> None:
    arena = Arena("draco", "terran-federation").ships(NOBODY, "102", **{guard: 1}).ships(0, "102", interceptor=1)
    assert pair(arena.g, arena.tile("102")) == (0, NOBODY)


def order(arena: Arena, attacker: int, defender: int, round: int = 1) -> list[tuple[int, tuple[int, ...]]]:
    """Every turn of a round in which nobody is destroyed; of tied types the first goes first."""
    tile, acted, found = arena.tile("102"), 0, []
    while (turn := due(arena.g, tile, attacker, defender, round, acted)) is not None:
        found.append(turn)
        acted |= 1 << turn[1][0] + 7 * (turn[0] == attacker)
    return found


def test_types_act_by_initiative_and_the_defender_first_at_equal_ones() -> None:
    arena = Arena().ships(1, "102", interceptor=1, cruiser=1).ships(0, "102", dreadnought=1, interceptor=2)
    expected = [(1, INTERCEPTOR), (0, INTERCEPTOR), (1, CRUISER), (0, DREADNOUGHT)]
    assert order(arena, 0, 1) == [(owner, (kind,)) for owner, kind in expected]


def test_parts_change_initiative() -> None:
    arena = Arena().ships(1, "102", interceptor=1).ships(0, "102", cruiser=1)
    arena.part(0, "cruiser", 5, "fusion-drive")
    assert [owner for owner, _ in order(arena, 0, 1)] == [0, 1]


def test_types_of_one_owner_with_equal_initiative_are_its_own_to_order() -> None:
    arena = Arena().ships(0, "102", interceptor=1, cruiser=1).part(0, "cruiser", 4, "fusion-drive")
    assert order(arena, 1, 0) == [(0, (INTERCEPTOR, CRUISER)), (0, (CRUISER,))]


def test_only_ships_with_missiles_act_in_the_volley() -> None:
    arena = Arena().ships(1, "102", interceptor=1, cruiser=1).ships(0, "102", dreadnought=1)
    arena.part(1, "cruiser", 5, "flux-missile").part(0, "dreadnought", 7, "plasma-missile")
    assert order(arena, 0, 1, round=0) == [(1, (CRUISER,)), (0, (DREADNOUGHT,))]


@pytest.mark.parametrize(("option", "expected"), [("4", [0, 1]), ("3", [1, 0])])
def test_the_table_chooses_the_initiative_of_starbases(option: str, expected: list[int]) -> None:
    arena = Arena(starbase_initiative=option).ships(1, "102", interceptor=1).ships(0, "102", starbase=1)
    arena.part(1, "interceptor", 2, "fusion-drive")
    assert kinds(arena.g, arena.tile("102"), 0) == [STARBASE]
    assert [owner for owner, _ in order(arena, 1, 0)] == expected
