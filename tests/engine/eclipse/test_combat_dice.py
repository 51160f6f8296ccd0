"""What hits, and which dice go to which ship."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.eclipse.combat.dice import BLANK, BURST, Foe, aim_by_rule, cheapest, hits, picks_for, walk
from engine.eclipse.terms import CRUISER, DREADNOUGHT, INTERCEPTOR, STARBASE

DREAD = Foe(ship=12, kind=DREADNOUGHT, shield=0, hull=3, damage=0)
CRUISE = Foe(ship=8, kind=CRUISER, shield=0, hull=1, damage=0)
BASE = Foe(ship=14, kind=STARBASE, shield=0, hull=2, damage=0)
SCOUT = Foe(ship=0, kind=INTERCEPTOR, shield=0, hull=0, damage=0)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("computer", range(5))
@pytest.mark.parametrize("shield", range(5))
def test_a_number_with_computers_less_shields_of_six_hits(face: int, computer: int, shield: int) -> None:
    expected = {BURST: True, BLANK: False}.get(face, face + computer - shield >= 6)
    assert hits(face, computer, shield) is expected


def test_a_burst_hits_the_best_shield_and_a_blank_misses_with_the_best_computer() -> None:
    assert hits(BURST, 0, 9)
    assert not hits(BLANK, 9, 0)


@pytest.mark.parametrize(
    ("damages", "need", "chosen"),
    [
        ((), 1, None),
        ((1, 1), 3, None),
        ((4,), 1, (0,)),
        ((4, 1), 1, (1,)),
        ((4, 1, 1), 2, (1, 2)),
        ((3, 2, 2, 1), 4, (1, 2)),
        ((4, 2, 2), 4, (0,)),
        ((3, 3), 4, (0, 1)),
    ],
)
def test_a_ship_is_destroyed_with_as_little_damage_as_does_it(
    damages: tuple[int, ...], need: int, chosen: tuple[int, ...] | None
) -> None:
    assert cheapest(damages, need) == chosen


@given(st.lists(st.integers(1, 4), max_size=8), st.integers(1, 12))
def test_no_choice_of_dice_destroys_with_a_smaller_sum(damages: list[int], need: int) -> None:
    sums = [sum(some) for size in range(len(damages) + 1) for some in combinations(damages, size) if sum(some) >= need]
    chosen = cheapest(damages, need)
    if chosen is None:
        assert not sums
    else:
        assert sum(damages[at] for at in chosen) == min(sums)
        assert len(dict.fromkeys(chosen)) == len(chosen)


@pytest.mark.parametrize(
    ("shots", "computer", "foes", "aims"),
    [
        # two hits of one damage: one destroys the interceptor, the other damages the dreadnought
        (((1, 6), (1, 6)), 0, (DREAD, SCOUT), (1, 0)),
        # the dreadnought can be destroyed: it is, though two smaller ships could be
        (((2, 6), (2, 6)), 0, (DREAD, CRUISE, SCOUT), (0, 0)),
        # what is left over after the largest goes to the next one
        (((4, 6), (2, 6), (1, 6)), 0, (DREAD, CRUISE, SCOUT), (0, 1, 2)),
        # a starbase comes after a cruiser and before an interceptor
        (((3, 6),), 0, (BASE, SCOUT), (0,)),
        # nothing can be destroyed: most damage to the largest
        (((1, 6), (1, 6)), 0, (DREAD, BASE), (0, 0)),
        # a die that only hits the unshielded ship goes there, and one that hits nothing is lost
        (((1, 5), (1, 2)), 1, (Foe(12, DREADNOUGHT, 1, 3, 0), SCOUT), (1, -1)),
        # damage from before counts
        (((1, 6), (1, 6)), 0, (Foe(12, DREADNOUGHT, 0, 3, 2), SCOUT), (0, 0)),
    ],
)
def test_ships_of_nobody_destroy_from_the_largest_to_the_smallest_and_damage_the_largest(
    shots: tuple[tuple[int, int], ...], computer: int, foes: tuple[Foe, ...], aims: tuple[int, ...]
) -> None:
    assert aim_by_rule(shots, computer, foes) == aims


def test_a_die_with_one_ship_to_hit_needs_no_choice() -> None:
    assert walk(((1, 6), (1, 6)), 0, (DREAD,), ()) == ((0, 0), {})


def test_equal_ships_are_one_choice() -> None:
    twins = (CRUISE, Foe(9, CRUISER, 0, 1, 0))
    assert walk(((1, 6), (1, 6)), 0, twins, ()) == ((0,), {(CRUISER, 1): 0, (CRUISER, 0): 1})


def test_a_ship_destroyed_by_an_earlier_die_is_no_target_any_more() -> None:
    aims, choices = walk(((2, 6), (1, 6)), 0, (CRUISE, SCOUT), [(CRUISER, 0)])
    assert (aims, choices) == ((0, 1), {})


def test_dice_beyond_the_last_ship_are_lost() -> None:
    assert walk(((4, 6), (4, 6)), 0, (SCOUT,), ()) == ((0, -1), {})


def test_a_shielded_ship_is_no_choice_for_a_die_that_misses_it() -> None:
    shielded = Foe(12, DREADNOUGHT, 2, 3, 0)
    assert walk(((1, 6), (1, 5)), 1, (shielded, CRUISE), [(DREADNOUGHT, 0)]) == ((0, 1), {})


FOE = st.builds(
    Foe,
    ship=st.integers(0, 99),
    kind=st.integers(0, 3),
    shield=st.integers(0, 2),
    hull=st.integers(1, 5),
    damage=st.integers(0, 1),
)
FOES = st.lists(FOE, min_size=1, max_size=5)
SHOTS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 6)), max_size=8)


@given(SHOTS, st.integers(0, 3), FOES)
def test_picks_by_the_rule_of_nobody_lead_to_an_assignment_of_every_die_that_can_hit(
    shots: list[tuple[int, int]], computer: int, foes: list[Foe]
) -> None:
    picks = picks_for(shots, computer, foes, aim_by_rule(shots, computer, foes))
    aims, choices = walk(shots, computer, foes, picks)
    assert not choices
    assert len(aims) == len(shots)
    dealt = [foe.damage for foe in foes]
    for (damage, face), aim in zip(shots, aims, strict=True):
        if aim < 0:
            alive = [foe for foe, taken in zip(foes, dealt, strict=True) if taken <= foe.hull]
            assert not any(hits(face, computer, foe.shield) for foe in alive)
        else:
            assert hits(face, computer, foes[aim].shield)
            assert dealt[aim] <= foes[aim].hull
            dealt[aim] += damage
