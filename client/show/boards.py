# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of all seats: a table of them, each in full, and their points: a row for each source, a column for each
seat, the sums with bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from client.show.document import Cell, Document, Note, Part, TextTable
from client.show.pictures import Frame, Pictures
from client.show.styled import owner_style
from client.system.names import clipped
from client.system.texts import _
from engine.core.registry import Score


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


# Points ---------------------------------------------------------------------------------------------------------------


NAME: Final = 9
"""Most columns of a name."""

Points = Sequence[tuple[str, int]]
"""Points by source."""


def points_table(
    heads: Sequence[Cell], columns: Sequence[Points], sources: Mapping[str, str], hidden: Sequence[str] = ()
) -> TextTable:
    """The points of seats; sources that brought nobody anything are left out.

    heads, columns: for each seat.
    sources: marked for translation.
    hidden: for each seat the source to which unknown points belong, "" for none.
    """
    unknown = [*hidden, *[""] * len(columns)]
    sums = [sum(n for _source, n in column) for column in columns]
    most = max([1, *sums])

    def row(source: str) -> list[Cell]:
        shown = zip((dict(column).get(source, 0) for column in columns), unknown, strict=False)
        return [Cell(_(sources.get(source, source))), *(Cell(f"{n}{'+?' * (of == source)}") for n, of in shown)]

    listed = dict.fromkeys(source for column in columns for source, n in column if n or source in hidden)
    total = [
        Cell(f"{value}{'+?' * bool(of)}", _("together"), "title", share=max(0, 100 * value // most))
        for value, of in zip(sums, unknown, strict=False)
    ]
    return TextTable((Cell(""), *heads), (*map(row, listed), (Cell(_("together"), look="title"), *total)),
                 tuple(range(1, len(heads) + 1)))  # fmt: skip


def end_table(scores: Iterable[Score], names: Sequence[str], sources: Mapping[str, str]) -> TextTable:
    """The points at the end, the first place first."""
    order = sorted(scores, key=lambda score: (score.rank, score.seat))
    heads = [Cell(f"{score.rank}. {names[score.seat]}", look=owner_style(score.seat)) for score in order]
    return points_table(heads, [score.parts for score in order], sources)


def seat_head(frame: Frame, seat: int) -> Cell:
    """The heading of a seat's column."""
    return Cell(f"{frame.letter(seat)} {clipped(frame.names[seat], NAME)}", look=owner_style(seat))
