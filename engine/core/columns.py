# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns and grids: the numbers of a position by one index, or by two or three.

A grid is declared with its shape: the size of each index, as a number or as the name of a column of the same section
with that length; -1 means the size that follows from the length, as in NumPy's ``reshape``::

    species: Column
    techs: Annotated[Grid, "species", -1]
    store: Annotated[Grid, "species", len(RESOURCES)]

Rules read and write ``g.seats.store[seat, MONEY]``, and :func:`row_of` is one seat's row. A grid is a ``memoryview``
of a flat column, row after row; that column is what is copied, digested and dumped. So an item costs no more than
``store[3 * seat + MONEY]`` of a column. A class with its own ``__getitem__`` would cost twice that.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING

__all__ = ["Column", "Grid", "Shape", "column", "flat", "grid", "row_of", "view"]

if TYPE_CHECKING:
    Column = array[int]

    class Grid:
        """Numbers by two or three indexes. Negative indexes count from the end; indexes out of range raise IndexError.

        Attributes:
            obj: the flat column behind it.
            shape: the size of each index.
        """

        obj: Column
        shape: tuple[int, ...]

        def __len__(self) -> int: ...
        def __getitem__(self, place: tuple[int, int] | tuple[int, int, int]) -> int: ...
        def __setitem__(self, place: tuple[int, int] | tuple[int, int, int], value: int) -> None: ...

else:  # `array[int]` cannot be subscripted at run time before Python 3.12
    Column = array
    Grid = memoryview

Shape = tuple[int | str, ...]
"""The declared shape of a grid."""


def column(values: Iterable[int] = ()) -> Column:
    """Return a new column of the given numbers, each from -32,768 to 32,767."""
    return array("h", values)


def grid(*shape: int, fill: int = 0) -> Grid:
    """Return a new grid of that shape with ``fill`` everywhere."""
    return view(column([fill]) * prod(shape), shape)


def view(numbers: Column, shape: Sequence[int]) -> Grid:
    """Return the numbers as a grid of that shape, with -1 at most once. A write to one is a write to both.

    Raises ValueError if the number of values does not fit the shape or is 0.
    """
    known = prod(size for size in shape if size != -1)
    sizes = [len(numbers) // known if size == -1 and known else size for size in shape]
    if prod(sizes) != len(numbers) or not numbers:
        raise ValueError(f"expected {' × '.join('n' if size == -1 else str(size) for size in shape)} numbers")
    made: Grid = memoryview(numbers).cast("B").cast("h", sizes)  # type: ignore[assignment]
    return made


def row_of(numbers: Grid, first: int, second: int | None = None) -> Column:
    """Return a copy of the row of a grid at its first index, or at its first two."""
    held = numbers.obj
    width = len(held) // len(numbers)
    at = first * width
    if second is not None:
        width //= numbers.shape[1]
        at += second * width
    return held[at : at + width]


def flat(numbers: Column | Grid) -> Column:
    """Return the column behind a grid, row after row. Return a column itself."""
    return numbers.obj if isinstance(numbers, Grid) else numbers
