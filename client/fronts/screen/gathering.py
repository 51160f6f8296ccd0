# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby's pane: readiness, wishes, bots, removing players, the ticket, before the table begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Area, Hit, folded
from client.fronts.kit.page import Page, reading
from client.fronts.kit.pane import Item, Pane
from client.fronts.screen.deeds import Doing
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.keys import LOBBY, TICKET
from client.fronts.screen.lobby import code_lines, code_needs, lobby_screen, ticket_lines
from client.fronts.screen.shared import form_rows
from client.fronts.screen.troubles import trouble_lines
from client.session.deeds.gathering import FREE, WISH
from client.session.lobby import KnownLobby, ShownSeat, options_document, shown_seats
from client.session.start import NewTable, option_fields
from client.session.view import SessionView
from client.show.lines import lines
from client.show.styled import Glyphs, Line
from client.system.registry import GAMES
from client.system.texts import _
from client.table.lobby_notices import LobbySeat

UNSEATED: Final = ("table_options", "doctor", "help", "quit")
WAITING: Final = ("ready", "wish", "chat", "table_options", "doctor", "help", "quit")
INVITING: Final = ("ready", "wish", "chat", "table_options", "bot", "doctor", "remove", "help", "quit")
"""Acts whose keys stand at the foot: without and with a seat, and for who invites."""
FAR: Final = 100_000


