# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of the seats: all at once, one in full, or two side by side with their differences marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from client.fronts.kit.canvas import fit, searched
from client.fronts.kit.cards import cards, pictured
from client.fronts.kit.page import Page, told
from client.fronts.screen.keys import BOARDS
from client.show.boards import board_of
from client.show.pictures import Frame, Pictures
from client.show.styled import Line, line, plain
from client.system.texts import _

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
            seat = page.tab - 1 if page.tab else _own(frame(width))
            found = (_two if paired[0] else _seat)(pictures, frame, seat, width)
        return searched(word, found)

    def compare() -> None:
        paired[0], page.skip = not paired[0], 0

    now = frame(LEAST)
    seats = [f"{seat + 1} {now.letter(seat)} {name}" for seat, name in enumerate(now.names)]
    page = Page(_("Boards"), lines, tabs=[f"0 {_('all')}", *seats], tab=_own(now) + 1)
    page.keys, page.does = BOARDS, {"compare": compare}
    return page


def _own(frame: Frame) -> int:
    """The seat of the person, the first one for a spectator."""
    return max(frame.view.seat, 0)


def _seat(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    now = frame(width)
    return cards(board_of(pictures, now, seat), width, now.glyphs)


def _two(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    """The person's board beside another one: that of the seat, or of the next one if the seat is the person's."""
    room = (width - len(DIFFERS) - 2) // 2
    now = frame(room)
    own = _own(now)
    other = seat if seat != own else (seat + 1) % len(now.names)
    return compared(_blocks(pictures, now, own, room), _blocks(pictures, now, other, room), room)


def _blocks(pictures: Pictures, frame: Frame, seat: int, room: int) -> Sequence[Sequence[Line]]:
    """A seat's board, block by block."""
    return [
        cards([block], room, frame.glyphs)
        for part in board_of(pictures, frame, seat)
        for block in (replace(part, blocks=()), *part.blocks)
    ]


def compared(one: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """The blocks of two boards side by side, each as wide as `room`; rows that differ have a mark between them."""
    shown = []
    for left, right in zip_longest(one, other, fillvalue=()):
        for here, there in zip_longest(left, right, fillvalue=()):
            mark = ("key", DIFFERS) if plain(here).rstrip() != plain(there).rstrip() else ("", "  ")
            shown.append(line(*fit(tuple(here), room), " ", mark, " ", *fit(tuple(there), room)))
    return shown
