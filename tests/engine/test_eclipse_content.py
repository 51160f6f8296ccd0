"""The tables of Eclipse against a second transcription and against the component list."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.content import ContentError, load_rows
from engine.core.hexes import distance, neighbour
from engine.eclipse.catalog import ring, second
from engine.eclipse.columns import (
    NONE,
    board_tables,
    part_tables,
    rotations,
    sector_tables,
    ship_supply,
    technology_tables,
)
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.stats import (
    CANNONS,
    COMPUTER,
    CONSUMPTION,
    DRIVE,
    HULL,
    INITIATIVE,
    MISSILES,
    PRODUCTION,
    SHIELD,
    add,
)
from engine.eclipse.tables import Blueprint, Species
from engine.eclipse.terms import (
    ACTIONS,
    EDGE_NAMES,
    MATERIALS,
    MONEY,
    MONOLITH,
    ORBITAL,
    PIECES,
    PLAYER_SHIPS,
    RARE,
    SCIENCE,
    STARBASE,
)

E = second()

# A new row has its line there too, written from its source a second time.
TRANSCRIPTION = tomllib.loads((Path(__file__).parent / "eclipse_transcription.toml").read_text("utf-8"))


def transcribed(name: str) -> list[list[str]]:
    return [line.split() for line in TRANSCRIPTION[name].strip().splitlines()]


def squares(population: tuple[str, ...]) -> str:
    letters = {"money": "m", "science": "s", "materials": "t", "gray": "g"}
    return "".join(letters[s] if s in letters else letters[s[:-1]].upper() for s in population) or "-"


# --- sectors


def test_sectors_equal_a_second_transcription() -> None:
    for rows, told in ((E.sectors, "sectors"), (event_sectors(), "event_sectors")):
        assert [
            [
                row.number,
                "".join("1" if edge in row.wormholes else "0" for edge in EDGE_NAMES),
                str(row.vp),
                squares(row.population),
                f"{row.discoveries}{row.ancients}{row.artifacts}",
            ]
            for row in rows
        ] == transcribed(told)


def test_the_species_of_the_option_equal_a_second_transcription() -> None:
    e = second(wanderers=True)
    assert [
        [
            *(row.id, row.home, *map(str, (row.money, row.science, row.materials, row.trade, row.discs, row.reserve))),
            ",".join(row.technologies),
            ",".join(row.scoring),
        ]
        for row in e.species[len(E.species) :]
    ] == transcribed("wanderers")
    assert [
        [
            row.number,
            "".join("1" if edge in row.wormholes else "0" for edge in EDGE_NAMES),
            str(row.vp),
            squares(row.population),
            f"{row.discoveries}{row.ancients}{row.artifacts}",
        ]
        for row in e.sectors[len(E.sectors) :]
    ] == transcribed("wanderers_sectors")
    assert [[row.resource, *map(str, row.costs), row.bonus] for row in e.shrine_rows] == transcribed("shrines")
    assert [(row.id, row.tiles) for row in e.discoveries[len(E.discoveries) :]] == [
        ("artifact-codex", 1),
        ("ancient-might", 1),
    ]


def test_blueprints_of_the_exiles_equal_a_second_transcription() -> None:
    e = second(wanderers=True)
    exiles, told = e.species_index["exiles"], []
    for ship in PLAYER_SHIPS:
        parts = [e.part_stats[part] for part in e.printed[exiles][ship] if part != NONE]
        can = add(e.base_stats[exiles][ship], *parts)
        told.append(
            f"{PIECES[ship]} i{can[INITIATIVE]} c{can[COMPUTER]} s{can[SHIELD]} h{can[HULL]} d{can[DRIVE]} "
            f"e{can[PRODUCTION] - can[CONSUMPTION]:+d} {can[CANNONS]}".split()
        )
    assert told == transcribed("exiles")


def test_43_sectors_lie_in_the_stacks() -> None:
    assert [len(stack) for stack in E.stacks] == [0, 10, 13, 20]
    assert sum(len(second(portals=False).stacks[ring]) for ring in (1, 2, 3)) == 43 - 3
    for stack, first in zip(E.stacks[1:], "123", strict=True):
        assert all(E.sector_ids[s].startswith(first) for s in stack)


def test_one_centre_four_guardian_sectors_and_twelve_homes() -> None:
    assert E.sector_ids[E.center] == "001"
    assert [E.sector_ids[s] for s in E.guardian_sectors] == ["271", "272", "273", "274"]
    assert sorted(E.sector_ids[s] for s in E.home) == [str(number) for number in range(221, 233)]
    assert len(E.sectors) == 43 + 1 + 4 + 12


def test_warp_portals_are_printed_on_the_three_module_sectors() -> None:
    assert [E.sector_ids[s] for s, portal in enumerate(E.portals) if portal] == ["281", "381", "382"]
    without = second(portals=False)
    assert set(E.sector_ids) - set(without.sector_ids) == {"281", "381", "382"}
    assert set(E.technology_ids) - set(without.technology_ids) == {"warp-portal"}
    assert set(E.discovery_ids) - set(without.discovery_ids) == {"ancient-warp-portal"}


def test_seventeen_ancient_symbols_are_printed_and_each_guards_a_discovery() -> None:
    assert sum(E.ancient_spaces) == 17
    assert all(E.discovery_spaces[s] for s, ancients in enumerate(E.ancient_spaces) if ancients)


def test_discs_go_everywhere_in_the_base_game() -> None:
    assert all(E.influence_spaces)
    assert [row.number for row in event_sectors() if not row.influence] == ["295", "395", "396", "399"]


def test_turning_a_tile_clockwise_moves_edge_e_to_e_plus_1() -> None:
    assert rotations(("N",)) == (1, 2, 4, 8, 16, 32)
    for row, masks in zip(E.sectors, E.wormholes, strict=True):
        upright = {EDGE_NAMES.index(edge) for edge in row.wormholes}
        for turn, mask in enumerate(masks):
            assert {edge for edge in range(6) if mask >> edge & 1} == {(edge + turn) % 6 for edge in upright}


def test_starting_and_guardian_sectors_have_wormholes_at_the_arrow_and_around() -> None:
    for s in (*E.home, *E.guardian_sectors):
        assert E.wormholes[s][0] == 0b011011


def test_squares_are_numbered_kinds() -> None:
    assert E.squares[E.sector_index["110"]] == ((MONEY, True), (3, True))
    assert E.squares[E.sector_index["207"]] == ()


def test_events_sectors_are_not_in_the_base_game() -> None:
    assert not {row.number for row in event_sectors()} & set(E.sector_ids)
    for row in event_sectors():
        assert (row.kind == "nebula") == bool(row.subsectors)
        assert (row.kind == "black-hole") == bool(row.returns)
        if row.subsectors:
            assert sorted(edge for part in row.subsectors for edge in part.edges) == sorted(row.wormholes)
            assert sum(part.discoveries for part in row.subsectors) == row.discoveries
            assert sum(part.ancients for part in row.subsectors) == row.ancients


# --- technologies, parts, discoveries, reputation


def test_technologies_equal_a_second_transcription() -> None:
    told = [[row.id, row.category, str(row.cost), str(row.minimum), str(row.tiles)] for row in E.technologies]
    assert told == transcribed("technologies")


def test_39_technologies_have_114_tiles() -> None:
    assert len(E.technologies) == 39
    assert len(E.technology_bag) == 114
    assert Counter(E.category[t] for t in E.technology_bag) == {0: 33, 1: 33, 2: 33, RARE: 15}
    assert all(E.technologies[t].tiles == 1 for t in range(39) if E.category[t] == RARE)
    assert len(second(portals=False).technology_bag) == 113


def test_eight_regular_technologies_a_category_rise_in_cost() -> None:
    for category in range(3):
        costs = [(E.cost[t], E.minimum[t]) for t in range(39) if E.category[t] == category]
        assert costs == [(2, 2), (4, 3), (6, 4), (8, 5), (10, 6), (12, 6), (14, 7), (16, 8)]


def test_every_technology_does_something() -> None:
    for row in E.technologies:
        kinds = (row.part, row.builds, row.discs, row.action, row.advanced, row.effect)
        assert sum(map(bool, kinds)) == 1, row.id
        assert bool(row.action) == bool(row.extra)


def test_what_technologies_add_is_found_by_action_piece_and_resource() -> None:
    names = E.technology_ids
    assert {
        ACTIONS[a]: [(names[t], n) for t, n in E.extra_activations[a]] for a in range(6) if E.extra_activations[a]
    } == {
        "upgrade": [("pico-modulator", 2)],
        "build": [("nanorobots", 1)],
        "move": [("improved-logistics", 1)],
    }
    assert {piece: names[E.allowed_by[piece]] for piece in range(len(PIECES)) if E.allowed_by[piece] != NONE} == {
        STARBASE: "starbase",
        ORBITAL: "orbital",
        MONOLITH: "monolith",
    }
    assert [[names[t] for t in E.advanced_by[r]] for r in (MONEY, SCIENCE, MATERIALS)] == [
        ["advanced-economy", "metasynthesis"],
        ["advanced-labs", "metasynthesis"],
        ["advanced-mining", "metasynthesis"],
    ]
    assert {names[t]: n for t, n in enumerate(E.technology_discs) if n} == {"advanced-robotics": 1, "quantum-grid": 2}


def test_parts_equal_a_second_transcription() -> None:
    told = []
    for row, stats in zip(E.parts, E.part_stats, strict=True):
        weapons = [
            f"{letter}{stats[first + colour]}{name}"
            for letter, first in (("C", CANNONS), ("M", MISSILES))
            for colour, name in enumerate(("yellow", "orange", "blue", "red"))
            if stats[first + colour]
        ]
        assert len(weapons) <= 1
        told.append(
            f"{row.id} {''.join(weapons) or '-'} i{stats[INITIATIVE]} c{stats[COMPUTER]} s{stats[SHIELD]} "
            f"h{stats[HULL]} d{stats[DRIVE]} e{stats[PRODUCTION] - stats[CONSUMPTION]:+d}".split()
        )
    assert told == transcribed("parts")


def test_24_kinds_of_part_in_the_tray_and_15_ancient_ones() -> None:
    assert Counter(row.access for row in E.parts) == {"standard": 5, "technology": 19, "ancient": 15}
    assert [E.part_ids[p] for p, outside in enumerate(E.outside_grid) if outside] == ["muon-source"]


def test_every_part_comes_from_where_it_says() -> None:
    for p, row in enumerate(E.parts):
        found = [d for d, part in enumerate(E.discovery_part) if part == p]
        if row.access == "technology":
            assert E.technologies[E.part_technology[p]].part == row.id
            assert E.technology_part[E.part_technology[p]] == p
        else:
            assert E.part_technology[p] == NONE
        assert [E.discoveries[d].tiles for d in found] == ([1] if E.ancient[p] else [])


def test_every_part_does_what_its_kind_says() -> None:
    for row, stats in zip(E.parts, E.part_stats, strict=True):
        assert {
            "cannon": sum(stats[CANNONS:MISSILES]),
            "missile": sum(stats[MISSILES:]),
            "computer": stats[COMPUTER],
            "shield": stats[SHIELD],
            "hull": stats[HULL],
            "drive": stats[DRIVE],
            "source": stats[PRODUCTION],
        }[row.kind] > 0, row.id


def test_24_kinds_of_discovery_have_36_tiles() -> None:
    assert len(E.discoveries) == 24
    assert len(E.discovery_bag) == 36
    assert len(second(portals=False).discovery_bag) == 35
    for row, gains in zip(E.discoveries, E.discovery_resources, strict=True):
        assert (row.effect == "part") == bool(row.part)
        assert any(gains) == (row.effect in {"resources", "ancient-orbital"})


def test_33_reputation_tiles() -> None:
    assert Counter(E.reputation_bag) == {1: 12, 2: 10, 3: 7, 4: 4}


# --- tracks and set-up


def test_tracks_of_the_second_edition() -> None:
    assert len(E.income) == E.constants.population_cubes + 1
    assert E.income == (2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 28)
    assert E.upkeep == (30, 25, 21, 17, 13, 10, 7, 5, 3, 2, 1, 0, 0, 0, 0, 0, 0)
    assert E.discounts == (0, 1, 2, 3, 4, 6, 8)
    assert E.technology_vp == (0, 0, 0, 0, 1, 2, 3, 5)
    assert E.constants.rounds == 8


def test_set_up_by_number_of_players() -> None:
    assert {n: (s.outer_sectors, s.technologies, s.new_technologies, s.diplomacy) for n, s in E.setups.items()} == {
        2: (5, 12, 5, False),
        3: (8, 14, 6, False),
        4: (14, 16, 7, True),
        5: (16, 18, 8, True),
        6: (18, 20, 9, True),
    }
    for players, setup in E.setups.items():
        zones = (*setup.starting_zones, *setup.guardian_zones)
        assert len(setup.starting_zones) == players
        assert len({(q, r) for q, r, _ in zones}) == 6


def test_sectors_in_starting_zones_point_their_arrow_at_the_centre() -> None:
    for q, r, turn in E.setups[6].starting_zones:
        assert distance(q, r) == ring(q, r) == 2
        assert distance(*neighbour(q, r, turn)) == 1
        assert neighbour(*neighbour(q, r, turn), turn) == (0, 0)


def test_rings_draw_from_their_stack() -> None:
    assert [ring(0, -steps) for steps in range(6)] == [0, 1, 2, 3, 3, 3]


# --- inconsistent content is refused


def test_a_technology_that_unlocks_an_unknown_part_is_refused() -> None:
    odd = replace(E.technologies[2], part="ray-gun")
    with pytest.raises(ContentError, match=r"^technology plasma-cannon: no part ray-gun is listed$"):
        technology_tables((odd,), E.part_index)


def test_a_part_that_no_technology_unlocks_is_refused() -> None:
    with pytest.raises(ContentError, match=r"^part plasma-cannon: no technology for plasma-cannon is listed$"):
        part_tables(E.parts, ())


def test_a_thing_listed_twice_is_refused() -> None:
    with pytest.raises(ContentError, match=r"^listed twice: 101$"):
        sector_tables((*E.sectors, E.sectors[1]))


def test_a_sector_with_more_discoveries_than_the_one_that_is_laid_is_refused() -> None:
    with pytest.raises(ContentError, match=r"^sector 001: discoveries: 2, but 0 to 1 is possible$"):
        sector_tables((replace(E.sectors[0], discoveries=2), *E.sectors[1:]))


@pytest.mark.parametrize(("ship", "count", "least", "most"), [("cruiser", 3, 4, 4), ("guardian", 5, 0, 4)])
def test_ships_for_which_the_state_has_no_place_are_refused(ship: str, count: int, least: int, most: int) -> None:
    with pytest.raises(ContentError, match=rf"^supply of {ship}: {count}, but {least} to {most} is possible$"):
        ship_supply({**E.constants.supply, ship: count})


def test_species_need_a_home_a_whole_blueprint_set_and_every_cost() -> None:
    blueprints = load_rows("engine.eclipse", "content/second/blueprints.toml", "blueprint", Blueprint, 1)

    def tables(rows: tuple[Species, ...], ships: tuple[Blueprint, ...]) -> None:
        board_tables(rows, ships, E, E, E.part_index, audit=False)

    first, *others = E.species
    tables(E.species, blueprints)
    with pytest.raises(ContentError, match=r"^species eridani: no sector 999 is listed$"):
        tables((replace(first, home="999"), *others), blueprints)
    with pytest.raises(
        ContentError, match=r"^species eridani: blueprints eridani list cruiser, dreadnought, starbase$"
    ):
        tables(E.species, blueprints[1:])
    with pytest.raises(ContentError, match=r"^species eridani: interceptor, .* wanted, not orbital$"):
        tables((replace(first, costs={"orbital": 4}), *others), blueprints)
    with pytest.raises(ContentError, match=r"^blueprint of interceptor: 3 parts in 2 slots$"):
        tables(E.species, (replace(blueprints[0], slots=2), *blueprints[1:]))
    with pytest.raises(ContentError, match=r"^species eridani: tracks name none for cloaking-device$"):
        tables((replace(first, technologies=("cloaking-device",)), *others), blueprints)
