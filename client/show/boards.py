# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of all seats: a table of them, and each in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from client.show.document import Cell, Document, Note, Part, TextTable
from client.show.pictures import Frame, Pictures
from client.system.texts import _


def boards_document(frame: Frame, all_seats: Document, board: Callable[[Frame, int], Part]) -> Document:
    """The seats side by side and each board in full; with the letter or name of a seat only its board. board: the
    blocks of one, the same ones for every seat so that two can be compared."""
    if not frame.words:
        return [*all_seats, *(board(frame, seat) for seat in range(len(frame.names)))]
    seat = frame.seat(" ".join(frame.words))
    if seat is not None:
        return [board(frame, seat)]
    listed = ", ".join(f"{frame.letter(each)} {name}" for each, name in enumerate(frame.names))
    return [Note(_("No such seat: {known}").format(known=listed))]


def figures(held: Sequence[tuple[str, str]]) -> TextTable:
    """Figures below each other, each with its name."""
    return TextTable((), [(Cell(name), Cell(value)) for name, value in held], (1,))


def board_of(pictures: Pictures, frame: Frame, seat: int) -> Sequence[Part]:
    """The board of a seat, () in a game without boards."""
    picture = pictures.documents.commands.get("boards")
    found = picture.document(replace(frame, words=(frame.letter(seat),))) if picture is not None else ()
    return [block for block in found if isinstance(block, Part)]
