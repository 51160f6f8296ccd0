# SPDX-License-Identifier: GPL-3.0-or-later
"""The points of all seats as a table: a row for each source, a column for each seat, the sums with bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from client.show.document import Cell, TextTable
from client.show.pictures import Frame
from client.show.styled import owner_style
from client.system.names import clipped
from client.system.texts import _
from engine.core.registry import Score

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
