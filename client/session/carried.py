# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines from another home that a person types or pastes, such as an answer to the ticket."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Protocol

from client.table.player import LobbyControls, TableControls

__all__ = ["Carried", "is_carried"]


class Room(Protocol):
    """Where the person is: in a lobby, at a table, or neither."""

    @property
    def door(self) -> LobbyControls | None: ...

    @property
    def controls(self) -> TableControls | None: ...

    def say(self, text: str) -> object: ...


class Carried:
    """Collects typed rows until a line from another home is whole, and says it there, where it is not passed on."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._text = ""

    def pasted(self, row: str) -> bool:
        """True if a typed row belongs to such a line, or is this home's address; it is then no answer and no
        command."""
        at_door = self._room.controls is None and self._room.door is not None
        if not self._text and not ((at_door or self._room.controls) and is_carried(row, at_door=at_door)):
            return False
        from p2p.reach.lines import unfinished  # the network loads slowly

        self._text += row + "\n"
        if not row.strip() or not unfinished(self._text):
            whole, self._text = self._text, ""
            self._room.say(whole.strip())
        return True


def is_carried(text: str, *, at_door: bool) -> bool:
    """True if a text is meant for this home and not for the others: it holds a line from another home, or, in a lobby,
    is the address of this one."""
    if ":" not in text and "." not in text:
        return False
    from p2p.reach.lines import begins  # the network loads slowly

    return begins(text) or (at_door and is_address(text))


def is_address(text: str) -> bool:
    """True if a text is an IP address and nothing else."""
    try:
        ip_address(text.strip())
    except ValueError:
        return False
    return True
