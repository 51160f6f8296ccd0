from __future__ import annotations

import pytest

from engine.emperor import dice
from engine.emperor.catalog import build_catalog, standard
from engine.emperor.roles.regent import outcome
from engine.emperor.tables import Unit
from engine.emperor.terms import CRUISER, DAMAGED, DREADNOUGHT, EMPIRE, FIGHTER, STARBASE


def units() -> tuple[Unit, ...]:
    return build_catalog(standard(), False, False, True, False).units


@pytest.mark.parametrize(
    ("counts", "phase", "expected"),
    [
        ((2, 1, 1, 0, 0, 0), 1, (3, 3, 3)),
        ((2, 1, 0, 0, 0, 1), 1, (3, 3, 3)),
        ((2, 1, 1, 0, 0, 1), 1, (3,) * 6),
        ((2, 2, 1, 0, 0, 0), 2, (4, 4, 4, 4)),
        ((2, 0, 0, 1, 0, 0), 2, (5, 5)),
        ((2, 0, 0, 0, 1, 0), 2, (4, 4, 4)),
        ((2, 1, 1, 1, 0, 0), 3, (5, 5)),
        ((0, 1, 1, 1, 0, 0), 3, ()),
        ((1, 1, 1, 0, 0, 0), 0, (5, 4, 4, 3, 3, 3)),
    ],
)
def test_dreadnoughts_fire_first_then_cruisers_and_tokens_then_fighters(
    counts: dice.Counts, phase: int, expected: tuple[int, ...]
) -> None:
    assert dice.volley(counts, units(), phase) == expected


@pytest.mark.parametrize(
    ("counts", "extra", "phase", "dice_rolled"),
    [
        ((2, 0, 0, 0, 0, 0), FIGHTER, 3, 3),
        ((2, 1, 0, 0, 0, 0), CRUISER, 3, 2),
        ((0, 0, 1, 0, 0, 1), DREADNOUGHT, 1, 7),
        ((0, 0, 0, 0, 0, 1), DREADNOUGHT, 1, 4),
        ((0, 0, 0, 0, 0, 0), DREADNOUGHT, 1, 0),
    ],
)
def test_one_ship_rolls_an_extra_die(counts: dice.Counts, extra: int, phase: int, dice_rolled: int) -> None:
    assert len(dice.volley(counts, units(), phase, extra)) == dice_rolled


def test_some_units_hit_more_easily() -> None:
    assert dice.volley((0, 1, 0, 1, 0, 0), units(), 2, better={CRUISER: 3}) == (3, 3, 5, 5)


def test_a_die_hits_that_shows_enough() -> None:
    assert dice.hits((1, 4, 5, 6, 3), (5, 4, 5, 6, 4)) == 3


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        (FIGHTER, (0, 1, 1, 1, 1, 1)),
        (CRUISER, (1, 0, 1, 1, 1, 1)),
        (DREADNOUGHT, (1, 1, 0, 1, 1, 2)),
        (DAMAGED, (1, 1, 1, 1, 1, 0)),
        (EMPIRE, (1, 1, 1, 0, 1, 1)),
        (STARBASE, (1, 1, 1, 2, 0, 1)),
    ],
)
def test_what_a_hit_does(kind: int, after: dice.Counts) -> None:
    assert dice.suffer((1, 1, 1, 1, 1, 1), kind) == after


def test_dreadnoughts_and_starbases_take_two_hits() -> None:
    assert dice.capacity((2, 1, 1, 1, 1, 1)) == 2 + 1 + 2 + 1 + 2 + 1


@pytest.mark.parametrize(
    ("strengths", "expected"),
    [
        ((2, 0, 0), (0, 2)),
        ((2, 1, 0), (0, 1)),
        ((2, 2, 0), (-1, 0)),
        ((3, 2, 1), (0, 1)),
        ((1, 1, 4), (2, 3)),
        ((3, 3, 2), (-1, 0)),
        ((0, 0, 0), (-1, 0)),
    ],
)
def test_influence_is_removed_evenly_until_one_is_left(strengths: tuple[int, ...], expected: tuple[int, int]) -> None:
    assert outcome(strengths) == expected


def test_the_short_cut_agrees_with_removing_one_by_one() -> None:
    for a in range(5):
        for b in range(5):
            for c in range(5):
                left = [a, b, c]
                while sum(value > 0 for value in left) > 1:
                    left = [max(0, value - 1) for value in left]
                winner, rest = outcome((a, b, c))
                assert rest == max(left)
                assert winner == (left.index(max(left)) if max(left) else -1)
