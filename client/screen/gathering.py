# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of keys before the table begins: readiness, wishes, bots, removing players, the ticket."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from client.notices import LobbySeat
from client.screen.canvas import folded
from client.screen.lobby import option_lines, ticket_lines
from client.screen.shown_front import ShownFront
from client.screen.ui import Item, Page
from client.session.lobby import Lobby, wishes
from client.show.styled import Line, plain
from client.texts import _
from client.wording.sides import side_text

__all__ = ["GATHERING", "seat_step"]


def _lobby(front: ShownFront) -> Lobby:
    return front.session.lobby or Lobby()


def _mine(front: ShownFront) -> LobbySeat | None:
    return next((place for place in _lobby(front).places if place.mine), None)


def _marked(front: ShownFront) -> LobbySeat | None:
    """The marked seat; None for a spectator's row."""
    lobby, seat = _lobby(front), front.ui.cursor
    taken = {place.seat: place for place in lobby.places}
    return taken.get(seat, LobbySeat(seat)) if 0 <= seat < lobby.seats else None


def seat_step(front: ShownFront, rows: int) -> None:
    """Mark another seat, or a spectator."""
    lobby = _lobby(front)
    most = max(lobby.seats, len(lobby.places)) + len(lobby.watching) - 1
    front.ui.cursor = max(0, min(front.ui.cursor + rows, most))


def ready(front: ShownFront) -> None:
    """State that the table may begin, or that it must wait."""
    door, mine = front.session.door, _mine(front)
    if door is None or mine is None:
        front.say(_("You have no seat yet."))
    else:
        door.ready(not mine.ready)


def wish(front: ShownFront) -> None:
    """Choose what to wish for."""
    game = _lobby(front).game
    known = wishes(game)
    if not known:
        front.say(_("There is nothing to wish for in this game."))
        return

    def items(word: str) -> list[Item]:
        listed = [Item(_("no wish"), "", partial(front.session.wish_for, ""))]
        for each in known:
            about = f"{side_text(game, each.word)} {each.text}".strip()
            listed.append(Item(f"{each.title}: {about}", "", partial(front.session.wish_for, each.word)))
        return [item for item in listed if word.lower() in item.text.lower()]

    front.open(Page(_("What you would like to play; it binds nobody"), items=items))


def add_bot(front: ShownFront) -> None:
    """Let a bot take the marked seat, or a free one."""
    door, lobby, marked = front.session.door, _lobby(front), _marked(front)
    taken = {place.seat for place in lobby.places}
    free = [seat for seat in range(lobby.seats) if seat not in taken]
    if door is None or door.add_bot is None:
        front.say(_("Only the inviter can add a bot."))
    elif not free:
        front.say(_("No seat is free."))
    else:
        seat = marked.seat if marked is not None and marked.seat in free else free[-1]
        front.say(_("A bot comes to seat {seat} …").format(seat=chr(ord("A") + seat)), "notice")
        door.add_bot(seat)


def remove(front: ShownFront) -> None:
    """Remove the player from the marked seat."""
    door, marked = front.session.door, _marked(front)
    if door is None or not door.inviting:
        front.say(_("Only the inviter can remove a player."))
    elif marked is None or not marked.name or marked.mine:
        front.say(_("Mark the seat of somebody else with the arrows first."))
    else:
        door.remove(marked.seat)


def copy_ticket(front: ShownFront) -> None:
    """Put the ticket on the clipboard."""
    ticket = _lobby(front).ticket
    if ticket:
        front.host.copy(ticket)
        front.say(_("It is on the clipboard too, if your terminal allows that."))
    else:
        front.say(_("The inviter has the ticket."))


def ticket_code(front: ShownFront) -> None:
    """Show the whole ticket and its QR code."""
    ticket = _lobby(front).ticket
    if not ticket:
        front.say(_("The inviter has the ticket."))
        return

    def lines(width: int, _word: str) -> list[Line]:
        return ticket_lines(ticket, width, front.session.glyphs)

    front.open(Page(_("The ticket"), lines))


def table_options(front: ShownFront) -> None:
    """Show the options of the table with their meanings."""

    def lines(width: int, word: str) -> list[Line]:
        found = option_lines(_lobby(front), width) or folded(_("Nothing is known of the table yet."), width)
        return [each for each in found if word.lower() in plain(each).lower()]

    front.open(Page(_("Options"), lines))


GATHERING: Final[Mapping[str, Callable[[ShownFront], None]]] = {
    "ready": ready,
    "wish": wish,
    "add_bot": add_bot,
    "remove": remove,
    "copy_ticket": copy_ticket,
    "ticket_code": ticket_code,
    "table_options": table_options,
}
"""Actions that exist only before the table begins."""
