"""What hits, and which dice go to which ship."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.eclipse.combat.dice import BLANK, BURST, Foe, Shot, aim_by_rule, hits, picks_for, walk
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
        # the number that hits both is kept for the ship that the other one misses
        (((1, 6), (1, 4)), 2, (Foe(12, DREADNOUGHT, 0, 3, 3), Foe(0, INTERCEPTOR, 2, 0, 0)), (1, 0)),
        # more damage than needed on the first, where that is what destroys the second as well
        (((3, 4), (2, 6)), 2, (Foe(8, CRUISER, 0, 1, 0), Foe(0, INTERCEPTOR, 2, 0, 0)), (0, 1)),
        # as little damage as does it, of equal sums the fewest dice
        (((4, 6), (1, 6)), 0, (SCOUT,), (-1, 0)),
        (((4, 6), (2, 6), (2, 6)), 0, (DREAD,), (0, -1, -1)),
        (((3, 6), (2, 6), (2, 6), (1, 6)), 0, (DREAD, DREAD), (1, 0, 0, 1)),
        # of equal dice the one that hits less destroys, the other goes to the largest survivor
        (((1, 6), (1, 4)), 2, (Foe(12, DREADNOUGHT, 2, 3, 0), SCOUT), (0, 1)),
    ],
)
def test_ships_of_nobody_destroy_from_the_largest_to_the_smallest_and_damage_the_largest(
    shots: tuple[tuple[int, int], ...], computer: int, foes: tuple[Foe, ...], aims: tuple[int, ...]
) -> None:
    assert aim_by_rule(shots, computer, foes) == aims


def outcome(
    shots: Sequence[Shot], computer: int, foes: Sequence[Foe], aims: Sequence[int]
) -> tuple[tuple[bool, ...], int, int, tuple[int, ...]] | None:
    """What an assignment does, the greater the better: the ships destroyed, largest first, the damage and the dice
    saved, and the damage on those that survive. None for one that no rule allows.
    """
    taken = [0] * len(foes)
    for (points, face), aim in zip(shots, aims, strict=True):
        if aim >= 0:
            if not hits(face, computer, foes[aim].shield):
                return None
            taken[aim] += points
    gone = tuple(foe.damage + points > foe.hull for foe, points in zip(foes, taken, strict=True))
    spent = [points for (points, _), aim in zip(shots, aims, strict=True) if aim >= 0 and gone[aim]]
    return gone, -sum(spent), -len(spent), tuple(0 if dead else on for on, dead in zip(taken, gone, strict=True))


def best_and_by_rule(shots: Sequence[Shot], computer: int, foes: Sequence[Foe]) -> tuple[object, object]:
    """What the best of all assignments destroys, and what the one by rule does."""
    chosen = outcome(shots, computer, foes, aim_by_rule(shots, computer, foes))
    every = product(range(-1, len(foes)), repeat=len(shots))
    found = [done for aims in every if (done := outcome(shots, computer, foes, aims)) is not None]
    return max(found), chosen


PREY = (Foe(12, DREADNOUGHT, 0, 3, 3), Foe(0, INTERCEPTOR, 2, 0, 0))


@pytest.mark.parametrize(
    ("dice", "computer", "foes"),
    [
        (3, 2, PREY),
        (4, 2, PREY),
        (2, 1, (Foe(8, CRUISER, 1, 1, 1), Foe(14, STARBASE, 0, 2, 2), Foe(0, INTERCEPTOR, 2, 0, 0))),
        (4, 1, (Foe(12, DREADNOUGHT, 1, 3, 2), Foe(8, CRUISER, 0, 1, 0), Foe(9, CRUISER, 0, 1, 1))),
    ],
)
def test_no_roll_of_a_ship_of_nobody_is_spent_better_than_by_its_rule(
    dice: int, computer: int, foes: tuple[Foe, ...]
) -> None:
    for faces in product(range(1, 7), repeat=dice):
        best, by_rule = best_and_by_rule([(1, face) for face in faces], computer, foes)
        assert by_rule == best


def test_a_guardian_with_a_number_for_each_of_two_ships_destroys_both() -> None:
    """6 4 1 at a computer of 2: the 4 does for the damaged dreadnought, and the 6 for the interceptor with shields."""
    faces = list(product(range(1, 7), repeat=3))
    both = [roll for roll in faces if set(aim_by_rule([(1, face) for face in roll], 2, PREY)) >= {0, 1}]
    able = [roll for roll in faces if 6 in roll and sum(face >= 4 for face in roll) >= 2]
    assert (6, 4, 1) in both
    assert both == able


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


@given(SHOTS.map(lambda shots: shots[:5]), st.integers(0, 3), FOES.map(lambda foes: foes[:4]))
def test_no_assignment_is_better_than_that_by_the_rule_of_nobody(
    shots: list[tuple[int, int]], computer: int, foes: list[Foe]
) -> None:
    best, by_rule = best_and_by_rule(shots, computer, foes)
    assert by_rule == best


@given(SHOTS, st.integers(0, 3), st.lists(st.sampled_from((DREAD, CRUISE, BASE, SCOUT)), min_size=1, max_size=6))
def test_picks_by_the_rule_of_nobody_destroy_what_its_aims_destroy(
    shots: list[tuple[int, int]], computer: int, foes: list[Foe]
) -> None:
    aims = aim_by_rule(shots, computer, foes)
    followed, _ = walk(shots, computer, foes, picks_for(shots, computer, foes, aims))
    planned, done = outcome(shots, computer, foes, aims), outcome(shots, computer, foes, followed)
    assert planned is not None
    assert done is not None
    assert sorted(foe.kind for foe, gone in zip(foes, planned[0], strict=True) if gone) == sorted(
        foe.kind for foe, gone in zip(foes, done[0], strict=True) if gone
    )


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
