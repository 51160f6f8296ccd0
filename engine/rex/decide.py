# SPDX-License-Identifier: GPL-3.0-or-later
"""The winner of a battle and the leaders that die: a pure function of both plans (rule document, 5 battle; ruling
plasma)."""

from __future__ import annotations

from engine.core.dataclass import dataclass

__all__ = ["Outcome", "Plan", "decide"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One side. ``strength``: of its leader, 0 without one. ``attack``: "", "energy", "bio" or "plasma".

    ``defence``: "", "energy" or "bio". ``betrayed``: its leader has turned out to be a traitor.
    """

    dial: int
    strength: int = 0
    attack: str = ""
    defence: str = ""
    betrayed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """``winner``: side 0 or 1, -1 when both lose. ``killed``: whether each side's leader dies.

    ``treason``: the winner loses nothing. ``wiped``: nothing in the space survives.
    """

    winner: int
    killed: tuple[bool, bool]
    totals: tuple[int, int]
    treason: bool = False
    wiped: bool = False


def decide(plans: tuple[Plan, Plan], first: int) -> Outcome:
    """The outcome; ``first`` is the side earlier in turn order, which wins ties."""
    a, b = plans
    if a.betrayed or b.betrayed:
        winner = -1 if a.betrayed and b.betrayed else int(a.betrayed)
        return Outcome(winner, (a.betrayed, b.betrayed), (0, 0), treason=True)
    if "plasma" in (a.attack, b.attack) and "energy" in (a.defence, b.defence):
        return Outcome(-1, (True, True), (0, 0), wiped=True)
    killed = (_hits(b.attack, a.defence), _hits(a.attack, b.defence))
    totals = (_total(a, killed[0]), _total(b, killed[1]))
    winner = first if totals[0] == totals[1] else int(totals[1] > totals[0])
    return Outcome(winner, killed, totals)


def _hits(attack: str, defence: str) -> bool:
    return attack != "" and attack != defence


def _total(plan: Plan, killed: bool) -> int:
    return plan.dial + (0 if killed else plan.strength)
