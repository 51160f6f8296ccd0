# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder: how much better a bot is than a field of others, by pairs of games.

Both games of a pair have the same seed, seats and field. In the first the bot under test sits in one seat, in the
second the first bot of the field does. Seats rotate from pair to pair, and so do the bots of the field over the other
seats. So the share of an equal is measured and not assumed, since some games share victories, and luck of the seed
counts on both sides.

Intervals are of 95 %: Wilson's for shares (E. B. Wilson, 1927), the normal one for means. `z` is McNemar's figure for
the pairs that only one of both won (Q. McNemar, 1947): (b - c) / sqrt(b + c).

Rows are JSON lines: a first line that says what is played, then one line for each game. A file is gone on with, by one
process at a time, and a line that was torn off at the end is played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import IO, Any, Final, Literal, Self, TypeAlias

from client.bots.one_game import GameTask, PlayedGame
from client.bots.programs import given
from engine.core.dataclass import dataclass

Z: Final = 1.96
"""Standard deviations of a 95 % interval."""
FORM: Final = 1
"""Version of the file of rows."""
Side = Literal["with", "without"]
SIDES: Final[tuple[Side, Side]] = ("with", "without")


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: `pairs` of games of `game` at a table of `seats`.

    Attributes:
        bot: the level under test.
        field: the levels that it meets; the first also takes its place.
        seed: all chance of the series follows from it.
    """

    game: str
    seats: int
    options: Mapping[str, str]
    bot: str
    field: tuple[str, ...]
    seed: str

    def task(self, pair: int, side: Side) -> GameTask:
        """One game of a pair."""
        seat = self.seat(pair)
        others = [self.field[(pair // self.seats + place) % len(self.field)] for place in range(self.seats - 1)]
        levels = [*others[:seat], self.bot if side == "with" else self.field[0], *others[seat:]]
        return GameTask(self.game, tuple(levels), f"{self.seed}/{pair}", dict(self.options), given(levels))

    def seat(self, pair: int) -> int:
        """The seat under test in a pair."""
        return pair % self.seats

    def tasks(self, pairs: int, done: Iterable[tuple[int, Side]] = ()) -> Iterator[tuple[tuple[int, Side], GameTask]]:
        """The games that are left to play."""
        played = set(done)
        keys = (key for key in product(range(pairs), SIDES) if key not in played)
        return ((key, self.task(*key)) for key in keys)


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a pair."""

    pair: int
    side: Side
    row: PlayedGame


# Rows in a file ------------------------------------------------------------------------------------------------------


class RowsError(ValueError):
    """A file of rows that cannot be gone on with. line: the number of the line that is wrong, from 1."""

    def __init__(self, code: str, line: int = 0, detail: str = "") -> None:
        super().__init__(f"{code} line {line}: {detail}")
        self.code, self.line, self.detail = code, line, detail


