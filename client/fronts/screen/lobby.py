# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby: seats, words to compare, links, options, chat. Pure functions, like `layout`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.fronts.kit.canvas import Area, Hit, box, fit, folded, moved, rule, shortened, wide
from client.fronts.screen.ui import Ui
from client.session.lobby import KnownLobby, closed_seats
from client.session.view import SessionView
from client.show.styled import ASCII, Glyphs, Line, line, owner_shape, owner_style, packed, plain
from client.system.registry import game_client
from client.system.texts import _, ngettext
from client.table.lobby_notices import LobbySeat
from client.table.qr import BORDER, LEAST_BORDER, qr_lines, qr_modules
from client.table.words import way_text
from client.words import term
from client.words.machines import place_lines, unnamed_text

Row = tuple[Line, Hit | None]

NAME: Final = 20
WISH: Final = 16
LONG_WISH: Final = 26
LINK: Final = 15
READY: Final = 8
"""Columns of the table of seats, LONG_WISH from WIDE columns on; the words to compare have the rest."""
WIDE: Final = 100
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
) -> tuple[list[Line], list[Hit]]:
    """The screen between its bars.

    feed: the news. told: the lines of a trouble.
    """
    lobby = view.lobby or KnownLobby()
    rows: list[Row] = [*_question(view, columns, glyphs), *_heading(lobby, columns, glyphs)]
    rows += [(fit(text, columns), None) for text in told]
    bots = view.rights is not None and view.rights.bots
    seats = [*_seats(lobby, ui, columns, glyphs, bots=bots)] if view.lobby is not None else []
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
    lines = [*folded(about, columns), ()]
    lines += [*folded(ticket, columns, "key"), ()]
    code = code_lines(ticket, (columns, size[1] - BARS - len(lines)), glyphs)
    if code:
        return [*lines, *code]
    said = _("Q shows its QR code alone on the whole screen; any key leads back.")
    if not code_lines(ticket, size, glyphs):
        said = code_needs(ticket, glyphs)
    return [*lines, *folded(said, columns)]


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


def _seats(lobby: KnownLobby, ui: Ui, columns: int, glyphs: Glyphs, *, bots: bool) -> Iterator[Row]:
    """A row for each seat, once it is known who has them; the one under the cursor shows all words of its player's
    identity."""
    if lobby.free is not None and not lobby.places:
        yield from ((line(" ", *row), None) for row in folded(unnamed_text(lobby.free), columns - 2))
    if not lobby.places:
        return
    taken = {place.seat: place for place in lobby.places}
    seats = [taken.get(seat, LobbySeat(seat)) for seat in range(max(lobby.seats, len(lobby.places)))]
    title = _("words to compare") if columns >= WIDE else _("words")
    head = _cells(columns, "  ", _("who"), _("wish"), _("link"), _("ready"), title)
    yield fit(line(("faint", head)), columns), None
    closed = [None] if bots and closed_seats(lobby) else []
    listed: list[LobbySeat | None] = [*seats, *closed, *lobby.watching]
    cursor = min(ui.cursor, len(listed) - 1)
    for at, place in enumerate(listed):
        hit = Hit(Area(0, 0, columns, 1), "seat", str(at))
        if place is None:
            yield _closed(lobby, at == cursor, columns, glyphs), hit
            continue
        yield _seat(lobby, place, at == cursor, columns, glyphs, bots=bots), hit
        about = place_lines(place.machine, place.holds, place.inviter, met=place.met)
        for told in about if at == cursor else ():
            yield from ((line("      ", *row), None) for row in folded(told, columns - 7, "faint"))
        compared = any(not each.mine and not each.bot for each in (lobby.places if place.mine else [place]))
        if at == cursor and compared and place.words and wide(place.words) > _room(columns):
            asked = _("{name} must read out the same words: {words}")
            told = _("You, when asked, read out: {words}") if place.mine else asked
            told = told.format(name=place.name, words=place.words)
            if bots and not place.mine and place.seat >= 0:
                told += ". " + _("k refuses the seat if they differ.")
            yield from ((line("      ", *row), None) for row in folded(told, columns - 7, "question"))


