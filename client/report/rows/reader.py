# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the rows of one replayed game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from client.proof.walk import Walk
from client.report.battles import Battles
from client.report.course import frame_of
from client.report.rows.schema import TABLES, VERSION, Cell, Rows
from client.show.pictures import Fights, pictures
from client.system.names import seat_name
from client.words.rounds import ending_told, round_told
from engine.core.cards import SEALS
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import Score
from engine.core.sections import compact
from engine.core.values import Handle, Value, plain
from engine.core.waits import Choose, Reveal, Roll, Seal
from p2p.lockstep.machine import GivenAnswer, GivenOutcome


def rows_of(walk: Walk) -> Rows:
    """The rows of one game, for each table of `TABLES`."""
    rows: Rows = {name: [] for name in TABLES}
    _Reader(walk, rows).read()
    return rows


@dataclass(slots=True)
class _Reader:
    """Reads one game.

    Attributes:
        round: the round of the game at the step that is read.
        sealed: by handle, the place of its row among the decisions, for choices that nobody has opened yet.
        begun: the steps that open rounds, each with its round.
        many: how many rolls and events of a step have been read, by table and step.
    """

    walk: Walk
    rows: Rows
    round: int = 0
    ending: str = ""
    sealed: dict[Handle, int] = field(default_factory=dict)
    begun: list[tuple[int, int]] = field(default_factory=list)
    many: dict[tuple[str, int], int] = field(default_factory=dict)

    def read(self) -> None:
        """Replay the game and write its rows."""
        steps = self.walk.steps()
        _, match = next(steps)
        before = match.clone()
        for step, match in steps:
            match step.given:
                case GivenAnswer(seat, value):
                    self._decided(step.height, before, seat, value)
                case GivenOutcome(value):
                    self._outcome(step.height, before, value)
            self._told(step.height, step.opens, [event for event in step.events if isinstance(event, Event)], match)
            before = match.clone()
        self._points(self.walk.last, before, final=True)
        self._games(before)
        self._seats(before)
        self._battles(pictures(self.walk.genesis.game).fights)

    def _add(self, table: str, *cells: Cell) -> None:
        self.rows[table].append((self.walk.genesis.table.hex(), *cells))

    def _next(self, table: str, step: int) -> int:
        """Number the rolls or events of a step."""
        number = self.many.get((table, step), 0)
        self.many[table, step] = number + 1
        return number

    # Decisions and rolls ---------------------------------------------------------------------------------------------

    def _decided(self, step: int, before: Match, seat: int, said: Any) -> None:
        ask = before.ask_of(seat)
        assert ask is not None
        value = before.spec.words.value(said)
        wait = "choose" if isinstance(before.pending, Choose) else "together"
        outcome = self.walk.table.position.outcomes.get(step, [])
        caretaker = any(row[0] == seat for _, stood_in in outcome for row in stood_in)
        options = compact(_options(ask, before.g, value))
        taken = format_value(value), compact(plain(value))
        self._add("decisions", step, seat, self.round, ask.word, wait, options, *taken, None, caretaker)

    def _outcome(self, step: int, before: Match, value: Any) -> None:
        match before.pending:
            case Roll(sides, tag):
                roll = self._next("rolls", step)
                for die, (size, face) in enumerate(zip(sides, value, strict=True)):
                    self._add("rolls", step, roll, die, self.round, tag, size, face)
            case Seal(asks):
                handles = before.g.decks.next_handles(SEALS, len(asks))
                for handle, (seat, ask) in zip(handles, sorted(asks.items()), strict=True):
                    self.sealed[handle] = len(self.rows["decisions"])
                    options = compact(_options(ask, None, None))
                    self._add("decisions", step, seat, self.round, ask.word, "seal", options, None, None, None, False)
            case Reveal(handles):
                for handle, card in zip(handles, value, strict=True):
                    if handle in self.sealed and card is not None:
                        self._opened(self.sealed.pop(handle), step, before, card)

    def _opened(self, place: int, step: int, before: Match, said: Any) -> None:
        """Fill in a sealed choice that is opened. One that its question cannot read stays empty: the rules took the
        stand-in's answer."""
        row = [*self.rows["decisions"][place]]
        try:
            value = before.spec.words.value(said)
        except (ValueError, RecursionError):
            return
        columns = [column.name for column in TABLES["decisions"]]
        row[columns.index("taken")], row[columns.index("value")] = format_value(value), compact(plain(value))
        row[columns.index("opened")] = step
        self.rows["decisions"][place] = tuple(row)

    # What happened ---------------------------------------------------------------------------------------------------

    def _told(self, step: int, opens: int, events: Sequence[Event], match: Match) -> None:
        for event in events:
            seat = event.args.get("seat")
            begins = round_told([event])
            self.round = max(self.round, begins)
            number, arguments = (
                self._next("events", step),
                compact({name: plain(value) for name, value in event.args.items()}),
            )
            self._add("events", step, number, self.round, event.id, seat if type(seat) is int else None, arguments)
            if begins:
                self.begun.append((opens, begins))
                self._points(opens, match, final=False)
        self.ending = ending_told(self.walk.genesis.game, events) or self.ending

    def _points(self, step: int, match: Match, *, final: bool) -> None:
        for score in _scores(match):
            self._add("rounds", self.round, step, score.seat, score.total, compact(dict(score.parts)), final)

    def _battles(self, fights: Fights) -> None:
        found = Battles(fights)
        for step, match in self.walk.steps() if fights.belonging else ():
            found.take(step, frame_of(match, self.walk))
        for number, battle in enumerate(found.found):
            seats = sorted({seat for _, event in battle.events for seat in _seats_of(event)})
            at = max((number for step, number in self.begun if step <= battle.height), default=0)
            last = battle.events[-1][0]
            cells = number, at, battle.height, last, battle.space, compact(seats), len(battle.events)
            self._add("battles", *cells)

    # The game as a whole ---------------------------------------------------------------------------------------------

    def _games(self, end: Match) -> None:
        genesis, rows = self.walk.genesis, self.rows
        self._add(
            "games",
            *(genesis.game, genesis.rules, genesis.content.hex(), genesis.seats, len(genesis.members)),
            *(compact(dict(sorted(genesis.options.items()))), self.walk.complete, self.ending, self.walk.last),
            *(len(rows["decisions"]), self.round, self.walk.table.position.head.hex(), end.digest().hex(), VERSION),
        )

    def _seats(self, end: Match) -> None:
        owners = {
            row.seat: (row, number, member)
            for number, member in enumerate(self.walk.genesis.members)
            for row in member.rows
        }
        sides = end.spec.sides(end.g)
        for score in _scores(end):
            row, number, member = owners[score.seat]
            side = sides[score.seat] if sides else None
            faction, allies = (side.faction, side.allies) if side is not None else ("", ())
            self._add(
                "seats",
                *(score.seat, seat_name(row), number, member.certificate.identity.hex(), faction, compact([*allies])),
                *(score.total, compact(dict(score.parts)), score.rank, self.walk.complete and score.rank == 1),
            )


def _scores(match: Match) -> Sequence[Score]:
    return sorted(match.spec.scores(match.g), key=lambda score: score.seat)


def _options(ask: Choose[Any], g: Any, value: Value) -> list[int]:
    """How many options there were at each stage of this answer. A sealed choice has no position and, while nobody has
    opened it, no stages but the first."""
    if not ask.staged:
        return [len(ask.options(g))]
    taken = value if isinstance(value, tuple) else ()
    return [len(ask.options(g, None, taken[:stage])) for stage in range(max(len(taken), 1))]


def _seats_of(event: Event) -> Iterator[int]:
    for name in ("seat", "seats", "by"):
        value = event.args.get(name)
        yield from (
            each for each in (value if isinstance(value, tuple) else (value,)) if type(each) is int and each >= 0
        )