class Rows:
    """A file of rows, read and gone on with. Used as a context it is closed at the end; until then no other process can
    go on with it.

    Attributes:
        played: the games that it holds, by pair and side.
    """

    def __init__(self, path: Path, series: Series, program: Mapping[str, str]) -> None:
        """program: version, rules and content, so that games of different versions are never mixed. Raises RowsError
        as `read_rows` does, "rows/in-use" for a file that another process goes on with, and OSError."""
        self._program = dict(program)
        self._file: IO[bytes] = path.open("a+b")
        try:
            _lock(self._file)
            self._file.seek(0)
            head = _head(series, program)
            self.played, whole = _read(self._file.read(), head)
            self._file.truncate(whole)
        except BaseException:
            self._file.close()
            raise
        if not whole:
            self._write(head)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, played: Played) -> None:
        """Write one game. A game that is there already is written no second time. Raises RowsError "rows/program" for
        a game that another program has played, on a machine of a cluster."""
        row = {"version": played.row.version, "rules": played.row.rules, "content": played.row.content}
        if row != self._program:
            raise RowsError("rows/program", 0, f"{row}, {self._program}")
        if (played.pair, played.side) not in self.played:
            self.played[played.pair, played.side] = played
            self._write({"pair": played.pair, "side": played.side, **asdict(played.row)})

    def _write(self, record: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def read_rows(path: Path, series: Series, program: Mapping[str, str]) -> Mapping[tuple[int, Side], Played]:
    """The games that a file holds, by pair and side; it may be gone on with at the same time. Raises RowsError
    "rows/other" for a file of other games, "rows/damaged" for a line that cannot be read, and OSError."""
    return _read(path.read_bytes(), _head(series, program))[0]


def _lock(file: IO[bytes]) -> None:
    from p2p.log.lock import try_lock

    try:
        try_lock(file.fileno())
    except OSError as error:
        raise RowsError("rows/in-use") from error


def _head(series: Series, program: Mapping[str, str]) -> Mapping[str, Any]:
    """The first line of a file. It has the commands of programs, since two may have the same label."""
    programs = given((series.bot, *series.field))
    said = {"programs": dict(programs)} if programs else {}
    return {"ladder": FORM, **json.loads(json.dumps(asdict(series))), **said, **program}


def _read(data: bytes, head: Mapping[str, Any]) -> tuple[dict[tuple[int, Side], Played], int]:
    """The games in these bytes, and how many bytes of them are whole lines."""
    found: dict[tuple[int, Side], Played] = {}
    whole = data.rfind(b"\n") + 1
    for number, line in enumerate(data[:whole].splitlines(), 1):
        try:
            record = json.loads(line)
            if number == 1:
                _compare(record, head)
            else:
                played = _played(record)
                found[played.pair, played.side] = played
        except RowsError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise RowsError("rows/damaged", number, str(error)) from error
    return found, whole


def _compare(record: Any, head: Mapping[str, Any]) -> None:
    if not isinstance(record, dict) or "ladder" not in record:
        raise ValueError("the first line does not say what is played")
    other = [name for name in head if record.get(name) != head[name]]
    if other:
        raise RowsError("rows/other", 1, f"{other[0]}: {record.get(other[0])}, {head[other[0]]}")


def _played(record: dict[str, Any]) -> Played:
    pair, side = record.pop("pair"), record.pop("side")
    if type(pair) is not int or side not in SIDES:
        raise ValueError("pair or side")
    lists = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
    lists["allies"] = tuple(tuple(seats) for seats in record["allies"])
    return Played(pair, side, PlayedGame(**{**record, **lists}))


# What the rows say ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its interval."""

    won: int
    of: int

    @property
    def share(self) -> float:
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.of)


@dataclass(frozen=True, slots=True)
class LadderVerdict:
    """What a series has shown so far.

    Attributes:
        pairs: the pairs of which both games were played to their end.
        bot: the games that the bot under test won.
        equal: the games that the first of the field won in its place: the measured share of an equal.
        alone, other: the pairs that only the bot won, and that only the other won.
        ahead: the mean difference of points within a pair, and half of its interval.
        faults: the games that the engine did not finish.
        missed: the answers that programs did not give, so that the caretaker did.
        think: by level, the median over its seats of their median decision, and the longest decision, in seconds.
        hours: processor hours that the bots thought.
    """

    pairs: int
    bot: Share
    equal: Share
    alone: int
    other: int
    ahead: tuple[float, float]
    faults: int
    missed: int
    think: Mapping[str, tuple[float, float]]
    hours: float

    @property
    def z(self) -> float:
        """McNemar's figure, 0 without pairs that differ."""
        differ = self.alone + self.other
        return (self.alone - self.other) / sqrt(differ) if differ else 0.0

    @property
    def better(self) -> bool:
        """True if the lower end of the bot's interval lies above the share of an equal."""
        return self.bot.interval[0] > self.equal.share


