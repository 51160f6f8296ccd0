"""A running game: position = base + tail of inputs, stepped one input at a time.

The base is a copy of the state at some segment start and is never mutated, so clones share it; the tail holds the inputs since then.
Clone, load and undo copy the base and replay the tail.  Only this module resumes rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine.core import position
from engine.core.agenda import Again, State, Table
from engine.core.cards import Lens
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input, Notice, Outcome
from engine.core.outcomes import delivered, judge, settle
from engine.core.registry import GameSpec
from engine.core.rule import Rule
from engine.core.sections import SectionError, compact
from engine.core.values import Value, plain
from engine.core.views import View
from engine.core.waits import Choose, Seal, Together, Wait

__all__ = ["MAX_TAIL", "Match"]

MAX_TAIL = 24
"""No segment may take more inputs than this; tests hold the games to it."""

DUMP_VERSION = 1


class Match:
    """One game in play.

    ``checkpoint`` renews the base every so many segment starts (1: tables and search, 16: replay, None: never); nothing observable
    depends on it.  ``height`` counts the waits resolved so far.
    """

    __slots__ = (
        "_base", "_digest", "_rule", "_since", "_start", "_tail", "checkpoint", "g", "height", "inbox", "pending", "spec",
    )  # fmt: skip

    def __init__(self, spec: GameSpec, state: State, checkpoint: int | None = 1) -> None:
        self.spec, self.checkpoint = spec, checkpoint
        self.g: Any = state
        self.height = 0
        self._begin(state.copy(), ())
        self._run_segments()

    @classmethod
    def new(cls, spec: GameSpec, table: Table, checkpoint: int | None = 1) -> Match:
        """A fresh game for an agreed table (see :func:`engine.core.registry.settle_options`)."""
        return cls(spec, spec.setup(table), checkpoint)

    # What is asked ---------------------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.pending is None

    def ask_of(self, seat: int) -> Choose[Any] | None:
        """What this seat owes an answer to right now, if anything."""
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
        """What the stand-in would answer for this seat now; for a sealed choice it is the fallback."""
        choose = self.ask_of(seat)
        if choose is None:
            raise LocalError(f"seat {seat} owes nothing")
        return choose.caretaker(self.g)

    def view(self, seat: int, lens: Lens | None = None) -> View:
        """A frozen picture for one seat."""
        return View(Seat(seat), self.g.copy(), self.pending, self.ask_of(seat), lens or Lens(), self.height)

    # Inputs ----------------------------------------------------------------------------------------------------------------------

    def check(self, given: Input, lens: Lens | None = None) -> Refusal | None:
        """None when :meth:`apply` would take the input."""
        if isinstance(given, Notice):
            return None if self.pending is not None else Refusal("game/over")
        if self.pending is None:
            return Refusal("game/over")
        if isinstance(given, Outcome):
            return judge(self.g, self.pending, given)
        if isinstance(self.pending, Seal):
            return Refusal("answer/sealed")
        choose = self.ask_of(given.seat)
        if choose is None:
            return Refusal("answer/not-asked", "", self.owing())
        return choose.validate(self.g, given.value, lens)

    def apply(self, given: Input) -> list[Event]:
        """Take one input and run the rules to the next wait; gives what happened.  Raises LocalError for an illegal input."""
        refusal = self.check(given)
        if refusal is not None:
            raise LocalError(f"illegal input {given}: {refusal}")
        if isinstance(given, Answer) and isinstance(self.pending, Together):
            self.inbox[given.seat] = given.value
            if len(self.inbox) < len(self.pending.asks):
                return []
            given = Outcome(tuple(self.inbox[seat] for seat in sorted(self.inbox)))
        self._tail.append(given)
        self._digest = b""
        self._feed(given)
        told: list[Event] = self.g.told
        self.g.told = []
        return told

    def batch(self, seat: int, values: Sequence[Value]) -> list[Event] | Refusal:
        """Consecutive answers of one seat, all or nothing; a value after anything but an own Choose is refused."""
        trial = self.clone() if len(values) > 1 else self
        told: list[Event] = []
        for index, value in enumerate(values):
            if index and not (isinstance(trial.pending, Choose) and trial.pending.seat == seat):
                return Refusal("batch/too-long", str(index))
            refusal = trial.check(Answer(Seat(seat), value))
            if refusal is not None:
                return Refusal(refusal.code, f"{index}.{refusal.path}" if refusal.path else str(index), refusal.detail)
            told += trial.apply(Answer(Seat(seat), value))
        if trial is not self:
            self._become(trial)
        return told

    # Copies, digests, files ------------------------------------------------------------------------------------------------------

    def clone(self) -> Match:
        """An independent match at the same point, by replaying the tail on a copy of the base."""
        new = self.__class__.__new__(self.__class__)
        new.spec, new.checkpoint, new.height = self.spec, self.checkpoint, self.height
        new._replay(self._base, self._tail)
        new._digest = self._digest
        new.inbox = dict(self.inbox)
        return new

    def digest(self) -> bytes:
        """16 bytes over sections, pending wait and inputs since the segment began; the inbox does not count."""
        if not self._digest:
            rest = [wait_plain(self.pending), [input_plain(given) for given in self._tail[self._start :]]]
            self._digest = self.g.digest(compact(rest).encode())
        return self._digest

    @property
    def tail(self) -> int:
        """How many inputs the running segment has taken."""
        return len(self._tail) - self._start

    def dump(self) -> bytes:
        """Exact form of the match for a snapshot, as JSON; :meth:`load` gives it back."""
        data = {
            "version": DUMP_VERSION,
            "rules": self.spec.rules_id,
            "height": self.height,
            "checkpoint": self.checkpoint,
            "base": self._base.dump(),
            "tail": [input_plain(given) for given in self._tail],
            "inbox": [[seat, plain(value)] for seat, value in sorted(self.inbox.items())],
            "digest": self.digest().hex(),
        }
        return compact(data).encode()

    @classmethod
    def load(cls, spec: GameSpec, data: bytes) -> Match | Refusal:
        """The match of a dump; a Refusal when it is of other rules, damaged, or replays to another digest."""
        try:
            read = json.loads(data)
            if (read["version"], read["rules"]) != (DUMP_VERSION, spec.rules_id):
                return Refusal("dump/version", "", (str(read["version"]), str(read["rules"])))
            base = position.load_state(spec, read["base"])
            new = cls.__new__(cls)
            new.spec, new.checkpoint, new.height = spec, read["checkpoint"], read["height"]
            new._replay(base, [input_value(spec, given) for given in read["tail"]])
            new.inbox = {seat: spec.words.value(value) for seat, value in read["inbox"]}
        except SectionError as problem:
            return Refusal("dump/damaged", f"base.{problem.path}", (problem.problem,))
        except (ValueError, KeyError, TypeError, LocalError) as problem:
            return Refusal("dump/damaged", "", (str(problem)[:200],))
        return new if new.digest().hex() == read["digest"] else Refusal("dump/digest")

    def position(self) -> dict[str, Any]:
        """Editable JSON-able form: the state at the start of the running segment, without tail and inbox (see the package docstring)."""
        return position.dump_position(self.spec, self.segment_start())

    def segment_start(self) -> State:
        """A copy of the state at the start of the running segment."""
        if self._start == 0 and self._since == 0:
            return self._base.copy()
        early = self.clone_at(self._start)
        state: State = early.g
        return state

    def clone_at(self, inputs: int) -> Match:
        """A match as it was after so many inputs of the tail (undo within what the base allows)."""
        new = self.__class__.__new__(self.__class__)
        new.spec, new.checkpoint, new.height = self.spec, self.checkpoint, self.height - (len(self._tail) - inputs)
        new._replay(self._base, self._tail[:inputs])
        return new

    # The engine room -------------------------------------------------------------------------------------------------------------

    def _begin(self, base: State, tail: Sequence[Input]) -> None:
        self._base, self._tail = base, list(tail)
        self._start, self._since, self._digest = 0, 0, b""
        self._rule: Rule[Any] | None = None
        self.pending: Wait[Any] | None = None
        self.inbox: dict[int, Value] = {}

    def _replay(self, base: State, tail: Sequence[Input]) -> None:
        """Stand at the end of the tail: events of the past are not told again, and the base stays as it is."""
        policy, self.checkpoint, height = self.checkpoint, None, self.height
        self.g = base.copy()
        self._begin(base, tail)
        self._tail = []
        self._run_segments()
        for given in tail:
            self._tail.append(given)
            self._feed(given)
        self.g.told = []
        self.checkpoint, self.height = policy, height

    def _become(self, other: Match) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def _feed(self, given: Input) -> None:
        if isinstance(given, Notice):
            self.g.flow.notices.append([given.kind, given.seat])
            return
        wait = self.pending
        if wait is None or self._rule is None:
            raise LocalError("the game is over")
        self.inbox = {}
        self.height += 1
        settle(self.g, wait, given)
        self._run(delivered(self.g, self.spec, wait, given))

    def _run(self, value: object) -> None:
        """Resume the rule with a value; when its segment ends, go on with the agenda."""
        if self._rule is None:
            raise LocalError("no rule is running")
        try:
            self.pending = self._rule.send(value)
        except StopIteration as stop:
            self._close(stop.value)
            self._run_segments()

    def _close(self, result: object) -> None:
        """A segment has ended: put it back when it wants to run again, and let notices take effect."""
        flow = self.g.flow
        if isinstance(result, Again):
            flow.agenda.insert(flow.cursor, flow.now)
        flow.now, flow.cursor = [], 0
        self._rule, self.pending = None, None
        notices, flow.notices = flow.notices, []
        for kind, seat in notices:
            if self.spec.notice is not None:
                self.spec.notice(self.g, kind, seat)

    def _run_segments(self) -> None:
        """Start segments from the agenda until one waits or none is left."""
        flow = self.g.flow
        while True:
            if not flow.now:
                if not flow.agenda:
                    self._mark()
                    return
                flow.now = flow.agenda.pop(0)
            self._mark()
            name, *args = flow.now
            self._rule = self.spec.segments[name](self.g, *args)
            try:
                self.pending = next(self._rule)
                return
            except StopIteration as stop:
                self._close(stop.value)

    def _mark(self) -> None:
        """A segment starts here: renew the base when the policy says so."""
        self._since += 1
        if self.checkpoint is not None and self._since >= self.checkpoint:
            self._base, self._tail, self._since = self.g.copy(), [], 0
        self._start = len(self._tail)


def wait_plain(wait: Wait[Any] | None) -> Any:
    """Plain form of a wait, for digests."""
    if isinstance(wait, Together | Seal):
        keep = [wait.keep] if isinstance(wait, Seal) else []
        return [wait.word, [[seat, plain(choose)] for seat, choose in sorted(wait.asks.items())], *keep]
    return plain(wait)


def input_plain(given: Input) -> Any:
    match given:
        case Answer(seat, value):
            return ["answer", seat, plain(value)]
        case Outcome(value):
            return ["outcome", plain(value)]
        case Notice(kind, seat):
            return ["notice", kind, seat]


def input_value(spec: GameSpec, data: Any) -> Input:
    """Inverse of :func:`input_plain`; ValueError when it is none."""
    match data:
        case ["answer", int(seat), value]:
            return Answer(Seat(seat), spec.words.value(value))
        case ["outcome", value]:
            return Outcome(spec.words.value(value))
        case ["notice", str(kind), int(seat)]:
            return Notice(kind, Seat(seat))
    raise ValueError(f"not an input: {data!r}"[:200])
