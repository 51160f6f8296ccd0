# SPDX-License-Identifier: GPL-3.0-or-later
"""A running game: position = base + tail of inputs, stepped one input at a time.

The base is a copy of the state at some segment start and is never read or mutated, so clones share it; the tail holds
the inputs since then. Clone, load and undo copy the base and replay the tail. Only this module resumes rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from types import GeneratorType
from typing import Any

from engine.core import position
from engine.core.agenda import Again, State, Table
from engine.core.cards import Lens
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.history import History
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input, Notice, Outcome, input_plain, input_value
from engine.core.outcomes import delivered, judge, settle
from engine.core.registry import GameSpec
from engine.core.rule import Rule
from engine.core.sections import SectionError, compact
from engine.core.values import Value, plain
from engine.core.views import Segment, View, veiled
from engine.core.waits import Choose, Seal, Together, Wait, wait_plain

__all__ = ["MAX_TAIL", "Match"]

MAX_TAIL = 24
"""No segment may take more inputs than this; tests hold the games to it."""
MAX_RUN = 10_000
"""Most segments from one wait to the next. Games run up to 40; a forged position could run on for ever."""

DUMP_VERSION = 2


class Match:
    """One game in play. It takes over the given state; do not change that from outside.

    ``checkpoint``: number of segment starts after which the base is renewed (1: tables and search, 16: replay, None:
    never); it has no observable effect. ``inbox``: answers to a ``Together`` that still waits for others.
    """

    __slots__ = (
        "_base", "_digest", "_rule", "_since", "_start", "_tail", "checkpoint", "g", "inbox", "pending", "spec",
    )  # fmt: skip

    g: Any
    _digest: bytes

    def __init__(self, spec: GameSpec, state: State, checkpoint: int | None = 1) -> None:
        self._stand(spec, checkpoint, state, (), heard=True)

    @classmethod
    def new(cls, spec: GameSpec, table: Table, checkpoint: int | None = 1) -> Match:
        """Return a new game for an agreed table (see :func:`engine.core.registry.settle_options`)."""
        return cls(spec, spec.setup(table), checkpoint)

    # What is asked

    @property
    def over(self) -> bool:
        return self.pending is None

    @property
    def height(self) -> int:
        """The number of waits resolved since the game began."""
        height: int = self.g.height
        return height

    def ask_of(self, seat: int) -> Choose[Any] | None:
        """Return the wait to which this seat owes an answer now, None if it owes none."""
        match self.pending:
            case Choose() as choose if choose.seat == seat:
                return choose
            case Together(asks) | Seal(asks) if seat in asks and seat not in self.inbox:
                return asks[Seat(seat)]
        return None

    def owing(self) -> tuple[Seat, ...]:
        """The seats that owe an answer, ascending."""
        match self.pending:
            case Choose() as choose:
                return (choose.seat,)
            case Together(asks) | Seal(asks):
                return tuple(sorted(seat for seat in asks if seat not in self.inbox))
        return ()

    def caretaker(self, seat: int) -> Value:
        """Return the caretaker's answer for this seat now. For a sealed choice it is the fallback."""
        choose = self.ask_of(seat)
        if choose is None:
            raise LocalError(f"seat {seat} owes nothing")
        return choose.caretaker(None if isinstance(self.pending, Seal) else self.g)

    def view(self, seat: int, lens: Lens | None = None, *, copy: bool = True) -> View:
        """Return the frozen view of one seat, -1 for a spectator.

        ``copy`` False: view the state itself if nothing is veiled. The caller must not write into it.
        """
        faces = Lens(lens, self.g.history.opened)
        seen = veiled(self.g, self.spec.veil(self.g), seat)
        if copy and seen is self.g:
            seen = self.g.copy()
        said = (Answer(Seat(seat), self.inbox[seat]),) if seat in self.inbox else ()
        segment = Segment(self._opening(seat), (*self._tail[self._start :], *said))
        return View(Seat(seat), seen, self.pending, self.ask_of(seat), faces, self.height, segment)

    def _opening(self, seat: int) -> Callable[[], State]:
        """Return a function that returns the state at the start of this segment as the seat may see it, also later."""
        spec, base, before = self.spec, self._base, tuple(self._tail[: self._start])

        def opening() -> State:
            trial = Match.__new__(Match)
            trial._stand(spec, None, base, before)
            trial.g.new_events = []
            state: State = veiled(trial.g, spec.veil(trial.g), seat)
            return state

        return opening

    # Inputs

    def check(self, given: Input, lens: Lens | None = None) -> Refusal | None:
        """Return None if :meth:`apply` would accept the input. ``lens``: adds the checks that only the answering seat
        can do."""
        if self.pending is None:
            return Refusal("game/over")
        if isinstance(given, Notice):
            seats: int = self.g.table.seats
            return None if given.seat in range(seats) else Refusal("notice/seat", "", (given.seat, seats))
        if isinstance(given, Outcome):
            return judge(self.pending, given)
        if isinstance(self.pending, Seal):
            return Refusal("answer/sealed")
        choose = self.ask_of(given.seat)
        if choose is None:
            return Refusal("answer/not-asked", "", self.owing())
        return choose.validate(self.g, given.value, lens)

    def apply(self, given: Input, *, checked: bool = False, heard: bool = True) -> list[Event]:
        """Take one input, run the rules to the next wait, and return the events. Raises LocalError for an illegal
        input.

        ``checked``: True if the caller has called :meth:`check`, or picked the answer from the listed options.
        ``heard``: False if nobody reads the events: then none are made, which takes less time.
        """
        refusal = None if checked else self.check(given)
        if refusal is not None:
            raise LocalError(f"illegal input {given}: {refusal}")
        if isinstance(given, Answer) and isinstance(self.pending, Together):
            self.inbox[given.seat] = given.value
            if len(self.inbox) < len(self.pending.asks):
                return []
            given = Outcome(tuple(self.inbox[seat] for seat in sorted(self.inbox)))
        self.g.heard = heard
        self._feed(given)
        told: list[Event] = self.g.new_events
        self.g.new_events, self.g.heard = [], True
        return told

    def take(self, given: Input) -> None:
        """Take a legal input of another match's tail, in which the answers to a ``Together`` are one outcome."""
        self._feed(given)
        self.g.new_events = []

    def batch(self, seat: int, values: Sequence[Value]) -> list[Event] | Refusal:
        """Apply consecutive answers of one seat, all or nothing. Each must answer a ``Choose`` of this seat.

        The path of a refusal begins with the index of the illegal answer.
        """
        if not values:
            return Refusal("batch/empty")
        trial = self.clone() if len(values) > 1 else self
        told: list[Event] = []
        for index, value in enumerate(values):
            if index and not (isinstance(trial.pending, Choose) and trial.pending.seat == seat):
                return Refusal("batch/too-long", str(index))
            refusal = trial.check(Answer(Seat(seat), value))
            if refusal is not None:
                return Refusal(refusal.code, f"{index}.{refusal.path}" if refusal.path else str(index), refusal.detail)
            told += trial.apply(Answer(Seat(seat), value), checked=True)
        if trial is not self:
            for name in self.__slots__:
                setattr(self, name, getattr(trial, name))
        return told

    # Copies, digests, files

    def clone(self) -> Match:
        """Return an independent match at the same point, by replaying the tail on a copy of the base."""
        new = self.clone_at(len(self._tail))
        new._digest, new.inbox, new.g.new_events = self._digest, dict(self.inbox), list(self.g.new_events)
        return new

    def clone_at(self, inputs: int) -> Match:
        """Return the match as it was after this number of inputs of the tail, for undo."""
        new = self.__class__.__new__(self.__class__)
        new._stand(self.spec, self.checkpoint, self._base, self._tail[:inputs])
        new.g.new_events = []
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as `clone` copies: base and tail, which is replayed."""
        return _again, (self.spec, self.checkpoint, self._base, self._tail, self.inbox)

    def digest(self) -> bytes:
        """Return 16 bytes over sections, pending wait and the inputs of the segment, without the inbox."""
        if not self._digest:
            rest = [wait_plain(self.pending), [input_plain(given) for given in self._tail[self._start :]]]
            self._digest = self.g.digest(compact(rest).encode())
        return self._digest

    @property
    def tail(self) -> int:
        """The number of inputs that the running segment has taken."""
        return len(self._tail) - self._start

    def dump(self) -> bytes:
        """Return the exact form of the match for a snapshot: a line of JSON and a line with its checksum; see
        :meth:`load`."""
        data = {
            "version": DUMP_VERSION,
            "rules": self.spec.rules_id,
            "checkpoint": self.checkpoint,
            "height": self._base.height,
            "base": self._base.dump(),
            "history": self._base.history.dump(),
            "tail": [input_plain(given) for given in self._tail],
            "inbox": [[seat, plain(value)] for seat, value in sorted(self.inbox.items())],
            "digest": self.digest().hex(),
        }
        text = compact(data).encode()
        return text + b"\n" + _checksum(text)

    @classmethod
    def load(cls, spec: GameSpec, data: bytes) -> Match | Refusal:
        """Return the match of a dump, or a Refusal if it has other rules, is damaged, or replays to another digest."""
        text, _, checksum = data.rpartition(b"\n")
        if checksum != _checksum(text):
            return Refusal("dump/damaged", "", ("checksum",))
        new = cls.__new__(cls)
        try:
            read = json.loads(text)
            if (read["version"], read["rules"]) != (DUMP_VERSION, spec.rules_id):
                return Refusal("dump/version", "", (str(read["version"]), str(read["rules"])))
            base = position.load_state(spec, read["base"])
            base.height, base.history = read["height"], History.load(read["history"])
            tail = [input_value(spec.words, given) for given in read["tail"]]
            new._stand(spec, read["checkpoint"], base, tail)
            new.g.new_events = []
            new.inbox = {seat: spec.words.value(value) for seat, value in read["inbox"]}
            same = new.digest().hex() == read["digest"]
        except SectionError as problem:
            return Refusal("dump/damaged", f"base.{problem.path}", (problem.problem,))
        except Exception as problem:  # noqa: BLE001 - rules ran on a forged file and may fail in any way
            return Refusal("dump/damaged", "", (f"{type(problem).__name__}: {problem}"[:200],))
        return new if same else Refusal("dump/digest")

    def position(self) -> dict[str, Any]:
        """Return the state at the start of the running segment as editable JSON-able data, without tail and inbox."""
        return position.dump_position(self.spec, self.segment_start())

    def segment_start(self) -> State:
        """Return a copy of the state at the start of the running segment, which changes nothing before its first
        wait."""
        state: State = self.clone_at(self._start).g
        return state

    # Internals

    def _stand(
        self, spec: GameSpec, checkpoint: int | None, base: State, tail: Sequence[Input], *, heard: bool = False
    ) -> None:
        """Replay the tail on a copy of the base."""
        self.spec, self.checkpoint = spec, checkpoint
        self.g, self._base = base.copy(), base
        self.g.heard = heard
        self._tail: list[Input] = []
        self._start, self._since = 0, -1  # the first segment to start is that of the base
        self._digest = b""
        self._rule: Rule[Any] | None = None
        self.pending: Wait[Any] | None = None
        self.inbox: dict[int, Value] = {}
        self._run_segments()
        for given in tail:
            self._feed(given)
        self.g.heard = True

    def _feed(self, given: Input) -> None:
        """Take a legal input: pass it to the waiting rule, or keep a notice for the end of the segment."""
        self._tail.append(given)
        self._digest = b""
        if isinstance(given, Notice):
            self.g.flow.notices.append([given.kind, given.seat])
            return
        if self.pending is None or self._rule is None:
            raise LocalError("the game is over")
        g, wait, self.inbox = self.g, self.pending, {}
        g.height += 1
        if isinstance(wait, Choose) and isinstance(given, Answer):
            value: object = given.value
        else:
            g.history = g.history.before(wait, g.decks, given)
            settle(g.decks, wait)
            value = delivered(g, self.spec, wait, given)
        try:
            self.pending = self._rule.send(value)
        except StopIteration as stop:
            self._close(stop.value)
            self._run_segments()

    def _run_segments(self) -> None:
        """Start segments from the agenda until one waits or none is left."""
        flow, run = self.g.flow, 0
        while flow.now or flow.agenda:
            run += 1
            if run > MAX_RUN:
                raise LocalError(f"{run} segments without a wait")
            if not flow.now:
                flow.now = flow.agenda.pop(0)
            self._mark()
            name, *args = flow.now
            result = self.spec.segments[name](self.g, *args)
            if isinstance(result, GeneratorType):
                self._rule = result
                try:
                    self.pending = next(result)
                    return
                except StopIteration as stop:
                    result = stop.value
            self._close(result)
        self._mark()

    def _close(self, result: object) -> None:
        """End a segment: put it back if it must run again, and apply the notices."""
        flow = self.g.flow
        if isinstance(result, Again):
            flow.agenda.insert(flow.cursor, flow.now)
        flow.now, flow.cursor = [], 0
        self._rule, self.pending = None, None
        if flow.notices:
            notices, flow.notices = flow.notices, []
            for kind, seat in notices:
                if self.spec.notice is not None:
                    self.spec.notice(self.g, kind, seat)
            flow.cursor = 0

    def _mark(self) -> None:
        """Renew the base at the start of a segment, as often as ``checkpoint`` says."""
        self._since += 1
        if self.checkpoint is not None and self._since >= self.checkpoint:
            self._base, self._tail, self._since = self.g.unread_copy(), [], 0
        self._start = len(self._tail)


def _again(
    spec: GameSpec, checkpoint: int | None, base: State, tail: Sequence[Input], inbox: Mapping[int, Value]
) -> Match:
    """Return the match with this base, tail and inbox."""
    new = Match.__new__(Match)
    new._stand(spec, checkpoint, base, tail)
    new.g.new_events, new.inbox = [], dict(inbox)
    return new


def _checksum(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).hexdigest().encode()
