# SPDX-License-Identifier: GPL-3.0-or-later
"""The battle that breaks a tie for the first place (rule document, 6 Victory; rulings of the tie)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.waits import Roll
from engine.emperor import dice, galaxy
from engine.emperor.combat import PHASES, choose_losses
from engine.emperor.control import order
from engine.emperor.scoring import points
from engine.emperor.state import NOBODY, Emperor, fleet_of, ship_kind
from engine.emperor.terms import UNITS

__all__ = ["SEGMENTS", "duellists"]


def duellists(g: Emperor) -> list[int]:
    """The two seats that fight: of those with most points the two with most sectors.

    Then by planets, Marks, and Direction order from the Throne's holder.
    """
    totals = [sum(value for _, value in points(g, seat)) for seat in range(g.table.seats)]
    leaders = [seat for seat in order(g, g.round.throne) if totals[seat] == max(totals)]
    leaders.sort(key=lambda seat: (-_sectors(g, seat), -galaxy.planets(g, seat), -g.seats.marks[seat]))
    return leaders[:2]


def _sectors(g: Emperor, seat: int) -> int:
    return len(galaxy.controlled(g, seat))


def tie(g: Emperor) -> None:
    """The opponents, with all ships on the board."""
    one, other = duellists(g)
    g.tell("duel/begins", seats=(one, other))
    muster(g, (one, other))
    g.then(["duel", one, other, 1, 1] if sum(fleet(g, one)) or sum(fleet(g, other)) else ["split", one, other])


def muster(g: Emperor, seats: Sequence[int]) -> None:
    """The whole fleets stand ready."""
    for seat in seats:
        for unit in range(len(UNITS)):
            g.seats.duel[seat, unit] = 0
        for ship in fleet_of(seat):
            g.seats.duel[seat, ship_kind(ship)] += g.ships.place[ship] != NOBODY


def fleet(g: Emperor, seat: int) -> dice.Counts:
    """Return the remaining ships of a fleet in this battle."""
    return tuple(row_of(g.seats.duel, seat))


def duel(g: Emperor, attacker: int, defender: int, phase: int, bout: int) -> Rule[None]:
    """One phase of fire: no tokens, technologies, extra die or retreat."""
    sides = (attacker, defender)
    if not all(sum(fleet(g, seat)) for seat in sides):
        end(g, attacker, defender, bout)
        return
    wanted = {seat: dice.volley(fleet(g, seat), g.const.units, phase) for seat in sides}
    if any(wanted.values()):
        needs = tuple(least for seat in sides for least in wanted[seat])
        rolled = yield from ask(Roll((6,) * len(needs), "fire"))
        owners = tuple(seat for seat in sides for _ in wanted[seat])
        g.tell("warlord/rolled", phase=phase, seats=owners, dice=rolled, needs=needs)
        split = len(wanted[attacker])
        landed = {
            defender: dice.hits(rolled[:split], wanted[attacker]),
            attacker: dice.hits(rolled[split:], wanted[defender]),
        }
        losses = yield from choose_losses({seat: (fleet(g, seat), landed[seat]) for seat in sides})
        for seat, picks in losses.items():
            suffer(g, seat, picks)
    g.then(["duel", attacker, defender, 1 + phase % PHASES, bout])


def suffer(g: Emperor, seat: int, picks: Sequence[str]) -> None:
    """Book the losses of a side; the ships on the board are not touched."""
    counts = fleet(g, seat)
    for pick in picks:
        counts = dice.suffer(counts, UNITS.index(pick))
    for unit, left in enumerate(counts):
        g.seats.duel[seat, unit] = left
    g.tell("duel/losses", seat=seat, units=tuple(picks))


def end(g: Emperor, one: int, other: int, bout: int) -> None:
    """One fleet is gone; when both are, the same fleets fight again, but not for ever."""
    left = [seat for seat in (one, other) if sum(fleet(g, seat))]
    if left:
        g.seats.crown[left[0]] = 1
        g.tell("duel/won", seat=left[0])
        g.then(["over"])
    elif bout < g.const.numbers.duels:
        muster(g, (one, other))
        g.then(["duel", one, other, 1, bout + 1])
    else:
        g.then(["split", one, other])


def split(g: Emperor, attacker: int, defender: int) -> None:
    """Without a winner in battle: more sectors, more Marks, or a shared victory."""
    worth = {seat: (_sectors(g, seat), g.seats.marks[seat]) for seat in (attacker, defender)}
    for seat, mine in worth.items():
        g.seats.crown[seat] = int(mine == max(worth.values()))
    g.tell("duel/split", seats=tuple(seat for seat in worth if g.seats.crown[seat]))
    g.then(["over"])


SEGMENTS = {"tie": tie, "duel": duel, "split": split}
"""Agenda items of this chapter."""
