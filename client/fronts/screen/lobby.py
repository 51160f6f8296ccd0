# SPDX-License-Identifier: GPL-3.0-or-later
"""The table before it begins: the pane of the lobby with seats, words to compare, the ticket, options and chat; the
pages of the ticket and of the options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Hit, aimed, box, fit, folded, rule, shortened
from client.fronts.kit.page import Page, reading
from client.fronts.kit.pane import Item
from client.fronts.screen.asking import yes_or_no
from client.fronts.screen.deeds import Doing, DoingPane
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.keys import LOBBY, TICKET
from client.fronts.screen.scene import Scene, Ui
from client.fronts.screen.shared import form_rows
from client.fronts.screen.troubles import trouble_lines
from client.session.deeds.gathering import FREE, WISH, wanted
from client.session.lobby import KnownLobby, ShownSeat, options_document, seat_heads, shown_seats
from client.session.start import option_fields
from client.show.document import Cell, TextTable
from client.show.lines import lines, table_lines
from client.show.styled import ASCII, Glyphs, Line, line, packed, plain
from client.system.texts import _, ngettext
from client.table.lobby_notices import LobbySeat
from client.table.qr import BORDER, LEAST_BORDER, qr_lines, qr_modules
from client.words.machines import unnamed_text
from client.words.options import game_title

UNSEATED: Final = ("table_options", "doctor", "help", "quit")
WAITING: Final = ("ready", "wish", "chat", "table_options", "doctor", "help", "quit")
INVITING: Final = ("ready", "wish", "chat", "table_options", "bot", "doctor", "remove", "help", "quit")
"""Acts whose keys stand at the foot: without and with a seat, and for who invites."""

FAR: Final = 1_000
"""More columns than a seat has."""
WIDE: Final = 100
SIZES: Final = 3, 19, 15, 21, 12, FAR
WIDE_SIZES: Final = 3, 25, 25, 25, 12, FAR
"""Most columns of the cells of a seat, and from WIDE columns of the screen on."""
BARS: Final = 3
"""Rows of the screen that are not a page's own: the bar, the heading and the foot."""
NEAR: Final = 3
"""Most tables of the network that are shown."""
PLAYED: Final = 4
"""The least rows for the options, before those of the whole ticket."""
SAID: Final = 4
"""The least rows for the chat."""


class LobbyPane(DoingPane):
    """The table before it begins; the cursor marks a seat."""

    def __init__(self, doing: Doing, scrolls: Mapping[str, Callable[[], None]], chat: Callable[[], None]) -> None:
        """scrolls: the acts that scroll the news. chat: shows the chat."""
        super().__init__(doing, LOBBY)
        self.does = {
            **self.does,
            **scrolls,
            "up": partial(self._step, -1),
            "down": partial(self._step, 1),
            "chat": chat,
            "wish": self._wish,
            "bot": self._add_bot,
            "seats": self._close_seat,
            "remove": self._remove,
            "copy_ticket": lambda: self._copy_line(self._view.carried),
            "ticket_code": self._ticket_code,
            "table_options": self._options,
        }

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

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        self._ui.size = columns, height + 2
        return lobby_screen(self._scene, self._ui, self._doing.news, columns, height)

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
            self._doing.host.copy(carried)
        copied = _("It is on the clipboard too, if your terminal allows that.")
        self._doing.say(copied if carried else _("The inviter has the ticket."))

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
        if rights is None or not rights.changes:
            self._doing.open(reading(_("Options"), lambda width: lines(options_document(self._lobby), width)))
            return
        form, before = wanted(lobby), wanted(lobby).values()

        def items() -> list[Item]:
            why = form.hindrance() or (_("nothing has changed") if form.values() == before else "")
            offer = _("Offer it so: everybody has to be ready again")
            offered = Item(offer, "", lambda: self._doing.do("change", options=form.values()), why)
            return [offered, *form_rows(option_fields(form), self._doing.type)]

        self._doing.open(Page(_("Options"), items=items))


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

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        """The code, all of which can be clicked."""
        self.size = columns, height
        return [aimed(row, "code", "") for row in box(self.lines(columns, ""), columns, height)]


# The pane ------------------------------------------------------------------------------------------------------------


def lobby_screen(scene: Scene, ui: Ui, feed: NewsFeed, columns: int, height: int) -> list[Line]:
    """The lobby between the bars of the screen."""
    view, glyphs, lobby = scene.view, scene.glyphs, scene.view.lobby or KnownLobby()
    asked = [] if view.question is None else yes_or_no(scene, view.question, columns)
    rows = [*asked, *_heading(lobby, columns, glyphs)]
    rows += trouble_lines(scene.troubles, columns) if scene.troubles else []
    seats = [*_seats(scene, lobby, ui, columns)] if view.lobby is not None else []
    least = len(rows) + len(seats) + SAID
    near = _nearby(lobby, columns, glyphs)
    rows += _invitation(lobby, view.answer, columns, height - least - len(near) - PLAYED)
    rows += [*seats, *_options(lobby, columns, height - len(rows) - len(seats) - len(near) - SAID, glyphs)]
    rows += [*near, rule(_("What was said and happened"), columns, glyphs)]
    return box([*rows, *feed.last(columns, max(height - len(rows), 0), ui.news)], columns, height)


def _heading(lobby: KnownLobby, columns: int, glyphs: Glyphs) -> Iterator[Line]:
    heading = _("Before the table begins")
    if lobby.game:
        heading = _("Lobby: {game}").format(game=game_title(lobby.game))
    waits = [ngettext("{n} seat free", "{n} seats free", lobby.free).format(n=lobby.free)] if lobby.free else []
    late = ", ".join(place.name for place in lobby.places if not place.ready)
    waits += [_("not ready: {names}").format(names=late)] if late else []
    yield rule(heading, columns, glyphs, tail="; ".join(waits))


