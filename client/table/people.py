# SPDX-License-Identifier: GPL-3.0-or-later
"""The people in the seats of a table: several people may share a screen and thus one member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.system.names import member_name, seat_name

if TYPE_CHECKING:  # the network loads slowly
    from client.table.runtime import RunningTable
    from p2p.lockstep.follower import Follower
    from p2p.lockstep.position import Position


def name_at(position: Position, seat: int) -> str:
    """The name of a seat's player, safe to show."""
    return seat_name(position.membership.rows[seat])


def people_here(table: RunningTable) -> tuple[int, ...]:
    """The seats of this machine that a person plays, ascending: none while a bot plays for the user, and all if the
    roster names bots alone and the user has come to play for them."""
    position = table.lockstep.position
    seats = sorted(seat for seat, key in position.owner.items() if key == table.me)
    people = [seat for seat in seats if position.membership.rows[seat].level is None]
    return () if table.level is not None else tuple(people or seats)


def level_at(table: RunningTable, seat: int) -> str | None:
    """The level of the bot that plays a seat of this machine, None for a person."""
    row = table.lockstep.position.membership.rows[seat]
    return None if seat in people_here(table) else row.level or table.level


def speaking(position: Position, key: bytes) -> list[int]:
    """The seats of a member's people, ascending; those of its bots if it has no people."""
    seats = sorted(seat for seat, owner in position.owner.items() if owner == key)
    return [seat for seat in seats if position.membership.rows[seat].level is None] or seats


def names_of_seats(position: Position, key: bytes, seats: Sequence[int]) -> dict[str, list[int]]:
    """The names of a member's players in these seats, with their seats; the member's name without seats."""
    names: dict[str, list[int]] = {}
    for seat in seats:
        names.setdefault(name_at(position, seat), []).append(seat)
    return names if seats else {member_name(position.roster[key].rows): []}


def debts_of(lockstep: Follower) -> dict[bytes, str]:
    """What each member owes, as people are told: before all have joined only that, since nothing else is read then."""
    debts = lockstep.debts()
    joining = {key: kind for key, kind in debts.items() if kind == "join"}
    return joining if joining and lockstep.position.height == 0 else debts
