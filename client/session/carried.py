# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines from another home that a person types or pastes, such as an answer to the ticket."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from typing import Protocol

from client.session.lobby import Gathering
from client.session.shown_table import ShownTable


class LineTaker(Protocol):
    """The session of a person who is in a lobby, at a table, or neither."""

    table: ShownTable
    gathering: Gathering
    address_asked: bool

    def paste(self, text: str) -> bool: ...


class Carried:
    """Collects typed rows until a line from another home is whole, and pastes it there."""

    def __init__(self, session: LineTaker) -> None:
        self._session = session
        self._text = ""

    def pasted(self, row: str) -> bool:
        """True if a typed row belongs to such a line, or is this home's address; it is then no answer and no
        command."""
        session = self._session
        begun = session.table.controls is not None
        at_door = not begun and session.gathering.door is not None
        if not self._text and not ((at_door or begun) and is_carried(row, address=at_door or session.address_asked)):
            return False
        from p2p.reach.lines import unfinished  # the network loads slowly

        self._text += row + "\n"
        if not row.strip() or not unfinished(self._text):
            whole, self._text = self._text, ""
            session.paste(whole.strip())
        return True


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
