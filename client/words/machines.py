# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose machine holds which seats, and who let whom in, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from client.system.names import member_name, seat_name
from client.system.texts import _, ngettext

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.genesis import Genesis, Member

SHORT: Final = 16
"""Letters of a table's id that are shown."""


def machine_text(name: str, seats: int) -> str:
    """How many seats a machine holds, "" for one seat."""
    if seats < 2:
        return ""
    text = ngettext(
        "{name}'s machine holds {n} seat: one vote.", "{name}'s machine holds {n} seats: one vote together.", seats
    )
    return text.format(name=name, n=seats)


def place_lines(name: str, seats: int, inviter: str, *, met: bool) -> list[str]:
    """What to know of a machine in the lobby. inviter: who let it in, "" for nobody; met: False for a stranger."""
    told = [machine_text(name, seats)]
    if inviter:
        told.append(_("{name} was let in by {inviter}.").format(name=name, inviter=inviter))
    if not met:
        told.append(_("You have never sat at a table with {name}: compare the words with a friend.").format(name=name))
    return [text for text in told if text]


def unnamed_text(free: int) -> str:
    """What a guest reads of the seats before it is let in."""
    return _("Free seats: {n}. You see who has the others once you are let in.").format(n=free)


def origin_text(genesis: Genesis) -> str:
    """The table from which this one goes on, "" for any other table."""
    origin = genesis.origin
    if origin is None:
        return ""
    text = _("It goes on from table {table} at step {height}, alone: nobody but {name} has signed that.")
    name = member_name(genesis.members[0].rows)
    return text.format(table=origin.table.hex()[:SHORT], height=origin.height, name=name)


def machine_lines(members: Sequence[Member]) -> list[str]:
    """The machines that hold several seats, and who let whom in. members: the first is the inviter."""
    names = [member_name(member.rows) for member in members]
    told = []
    for name, member in zip(names, members, strict=True):
        if len(member.rows) > 1:
            listed = ", ".join(map(seat_name, member.rows))
            told.append(f"{machine_text(name, len(member.rows))} ({listed})")
    if len(members) == 1:
        told.append(_("One machine holds every seat: nothing shows that its dice and cards are fair."))
    if len(members) > 1:
        told.append(_("{name} invited, and let in: {names}.").format(name=names[0], names=", ".join(names[1:])))
    return told


def table_lines(genesis: Genesis) -> list[str]:
    """Where a table comes from, if it goes on from another one, and what `machine_lines` says of it."""
    return [*filter(None, [origin_text(genesis)]), *machine_lines(genesis.members)]