def _invitation(lobby: KnownLobby, answer: str, columns: int, room: int) -> Iterator[Line]:
    """Who can reach this home if there is room, and the answer or ticket, whole if there is room, so that it can be
    selected with the mouse."""
    carried = answer or lobby.ticket
    if not carried:
        return
    said = _("c copy, Q QR code; the others type: starlock join TICKET")
    if answer:
        said = _("c copy, Q QR code; send this answer to who made the ticket, who pastes it")
    reach = folded(lobby.reach, columns) if lobby.reach else []
    if len(reach) < room - 1:
        room -= len(reach)
        yield from reach
    yield aimed(line(" ", ("faint", said)), "key", "c")
    rows = folded(carried, columns, "key")
    if len(rows) < max(room, 2):
        yield from rows
    else:
        yield line(("key", carried[: columns - 2]), ("faint", " …"))


def ticket_lines(ticket: str, size: tuple[int, int], glyphs: Glyphs, *, answer: bool = False) -> list[Line]:
    """The whole ticket on a page, with its QR code for a phone if both are seen at once. size: of the whole screen;
    answer: True if it is an answer to a ticket."""
    columns = size[0] - 2
    about = _("Send this answer back by the messenger that brought the ticket; who made the ticket pastes it.")
    if not answer:
        about = _("Give this ticket to the others; they type: starlock join TICKET")
    told = [*folded(about, columns), (), *folded(ticket, columns, "key"), ()]
    code = code_lines(ticket, (columns, size[1] - BARS - len(told)), glyphs)
    if code:
        return [*told, *code]
    said = _("Q shows its QR code alone on the whole screen; any key leads back.")
    if not code_lines(ticket, size, glyphs):
        said = code_needs(ticket, glyphs)
    return [*told, *folded(said, columns)]


def code_needs(ticket: str, glyphs: Glyphs) -> str:
    """The room that the QR code of a ticket needs, in words."""
    side = len(qr_modules(ticket, LEAST_BORDER))
    columns, rows = (2 * side, side) if glyphs is ASCII else (side, (side + 1) // 2)
    return _("Its QR code needs {columns} columns and {rows} rows here.").format(columns=columns, rows=rows)


def code_lines(ticket: str, size: tuple[int, int], glyphs: Glyphs) -> list[Line]:
    """The QR code of a ticket, light on dark: in half blocks, or in reversed blanks for a terminal without them; [] if
    it does not fit."""
    for border in (BORDER, LEAST_BORDER):
        if glyphs is ASCII:
            code = [tuple(("chosen" if light else "", "  ") for light in row) for row in qr_modules(ticket, border)]
        else:
            code = [line(each) for each in qr_lines(ticket, size[0], border)]
        if code and len(code) <= size[1] and len(plain(code[0])) <= size[0]:
            return code
    return []


# Seats ---------------------------------------------------------------------------------------------------------------


def _seats(scene: Scene, lobby: KnownLobby, ui: Ui, columns: int) -> Iterator[Line]:
    """A row for each seat, once it is known who has them; below the one under the cursor what to know of it."""
    if lobby.free is not None and not lobby.places:
        yield from (line(" ", *row) for row in folded(unnamed_text(lobby.free), columns - 2))
    shown = shown_seats(lobby, scene.view.rights)
    if not shown:
        return
    cursor = min(ui.cursor, len(shown) - 1)
    sizes = SIZES if columns < WIDE else WIDE_SIZES
    cut = [[*map(_cut, each.cells, sizes)] for each in shown]
    head, *rows = table_lines(TextTable(seat_heads(), cut, marked=(cursor,)), FAR, here=scene.glyphs.here)
    yield shortened(line(("faint", plain(head))), columns)
    for at, (each, row) in enumerate(zip(shown, rows, strict=True)):
        about = scene.said("  " + ", ".join(each.about)) if each.free else ""
        yield aimed(shortened(line(*row, ("faint", about)), columns), "seat", at)
        for told in each.about if at == cursor and not each.free else ():
            yield from (line("     ", *text) for text in folded(scene.said(told), columns - 6, "question"))


def _cut(cell: Cell, columns: int) -> Cell:
    return replace(cell, text=plain(shortened(line(cell.text), columns)).rstrip())


# What is played ------------------------------------------------------------------------------------------------------


def _options(lobby: KnownLobby, columns: int, room: int, glyphs: Glyphs) -> Iterator[Line]:
    """The options, each with its meaning if there is room."""
    if not lobby.options or room < 2:
        return
    told = [rule(_("Options"), columns, glyphs, tail=_("o: what each does"))]
    if lobby.rules:
        same = _("rules {version}, content #{digest}: the same for all who sit ✓")
        told.append(line(("faint", " " + same.format(version=lobby.rules, digest=lobby.content))))
        room -= 1
    full = lines(options_document(lobby), columns - 1)
    short = packed([f"{option.title}: {option.text}" for option in lobby.options], columns - 2, joint="  ")
    rows = full if len(full) < room else [line(each) for each in short[: room - 1]]
    yield from (aimed(fit(row, columns), "key", "o") for row in (*told, *(line(" ", *row) for row in rows)))


def _nearby(lobby: KnownLobby, columns: int, glyphs: Glyphs) -> list[Line]:
    """Other tables on this network, the first few."""
    if not lobby.nearby:
        return []
    texts = [shortened(line(f" {text}"), columns) for text in lobby.nearby[:NEAR]]
    return [rule(_("Seen on this network"), columns, glyphs), *texts]
