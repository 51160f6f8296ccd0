"""Tokens, points and what ends the game (rule document, 5 and 6)."""

from __future__ import annotations

from engine.emperor.state import EMPIRE_TOKEN, HOME, NO_TOKEN, NOBODY, Emperor, ship_kind
from engine.emperor.terms import SHIPS, UNITS

__all__ = ["MOST_MARKS", "claim", "earn", "ending", "give_points", "names", "order", "release"]

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
    """Put an Empire token of the seat on a sector; ``how`` is told: explorer, colony-pods, warlord or battle."""
    g.sectors.owner[space], g.sectors.token[space] = seat, EMPIRE_TOKEN
    g.seats.reserve[seat] -= 1
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
    """Marks for a player, or for less than none from him."""
    g.seats.marks[seat] = min(MOST_MARKS, g.seats.marks[seat] + marks)


def ending(g: Emperor) -> str:
    """Why the game ends with this role: ``tokens`` or ``pool``; empty when it goes on.

    Influence in hand does not count: what matters is that every Empire token of a seat controls a sector.
    """
    tokens = g.const.numbers.empires[str(g.table.seats)]
    for seat in range(g.table.seats):
        if _placed(g, seat) >= tokens:
            return "tokens"
    return "pool" if g.round.pool <= 0 else ""


def _placed(g: Emperor, seat: int) -> int:
    """Empire tokens of a seat on the board."""
    return sum(owner == seat and token != HOME for owner, token in zip(g.sectors.owner, g.sectors.token, strict=True))


def ship_names(ships: list[int]) -> tuple[str, ...]:
    """The kinds of some ships, for telling."""
    kinds = [ship_kind(ship) for ship in ships]
    return tuple(UNITS[kind] for kind in SHIPS for _ in range(kinds.count(kind)))
