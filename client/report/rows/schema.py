# SPDX-License-Identifier: GPL-3.0-or-later
"""The schema of a game's data. A column is never renamed, and a new one comes last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from engine.core.dataclass import dataclass

VERSION: Final = 1
"""Version of the schema. It grows when a column changes its meaning or goes."""
Cell: TypeAlias = str | int | bool | None
Rows: TypeAlias = dict[str, list[tuple[Cell, ...]]]
"""By table, its rows; each has a cell for each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. kind: "text", "number", "truth" or "json". A cell may be empty where `holds` says so."""

    name: str
    kind: Literal["text", "number", "truth", "json"]
    holds: str


def _columns(*rows: str) -> tuple[Column, ...]:
    """Columns from lines of "name kind what it holds"."""
    parts = (row.split(maxsplit=2) for row in rows)
    return tuple(Column(name, kind, holds) for name, kind, holds in parts)  # type: ignore[arg-type]


TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "games": _columns(
        "game text the table's id in hex",
        "title text the game's id, such as eclipse2",
        "rules text the version of its rules, such as eclipse2/1",
        "content text the digest of its content in hex",
        "seats number how many seats",
        "members number how many members began",
        "options json the table's options by name",
        "complete truth true if the game was played to its end",
        "ending text how it ended, for games with several endings",
        "steps number how many waits were resolved, preparations and undone ones included",
        "decisions number how many answers seats gave",
        "rounds number the last round",
        "head text the running hash at the end in hex",
        "digest text the digest of the last state in hex",
        "schema number the version of these tables",
    ),
    "seats": _columns(
        "game text as in games",
        "seat number from 0",
        "name text the player's name as the genesis has it",
        "member number of its first owner, from 0",
        "identity text of its first owner in hex",
        "faction text id of the species or faction, empty for games without",
        "allies json the seats that win and lose with it at the end",
        "points number in total at the end",
        "parts json the points by kind",
        "rank number from 1; equal totals share one",
        "won truth true for rank 1 of a complete game",
    ),
    "decisions": _columns(
        "game text as in games",
        "step number as in the log",
        "seat number who was asked",
        "round number of the game then",
        "asked text the word of the question, such as menu",
        "wait text choose, together or seal",
        "options json how many options there were at each stage of the answer",
        "taken text the answer in the game's notation, empty for a sealed choice that nobody opened",
        "value json the answer in plain form, empty likewise",
        "opened number the step that opened a sealed choice, empty for others",
        "caretaker truth true if the stand-in of an absent seat answered",
    ),
    "rolls": _columns(
        "game text as in games",
        "step number as in the log",
        "roll number among the rolls of its step, from 0",
        "die number from 0",
        "round number of the game then",
        "tag text what the roll is for",
        "sides number of the die",
        "face number from 1 to sides",
    ),
    "events": _columns(
        "game text as in games",
        "step number that caused it",
        "number number among the events of its step, from 0",
        "round number of the game then",
        "event text its id",
        "seat number whom it concerns, empty for nobody",
        "arguments json its arguments by name",
    ),
    "rounds": _columns(
        "game text as in games",
        "round number that begins, or the last one again at the end",
        "step number that opens with these points",
        "seat number from 0",
        "points number in total if the game ended there",
        "parts json the points by kind",
        "final truth true at the end of the record",
    ),
    "battles": _columns(
        "game text as in games",
        "battle number from 0",
        "round number of the game",
        "step number at which it began",
        "last number the step of its last event",
        "space text where it was fought",
        "seats json the seats that its events name",
        "events number how many events it has",
    ),
}
"""By table, its columns in order."""
