# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the rows of many games, one for each table."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

from client.proof.walk import Walk
from client.report.rows.reader import rows_of
from client.report.rows.schema import TABLES, Cell, Column
from engine.core.sections import compact

Form: TypeAlias = Literal["csv", "jsonl", "parquet"]


def write(games: Iterable[Walk], folder: Path, form: Form) -> Mapping[str, int]:
    """Write one file for each table into a folder. Return how many rows each has. Raises OSError."""
    counts = dict.fromkeys(TABLES, 0)
    sinks = {name: _SINKS[form](folder / f"{name}.{form}", columns) for name, columns in TABLES.items()}
    try:
        for walk in games:
            for name, rows in rows_of(walk).items():
                sinks[name].take(rows)
                counts[name] += len(rows)
    finally:
        for sink in sinks.values():
            sink.close()
    return counts


class Sink(Protocol):
    """Takes the rows of one table."""

    def take(self, rows: Iterable[Sequence[Cell]]) -> None:
        """Write these rows."""

    def close(self) -> None:
        """End the file."""


class _Csv:
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow([column.name for column in columns])

    def take(self, rows: Iterable[Sequence[Cell]]) -> None:
        self._rows.writerows(
            [_CSV_TRUTH.get(cell, cell) if isinstance(cell, bool) else cell for cell in row] for row in rows
        )

    def close(self) -> None:
        self._file.close()


_CSV_TRUTH: Final = {True: "true", False: "false"}


class _JsonLines:
    """A line is a record; what is JSON in a cell elsewhere is itself a value here."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file, self._columns = path.open("w", encoding="utf-8"), columns

    def take(self, rows: Iterable[Sequence[Cell]]) -> None:
        for row in rows:
            cells = zip(self._columns, row, strict=True)
            self._file.write(compact({column.name: _value(column, cell) for column, cell in cells}) + "\n")

    def close(self) -> None:
        self._file.close()


def _value(column: Column, cell: Cell) -> Any:
    return json.loads(cell) if column.kind == "json" and isinstance(cell, str) else cell


class _Parquet:
    """All rows of a table at once, since a game has few. Needs pyarrow."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._path, self._columns, self._rows = path, columns, list[Sequence[Cell]]()

    def take(self, rows: Iterable[Sequence[Cell]]) -> None:
        self._rows += rows

    def close(self) -> None:
        import pyarrow
        from pyarrow import parquet

        kinds = {
            "text": pyarrow.string(),
            "json": pyarrow.string(),
            "number": pyarrow.int64(),
            "truth": pyarrow.bool_(),
        }
        schema = pyarrow.schema([(column.name, kinds[column.kind]) for column in self._columns])
        columns = [[row[at] for row in self._rows] for at in range(len(self._columns))]
        parquet.write_table(pyarrow.table(columns, schema=schema), self._path)


_SINKS: Final[Mapping[Form, Callable[[Path, Sequence[Column]], Sink]]] = {
    "csv": _Csv,
    "jsonl": _JsonLines,
    "parquet": _Parquet,
}
