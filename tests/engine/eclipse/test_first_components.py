"""The components of the first edition (document 004)."""

from __future__ import annotations

from collections import Counter

from engine.eclipse.catalog import first, second
from engine.eclipse.stats import CANNONS, COMPUTER, CONSUMPTION, HULL, INITIATIVE, MISSILES, PRODUCTION, SHIELD
from engine.eclipse.terms import ANCIENT, DREADNOUGHT, GCDS, GUARDIAN, INTERCEPTOR, ORBITAL, RARE

E = first()


def test_sectors_are_numbered_as_the_document_says() -> None:
    numbers = [E.sector_ids[tile] for stack in E.stacks for tile in stack]
    wanted = [*range(101, 109), *range(201, 212), *range(301, 319)]
    assert sorted(map(int, numbers)) == wanted
    homes = sorted(int(E.sector_ids[tile]) for tile in E.home)
    assert homes == list(range(221, 233))
    assert E.sector_ids[E.center] == "001"
    assert len(E.sectors) == 50


def test_technologies_are_96_tiles_of_24_kinds_none_of_them_rare() -> None:
    assert len(E.technologies) == 24
    assert len(E.technology_bag) == 96
    assert RARE not in E.category
    assert Counter(E.technology_bag.count(tech) for tech in range(24)) == {5: 9, 4: 6, 3: 9}


def test_21_discovery_tiles_give_what_the_document_lists() -> None:
    assert len(E.discovery_bag) == 21
    tiles = {name: E.discovery_bag.count(at) for at, name in enumerate(E.discovery_ids)}
    assert {name: n for name, n in tiles.items() if n == 3} == dict.fromkeys(
        ("money", "science", "materials", "ancient-tech", "ancient-cruiser"), 3
    )
    assert [n for n in tiles.values() if n != 3] == [1] * 6
    gains = {name: E.discovery_resources[at] for at, name in enumerate(E.discovery_ids)}
    assert (gains["money"], gains["science"], gains["materials"]) == ((8, 0, 0), (0, 5, 0), (0, 0, 6))


def test_there_are_as_many_discovery_tiles_as_sectors_that_show_one() -> None:
    assert sum(E.discovery_spaces) == 21


def test_32_reputation_tiles() -> None:
    assert Counter(E.reputation_bag) == {1: 12, 2: 9, 3: 7, 4: 4}


def test_ships_cubes_discs_and_ambassadors_of_each_player() -> None:
    assert E.supply[: GUARDIAN + 1] == (8, 4, 2, 4, 21, 0)
    assert E.supply[GCDS] == 1
    assert 3 * E.constants.population_cubes == 33
    assert {discs + more for discs, more in zip(E.start_discs, E.reserve_discs, strict=True)} == {16}
    assert E.constants.ambassadors == 3


def test_22_colony_ships_lie_on_the_boards() -> None:
    """Six boards, three or four ships: 19 in use; the box has three spare ones."""
    assert Counter(E.colony_ships) == {3: 11, 4: 1}


def test_ship_parts_have_the_figures_of_the_first_edition() -> None:
    part = {name: E.part_stats[at] for at, name in enumerate(E.part_ids)}
    assert len(part) == 17 + 6
    assert (part["gluon-computer"][INITIATIVE], part["positron-computer"][INITIATIVE]) == (2, 1)
    assert part["plasma-missile"][CONSUMPTION] == 0
    assert part["plasma-missile"][MISSILES + 1] == 2
    assert part["axion-computer"][COMPUTER] == 3
    assert part["ion-turret"][CONSUMPTION] == 1
    assert part["flux-shield"][SHIELD] == 3
    assert part["hypergrid-source"][PRODUCTION] == 11
    assert part["shard-hull"][HULL] == 3
    assert not any(stat[CANNONS + 2] or stat[MISSILES + 2] for stat in part.values())  # no blue dice
    assert not any(E.outside_grid)


def test_technologies_cost_what_they_do_in_the_first_edition() -> None:
    cost = {name: E.cost[at] for at, name in enumerate(E.technology_ids)}
    assert (cost["plasma-missile"], cost["gluon-computer"]) == (14, 16)
    assert (cost["improved-hull"], cost["fusion-source"]) == (4, 6)
    assert (cost["advanced-robotics"], cost["orbital"]) == (6, 8)
    assert (cost["artifact-key"], cost["wormhole-generator"]) == (14, 16)


def test_orbitals_cost_five_materials_and_four_for_mechanema() -> None:
    costs = {name: E.build_cost[at][ORBITAL] for at, name in enumerate(E.species_ids)}
    assert {name for name, price in costs.items() if price != 5} == {"mechanema"}
    assert costs["mechanema"] == 4


def test_ships_of_nobody_have_one_blueprint_and_there_are_no_guardians() -> None:
    (ancient,), guardians, (gcds,) = (E.npc_stats[ship] for ship in (ANCIENT, GUARDIAN, GCDS))
    assert guardians == ()
    assert (ancient[INITIATIVE], ancient[COMPUTER], ancient[HULL], ancient[CANNONS]) == (2, 1, 1, 2)
    assert (gcds[INITIATIVE], gcds[COMPUTER], gcds[HULL], gcds[CANNONS]) == (0, 1, 7, 4)


def test_boards_differ_as_the_first_edition_prints_them() -> None:
    resources = dict(zip(E.species_ids, E.start_resources, strict=True))
    assert resources["terran-directorate"] == (2, 3, 3)
    assert resources["hydran"] == (2, 5, 2)
    assert resources["planta"] == (4, 4, 4)
    assert resources["eridani"] == (26, 2, 4)
    trades = dict(zip(E.species_ids, E.trade, strict=True))
    assert {trades[name] for name in E.species_ids if name.startswith("terran")} == {2}
    assert (trades["orion"], trades["planta"]) == (4, 3)
    technologies = dict(zip(E.species_ids, E.start_technologies, strict=True))
    assert technologies["draco"] == ()


def test_only_the_dreadnought_of_the_eridani_has_more_energy() -> None:
    board = E.species_index["eridani"]
    assert E.base_stats[board][DREADNOUGHT][PRODUCTION] == 1
    assert E.base_stats[board][INTERCEPTOR][PRODUCTION] == 0


def test_no_figure_of_shared_sectors_is_mixed_up_with_the_second_edition() -> None:
    """Wormholes of shared numbers are identical; the faces listed as changed differ."""
    new = second()
    shared = [number for number in E.sector_ids if number in new.sector_index]
    assert len(shared) == 50
    for number in shared:
        assert E.wormholes[E.sector_index[number]][0] == new.wormholes[new.sector_index[number]][0]
    assert E.squares[E.center] != new.squares[new.center]
    for number, before, after in (("102", 3, 2), ("105", 3, 2), ("107", 2, 3), ("211", 2, 1), ("317", 1, 2)):
        assert (E.sector_vp[E.sector_index[number]], new.sector_vp[new.sector_index[number]]) == (before, after)
