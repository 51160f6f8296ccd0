# SPDX-License-Identifier: GPL-3.0-or-later
"""The map: positions of units, control, alliances, and the distance that a group can move.

Source: rule document, 2 and 5 (maneuvering); ruling control.
"""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.registry import Side
from engine.rex.state import AVAILABLE, CAPTURED, NOBODY, Rex

__all__ = [
    "allied",
    "available_leaders",
    "bombarded",
    "controller",
    "controls",
    "faces",
    "faction",
    "gather",
    "members",
    "reach",
    "scatter",
    "seat_of",
    "settleable",
    "shielded",
    "sides",
    "strength",
    "turn_order",
    "units",
]


def faction(g: Rex, seat: int) -> str:
    """The id of a seat's faction; "" before it has one."""
    at = g.seats.faction[seat]
    return g.const.factions[at].id if at >= 0 else ""


def seat_of(g: Rex, id: str) -> int:
    """The seat that plays a faction; NOBODY when none does."""
    at = g.const.faction_index[id]
    return next((seat for seat in range(g.table.seats) if g.seats.faction[seat] == at), NOBODY)


def turn_order(g: Rex) -> tuple[int, ...]:
    """All seats, clockwise from the holder of the first-player token."""
    n = g.table.seats
    return tuple((g.round.first + step) % n for step in range(n))


def members(g: Rex, seat: int) -> tuple[int, ...]:
    """The seats of an alliance, ascending; a seat without allies alone."""
    alliance = g.seats.alliance[seat]
    if not alliance:
        return (seat,)
    return tuple(other for other in range(g.table.seats) if g.seats.alliance[other] == alliance)


def allied(g: Rex, seat: int, other: int) -> bool:
    """True if two different seats are allies."""
    return seat != other and g.seats.alliance[seat] != 0 and g.seats.alliance[seat] == g.seats.alliance[other]


def sides(g: Rex) -> tuple[Side, ...]:
    """The faction of each seat, and its allies."""
    seats = range(g.table.seats)
    return tuple(
        Side(faction(g, seat), tuple(Seat(other) for other in seats if allied(g, seat, other))) for seat in seats
    )


def units(g: Rex, seat: int, space: int) -> int:
    """Return the number of all units of a seat in a space, Mechanized and face-down ones included."""
    board, at = g.board, (seat, space)
    return board.units[at] + board.mech[at]


def faces(g: Rex, seat: int, space: int) -> int:
    """The face-up units of a seat in a space."""
    board, at = g.board, (seat, space)
    if board.hidden[space] and faction(g, seat) == "xxcha":
        return 0
    return board.units[at] + board.mech[at]


def strength(g: Rex, seat: int, space: int) -> int:
    """Battle strength of the face-up units of a seat in a space."""
    if not faces(g, seat, space):
        return 0
    board, at = g.board, (seat, space)
    return board.units[at] + g.const.numbers.mechanized_strength * board.mech[at]


def controller(g: Rex, space: int) -> int:
    """Return the only seat with face-up units in a space, NOBODY in the Galactic Council."""
    if space == g.const.hub:
        return NOBODY
    there = [seat for seat in range(g.table.seats) if faces(g, seat, space)]
    return there[0] if len(there) == 1 else NOBODY


def controls(g: Rex, seat: int) -> tuple[int, ...]:
    """The spaces that a seat controls."""
    return tuple(space for space in range(len(g.const.spaces)) if controller(g, space) == seat)


def bombarded(g: Rex, space: int) -> bool:
    """True if the fleet hangs over the space."""
    return space != g.const.hub and g.const.spaces[space].sector == g.round.fleet


def shielded(g: Rex, space: int) -> bool:
    """True if bombardment spares the space."""
    return g.const.spaces[space].shielded and not g.board.broken[space]


def settleable(g: Rex, seat: int, space: int) -> bool:
    """True if units of the seat may stay in a space: not under the fleet, and not with an ally except in the hub."""
    if bombarded(g, space):
        return False
    if space == g.const.hub or not g.seats.alliance[seat]:
        return True
    return not any(units(g, other, space) for other in range(g.table.seats) if allied(g, seat, other))


def reach(g: Rex, start: int, steps: int, *, fleet: bool = True) -> tuple[int, ...]:
    """Return the spaces that a group can reach by roads, ascending; bombarded sectors are closed.

    ``fleet`` False: as if no fleet were there.
    """
    closed = [at for at in range(len(g.const.spaces)) if fleet and bombarded(g, at)]
    if start in closed:
        return ()
    found, edge = {start: True}, [start]
    for _ in range(steps):
        ahead = dict.fromkeys([near for at in edge for near in g.const.roads[at]], True)
        edge = [near for near in ahead if near not in found and near not in closed]
        found.update(dict.fromkeys(edge, True))
    return tuple(sorted(at for at in found if at != start))


def available_leaders(g: Rex, seat: int, space: int) -> list[int]:
    """The leaders a fighter may commit: its own and those that Lazax holds, unless they fought elsewhere this round."""
    own = g.const.leaders_of[g.seats.faction[seat]]
    lazax = seat_of(g, "lazax") == seat
    return [
        at
        for at in range(len(g.const.leaders))
        if ((at in own and g.leaders.status[at] == AVAILABLE) or (lazax and g.leaders.status[at] == CAPTURED))
        and g.leaders.fought[at] in (0, space + 1)
    ]


def scatter(g: Rex, seat: int, space: int, normal: int, mech: int) -> None:
    """Units of a space become casualties."""
    _lift(g, seat, space, normal, mech)
    g.seats.casualties[seat] += normal
    g.seats.mech_casualties[seat] += mech


def gather(g: Rex, seat: int, space: int, normal: int, mech: int) -> None:
    """Units of a space return to the reserves."""
    _lift(g, seat, space, normal, mech)
    g.seats.reserve[seat] += normal
    g.seats.mech_reserve[seat] += mech


def _lift(g: Rex, seat: int, space: int, normal: int, mech: int) -> None:
    g.board.units[seat, space] -= normal
    g.board.mech[seat, space] -= mech
    if faction(g, seat) == "xxcha" and not units(g, seat, space):
        g.board.hidden[space] = 0
