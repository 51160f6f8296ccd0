# SPDX-License-Identifier: GPL-3.0-or-later
"""What a guest pastes or types before its table begins and nobody else is told: a newer ticket of it, whose addresses
are tried too, another line, which is named, and the address of its own home."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from client.system.texts import _
from client.table import outside
from client.table.words import ticket_trouble
from p2p.reach.lines import begins
from p2p.reach.opened import Reach
from p2p.reach.ticket import MAX_CANDIDATES, Ticket, TicketError, parse_ticket
from p2p.wire.address import Address


def keeping(
    reach: Reach, folder: Path, ticket: Ticket, tried: list[Address], tell: Callable[[Callable[[], str]], None]
) -> Callable[[str], bool]:
    """Return what takes the texts that are meant for this home, and is False for others.

    folder: where the address of this home is kept.
    ticket: the one that the guest came with.
    tried: the addresses at which its inviter is called; those of a newer ticket take their places.
    """

    def keep(text: str) -> bool:
        told = outside.typed(reach, folder, text) or _newer(reach, ticket, tried, text)
        if told is not None:
            tell(lambda: told)
        return told is not None

    return keep


def _newer(reach: Reach, ticket: Ticket, tried: list[Address], text: str) -> str | None:
    """Try the addresses of a newer ticket to the same lobby. Return what to tell; None if the text holds no line."""
    if not begins(text):
        return None
    try:
        found = parse_ticket(text, time.time())
    except TicketError as error:
        trouble = ticket_trouble(error)
        return trouble.whole
    if found.meeting() != ticket.meeting() or found.inviter != ticket.inviter:
        return _("That ticket leads to another lobby than this one. To go there, leave this one: starlock join TICKET")
    tried[:] = list(dict.fromkeys((*found.candidates, *tried)))[:MAX_CANDIDATES]
    reach.wait_also_at(found.relays)
    reach.supervisor.want(ticket.meeting(), ticket.inviter, [*found.candidates, *found.relays], newest=True)
    if ticket.inviter in reach.caller.calls.calls:
        reach.caller.call(ticket.meeting(), ticket.inviter, tried, leads=True)
    return _("That ticket leads to this lobby: what is new in it is tried too.")
