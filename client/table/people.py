# SPDX-License-Identifier: GPL-3.0-or-later
"""The people in the seats of a table: several people may share a screen and thus one member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.names import clipped, seat_name

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.position import Position


def name_at(position: Position, seat: int) -> str:
    """The name of a seat's player, safe to show: its person, or the member that has taken the seat over."""
    member = position.roster[position.owner[seat]]
    return seat_name(member.name, member.seats, seat)


def names_of_seats(position: Position, key: bytes, seats: Sequence[int]) -> dict[str, list[int]]:
    """The names of a member's people who play these seats, with their seats; the member's name if it has no list of
    people."""
    names: dict[str, list[int]] = {}
    for seat in seats:
        names.setdefault(name_at(position, seat), []).append(seat)
    return names or {clipped(position.roster[key].name): []}
