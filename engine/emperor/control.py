# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens, points and what ends the game (rule document, 5 and 6)."""

from __future__ import annotations

from engine.emperor.state import EMPIRE_TOKEN, NO_TOKEN, NOBODY, STARBASE_TOKEN, Emperor, ship_kind
from engine.emperor.terms import SHIPS, UNITS

__all__ = [
    "MOST_MARKS",
    "all_placed",
    "claim",
    "earn",
    "ending",
    "give_points",
    "names",
    "note_last",
    "order",
    "release",
]

MOST_MARKS = 9999
"""No player can hold more; only a table's own content could ever lead so far."""


def order(g: Emperor, start: int) -> list[int]:
    """Every seat in Direction order, beginning with one."""
    n = g.table.seats
    return [(start + step * g.round.direction) % n for step in range(n)]


def names(g: Emperor, *spaces: int) -> tuple[str, ...]:
    """The names of spaces."""
    return tuple(g.const.spaces[space] for space in spaces)


def claim(g: Emperor, seat: int, space: int, how: str) -> None:
    """Put an Empire token of the seat on a sector. ``how``: explorer, colony-pods, warlord or battle, for the
    event."""
    g.sectors.owner[space], g.sectors.token[space] = seat, EMPIRE_TOKEN
    g.seats.reserve[seat] -= 1
    note_last(g)
    g.tell("control/claimed", seat=seat, space=g.const.spaces[space], how=how, reserve=g.seats.reserve[seat])


def release(g: Emperor, space: int) -> None:
    """Take the token off a sector, back to its owner's reserve; what else lies there stays."""
    g.seats.reserve[g.sectors.owner[space]] += 1
    g.sectors.owner[space], g.sectors.token[space] = NOBODY, NO_TOKEN


def give_points(g: Emperor, seat: int, points: int) -> None:
    """Points from the pool; when it is empty they are given all the same."""
    g.seats.vp[seat] += points
    g.round.pool -= points


def earn(g: Emperor, seat: int, marks: int) -> None:
    """Add `marks`, which may be negative, to the seat's Marks, up to MOST_MARKS."""
    g.seats.marks[seat] = min(MOST_MARKS, g.seats.marks[seat] + marks)


def ending(g: Emperor) -> str:
    """Why the game ends with this role: ``tokens`` or ``pool``; empty when it goes on."""
    if g.round.last:
        return "tokens"
    return "pool" if g.round.pool <= 0 else ""


def note_last(g: Emperor) -> None:
    """Note that a player has placed the last Empire token. The game ends even if the token is lost again."""
    if all_placed(g):
        g.round.last = 1


def all_placed(g: Emperor) -> bool:
    """True if every Empire token of some seat controls a sector now; influence in hand does not count."""
    tokens = g.const.numbers.empires[str(g.table.seats)]
    pairs = zip(g.sectors.owner, g.sectors.token, strict=True)
    held = [owner for owner, token in pairs if token in (EMPIRE_TOKEN, STARBASE_TOKEN)]
    return any(held.count(seat) == tokens for seat in range(g.table.seats))


def ship_names(ships: list[int]) -> tuple[str, ...]:
    """The kinds of some ships, for telling."""
    kinds = [ship_kind(ship) for ship in ships]
    return tuple(UNITS[kind] for kind in SHIPS for _ in range(kinds.count(kind)))
