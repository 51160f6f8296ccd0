"""The outcome of a battle as a table: both plans, who is first in turn order, and what follows."""

from __future__ import annotations

import pytest

from engine.rex.decide import Outcome, Plan, decide

BOTH_LIVE = (False, False)


@pytest.mark.parametrize(
    ("plans", "first", "outcome"),
    [
        ((Plan(5, 3), Plan(4, 3)), 1, Outcome(0, BOTH_LIVE, (8, 7))),
        ((Plan(0, 6), Plan(5, 0)), 1, Outcome(0, BOTH_LIVE, (6, 5))),
        ((Plan(5, 2), Plan(2, 5)), 0, Outcome(0, BOTH_LIVE, (7, 7))),
        ((Plan(5, 2), Plan(2, 5)), 1, Outcome(1, BOTH_LIVE, (7, 7))),
        ((Plan(3, 4, "energy"), Plan(3, 5)), 1, Outcome(0, (False, True), (7, 3))),
        ((Plan(3, 4, "energy"), Plan(3, 5, "", "energy")), 1, Outcome(1, BOTH_LIVE, (7, 8))),
        ((Plan(3, 4, "energy"), Plan(3, 5, "", "bio")), 1, Outcome(0, (False, True), (7, 3))),
        ((Plan(3, 4, "bio"), Plan(3, 5, "", "bio")), 1, Outcome(1, BOTH_LIVE, (7, 8))),
        ((Plan(3, 4, "bio"), Plan(3, 5, "", "energy")), 1, Outcome(0, (False, True), (7, 3))),
        ((Plan(3, 4, "bio"), Plan(4, 5, "energy")), 0, Outcome(1, (True, True), (3, 4))),
        ((Plan(3, 4, "plasma"), Plan(3, 5, "", "bio")), 1, Outcome(0, (False, True), (7, 3))),
        ((Plan(3, 4, "plasma"), Plan(9, 5, "", "energy")), 1, Outcome(-1, (True, True), (0, 0), wiped=True)),
        ((Plan(3, 4, "plasma", "energy"), Plan(9, 5)), 1, Outcome(-1, (True, True), (0, 0), wiped=True)),
        ((Plan(0, 4, betrayed=True), Plan(0, 1)), 0, Outcome(1, (True, False), (0, 0), treason=True)),
        ((Plan(9, 4, "energy"), Plan(0, 1, betrayed=True)), 1, Outcome(0, (False, True), (0, 0), treason=True)),
        ((Plan(9, 4, betrayed=True), Plan(9, 4, betrayed=True)), 0, Outcome(-1, (True, True), (0, 0), treason=True)),
        ((Plan(9, 4, "plasma", betrayed=True), Plan(1, 1, "", "energy")), 0, Outcome(1, (True, False), (0, 0), True)),
        ((Plan(0), Plan(0)), 1, Outcome(1, BOTH_LIVE, (0, 0))),
    ],
)
def test_a_battle_is_decided_by(plans: tuple[Plan, Plan], first: int, outcome: Outcome) -> None:
    assert decide(plans, first) == outcome


@pytest.mark.parametrize("first", [0, 1])
def test_sides_are_alike(first: int) -> None:
    """Swapping the sides swaps the outcome."""
    kinds = [("", ""), ("energy", ""), ("", "energy"), ("bio", "energy"), ("energy", "bio"), ("plasma", "")]
    plans = [Plan(dial, 4, *cards, betrayed) for dial in (0, 3) for cards in kinds for betrayed in (False, True)]
    for a in plans:
        for b in plans:
            here, there = decide((a, b), first), decide((b, a), 1 - first)
            assert here.killed == there.killed[::-1]
            assert here.totals == there.totals[::-1]
            assert here.winner == (-1 if there.winner < 0 else 1 - there.winner)
