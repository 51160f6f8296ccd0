"""Species boards and blueprints of the second edition."""

from __future__ import annotations

import pytest

from engine.eclipse.catalog import second
from engine.eclipse.columns import NONE
from engine.eclipse.stats import (
    CANNONS,
    COMPUTER,
    CONSUMPTION,
    DRIVE,
    HULL,
    INITIATIVE,
    NOTHING,
    PRODUCTION,
    add,
)
from engine.eclipse.terms import (
    ACTIONS,
    AMBASSADOR_ONLY,
    ANCIENT,
    ANY_TILE,
    BUILD,
    BUILDABLE,
    CRUISER,
    DREADNOUGHT,
    GCDS,
    GUARDIAN,
    INTERCEPTOR,
    MOVE,
    PIECES,
    PLAYER_SHIPS,
    SCIENCE,
    STARBASE,
    UPGRADE,
    VARIANTS,
)

E = second()


def squares(population: tuple[str, ...]) -> str:
    letters = {"money": "m", "science": "s", "materials": "t", "gray": "g"}
    return "".join(letters[s] if s in letters else letters[s[:-1]].upper() for s in population) or "-"


def test_six_boards_with_an_alien_and_a_terran_face() -> None:
    assert [row.kind for row in E.species] == ["alien"] * 6 + ["terran"] * 6
    boards = {row.board for row in E.species}
    assert len(boards) == 6
    assert all({row.kind for row in E.species if row.board == board} == {"alien", "terran"} for board in boards)


def test_terran_faces_differ_in_name_colour_and_home_only() -> None:
    own = {"id", "name", "board", "home", "confidence"}
    terrans = [row for row in E.species if row.kind == "terran"]
    for name in set(type(terrans[0]).__dataclass_fields__) - own:
        assert len({repr(getattr(row, name)) for row in terrans}) == 1, name
    assert len({squares(E.sectors[E.home[s]].population) for s in range(6, 12)}) == 1


def test_home_sectors_begin_with_the_cubes_of_the_board() -> None:
    kinds = {
        E.species_ids[s]: "".join("mst"[E.squares[E.home[s]][at][0]] for at in E.start_squares[s]) for s in range(12)
    }
    aliens = {"eridani": "ms", "hydran": "ms", "planta": "st", "draco": "ms", "mechanema": "ms", "orion": "st"}
    assert kinds == aliens | dict.fromkeys(E.species_ids[6:], "mst")
    hydran = E.species_index["hydran"]
    assert E.squares[E.home[hydran]][E.start_squares[hydran][1]] == (SCIENCE, True)


def test_every_player_has_16_discs_33_cubes_and_3_ambassadors() -> None:
    assert all(row.discs + row.reserve == 16 for row in E.species)
    assert [(row.id, row.discs) for row in E.species if row.discs != 13] == [("eridani", 11)]
    assert 3 * E.constants.population_cubes == 33
    assert E.constants.ambassadors == 3
    assert E.supply == (8, 4, 2, 4, 14, 4, 1)
    assert sum(row.colony_ships for row in E.species if row.kind == "alien") == 19


def test_species_begin_with_different_strengths() -> None:
    by = {row.id: row for row in E.species}
    assert {id for id, row in by.items() if row.ship == "cruiser"} == {"orion"}
    assert [by[id].reputation_draws for id in ("eridani", "hydran")] == [2, 0]
    assert {row.trade for row in E.species if row.kind == "terran"} == {2}
    assert [by[id].trade for id in ("eridani", "orion")] == [3, 4]
    assert by["planta"].abilities == ("population-dies",)
    assert by["planta"].scoring == ("controlled-sectors",)
    assert by["draco"].abilities == ("second-sector", "ancient-friend")
    assert by["draco"].scoring == ("ancients",)
    assert not by["eridani"].scoring
    usual = (1, 1, 2, 2, 2, 2)
    assert [ACTIONS[a] for a in range(6) if E.activations[E.species_index["mechanema"]][a] > usual[a]] == [
        "upgrade",
        "build",
    ]
    assert E.activations[E.species_index["terran-union"]][MOVE] == 3
    assert E.activations[E.species_index["planta"]][ACTIONS.index("explore")] == 2
    assert E.activations[E.species_index["hydran"]][ACTIONS.index("research")] == 2
    assert E.activations[0][BUILD] == E.activations[0][UPGRADE] == 2


