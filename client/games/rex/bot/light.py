# SPDX-License-Identifier: GPL-3.0-or-later
"""A light policy for Rex: rules of thumb that compute no chance of victory.

It is for playouts and as a member of a field. It bids, recruits, answers and commits cards like greedy, which costs
little, but moves and deploys to any stronghold that it is strong enough for, and dials half of what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from client.games.rex.bot import battle, council, march
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.rex.alliances import DONE as SAID
from engine.rex.alliances import AgreeToAlliance, Talk
from engine.rex.battle import PickBattle
from engine.rex.city_map import strength
from engine.rex.deployment import RELOCATE, Deploy
from engine.rex.influence import STAY
from engine.rex.maneuver import DONE, MoveGroup, Turn
from engine.rex.orders import Tell
from engine.rex.plans import INTENTS, PlanBattle
from engine.rex.state import Rex
from engine.rex.terms import NO
from engine.rex.windows import PlayCard

KEPT: Final = 3
"""Influence that is not spent on deployments."""


def _strongest_foe(g: Rex, seat: int, space: int) -> int:
    return max((strength(g, other, space) for other in range(g.table.seats) if other != seat), default=0)


def _open_goals(g: Rex, seat: int, ids: Sequence[Value], power: int) -> list[Value]:
    """Those of these spaces that are strongholds without an own unit and with weaker foes."""
    found = []
    for id in ids:
        space = g.const.space_index.get(id, -1)
        if space in g.const.strongholds and not strength(g, seat, space) and _strongest_foe(g, seat, space) < power:
            found.append(id)
    return found


def move(view: View, wait: MoveGroup, rng: Random) -> Value:
    """Move the largest group that holds no stronghold, or leave two units in one."""
    g, seat = view.g, wait.seat
    starts = [start for start in wait.options(g) if start != STAY]
    starts.sort(key=lambda start: -strength(g, seat, g.const.space_index[start]))
    for start in starts[:2]:
        space = g.const.space_index[start]
        power = strength(g, seat, space) - 2 * (space in g.const.strongholds)
        goals = _open_goals(g, seat, wait.options(g, None, (start,)), power)
        if goals and power > 0:
            return _counted(g, wait, (start, goals[rng.randrange(len(goals))]), power)
    return (STAY,)


def _counted(g: Rex, wait: Choose[Any], so_far: tuple[Value, ...], most: int) -> tuple[Value, ...]:
    """An answer with as many units as this, of each kind."""
    while options := wait.options(g, None, so_far):
        fitting = [count for count in options if count <= most]
        so_far = (*so_far, fitting[-1] if fitting else options[0])
        most -= so_far[-1]
    return so_far


def deploy(view: View, wait: Deploy, rng: Random) -> Value:
    """Deploy into an own or an open stronghold."""
    g, seat = view.g, wait.seat
    spare = g.seats.influence[seat] - KEPT
    ids = [id for id in wait.options(g) if id not in (DONE, RELOCATE)]
    power = g.seats.reserve[seat] if g.const.factions[g.seats.faction[seat]].home_sectors else spare
    goals = _open_goals(g, seat, ids, power)
    own = [id for id in ids if g.const.space_index[id] in g.const.strongholds and id not in goals]
    held = [id for id in own if strength(g, seat, g.const.space_index[id])]
    if power <= 0 or not (goals or held):
        return (DONE,)
    some = goals or held
    return _counted(g, wait, (some[rng.randrange(len(some))],), power)


def plan(view: View, wait: PlanBattle, rng: Random) -> Value:
    """Half of the units, the strongest leader, and all cards that serve."""
    g: Rex = view.g
    dials = wait.options(None, view.lens)
    dial = dials[len(dials) // 2]
    leaders = wait.options(None, view.lens, (dial,))

    def power(leader: Value) -> int:
        at = g.const.leader_index.get(leader) if isinstance(leader, str) else None
        return -1 if at is None else g.const.leaders[at].strength

    leader = max(leaders, key=power)
    intents = wait.options(None, view.lens, (dial, leader))
    return (dial, leader, max(intents, key=lambda intent: len(INTENTS[intent])))


def _say(value: Value) -> Callable[[View, Any, Random], Value]:
    return lambda view, wait, rng: value


def first(view: View, wait: Choose[Any], rng: Random) -> Value:
    """The first option."""
    return wait.options(view.g, view.lens)[0]


ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {
    **council.ANSWERS,
    **march.ANSWERS,
    **battle.ANSWERS,
    Talk: _say((SAID,)),
    AgreeToAlliance: _say("yes"),
    PlayCard: _say((NO,)),
    MoveGroup: move,
    Deploy: deploy,
    Turn: _say((DONE,)),
    PickBattle: first,
    PlanBattle: plan,
    Tell: first,
}


def answer(view: View, wait: Choose[Any], rng: Random) -> Value:
    """The answer to one wait; the caretaker's if there is no rule for it."""
    think = ANSWERS.get(type(wait))
    value: Value = wait.caretaker(view.g) if think is None else think(view, wait, rng)
    return value
