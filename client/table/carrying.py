# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the lines that people carry to each other by a messenger: as text, as a QR code, on the clipboard."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from client.system.texts import _

if TYPE_CHECKING:
    from client.table.player import Player


def show_line(player: Player, carried: str, *, picture: bool, copied: bool = True) -> None:
    """Show a line; picture: as a QR code too; copied: let the terminal copy it too."""
    from client.table.qr import copy_to_clipboard, qr_lines

    player.show(lambda: carried, plain=True)
    if picture:
        lines = qr_lines(carried, shutil.get_terminal_size().columns)
        player.show(lambda: "\n".join(lines), plain=True)
    if copied and copy_to_clipboard(carried):
        player.show(lambda: _("It is on the clipboard too, if your terminal allows that."), plain=True)


def show_answer(player: Player, answer: str, first: bool) -> None:
    """Show a guest's answer to a ticket that leads nowhere. first: False for one that takes the place of an earlier
    one."""
    player.show(first_text if first else again_text)
    show_line(player, answer, picture=first)


def first_text() -> str:
    """What a guest reads above its first answer."""
    return _(
        "Nobody answers at the addresses of the ticket: the table may be closed, or routers are in the way. Both homes "
        "can open them together. Send this answer back to the inviter, by the messenger that brought the ticket, and "
        "keep starlock open. The inviter pastes it where the table is open. It tells the address of your home, to the "
        "inviter alone, and is good for ten minutes; then a new one comes."
    )


def again_text() -> str:
    """What a guest reads above a later one."""
    return _("A new answer takes the place of the earlier one. If that one is not pasted yet, send this one:")
