# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of keys before the table begins: readiness, wishes, bots, removing players, the ticket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import folded, searched
from client.fronts.kit.ui import Item, Page
from client.fronts.screen.deeds import do, listed
from client.fronts.screen.form import option_rows
from client.fronts.screen.lobby import code_lines, code_needs, option_lines, ticket_lines
from client.fronts.screen.shown_front import ShownFront
from client.session.deeds.gathering import FREE, WISH
from client.session.lobby import Lobby, closed_seats
from client.session.start import NewTable
from client.show.styled import Line
from client.system.texts import _
from client.table.lobby_notices import LobbySeat
from engine.core.registry import GAMES

__all__ = ["GATHERING", "seat_step"]


def _lobby(front: ShownFront) -> Lobby:
    return front.session.lobby or Lobby()


def _marked(front: ShownFront) -> LobbySeat | None:
    """The marked seat; None for a spectator's row."""
    lobby, seat = _lobby(front), front.ui.cursor
    taken = {place.seat: place for place in lobby.places}
    return taken.get(seat, LobbySeat(seat)) if 0 <= seat < lobby.seats else None


def seat_step(front: ShownFront, rows: int) -> None:
    """Mark another seat, the closed ones, or a spectator."""
    lobby = _lobby(front)
    most = max(lobby.seats, len(lobby.places)) + len(lobby.watching) - 1 + _closes(front)
    front.ui.cursor = max(0, min(front.ui.cursor + rows, most))


def _closes(front: ShownFront) -> bool:
    """True if a row for closed seats is shown."""
    door = front.session.door
    return door is not None and door.add_bot is not None and bool(closed_seats(_lobby(front)))


def close_seat(front: ShownFront) -> None:
    """Close the last seat; on the closed ones, open another."""
    lobby = _lobby(front)
    opens = front.ui.cursor == lobby.seats and closed_seats(lobby)
    do(front, "seats", n=lobby.seats + (1 if opens else -1))


def ready(front: ShownFront) -> None:
    """State that the table may begin, or that it must wait."""
    do(front, "ready")


def wish(front: ShownFront) -> None:
    """Choose what to wish for."""
    deed = front.lines.deeds["wish"]
    reason = deed.why_not(front.session, {})
    if reason:
        front.say(reason)
        return
    items = [Item(text, "", partial(do, front, "wish", word=word)) for word, text in WISH.choices(front.session)]
    front.open(Page(_("What you would like to play; it binds nobody"), items=partial(listed, items)))


def add_bot(front: ShownFront) -> None:
    """Let a bot take the marked seat, or a free one."""
    marked = _marked(front)
    free = [seat for seat, _letter in FREE.choices(front.session)]
    do(front, "bot", **({"seat": marked.seat} if marked is not None and marked.seat in free else {}))


def remove(front: ShownFront) -> None:
    """Remove the player from the marked seat."""
    marked, reason = _marked(front), front.lines.deeds["remove"].why_not(front.session, {})
    if reason or marked is None or not marked.name or marked.mine:
        front.say(reason or _("Mark the seat of somebody else with the arrows first."))
    else:
        do(front, "remove", seat=marked.seat)


def copy_ticket(front: ShownFront) -> None:
    """Put the ticket on the clipboard."""
    ticket = _lobby(front).ticket
    if ticket:
        front.host.copy(ticket)
        front.say(_("It is on the clipboard too, if your terminal allows that."))
    else:
        front.say(_("The inviter has the ticket."))


def ticket_code(front: ShownFront) -> None:
    """Show the whole ticket; from there its QR code alone."""
    ticket = _lobby(front).ticket
    if not ticket:
        front.say(_("The inviter has the ticket."))
        return

    def code() -> None:
        front.open(Page("", lambda width, _word: _code(front, ticket, width), leave=lambda: front.open(page)))

    def lines(_width: int, _word: str) -> list[Line]:
        return ticket_lines(ticket, front.size, front.session.glyphs)

    page = Page(_("The ticket"), lines, own={"code": code})
    front.open(page)


def _code(front: ShownFront, ticket: str, width: int) -> list[Line]:
    """The QR code that fills the screen; what is asked meanwhile goes before it."""
    shown = code_lines(ticket, front.size, front.session.glyphs)
    if front.session.question is None and shown:
        return shown
    said = front.session.question or code_needs(ticket, front.session.glyphs)
    return [*folded(said, width, "question"), *folded(_("Any key leads back."), width)]


def table_options(front: ShownFront) -> None:
    """Show the options of the table with their meanings; the inviter can change them."""
    lobby, door = _lobby(front), front.session.door
    if door is not None and door.change is not None and lobby.game in GAMES:
        front.open(_options_form(front, lobby))
    else:
        front.open(_options_page(front))


def _options_form(front: ShownFront, lobby: Lobby) -> Page:
    wanted = NewTable(lobby.game, lobby.seats)
    for option in lobby.options:
        wanted.set_option(option.name, option.value)
    before = dict(wanted.options)

    def items(word: str) -> list[Item]:
        why = wanted.hindrance() or (_("nothing has changed") if wanted.options == before else "")
        offer = _("Offer it so: everybody has to be ready again")
        offered = Item(offer, "", lambda: do(front, "change", options=dict(wanted.options)), why)
        return [*listed([offered, *option_rows(wanted)], word)]

    return Page(_("Options"), items=items)


def _options_page(front: ShownFront) -> Page:

    def lines(width: int, word: str) -> Sequence[Line]:
        found = option_lines(_lobby(front), width) or folded(_("Nothing is known of the table yet."), width)
        return searched(word, found)

    return Page(_("Options"), lines)


GATHERING: Final[Mapping[str, Callable[[ShownFront], None]]] = {
    "ready": ready,
    "wish": wish,
    "add_bot": add_bot,
    "close_seat": close_seat,
    "remove": remove,
    "copy_ticket": copy_ticket,
    "ticket_code": ticket_code,
    "table_options": table_options,
}
"""Actions that exist only before the table begins."""
