# SPDX-License-Identifier: GPL-3.0-or-later
"""The chances of a battle of Galactic Emperor, before it and during it, computed with the fire and losses of the rules:
nobody retreats, no die is rerolled, and each side takes its losses as the caretaker does, the least valuable first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, cycle, islice
from types import MappingProxyType
from typing import Final, NamedTuple

from client.show.battles import possible, share_text
from client.show.document import Document, Note
from client.show.draws import together
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.ids import Seat
from engine.emperor import dice, galaxy
from engine.emperor.combat import PHASES, Losses, count
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.tables import Unit
from engine.emperor.terms import CRUISER, UNITS

FACES: Final = 6
UNDECIDED: Final = 1e-6
"""A share of battles that is too small to follow further."""
MOST_UNITS: Final = 12
"""Most units in a coming battle whose chances are computed for every possible step."""
MOST: Final = 200
"""Most phases computed: units that never hit would fight for ever."""

State = tuple[dice.Counts, int, dice.Counts, int]
"""The attacker's units and the hits that it can still cancel, and the same of the defender."""
Needs = tuple[int, ...]
"""The least face that hits, for each die."""


class Side(NamedTuple):
    """One side of a battle.

    Attributes:
        counts: the number of units by kind.
        shield: how many of the first hits are cancelled.
        extra: the kind of which one ship rolls an additional die, -1 for none.
        better: the kinds that hit more easily, with their least faces.
    """

    counts: dice.Counts
    shield: int = 0
    extra: int = NOBODY
    better: Mapping[int, int] = MappingProxyType({})


def coming(g: Emperor, seat: int, space: int, more: int = NOBODY) -> list[tuple[int, float]]:
    """The seats that a seat would fight in a space, each with its chance to win if nobody uses a technology or an
    additional die. more: the kind of a ship that comes in addition. Empty with too many units."""
    mine = tuple(n + (kind == more) for kind, n in enumerate(count(g, seat, space)))
    found = []
    for foe in galaxy.foes(g, Seat(seat), space):
        theirs = count(g, foe, space)
        if any(mine) and sum(mine) + sum(theirs) <= MOST_UNITS:
            found.append((foe, _wins(tuple(g.const.units), mine, theirs)))
    return found


@lru_cache(512)
def _wins(units: tuple[Unit, ...], mine: dice.Counts, theirs: dice.Counts) -> float:
    return chances(units, Side(mine), Side(theirs))[0]


def outlook(frame: Frame, seat: int) -> Document:
    """The coming battles of a seat: against whom, and its chance to win."""
    g: Emperor = frame.g
    return [
        Note(
            _("Battle at {space} with {name}: you win {chance}").format(
                space=g.const.spaces[space], name=frame.names[foe], chance=share_text(wins)
            )
        )
        for space in range(len(g.const.spaces))
        if g.battle.site == NOBODY and galaxy.fleet(g, seat, space)
        for foe, wins in coming(g, seat, space)
    ]


def side_of(g: Emperor, seat: int) -> Side:
    """A side of the present battle."""
    now = g.battle
    shield = help_of(g, SHIELDS) if now.helped[SHIELDS] == seat else 0
    better = {CRUISER: help_of(g, TARGETING)} if now.helped[TARGETING] == seat else {}
    return Side(count(g, seat, now.site), shield, now.extra if seat == now.attacker else NOBODY, better)


def help_of(g: Emperor, at: int) -> int:
    """The effect of a technology that helps in battle. at: `TARGETING` or `SHIELDS`."""
    name = {TARGETING: "targeting-computers", SHIELDS: "deflector-shields"}[at]
    return int(g.const.technologies[g.const.with_effect[name][0]].amount)


def chances(
    units: Sequence[Unit], attacker: Side, defender: Side, free: Needs = (), first: int = 1
) -> tuple[float, float]:
    """The chances that the attacker wins, and that the defender wins.

    free: the least faces for the dice of ships that warped, which fire once before the battle.
    first: the next phase.
    """
    if not any(attacker.counts) or not any(defender.counts):
        return float(any(attacker.counts)), float(any(defender.counts))
    open_: dict[State, float] = {(attacker.counts, attacker.shield, defender.counts, defender.shield): 1.0}
    wins, loses, rest = 0.0, 0.0, 1.0
    phases = islice(cycle(range(1, PHASES + 1)), first - 1, None)
    for phase in islice(chain([0] if free else [], phases), MOST):
        following: defaultdict[State, float] = defaultdict(float)
        for state, share in open_.items():
            mine, _, theirs, _ = state
            ours = dice.volley(mine, units, phase, attacker.extra, attacker.better) if phase else free
            back = dice.volley(theirs, units, phase, defender.extra, defender.better) if phase else ()
            for after, chance in _exchange(state, ours, back):
                following[after] += share * chance
        wins += sum(share for (mine, _, theirs, _), share in following.items() if any(mine) and not any(theirs))
        loses += sum(share for (mine, _, theirs, _), share in following.items() if any(theirs) and not any(mine))
        open_ = {state: share for state, share in following.items() if any(state[0]) and any(state[2])}
        rest = sum(open_.values())
        if rest < UNDECIDED:
            break
    unsure = (wins and loses) or 0 < rest < UNDECIDED
    return (possible(wins), possible(loses)) if unsure else (wins, loses)


def _exchange(state: State, ours: Needs, back: Needs) -> Iterator[tuple[State, float]]:
    """The states after both sides have fired at the same time, with their chances."""
    mine, my_shield, theirs, their_shield = state
    for scored, chance in enumerate(_hits(ours)):
        for suffered, other in enumerate(_hits(back)):
            lost, my_rest = _landed(suffered, my_shield)
            dealt, their_rest = _landed(scored, their_shield)
            yield (left(mine, lost), my_rest, left(theirs, dealt), their_rest), chance * other


def _landed(hits: int, shield: int) -> tuple[int, int]:
    """The hits that count, and the hits that the shield can still cancel: it works once."""
    return (max(0, hits - shield), 0) if hits else (0, shield)


@cache
def _hits(needs: Needs) -> tuple[float, ...]:
    found = {0: 1.0}
    for least in needs:
        hit = (FACES + 1 - least) / FACES
        found = together(found, {0: 1 - hit, 1: hit})
    return tuple(found.values())


@cache
def left(counts: dice.Counts, hits: int) -> dice.Counts:
    """The units left after the caretaker has assigned these hits."""
    for pick in Losses(Seat(0), counts, min(hits, dice.capacity(counts))).caretaker(None):
        counts = dice.suffer(counts, UNITS.index(pick))
    return counts