class LobbyPane(Pane):
    """The table before it begins; the cursor marks a seat."""

    def __init__(
        self,
        doing: Doing,
        feed: NewsFeed,
        to_clipboard: Callable[[str], None],
        scroll: Callable[[int], None],
        chat: Callable[[], None],
    ) -> None:
        """scroll: scrolls the news. chat: shows the chat."""
        self._doing, self._ui, self._feed, self._copy = doing, doing.ui, feed, to_clipboard
        self.keys = LOBBY
        self.does = {
            "up": partial(self._step, -1),
            "down": partial(self._step, 1),
            "page_up": partial(scroll, -8),
            "page_down": partial(scroll, 8),
            "home": partial(scroll, -FAR),
            "last": partial(scroll, FAR),
            "chat": chat,
            "ready": partial(doing.do, "ready"),
            "wish": self._wish,
            "bot": self._add_bot,
            "seats": self._close_seat,
            "doctor": partial(doing.do, "doctor"),
            "remove": self._remove,
            "copy_ticket": lambda: self._copy_line(self._view.carried),
            "ticket_code": self._ticket_code,
            "table_options": self._options,
        }

    @property
    def _view(self) -> SessionView:
        return self._doing.now().view

    @property
    def _lobby(self) -> KnownLobby:
        return self._view.lobby or KnownLobby()

    @property
    def foot(self) -> Sequence[str]:
        """The acts that matter now."""
        view, lobby = self._view, self._view.lobby
        if view.rights is None:
            return ("help", "quit")
        if lobby is not None and lobby.places and not lobby.seated:
            return UNSEATED
        return INVITING if view.rights.inviting else WAITING

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> tuple[Sequence[Line], Sequence[Hit]]:
        """Seats, ticket, options and what was said."""
        scene, self._ui.size = self._doing.now(), (columns, height + 2)
        told = trouble_lines(scene.troubles, columns) if scene.troubles else []
        return lobby_screen(scene.view, self._ui, self._feed.rows(columns), columns, height, glyphs, told, scene.said)

    def why_not(self, act: str) -> str:
        return self._doing.why_not(act)

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        if hit.what == "seat":
            self._ui.cursor = int(hit.value)
        return ""

    def _seats(self) -> Sequence[ShownSeat]:
        return shown_seats(self._lobby, self._view.rights)

    def _marked(self) -> LobbySeat | None:
        """The marked seat; None for the closed ones, and before any is known."""
        return next((each.place for each in self._seats()[self._ui.cursor :]), None)

    def _step(self, rows: int) -> None:
        """Mark another seat, the closed ones, or a spectator."""
        self._ui.cursor = max(0, min(self._ui.cursor + rows, len(self._seats()) - 1))

    def _close_seat(self) -> None:
        """Close the last seat; on the closed ones, open another."""
        self._doing.do("seats", n=self._lobby.seats + (1 if self._seats() and self._marked() is None else -1))

    def _wish(self) -> None:
        doing, reason = self._doing, self._doing.why_not("wish")
        if reason:
            doing.say(reason)
            return
        items = [Item(text, "", partial(doing.do, "wish", word=word)) for word, text in WISH.choices(doing.session)]
        doing.open(Page(_("What you would like to play; it binds nobody"), items=lambda: items))

    def _add_bot(self) -> None:
        """Let a bot take the marked seat, or a free one."""
        marked = self._marked()
        free = [seat for seat, _letter in FREE.choices(self._doing.session)]
        self._doing.do("bot", **({"seat": marked.seat} if marked is not None and marked.seat in free else {}))

    def _remove(self) -> None:
        """Remove the player from the marked seat."""
        marked, reason = self._marked(), self._doing.why_not("remove")
        if reason or marked is None or not marked.name or marked.mine:
            self._doing.say(reason or _("Mark the seat of somebody else with the arrows first."))
        else:
            self._doing.do("remove", seat=marked.seat)

    # The ticket ------------------------------------------------------------------------------------------------------

    def _copy_line(self, carried: str) -> None:
        if carried:
            self._copy(carried)
        told = (
            _("It is on the clipboard too, if your terminal allows that.")
            if carried
            else _("The inviter has the ticket.")
        )
        self._doing.say(told)

    def _ticket_code(self) -> None:
        if self._view.carried:
            self.show_line(self._view.carried)
        else:
            self._doing.say(_("The inviter has the ticket."))

    def show_line(self, carried: str) -> None:
        """Show a line for another home; from there its QR code alone."""
        answer = carried == self._view.answer

        def lines(_width: int, _word: str) -> list[Line]:
            size = page.size[0], page.size[1] + 2
            return ticket_lines(carried, size, self._view.glyphs, answer=answer)

        page = Page(_("The answer") if answer else _("The ticket"), lines, keys=TICKET)
        code = _Code("", lambda width, _word: self._code(carried, (width, code.size[1])))
        code.close = partial(self._doing.open, page)
        page.does = {"code": partial(self._doing.open, code), "copy_line": partial(self._copy_line, carried)}
        self._doing.open(page)

    def _code(self, ticket: str, size: tuple[int, int]) -> list[Line]:
        """The QR code that fills the screen; what is asked meanwhile goes before it."""
        view, shown = self._view, code_lines(ticket, size, self._view.glyphs)
        if view.question is None and shown:
            return shown
        said = view.question or code_needs(ticket, view.glyphs)
        return [*folded(said, size[0], "question"), *folded(_("Any key leads back."), size[0])]

    # The options -----------------------------------------------------------------------------------------------------

    def _options(self) -> None:
        lobby, rights = self._lobby, self._view.rights
        changes = rights is not None and rights.changes and lobby.game in GAMES
        self._doing.open(self._form(lobby) if changes else reading(_("Options"), self._option_lines))

    def _form(self, lobby: KnownLobby) -> Page:
        wanted = NewTable(lobby.game, lobby.seats)
        for option in lobby.options:
            wanted.set_option(option.name, option.value)
        before = dict(wanted.options)

        def items() -> list[Item]:
            why = wanted.hindrance() or (_("nothing has changed") if wanted.options == before else "")
            offer = _("Offer it so: everybody has to be ready again")
            offered = Item(offer, "", lambda: self._doing.do("change", options=dict(wanted.options)), why)
            return [offered, *form_rows(option_fields(wanted))]

        return Page(_("Options"), items=items)

    def _option_lines(self, width: int) -> Sequence[Line]:
        return lines(options_document(self._lobby), width)


class _Code(Page):
    """A QR code alone; any key leads back."""

    whole = True
    close: Callable[[], None]

    def press(self, key: str) -> bool:
        self.close()
        return True

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        self.close()
        return ""

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> tuple[list[Line], list[Hit]]:
        """The code, all of which can be clicked."""
        self.size = columns, height
        return list(self.lines(columns, "")), [Hit(Area(0, 0, columns, height), "code", "")]