def _closed(lobby: KnownLobby, chosen: bool, columns: int, glyphs: Glyphs) -> Line:
    seats = closed_seats(lobby)
    letters = "-".join(chr(ord("A") + seat) for seat in sorted({seats[0], seats[-1]}))
    mark = f"{glyphs.here if chosen else ' '}{letters} "
    return fit(line(("faint", f"{mark:<4}" + _("closed: x opens another seat"))), columns)


def _sizes(columns: int) -> tuple[int, ...]:
    """The columns of name, wish, link and readiness."""
    return NAME, LONG_WISH if columns >= WIDE else WISH, LINK, READY


def _room(columns: int) -> int:
    return columns - 4 - sum(_sizes(columns))


def _cells(columns: int, mark: str, *texts: str) -> str:
    """The cells of a row, each cut to its column except the last."""
    sized = zip(texts, _sizes(columns), strict=False)
    cells = [plain(shortened(line(text), size - 1)) for text, size in sized]
    return " ".join([f"{mark:<3}", *cells, texts[-1]])


def _seat(lobby: KnownLobby, place: LobbySeat, chosen: bool, columns: int, glyphs: Glyphs, *, bots: bool) -> Line:
    """Letter, name, wish, link, readiness, words."""
    letter = chr(ord("A") + place.seat) if place.seat >= 0 else " "
    shape = owner_shape(place.seat) if place.name and place.seat >= 0 else " "
    mark = f"{glyphs.here if chosen else ' '}{letter}{shape}"
    style = owner_style(place.seat) if place.seat >= 0 else "faint"
    if place.seat >= 0 and not place.name:
        last = place.seat == lobby.seats - 1
        said = _("open: b lets a bot sit here, x closes it") if last else _("open: b lets a bot sit here")
        said = said if bots else _("open")
        return fit(line((style, f"{mark} "), ("faint", said)), columns)
    name = _("{name} (you)").format(name=place.name) if place.mine else place.name or _("watches")
    wish = term(place.wish, lobby.game) if place.wish else "-"
    ready = "✓" if place.ready else "-" if place.seat < 0 else "…"
    cells = _cells(columns, mark, name, wish, _link(place), ready, _words(place.words, _room(columns)))
    return fit(line((style, cells[:4]), ("bold" if chosen else "", cells[4:])), columns)


def _link(place: LobbySeat) -> str:
    """The link to a player, and its round trip."""
    if place.mine:
        return _("here")
    if not place.way:
        return _("by the inviter")
    way = _("relay") if place.way == "relay" else "libp2p" if place.way == "libp2p" else way_text(place.way)
    return way if place.rtt is None else _("{way} {n} ms").format(way=way, n=place.rtt)


def _words(words: str, room: int) -> str:
    """As many whole words as fit; … for the rest."""
    if wide(words) <= room:
        return words
    return packed(words.split(" "), max(room - 2, 8), joint=" ")[0].strip() + " …"


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
    full = [line(" ", *row) for row in option_lines(lobby, columns - 1)]
    short = packed([f"{option.title}: {option.text}" for option in lobby.options], columns - 2, joint="  ")
    rows = full if len(full) < room else [line(" ", each) for each in short[: room - 1]]
    yield from ((row, hit) for row in rows)


def _nearby(lobby: KnownLobby, columns: int, glyphs: Glyphs) -> list[Row]:
    """Other tables on this network, the first few."""
    if not lobby.nearby:
        return []
    texts = [shortened(line(f" {text}"), columns) for text in lobby.nearby[:NEAR]]
    return [(rule(_("Seen on this network"), columns, glyphs), None), *((text, None) for text in texts)]


def option_lines(lobby: KnownLobby, columns: int) -> list[Line]:
    """Each option with its meaning."""
    return [
        row
        for option in lobby.options
        for row in folded(f"{option.title}: {option.text}  {option.about}".rstrip(), columns, "", "    ")
    ]
