"""What follows from battles: population, control, discoveries, repair."""

from __future__ import annotations

import pytest
from arena import Arena

from engine.core.sections import row_of
from engine.core.waits import Roll
from engine.eclipse.state import NOBODY


def invaded(*species: str, cubes: int = 2, **fleet: int) -> Arena:
    """Seat 0 controls 101 (money, materials, materials*) with cubes; ships of seat 1 are there alone."""
    boards = species or ("terran-directorate", "terran-federation")
    arena = Arena(*boards).lies("101", 0, -1)
    arena.g.sectors.discovery[arena.tile("101")] = 0
    squares = ((0, "money"), (1, "materials"), (2, "materials"))
    arena.owns(0, "101", *squares[:cubes])
    return arena.ships(1, "101", **(fleet or {"cruiser": 1}))


def cubes(arena: Arena) -> int:
    tile = arena.tile("101")
    return sum(cube > 0 for cube in row_of(arena.now.sectors.cubes, tile))


def test_population_may_be_attacked_or_left_alone() -> None:
    arena = invaded().begin()
    assert arena.asking()[0] == 1
    assert arena.options() == ["-", "bombard 101"]
    arena.go((), ["-"])
    assert arena.over
    assert (cubes(arena), arena.now.sectors.owner[arena.tile("101")]) == (2, 0)


def test_every_cannon_die_is_rolled_once_and_every_point_of_damage_destroys_a_cube() -> None:
    arena = invaded(cubes=3, cruiser=2, interceptor=1).part(1, "cruiser", 1, "plasma-cannon").begin()
    arena.go((), ["bombard 101"])
    assert arena.match.pending == Roll((6, 6, 6), "bombard")
    arena.go((2, 1, 6))
    assert arena.options() == ["cube:materials:materials", "cube:materials:materials*", "cube:money:money"]
    arena.go((), ["cube:money:money cube:materials:materials"])
    assert cubes(arena) == 1
    assert list(row_of(arena.now.seats.graveyard, 0)[:3]) == [1, 0, 1]
    assert arena.over


def test_missiles_do_not_attack_population() -> None:
    arena = invaded(interceptor=1).part(1, "interceptor", 0, "flux-missile").begin()
    assert arena.over
    assert cubes(arena) == 2


@pytest.mark.parametrize(("face", "left"), [(4, 2), (5, 1), (6, 1), (1, 2)])
def test_computers_count_against_population(face: int, left: int) -> None:
    arena = invaded().begin().go((face,), ["bombard 101"])
    if left == 1:
        arena.go((), ["cube:money:money"])
    assert cubes(arena) == left


def test_shields_and_starbases_of_the_owner_do_not_protect_population_without_ships() -> None:
    arena = invaded(cubes=1).part(0, "cruiser", 5, "phase-shield").begin().go((5,), ["bombard 101"])
    assert cubes(arena) == 0


def test_population_is_safe_while_a_ship_of_its_owner_is_there() -> None:
    arena = invaded(interceptor=1).ships(0, "101", cruiser=1)
    arena.begin().to_the_end()
    assert arena.new_events("combat/bombarded") == []
    assert cubes(arena) == 2


def test_population_is_attacked_by_who_survives_the_battle() -> None:
    arena = invaded(interceptor=2).ships(0, "101", interceptor=1).begin().go((1, 6, 1), ["-", "-"])
    assert arena.new_events("combat/destroyed")[0]["seat"] == 0
    assert (arena.asking()[0], arena.options()) == (1, ["-", "bombard 101"])


def test_ships_of_nobody_do_not_attack_population() -> None:
    arena = Arena().owns(0, "102", (0, "science")).ships(NOBODY, "102", ancient=1).begin()
    assert arena.over
    assert arena.now.sectors.owner[arena.tile("102")] == 0


def test_neutron_bombs_destroy_all_population_without_a_roll() -> None:
    arena = invaded(cubes=3, interceptor=1).knows(1, "neutron-bombs").begin().go((), ["bombard 101"])
    assert cubes(arena) == 0
    assert arena.new_events("combat/bombarded") == []


