# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of the seats: all at once, one in full, or two side by side with their differences marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Final

from client.fronts.kit.canvas import fit, searched
from client.fronts.kit.sheet import pictured
from client.fronts.kit.ui import Page
from client.fronts.screen.shown_front import ShownFront
from client.fronts.screen.workbench import design
from client.show.pictures import Frame, Pictures
from client.show.styled import Line, line, plain
from client.system.texts import _

__all__ = ["board_page", "boards", "compared"]

DIFFERS: Final = "<>"
LEAST: Final = 80
"""Columns of the frame that tells the seats."""


def boards(front: ShownFront) -> None:
    """Show all seats at once; further parts of the page show one seat each, `c` two of them."""
    session = front.session
    if session.controls is None:
        front.say(_("The table has not begun."))
        return
    page = board_page(session.pictures, lambda width: session.frame((), width))
    if session.pictures.workbenches is not None:
        page.own = {**page.own, "design": partial(design, front)}
    front.open(page)


def board_page(pictures: Pictures, frame: Callable[[int], Frame]) -> Page:
    """All seats at once, each seat, and two of them. frame: the frame to draw for a width."""
    paired = [False]

    def lines(width: int, word: str) -> Sequence[Line]:
        if not page.tab and not paired[0]:
            found = [*pictured(pictures.commands["boards"], frame(width))]
        else:
            seat = page.tab - 1 if page.tab else _own(frame(width))
            found = (_two if paired[0] else _seat)(pictures, frame, seat, width)
        return searched(word, found)

    def compare() -> None:
        paired[0], page.skip = not paired[0], 0

    now = frame(LEAST)
    seats = [f"{seat + 1} {now.letter(seat)} {name}" for seat, name in enumerate(now.names)]
    page = Page(_("Boards"), lines, tabs=[f"0 {_('all')}", *seats], tab=_own(now) + 1, own={"compare": compare})
    return page


def _own(frame: Frame) -> int:
    """The seat of the person, the first one for a spectator."""
    return max(frame.view.seat, 0)


def _seat(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    return [each for block in pictures.seat_board(frame(width), seat) for each in block]


def _two(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    """The person's board beside another one: that of the seat, or of the next one if the seat is the person's."""
    room = (width - len(DIFFERS) - 2) // 2
    now = frame(room)
    own = _own(now)
    other = seat if seat != own else (seat + 1) % len(now.names)
    return compared(pictures.seat_board(now, own), pictures.seat_board(now, other), room)


def compared(one: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """The blocks of two boards side by side, each as wide as `room`; rows that differ have a mark between them."""
    shown = []
    for left, right in zip_longest(one, other, fillvalue=()):
        for here, there in zip_longest(left, right, fillvalue=()):
            mark = ("key", DIFFERS) if plain(here).rstrip() != plain(there).rstrip() else ("", "  ")
            shown.append(line(*fit(tuple(here), room), " ", mark, " ", *fit(tuple(there), room)))
    return shown
