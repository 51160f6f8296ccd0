# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves, deployments, relocations, Sol's leap, Xxcha's facing and shadow, recruits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from client.games.rex.bot.ground import Ground, best_leader
from client.games.rex.bot.land import Land
from client.games.rex.bot.outlook import odds
from client.games.rex.bot.worth import NUMBERS, last_round
from engine.core.cards import Lens
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.rex.city_map import units
from engine.rex.deployment import RELOCATE, Deploy, Shadow, deploy_price
from engine.rex.influence import STAY, Redeploy
from engine.rex.maneuver import DONE, MoveGroup, Turn
from engine.rex.recruitment import NOBODY_NEW, Recruit, units_price
from engine.rex.setup import PlaceUnits
from engine.rex.state import Rex


def place_units(view: View, wait: PlaceUnits, rng: Random) -> Value:
    """Place half of the remaining units in each space in turn, the strongholds first."""
    g: Rex = view.g
    empty = [id for id in wait.options(g) if not units(g, wait.seat, g.const.space_index[id])] or list(wait.options(g))
    best = max(empty, key=lambda id: (_footing(g, g.const.space_index[id]), id))
    others = [id for id in empty if id != best and g.const.space_index[id] in g.const.strongholds]
    return (best, -(-wait.left // 2) if others else wait.left)


def _footing(g: Rex, space: int) -> tuple[bool, bool]:
    return space in g.const.strongholds, g.const.spaces[space].shielded


# Moves


def _amounts(options: Sequence[Value]) -> Sequence[Value]:
    """The greatest, a middle and a small amount."""
    most = len(options) - 1
    return [options[at] for at in sorted({0, 1, most // 2, most - 1, most} & set(range(most + 1)))]


def groups(g: Rex, wait: Choose[Any], so_far: tuple[Value, ...]) -> list[tuple[Value, ...]]:
    """The answers after a start and a goal: some normal units, with the most possible Mechanized ones."""
    made: list[tuple[Value, ...]] = []
    for normal in _amounts(wait.options(g, None, so_far)):
        rest = wait.options(g, None, (*so_far, normal))
        made.append((*so_far, normal, rest[-1]) if rest else (*so_far, normal))
    return made


def _power(g: Rex, counts: Sequence[int]) -> int:
    normal, mech = (*counts, 0)[:2]
    return normal + g.const.numbers.mechanized_strength * mech


Gain = tuple[float, tuple[Value, ...]]
"""What an answer gains, and the answer."""


def _marches(land: Land, wait: Choose[Any]) -> Iterator[Gain]:
    """All moves of a group, and to stay."""
    g: Rex = land.g
    yield NUMBERS["worthwhile"], (STAY,)
    for start in wait.options(g):
        if start == STAY:
            continue
        for to in wait.options(g, None, (start,)):
            for answer in groups(g, wait, (start, to)):
                yield land.shift(g.const.space_index[start], g.const.space_index[to], _power(g, answer[2:])), answer


def weigh(view: View, wait: Choose[Any]) -> list[Gain]:
    """The gain of each move, the best first, without what the lens of the seat knows; none at other questions."""
    return _apart(_marches(Land.of(view.g, wait.seat, Lens()), wait)) if isinstance(wait, MoveGroup) else []


def compared(view: View, wait: Choose[Any]) -> list[Gain]:
    """As `weigh`, with what the seat alone knows; of deployments too."""
    match wait:
        case MoveGroup():
            return _apart(_marches(Land.of(view.g, wait.seat, view.lens), wait))
        case Deploy():
            held = view.g.seats.influence[wait.seat]
            return _apart(_deployments(Land.of(view.g, wait.seat, view.lens), wait, held))
    return []


def _apart(gains: Iterable[Gain]) -> list[Gain]:
    """The best number of units for each way to go, the best first."""
    best: dict[tuple[Value, ...], Gain] = {}
    for gain, answer in gains:
        way = tuple(part for part in answer if isinstance(part, str))
        best[way] = max(best.get(way, (gain, answer)), (gain, answer))
    return sorted(best.values(), reverse=True)


def march_gain(view: View) -> float:
    """The gain of another move now."""
    land = Land.of(view.g, view.seat, view.lens)
    return max(_marches(land, MoveGroup(view.seat)))[0]


def move(view: View, wait: MoveGroup, rng: Random) -> Value:
    """Move the group with the greatest gain, if it is worthwhile."""
    return max(_marches(Land.of(view.g, wait.seat, view.lens), wait))[1]


# Deployments


def deploy(view: View, wait: Deploy, rng: Random) -> Value:
    """Deploy where units are worth more than the price; Hacan and its allies compare with a relocation."""
    g: Rex = view.g
    return max(_deployments(Land.of(g, wait.seat, view.lens), wait, g.seats.influence[wait.seat]))[1]


def _deployments(land: Land, wait: Deploy, held: int) -> Iterator[Gain]:
    """All deployments, the best relocation, and to do nothing."""
    g: Rex = land.g
    yield NUMBERS["worthwhile"], (DONE,)
    for what in wait.options(g):
        if what == RELOCATE:
            yield _best_relocation(land, wait, held)
        elif what != DONE:
            space = g.const.space_index[what]
            kept = (
                NUMBERS["kept"]
                if space in g.const.strongholds and not land.ground.foes(wait.seat, space)
                else NUMBERS["chest"]
            )
            for answer in groups(g, wait, (what,)):
                count, power = sum(answer[1:]), _power(g, answer[1:])
                cost = _cost(g, held, deploy_price(g, wait.seat, space, count), power, kept)
                yield land.gain(space, power) - cost, answer


def _best_relocation(land: Land, wait: Deploy, held: int) -> tuple[float, tuple[Value, ...]]:
    g: Rex = land.g
    best: tuple[float, tuple[Value, ...]] = (0.0, (DONE,))
    for start in wait.options(g, None, (RELOCATE,)):
        for to in wait.options(g, None, (RELOCATE, start)):
            for answer in groups(g, wait, (RELOCATE, start, to)):
                gain = land.shift(g.const.space_index[start], g.const.space_index[to], _power(g, answer[3:]), last=True)
                paid = sum(answer[3:]) * g.const.numbers.relocate_price
                best = max(best, (gain - _cost(g, held, paid), answer))
    return best


def _cost(g: Rex, held: int, paid: int, power: int = 0, kept: float | None = None) -> float:
    """The cost of paying influence and of taking this strength from the reserves: influence that should be kept counts
    double, a large hoard almost nothing, and in the last round nothing counts.
    """
    if last_round(g):
        return 0.0
    kept = NUMBERS["kept"] if kept is None else kept
    each = 0.7 * NUMBERS["coin"] * min(1.0, NUMBERS["plenty"] / max(1, held))
    return each * paid + 0.7 * NUMBERS["coin"] * max(0, kept - (held - paid)) + NUMBERS["reserve"] * power


def redeploy(view: View, wait: Redeploy, rng: Random) -> Value:
    """Sol's leap out of a struck space: to a space where its units are worth more; the strike does not hurt them."""
    g: Rex = view.g
    land, start = Land.of(g, wait.seat, view.lens), g.const.space_index[wait.space]
    best: tuple[float, tuple[Value, ...]] = (NUMBERS["worthwhile"], (STAY,))
    here = units(g, wait.seat, start)
    for to in wait.options(g, None, (here,)):
        best = max(best, (land.shift(start, g.const.space_index[to], here), (here, to)))
    return best[1]


# Xxcha


def turn(view: View, wait: Turn, rng: Random) -> Value:
    """Turn stacks face down where they would lose a battle, and face up elsewhere."""
    g: Rex = view.g
    ground = Ground.of(g)
    picks: list[Value] = []
    for id in wait.options(g):
        if id == DONE:
            continue
        space = g.const.space_index[id]
        lost = _outmatched(ground, wait.seat, space)
        if bool(g.board.hidden[space]) != lost:
            picks.append(id)
    return (*picks, DONE)


def _outmatched(ground: Ground, seat: int, space: int) -> bool:
    there = ground.foes(seat, space)
    theirs = sum(ground.power[other][space] for other in there)
    rival = max((ground.leaders[other] for other in there), default=0)
    return odds(units(ground.g, seat, space), ground.leaders[seat], theirs, rival) < 0.35


def shadow(view: View, wait: Shadow, rng: Random) -> Value:
    """Place a free unit in a space without a fight."""
    return "yes"


# Recruits


def recruit(view: View, wait: Recruit, rng: Random) -> Value:
    """Recruit what is free, then more units and a leader with the spare influence, the leader first if none is left."""
    g: Rex = view.g
    held = g.seats.influence[wait.seat]
    wanted = _leader_price(g, wait) if not best_leader(g, wait.seat) else 0
    picks: tuple[Value, ...] = ()
    if wait.mechanized:
        first = wait.options(g)
        free = g.const.factions[g.seats.faction[wait.seat]].free_recruits
        picks = (min(first[-1], max(0, free - 1)),)
        picks = (*picks, wait.options(g, None, picks)[-1])
    else:
        room = [n for n in wait.options(g) if held - units_price(g, wait.seat, n) >= _keep(g, wait.seat, n, wanted)]
        picks = (room[-1] if room else wait.options(g)[0],)
    left = held - units_price(g, wait.seat, sum(picks))
    leaders = [id for id in wait.options(g, None, picks) if id != NOBODY_NEW]
    affordable = [
        id for id in leaders if left - _strength(g, id) >= NUMBERS["kept"] or (wanted and _strength(g, id) == wanted)
    ]
    return (*picks, max(affordable, key=lambda id: (_strength(g, id), id), default=NOBODY_NEW))


def _keep(g: Rex, seat: int, count: int, wanted: int) -> float:
    """The influence to keep when this many units are recruited; free units need none."""
    return 0 if not units_price(g, seat, count) else wanted + 3 * NUMBERS["kept"]


def _leader_price(g: Rex, wait: Recruit) -> int:
    prices = [_strength(g, id) for id in wait.options(g, None, (0,) * (1 + bool(wait.mechanized))) if id != NOBODY_NEW]
    return max(prices, default=0)


def _strength(g: Rex, id: str) -> int:
    return g.const.leaders[g.const.leader_index[id]].strength


ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {
    PlaceUnits: place_units,
    MoveGroup: move,
    Deploy: deploy,
    Redeploy: redeploy,
    Turn: turn,
    Shadow: shadow,
    Recruit: recruit,
}