def test_the_neutron_absorber_leaves_neutron_bombs_nothing_but_their_cannons() -> None:
    arena = invaded(cubes=3, interceptor=1).knows(1, "neutron-bombs").knows(0, "neutron-absorber").begin()
    arena.go((6,), ["bombard 101", "cube:money:money"])
    assert cubes(arena) == 2


def test_planta_cubes_die_without_a_roll_even_to_unarmed_ships() -> None:
    arena = invaded("planta", "terran-federation", cubes=3, interceptor=1).part(1, "interceptor", 0, "hull")
    arena.knows(0, "neutron-absorber").begin()
    assert cubes(arena) == 0


def test_without_population_the_disc_returns_and_the_victor_may_place_one() -> None:
    arena = invaded(cubes=1)
    discs = list(arena.g.seats.discs)
    arena.begin().go((6,), ["bombard 101"])
    assert arena.new_events("combat/control-lost") == [{"seat": 0, "sector": "101", "by": 1}]
    assert arena.options() == ["-", "control 101"]
    arena.go((), ["control 101"])
    assert arena.now.sectors.owner[arena.tile("101")] == 1
    assert list(arena.now.seats.discs) == [discs[0] + 1, discs[1] - 1]


def test_a_sector_without_any_cubes_is_lost_to_ships_too() -> None:
    arena = invaded(cubes=0, interceptor=1).part(1, "interceptor", 0, "hull").begin()
    assert arena.new_events("combat/control-lost") == [{"seat": 0, "sector": "101", "by": 1}]


def test_a_disc_is_placed_where_one_has_the_only_ships_the_highest_sector_first() -> None:
    arena = Arena().ships(0, "001", interceptor=1).ships(0, "106", interceptor=1).ships(0, "102", interceptor=1)
    arena.ships(NOBODY, "102", ancient=1).part(0, "interceptor", 3, "hull").begin(["aftermath"])
    assert arena.options() == ["-", "control 106"]
    arena.go((), ["-"])
    assert arena.options() == ["-", "control 001"]
    arena.go((), ["control 001"])
    assert arena.now.sectors.owner[arena.tile("001")] == 0


def test_draco_takes_control_beside_ancients_but_not_their_discovery() -> None:
    arena = Arena("draco", "terran-federation").lies("101", 0, -1).ships(NOBODY, "101", ancient=1)
    arena.ships(0, "101", interceptor=1).begin().go((), ["control 101"])
    assert arena.over
    assert arena.now.sectors.discovery[arena.tile("101")] == 1


def test_without_a_disc_on_the_track_nothing_is_asked() -> None:
    arena = Arena().ships(0, "102", interceptor=1)
    arena.g.seats.discs[0] = 0
    assert arena.begin().over


@pytest.mark.parametrize("controlled", [False, True])
def test_an_undefended_discovery_goes_to_who_controls_the_sector_or_has_the_only_ships(controlled: bool) -> None:
    arena = Arena().lies("101", 0, -1)
    arena = arena.owns(0, "101") if controlled else arena.ships(0, "101", interceptor=1)
    arena.begin()
    if not controlled:
        arena.go((), ["-"])
    arena.go((1,))
    seat, choose = arena.asking()
    assert (seat, choose.word) == (0, "take-discovery")
    assert arena.now.sectors.discovery[arena.tile("001")] == 1


def test_a_defended_discovery_stays_where_it_is() -> None:
    arena = Arena().lies("101", 0, -1).owns(0, "101").ships(NOBODY, "101", ancient=1).begin()
    assert arena.over
    assert arena.now.sectors.discovery[arena.tile("101")] == 1


def test_a_player_with_neither_ships_nor_sectors_is_out_after_combat() -> None:
    arena = invaded(cubes=0)
    home = arena.tile("221")
    for square in range(8):
        if arena.g.sectors.cubes[home, square]:
            arena.g.seats.track[0, arena.g.sectors.cubes[home, square] - 1] += 1
            arena.g.sectors.cubes[home, square] = 0
    arena.g.sectors.owner[home] = NOBODY
    arena.g.seats.discs[0] += 1
    arena.begin().go((), ["-"])
    assert list(arena.now.seats.out) == [1, 0]
    assert arena.over
