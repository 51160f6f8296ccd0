# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of the seats: all at once, one in full, or two side by side with their differences marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Final

from client.screen.canvas import fit, searched
from client.screen.shown_front import ShownFront
from client.screen.ui import Page
from client.screen.workbench import design
from client.show.styled import Line, line, plain
from client.texts import _

__all__ = ["boards", "compared"]

DIFFERS: Final = "<>"


def boards(front: ShownFront) -> None:
    """Show all seats at once; further parts of the page show one seat each, `c` two of them."""
    session = front.session
    if session.controls is None:
        front.say(_("The table has not begun."))
        return
    paired = [False]

    def lines(width: int, word: str) -> Sequence[Line]:
        if not page.tab and not paired[0]:
            found = [*front.scene.board("boards", (), width)]
        else:
            seat = page.tab - 1 if page.tab else _own(front)
            found = _two(front, seat, width) if paired[0] else _seat(front, seat, width)
        return searched(word, found)

    def compare() -> None:
        paired[0], page.skip = not paired[0], 0

    seats = [f"{seat + 1} {session.frame().letter(seat)} {name}" for seat, name in enumerate(session.names)]
    tabs = [f"0 {_('all')}", *seats]
    own: dict[str, Callable[[], None]] = {"compare": compare}
    if session.pictures.workbenches is not None:
        own["design"] = partial(design, front)
    page = Page(_("Boards"), lines, tabs=tabs, tab=_own(front) + 1, own=own)
    front.open(page)


def _own(front: ShownFront) -> int:
    """The seat of the person, the first one for a spectator."""
    frame = front.scene.frame
    return max(frame.view.seat, 0) if frame is not None else 0


def _blocks(front: ShownFront, seat: int, width: int) -> Sequence[Sequence[Line]]:
    return front.session.pictures.seat_board(front.session.frame((), width), seat)


def _seat(front: ShownFront, seat: int, width: int) -> list[Line]:
    return [each for block in _blocks(front, seat, width) for each in block]


def _two(front: ShownFront, seat: int, width: int) -> list[Line]:
    """The person's board beside another one: that of the seat, or of the next one if the seat is the person's."""
    own, room = _own(front), (width - len(DIFFERS) - 2) // 2
    other = seat if seat != own else (seat + 1) % len(front.session.names)
    return compared(_blocks(front, own, room), _blocks(front, other, room), room)


def compared(one: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """The blocks of two boards side by side, each as wide as `room`; rows that differ have a mark between them."""
    shown = []
    for left, right in zip_longest(one, other, fillvalue=()):
        for here, there in zip_longest(left, right, fillvalue=()):
            mark = ("key", DIFFERS) if plain(here).rstrip() != plain(there).rstrip() else ("", "  ")
            shown.append(line(*fit(tuple(here), room), " ", mark, " ", *fit(tuple(there), room)))
    return shown