def verdict(series: Series, games: Iterable[Played]) -> LadderVerdict:
    """Return what these games of a series show."""
    rows = {(game.pair, game.side): game.row for game in games}
    whole = [pair for pair, side in rows if side == "with" and (pair, "without") in rows]
    pairs = [(series.seat(pair), rows[pair, "with"], rows[pair, "without"]) for pair in sorted(whole)]
    ended = [(seat, one, other) for seat, one, other in pairs if not (one.fault or other.fault)]
    won = [(one.ranks[seat] == 1, other.ranks[seat] == 1) for seat, one, other in ended]
    points = [one.totals[seat] - other.totals[seat] for seat, one, other in ended]
    return LadderVerdict(
        pairs=len(ended),
        bot=Share(sum(one for one, _ in won), len(won)),
        equal=Share(sum(other for _, other in won), len(won)),
        alone=sum(one and not other for one, other in won),
        other=sum(other and not one for one, other in won),
        ahead=_mean(points),
        faults=sum(bool(row.fault) for row in rows.values()),
        missed=sum(sum(row.missed) for row in rows.values()),
        think=_thinking(rows.values()),
        hours=sum(sum(row.seconds) for row in rows.values()) / 3600,
    )


def points(series: Series, games: Iterable[Played]) -> dict[str, tuple[float, float, float]]:
    """Return, by kind of points, the means of the bot, of the equal in its place, and of the best other seat beside the
    bot. Rows without points of kinds do not count."""
    found: dict[str, tuple[list[int], list[int], list[int]]] = {}
    for game in games:
        seat, row = series.seat(game.pair), game.row
        if not row.parts:
            continue
        best = max((other for other in range(series.seats) if other != seat), key=lambda at: (-row.ranks[at], -at))
        for kind, value in row.parts[seat].items():
            own, equal, other = found.setdefault(kind, ([], [], []))
            if game.side == "without":
                equal.append(value)
            else:
                own.append(value)
                other.append(row.parts[best].get(kind, 0))
    whole = {kind: lists for kind, lists in found.items() if all(lists)}
    return {kind: (fmean(own), fmean(equal), fmean(other)) for kind, (own, equal, other) in whole.items()}


def _mean(values: Sequence[int]) -> tuple[float, float]:
    """The mean and half of its interval."""
    if len(values) < 2:
        return (fmean(values) if values else 0.0), 0.0
    return fmean(values), Z * stdev(values) / sqrt(len(values))


def _thinking(rows: Iterable[PlayedGame]) -> dict[str, tuple[float, float]]:
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        for name, middle, worst in zip(row.levels, row.middle, row.worst, strict=True):
            found.setdefault(name, []).append((middle, worst))
    return {name: (median(mid for mid, _ in seats), max(worst for _, worst in seats)) for name, seats in found.items()}


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share. Of no games: from 0 to 1."""
    if not games:
        return 0.0, 1.0
    share = won / games
    middle = share + Z * Z / (2 * games)
    spread = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    whole = 1 + Z * Z / games
    return max((middle - spread) / whole, 0.0), min((middle + spread) / whole, 1.0)


# Playing -------------------------------------------------------------------------------------------------------------

Key: TypeAlias = tuple[int, Side]
Run: TypeAlias = Callable[[Iterable[tuple[Key, GameTask]]], Iterator[tuple[Key, PlayedGame]]]
"""Plays tasks and yields each row as soon as it is there, in any order."""


def climb(series: Series, pairs: int, rows: Rows, run: Run, told: Callable[[int, int], None]) -> LadderVerdict:
    """Play what is missing of `pairs` pairs, keep each row at once, and return what all of them show.

    told: called with the number of games that are there and of all.
    """
    told(len(rows.played), 2 * pairs)
    for (pair, side), row in run(series.tasks(pairs, rows.played)):
        rows.add(Played(pair, side, row))
        told(len(rows.played), 2 * pairs)
    return verdict(series, (game for game in rows.played.values() if game.pair < pairs))
