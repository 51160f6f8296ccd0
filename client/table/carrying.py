# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the lines that people carry to each other by a messenger: as text, as a QR code, on the clipboard."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from client.system.texts import N_, _
from client.table.verdict import reachable, ticket_changed

if TYPE_CHECKING:
    from client.table.player import Player
    from p2p.reach.ticket import Ticket
    from p2p.reach.verdict import Cause


def show_line(player: Player, carried: str, *, picture: bool, copied: bool = True) -> None:
    """Show a line; picture: as a QR code too; copied: let the terminal copy it too."""
    from client.table.qr import copy_to_clipboard, qr_lines

    player.show(lambda: carried, plain=True)
    if picture:
        lines = qr_lines(carried, shutil.get_terminal_size().columns)
        player.show(lambda: "\n".join(lines), plain=True)
    if copied and copy_to_clipboard(carried):
        player.show(lambda: _("It is on the clipboard too, if your terminal allows that."), plain=True)


def show_ticket(
    player: Player, ticket: Ticket, cause: Cause, before: Ticket | None, *, picture: bool, copied: bool
) -> None:
    """Show who can reach this home, and the ticket.

    before: the ticket of before; the same one if only the verdict is new, None for the first one.
    picture: True to show a QR code too. copied: True to let the terminal copy the ticket.
    """
    from client.table.lobby_notices import LobbyTicket

    player.notice(LobbyTicket(str(ticket), cause))
    if cause != "local":
        player.show(lambda: reachable(cause))
    if ticket == before:
        return
    if before is not None:
        player.show(lambda: ticket_changed(before, ticket, cause))
    player.show(lambda: _("Give this ticket to the others; they type: starlock join TICKET"), plain=True)
    show_line(player, str(ticket), picture=picture, copied=copied)


FIRST: Final = N_(
    "Send this answer back by the messenger that brought the ticket, and keep starlock open. Whoever made the "
    "ticket pastes it where the table is open. It tells the address of your home, to them alone, and is good for "
    "ten minutes; then a new one comes."
)
"""What a guest reads above its first answer."""
AGAIN: Final = N_("A new answer takes the place of the earlier one. If that one is not pasted yet, send this one:")
"""What a guest reads above a later one."""


class AnswerShown:
    """Shows a guest's answers to a ticket that leads nowhere, each in the place of the one before."""

    def __init__(self, player: Player) -> None:
        self._player, self._first = player, True

    def __call__(self, answer: str, new: bool, asks: bool) -> None:
        """See `client.table.answering.Publish`."""
        from client.table.notices import AnswerMade

        self._player.notice(AnswerMade(answer, asks))
        if new:
            text = FIRST if self._first else AGAIN
            self._player.show(lambda: _(text))
            show_line(self._player, answer, picture=self._first)
        self._first = self._first and not new
