from __future__ import annotations

import dataclasses

import pytest

from engine.core.canonical import content_id
from engine.core.content import ContentError
from engine.emperor.catalog import away, build_catalog, standard
from engine.emperor.tables import Content
from engine.emperor.terms import CRUISER, DAMAGED, DREADNOUGHT, EMPIRE, FIGHTER, ROLES, STARBASE, TYPES

CONST = build_catalog(standard(), False, False, True, False)
NUMBERS = CONST.numbers


def test_38_tiles_30_of_them_to_explore() -> None:
    kinds = [tile.kind for tile in CONST.tiles]
    assert len(kinds) == 38
    assert (len(CONST.plain), len(CONST.atomic), len(CONST.homes)) == (15, 15, 6)
    assert [kinds.count(kind) for kind in ("planet", "empty", "sun", "centre", "black-hole")] == [22, 6, 2, 1, 1]


def test_some_sectors_have_two_planets() -> None:
    explored = (*CONST.plain, *CONST.atomic)
    assert [sum(CONST.planets[tile] == n for tile in explored) for n in (0, 1, 2)] == [8, 16, 6]


def test_forty_food_cubes_fill_every_generating_sector() -> None:
    generating = [tile for tile in range(38) if any(CONST.icons[tile][1:])]
    assert len(generating) * NUMBERS.food_room == 40
    assert [sum(CONST.icons[tile][at] for tile in (*CONST.plain, *CONST.atomic)) for at in range(3)] == [18, 13, 6]


def test_the_board_has_37_spaces_in_seven_rows() -> None:
    assert len(CONST.spaces) == 37
    assert [sum(name[0] == row for name in CONST.spaces) for row in "abcdefg"] == [4, 5, 6, 7, 6, 5, 4]
    assert CONST.spaces[CONST.centre] == "d4"
    assert list(CONST.spaces) == sorted(CONST.spaces)
    assert {len(near) for near in CONST.near} == {3, 4, 6}
    assert sum(map(len, CONST.near)) == 2 * 90


def test_neighbours_know_each_other() -> None:
    for space, near in enumerate(CONST.near):
        assert all(space in CONST.near[other] and away(CONST, space, other) == 1 for other in near)


@pytest.mark.parametrize(("players", "nearest"), [(3, 6), (4, 3), (5, 3), (6, 3)])
def test_homes_lie_on_corners_clockwise(players: int, nearest: int) -> None:
    corners = [CONST.space_index[name] for name in NUMBERS.homes[str(players)]]
    assert all(len(CONST.near[space]) == 3 for space in corners)
    assert min(away(CONST, a, b) for a in corners for b in corners if a != b) == nearest


def test_empire_tokens_and_points_by_players() -> None:
    assert dict(NUMBERS.empires) == {"3": 11, "4": 10, "5": 9, "6": 8}
    assert dict(NUMBERS.pool) == {"3": 115, "4": 130, "5": 145, "6": 160}


def test_ships_and_tokens_as_printed() -> None:
    rows = [(unit.supply, unit.marks, unit.energy, unit.move, unit.dice, unit.phase) for unit in CONST.units]
    assert rows[FIGHTER] == (8, 1, 0, 2, 1, 3)
    assert rows[CRUISER] == (4, 2, 1, 2, 2, 2)
    assert rows[DREADNOUGHT] == rows[DAMAGED] == (2, 3, 2, 1, 3, 1)
    assert rows[EMPIRE] == (0, 0, 0, 0, 2, 2)
    assert rows[STARBASE] == (0, 0, 0, 0, 3, 2)


def test_hit_numbers() -> None:
    hits = [CONST.units[unit].hits for unit in (DREADNOUGHT, CRUISER, STARBASE, FIGHTER, EMPIRE)]
    assert hits == [3, 4, 4, 5, 5]


def test_eight_faces_of_seven_role_cards() -> None:
    assert ROLES == ("explorer", "merchant", "steward", "engineer", "warlord", "regent", "scientist", "warlord-2")


def test_four_technologies_of_each_type() -> None:
    assert [len(cards) for cards in CONST.by_type] == [4, 4, 4]
    assert TYPES == ("science", "industry", "military")
    assert all(card.metal <= NUMBERS.metal_room and card.energy <= NUMBERS.energy_room for card in CONST.technologies)


def test_every_number_has_its_confidence() -> None:
    plain = {field.name for field in dataclasses.fields(NUMBERS)} - {"confidence", "prices", "unit"}
    nested = {f"prices.{field.name}" for field in dataclasses.fields(NUMBERS.prices)}
    units = {f"unit.{field.name}" for field in dataclasses.fields(CONST.units[0])} - {"unit.id"}
    assert set(NUMBERS.confidence) == plain | nested | units
    rows = [*(tile.confidence for tile in CONST.tiles), *(card.confidence for card in CONST.technologies)]
    named = [card.named for card in CONST.technologies]
    assert "own" not in {*NUMBERS.confidence.values(), *rows, *named}


def test_the_content_id_stands_for_rules_and_not_for_confidence() -> None:
    unsure = [dataclasses.replace(tile, confidence="own") for tile in standard().tiles]
    assert content_id(dataclasses.replace(standard(), tiles=tuple(unsure))) == content_id(standard())
    renamed = [dataclasses.replace(tile, name=f"New {tile.name}") for tile in standard().tiles]
    assert content_id(dataclasses.replace(standard(), tiles=tuple(renamed))) == content_id(standard())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: Content(c.numbers, c.tiles[1:], c.technologies), "one more wanted"),
        (lambda c: Content(c.numbers, (c.tiles[1], *c.tiles[1:]), c.technologies), "stands twice"),
        (lambda c: Content(c.numbers, c.tiles, (c.technologies[1], *c.technologies[1:])), "stands twice"),
        (
            lambda c: Content(
                c.numbers, (*c.tiles[:4], dataclasses.replace(c.tiles[4], kind="home"), *c.tiles[5:]), c.technologies
            ),
            "7 of kind home",
        ),
        (
            lambda c: Content(dataclasses.replace(c.numbers, unit=c.numbers.unit[1:]), c.tiles, c.technologies),
            "units",
        ),
        (
            lambda c: Content(
                dataclasses.replace(c.numbers, homes={**c.numbers.homes, "3": ("a1", "a1", "z9")}),
                c.tiles,
                c.technologies,
            ),
            "homes.3",
        ),
    ],
)
def test_tables_that_do_not_fit_are_refused(change: object, message: str) -> None:
    assert callable(change)
    with pytest.raises(ContentError, match=message):
        build_catalog(change(standard()), False, False, True, False)
