# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of all seats: a table of them, and each in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from client.show.document import Cell, Document, Note, Part, TextTable
from client.show.pictures import Frame, Pictures
from client.show.styled import owner_style
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


Held = Callable[[Frame, int], Sequence[tuple[str, str]]]
"""The figures of a seat, each with its name."""


def seats_table(
    frame: Frame, held: Held, first: int, heads: Sequence[str], more: Callable[[int], Sequence[str]]
) -> TextTable:
    """A row for each seat with its figures, and with more columns behind them. first: the seat that has a +."""
    names = [name for name, _value in held(frame, 0)]
    rows = [
        (
            Cell(f"{frame.letter(seat)} {name}{' +' * (seat == first)}", look=owner_style(seat)),
            *(Cell(value) for _name, value in held(frame, seat)),
            *map(Cell, more(seat)),
        )
        for seat, name in enumerate(frame.names)
    ]
    return TextTable([*map(Cell, ("", *names, *heads))], rows, tuple(range(1, len(names) + 1)))


def figures_table(held: Sequence[tuple[str, str]]) -> TextTable:
    """Figures below each other, each with its name."""
    return TextTable((), [(Cell(name), Cell(value)) for name, value in held], (1,))


def seat_part(frame: Frame, seat: int, note: str, blocks: Document) -> Part:
    """The board of a seat, under its letter and name."""
    letter = frame.letter(seat)
    return Part(f"{letter} {frame.names[seat]}", letter, note, owner_style(seat), blocks, id=letter)


def board_of(pictures: Pictures, frame: Frame, seat: int) -> Sequence[Part]:
    """The board of a seat, () in a game without boards."""
    picture = pictures.documents.commands.get("boards")
    found = picture.document(replace(frame, words=(frame.letter(seat),))) if picture is not None else ()
    return [block for block in found if isinstance(block, Part)]