def test_build_costs_are_those_of_the_board() -> None:
    for s, costs in enumerate(E.build_cost):
        assert [piece for piece, cost in enumerate(costs) if cost] == list(BUILDABLE)
        cheap = E.species_ids[s] == "mechanema"
        assert [costs[piece] for piece in BUILDABLE] == ([2, 4, 7, 2, 3, 8] if cheap else [3, 5, 8, 3, 4, 10])


def test_reputation_tracks_hold_four_or_five_tiles() -> None:
    for row, spaces in zip(E.species, E.reputation_spaces, strict=True):
        only = spaces.count(AMBASSADOR_ONLY)
        assert spaces == (AMBASSADOR_ONLY,) * only + (ANY_TILE,) * (len(spaces) - only)
        assert (only, len(spaces)) == {"hydran": (1, 4), "planta": (1, 4), "orion": (0, 5)}.get(
            row.id, (0, 4) if row.kind == "alien" else (1, 5)
        )


@pytest.mark.parametrize("audit", [False, True])
def test_every_blueprint_is_legal_as_printed(audit: bool) -> None:
    e = second(audit=audit)
    for s in range(len(e.species)):
        assert [len(e.printed[s][ship]) for ship in PLAYER_SHIPS] == (
            [3, 5, 7, 4] if e.species_ids[s] == "planta" else [4, 6, 8, 5]
        )
        for ship in PLAYER_SHIPS:
            parts = [e.part_stats[p] for p in e.printed[s][ship] if p != NONE]
            total = add(e.base_stats[s][ship], *parts)
            assert total[PRODUCTION] >= total[CONSUMPTION]
            assert (total[DRIVE] > 0) == (ship != STARBASE)
            assert total[CANNONS] >= 1


def test_initiative_of_printed_blueprints() -> None:
    def initiative(species: str, audit: bool = False) -> list[int]:
        e = second(audit=audit)
        s = e.species_index[species]
        return [
            add(e.base_stats[s][ship], *(e.part_stats[p] for p in e.printed[s][ship] if p != NONE))[INITIATIVE]
            for ship in (INTERCEPTOR, CRUISER, DREADNOUGHT, STARBASE)
        ]

    assert initiative("terran-alliance") == [3, 2, 1, 4]
    assert initiative("terran-alliance", audit=True) == [3, 2, 1, 3]
    assert initiative("orion") == [4, 3, 2, 5]
    assert initiative("orion", audit=True) == [4, 3, 2, 4]
    assert initiative("planta") == initiative("planta", audit=True) == [1, 1, 1, 2]


def test_printed_parts_are_standard_but_for_orion_shields() -> None:
    for s, ships in enumerate(E.printed):
        for slots in ships:
            for p in slots:
                orion = E.species_ids[s] == "orion" and E.part_ids[p] == "gauss-shield"
                assert p == NONE or E.parts[p].access == "standard" or orion


def test_ships_of_nobody_have_three_blueprints_each() -> None:
    assert {PIECES[ship]: len(stats) for ship, stats in E.npc_stats.items()} == dict.fromkeys(
        ("ancient", "guardian", "gcds"), len(VARIANTS)
    )
    basic = [E.npc_stats[ship][0] for ship in (ANCIENT, GUARDIAN, GCDS)]
    assert [(s[INITIATIVE], s[COMPUTER], s[HULL], s[CANNONS]) for s in basic] == [
        (2, 1, 1, 2),
        (3, 2, 2, 3),
        (0, 2, 7, 4),
    ]
    advanced = [E.npc_stats[ship][1] for ship in (ANCIENT, GUARDIAN, GCDS)]
    assert [s[CANNONS:] for s in advanced] == [
        (0, 1, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 1, 0, 2, 0, 0),
        (0, 0, 0, 1, 4, 0, 0, 0),
    ]
    assert E.draws == (1, 2, 3, 1, 1, 2, 3)


def test_adding_nothing_gives_nothing() -> None:
    assert add() == NOTHING
    assert add(E.part_stats[0], NOTHING) == E.part_stats[0]
