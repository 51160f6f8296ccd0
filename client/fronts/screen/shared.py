# SPDX-License-Identifier: GPL-3.0-or-later
"""What several screens show: the rules in our own words as pages of whole articles; the boards of the seats, all at
once, one in full, or two side by side with their differences marked; the fields of a form as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest
from typing import Final

from client.fronts.kit.canvas import fit, folded, searched
from client.fronts.kit.cards import cards, pictured
from client.fronts.kit.page import Page, told
from client.fronts.kit.pane import Item
from client.fronts.screen.keys import BOARDS
from client.session.start import FormField
from client.show.boards import board_of
from client.show.pictures import Frame, Pictures
from client.show.styled import Line, line, plain
from client.system.texts import _
from client.words.reference import Article
from engine.core.registry import GameSpec


def reference_page(title: str, game: str | GameSpec, about: Sequence[Article] = ()) -> Page:
    """All articles of a game. about: those that stand first."""
    from client.words.reference import entries

    return article_page(title, [*about, *(entry for entry in entries(game) if entry not in about)])


def article_page(title: str, articles: Sequence[Article]) -> Page:
    """Articles to read; a search keeps those with the word, whole."""
    from client.session.lookup import WIDTH, article_texts

    told = [article_texts(each) for each in articles]

    @cache
    def drawn(width: int) -> Sequence[Sequence[Line]]:
        room = min(width, WIDTH)
        return [[row for text in (*each, "") for row in folded(text, room, "", "  ")] for each in told]

    def lines(width: int, word: str) -> Sequence[Line]:
        known = zip(told, drawn(width), strict=True)
        return [row for texts, rows in known if word.lower() in "\n".join(texts).lower() for row in rows]

    return Page(title, lines)


DIFFERS: Final = "<>"
LEAST: Final = 80
"""Columns of the frame that tells the seats."""


def board_page(pictures: Pictures, frame: Callable[[int], Frame]) -> Page:
    """All seats at once; further parts of the page show one seat each, `c` two of them. frame: the frame to draw for a
    width."""
    if "boards" not in pictures.documents.commands:
        return told(_("Boards"), lambda: _("This game has no such picture."))
    paired = [False]

    def lines(width: int, word: str) -> Sequence[Line]:
        if not page.tab and not paired[0]:
            found = [*pictured(pictures.documents.commands["boards"], frame(width))]
        else:
            now = frame(width)
            seat = page.tab - 1 if page.tab else _own(now)
            if paired[0]:
                found = _two(pictures, frame, seat, width)
            else:
                found = cards(board_of(pictures, now, seat), width, now.glyphs)
        return searched(word, found)

    def compare() -> None:
        paired[0], page.skip = not paired[0], 0

    first = frame(LEAST)
    seats = [f"{seat + 1} {first.letter(seat)} {name}" for seat, name in enumerate(first.names)]
    page = Page(_("Boards"), lines, tabs=[f"0 {_('all')}", *seats], tab=_own(first) + 1)
    page.keys, page.does = BOARDS, {"compare": compare}
    return page


def _own(frame: Frame) -> int:
    """The seat of the person, the first one for a spectator."""
    return max(frame.view.seat, 0)


def _two(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    """The person's board beside another one: that of the seat, or of the next one if the seat is the person's."""
    room = (width - len(DIFFERS) - 2) // 2
    now = frame(room)
    own = _own(now)
    other = seat if seat != own else (seat + 1) % len(now.names)

    def blocks(seat: int) -> Sequence[Sequence[Line]]:
        board = board_of(pictures, now, seat)
        return [cards([each], room, now.glyphs) for part in board for each in (replace(part, blocks=()), *part.blocks)]

    return compared(blocks(own), blocks(other), room)


def compared(one: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """The blocks of two boards side by side, each as wide as `room`; rows that differ have a mark between them."""
    shown = []
    for left, right in zip_longest(one, other, fillvalue=()):
        for here, there in zip_longest(left, right, fillvalue=()):
            mark = ("key", DIFFERS) if plain(here).rstrip() != plain(there).rstrip() else ("", "  ")
            shown.append(line(*fit(tuple(here), room), " ", mark, " ", *fit(tuple(there), room)))
    return shown


def form_rows(fields: Iterable[FormField]) -> Iterator[Item]:
    """A row for each field that has values to choose from; * after those that are not as usual."""
    for field in fields:
        if field.values:
            shown = next((each for each in field.values if each[0] == field.value), field.values[0])
            _value, text, about = shown
            mark = " *" if field.usual and field.value != field.usual else ""
            turn = partial(_turn, field, field.values.index(shown))
            row = f"{field.title}:  ◂ {text}{mark} ▸  {about or field.about}"
            yield Item(row.rstrip(), "← →", partial(turn, 1), turn=turn)


def _turn(field: FormField, at: int, by: int) -> None:
    field.fill(field.values[(at + by) % len(field.values)][0])
