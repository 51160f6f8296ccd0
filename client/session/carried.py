# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines from another home that a person types or pastes, such as an answer to the ticket."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address


def is_carried(text: str, *, address: bool) -> bool:
    """True if a text is meant for this home and not for the others: it holds a line from another home, or is the
    address of this one. address: True if that may be typed now."""
    if ":" not in text and "." not in text:
        return False
    from p2p.reach.lines import begins  # the network loads slowly

    return begins(text) or (address and is_address(text))


def is_address(text: str) -> bool:
    """True if a text is an IP address and nothing else."""
    try:
        ip_address(text.strip())
    except ValueError:
        return False
    return True


def comes_back(text: str, lobbies: Collection[bytes]) -> bool:
    """True if a text is meant for a lobby or table of this home: its first whole line is an answer or a ticket of a
    running table, or it holds an answer below a quoted invitation of this home's own. lobbies: those of this home."""
    from p2p.reach.answer import holds_answer  # the network loads slowly
    from p2p.reach.lines import ANSWER, TABLE, TicketError, kind_of
    from p2p.reach.ticket import parse_ticket

    if kind_of(text) in (ANSWER, TABLE):
        return True
    try:
        return parse_ticket(text).lobby in lobbies and holds_answer(text)
    except TicketError:
        return False
