# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby: seats, words to compare, links, options, chat. Pure functions, like `layout`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from client.fronts.kit.canvas import Area, Hit, box, fit, folded, moved, rule, shortened, wide
from client.fronts.screen.ui import Ui
from client.session.lobby import KnownLobby, options_document, seat_heads, shown_seats
from client.session.view import SessionView
from client.session.view_records import LobbyRights
from client.show.document import Cell, TextTable
from client.show.lines import lines, table_lines
from client.show.styled import ASCII, Glyphs, Line, line, packed, plain
from client.system.registry import game_client
from client.system.texts import _, ngettext
from client.table.qr import BORDER, LEAST_BORDER, qr_lines, qr_modules
from client.words.machines import unnamed_text

Row = tuple[Line, Hit | None]

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


def lobby_screen(
    view: SessionView,
    ui: Ui,
    feed: Sequence[Line],
    columns: int,
    height: int,
    glyphs: Glyphs,
    told: Sequence[Line] = (),
    said: Callable[[str], str] = str,
) -> tuple[list[Line], list[Hit]]:
    """The screen between its bars.

    feed: the news. told: the lines of a trouble. said: a text with what is done here in place of the deeds in it.
    """
    lobby = view.lobby or KnownLobby()
    rows: list[Row] = [*_question(view, columns, glyphs), *_heading(lobby, columns, glyphs)]
    rows += [(fit(text, columns), None) for text in told]
    seats = [*_seats(lobby, view.rights, ui, columns, glyphs, said)] if view.lobby is not None else []
    least = len(rows) + len(seats) + SAID
    near = _nearby(lobby, columns, glyphs)
    rows += _invitation(lobby, view.answer, columns, height - least - len(near) - PLAYED)
    rows += [*seats, *_options(lobby, columns, height - len(rows) - len(seats) - len(near) - SAID, glyphs)]
    rows += near
    rows.append((rule(_("What was said and happened"), columns, glyphs), None))
    room = max(height - len(rows), 0)
    end = len(feed) - min(ui.news, max(len(feed) - room, 0))
    shown = list(feed[max(end - room, 0) : end])
    hits = [each for y, (_text, hit) in enumerate(rows[:height]) if hit is not None for each in moved([hit], y)]
    return box([*(text for text, _hit in rows), *[()] * (room - len(shown)), *shown], columns, height), hits


def _question(view: SessionView, columns: int, glyphs: Glyphs) -> Iterator[Row]:
    """The yes-or-no question: about a newcomer, or whether to take a seat."""
    if view.question is None:
        return
    yield rule(_("A question"), columns, glyphs), None
    for part in folded(view.question, columns - 2, "question"):
        yield line(" ", *part), None
    for key, text in (("y", _("yes")), ("n", _("no"))):
        said = f"{key}  {text}"
        yield line("   ", ("key", key), f"  {text}"), Hit(Area(2, 0, wide(said) + 2, 1), "key", key)


def _heading(lobby: KnownLobby, columns: int, glyphs: Glyphs) -> Iterator[Row]:
    title = game_client(lobby.game).title if lobby.game else ""
    named = _(title) if title else lobby.game or _("Before the table begins")
    waits = [ngettext("{n} seat free", "{n} seats free", lobby.free).format(n=lobby.free)] if lobby.free else []
    late = ", ".join(place.name for place in lobby.places if not place.ready)
    waits += [_("not ready: {names}").format(names=late)] if late else []
    heading = _("Lobby: {game}").format(game=named) if lobby.game else named
    yield rule(heading, columns, glyphs, tail="; ".join(waits)), None


def _invitation(lobby: KnownLobby, answer: str, columns: int, room: int) -> Iterator[Row]:
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
        yield from ((row, None) for row in reach)
    yield fit(line(" ", ("faint", said)), columns), Hit(Area(0, 0, wide(said) + 1, 1), "key", "c")
    rows = folded(carried, columns, "key")
    if len(rows) < max(room, 2):
        yield from ((row, None) for row in rows)
    else:
        yield fit(line(("key", carried[: columns - 2]), ("faint", " …")), columns), None


def ticket_lines(ticket: str, size: tuple[int, int], glyphs: Glyphs, *, answer: bool = False) -> list[Line]:
    """The whole ticket on a page, with its QR code for a phone if both are seen at once.

    size: of the whole screen.
    answer: True if it is an answer to a ticket.
    """
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


def _seats(
    lobby: KnownLobby, rights: LobbyRights | None, ui: Ui, columns: int, glyphs: Glyphs, said: Callable[[str], str]
) -> Iterator[Row]:
    """A row for each seat, once it is known who has them; below the one under the cursor what to know of it."""
    if lobby.free is not None and not lobby.places:
        yield from ((line(" ", *row), None) for row in folded(unnamed_text(lobby.free), columns - 2))
    shown = shown_seats(lobby, rights)
    if not shown:
        return
    cursor = min(ui.cursor, len(shown) - 1)
    sizes = SIZES if columns < WIDE else WIDE_SIZES
    cut = [[*map(_cut, each.cells, sizes)] for each in shown]
    head, *rows = table_lines(TextTable(seat_heads(), cut, marked=(cursor,)), FAR, here=glyphs.here)
    yield shortened(line(("faint", plain(head))), columns), None
    for at, (each, row) in enumerate(zip(shown, rows, strict=True)):
        about = said("  " + ", ".join(each.about)) if each.free else ""
        yield shortened(line(*row, ("faint", about)), columns), Hit(Area(0, 0, columns, 1), "seat", str(at))
        for told in each.about if at == cursor and not each.free else ():
            yield from ((line("     ", *text), None) for text in folded(said(told), columns - 6, "question"))


def _cut(cell: Cell, columns: int) -> Cell:
    return replace(cell, text=plain(shortened(line(cell.text), columns)).rstrip())


# What is played ------------------------------------------------------------------------------------------------------


def _options(lobby: KnownLobby, columns: int, room: int, glyphs: Glyphs) -> Iterator[Row]:
    """The options, each with its meaning if there is room."""
    if not lobby.options or room < 2:
        return
    hit = Hit(Area(0, 0, columns, 1), "key", "o")
    yield rule(_("Options"), columns, glyphs, tail=_("o: what each does")), hit
    if lobby.rules:
        same = _("rules {version}, content #{digest}: the same for all who sit ✓")
        yield fit(line(("faint", " " + same.format(version=lobby.rules, digest=lobby.content))), columns), hit
        room -= 1
    full = lines(options_document(lobby), columns - 1)
    short = packed([f"{option.title}: {option.text}" for option in lobby.options], columns - 2, joint="  ")
    rows = full if len(full) < room else [line(each) for each in short[: room - 1]]
    yield from ((line(" ", *row), hit) for row in rows)


def _nearby(lobby: KnownLobby, columns: int, glyphs: Glyphs) -> list[Row]:
    """Other tables on this network, the first few."""
    if not lobby.nearby:
        return []
    texts = [shortened(line(f" {text}"), columns) for text in lobby.nearby[:NEAR]]
    return [(rule(_("Seen on this network"), columns, glyphs), None), *((text, None) for text in texts)]
