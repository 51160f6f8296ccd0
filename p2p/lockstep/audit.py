# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole log judged without secrets: the same follower that reads a live table, run over its entries.

Signatures, chains, commitments, openings, dice, answers, digests and heads are all checked by the replay itself: an
entry counts only under the head and state that the replay arrives at. It hears the whole log first, so that the verdict
does not depend on the order of the entries, which whoever saved the log has chosen. The audit adds the account: which
seeds made which roll, which problems there are, what the log proves and what no log can prove.

Shuffles and the shares that lift the locks of rolls take most of the time, so they are checked in batches, in threads,
while the replay assumes that they are correct. If one is false, the replay begins again without that assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import cpu_count
from typing import TYPE_CHECKING, Final, TypeVar

from p2p.lockstep.account import CardReport, PactReport, RollReport, cards, coalitions, pacts, proven, rolls, unproven
from p2p.lockstep.conviction import gathered
from p2p.lockstep.effects import Convicted, Diverged, Effect, Happened, More, Rewound, Work
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine
from p2p.lockstep.step import STAGE, read_claim
from p2p.lockstep.task import Job
from p2p.log.evidence import Evidence
from p2p.log.feeds import genesis_among
from p2p.wire.codec import WireError
from p2p.wire.entry import Entry, check_signature
from seeds.dataclass import dataclass, field
from seeds.group import Point
from seeds.shuffle import Statement, check_shuffles
from seeds.threshold import Partial, ThresholdKey, check_partial

if TYPE_CHECKING:  # they load slowly, and a log without shuffles needs none
    from concurrent.futures import Future, ThreadPoolExecutor

Progress = Callable[[int, int, str], None]
"""Called with the progress of long work: (done, total, what)."""
MakeMachine = Callable[[Genesis], Machine | None]
"""Returns the game of a genesis at its start, None without the rules or the content."""
SHOWN: Final = 40
"""The most characters of a peer's text that a problem repeats."""
TOGETHER: Final = 12
"""Shuffles that are checked in one batch. More would be quicker, but would leave one thread busy at the end."""
PARTIALS: Final = 64
"""Partials in one batch, which takes no longer than a shuffle."""

_Believed = TypeVar("_Believed")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a log.

    Attributes:
        entry: number of the entry in the log from 0, None if the problem concerns the whole log.
        code: stable name.
        detail: plain text for a log.
    """

    entry: int | None
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """The verdict on a log.

    Attributes:
        ok: True if there is no problem.
        complete: True if the game has ended.
        height, head, state: the last position.
        unjudged: by author, the number of entries that depend on missing ones.
        unsigned: members whose result of a complete game is missing.
        rolls: the rolls of dice.
        cards: the account of cards and choices.
        pacts: the pacts that took effect.
        proves, does_not_prove: codes, as in `account`.
        coalitions: each (t, n) for which t of n members could open what is locked.
        proofs: evidence for each fault.
        heights: by resolved height, its kind.
        history: (height, events of the machine), ascending.
    """

    ok: bool
    complete: bool
    genesis: Genesis | None
    entries: int
    height: int = 0
    head: bytes = b""
    state: bytes = b""
    ending: str = ""
    unjudged: tuple[tuple[bytes, int], ...] = ()
    unsigned: tuple[bytes, ...] = ()
    rolls: tuple[RollReport, ...] = ()
    cards: CardReport = field(default_factory=CardReport)
    pacts: tuple[PactReport, ...] = ()
    problems: tuple[Problem, ...] = ()
    proves: tuple[str, ...] = ()
    does_not_prove: tuple[str, ...] = ()
    coalitions: tuple[tuple[int, int], ...] = ()
    proofs: tuple[Evidence, ...] = ()
    heights: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)
    history: tuple[tuple[int, tuple[object, ...]], ...] = field(default=(), compare=False, repr=False)
    table: Follower | None = field(default=None, compare=False, repr=False)

    @property
    def events(self) -> tuple[object, ...]:
        """The events of the machine, in order."""
        return tuple(event for _, events in self.history for event in events)


Meanwhile = Callable[[Audit], None]
"""Called with a verdict that is right if all remaining checks in threads succeed. If one fails, it is called again with
the right verdict."""


def audit(
    entries: Sequence[Entry],
    make_machine: MakeMachine,
    progress: Progress | None = None,
    *,
    checked: bool = False,
    meanwhile: Meanwhile | None = None,
) -> Audit:
    """Judge a log.

    checked: True if signatures were verified when the entries were read, as from a .star file.
    meanwhile: uses the verdict while threads check the last proofs.
    """
    problems: list[Problem] = []
    genesis = _genesis(entries, problems)
    if genesis is None:
        return Audit(False, False, None, len(entries), problems=tuple(problems))
    machine = make_machine(genesis)
    if machine is None or machine.ident != (genesis.rules, genesis.content):
        problems.append(Problem(None, "log/other-rules", genesis.rules))
        return Audit(False, False, genesis, len(entries), problems=tuple(problems))
    if genesis.position is not None and machine.digest() != genesis.position:
        problems.append(Problem(None, "log/other-position", genesis.position.hex()))
        return Audit(False, False, genesis, len(entries), problems=tuple(problems))
    spare = machine.clone()
    hopeful = _Replay(Follower(genesis, machine), checked, believing=True)
    try:
        found = _hopefully(hopeful, entries, progress, meanwhile)
    finally:
        hopeful.close()
    if found is not None:
        return found
    return _verdict(_Replay(Follower(genesis, spare), checked, believing=False), entries, progress, meanwhile)


def _hopefully(
    replay: _Replay, entries: Sequence[Entry], progress: Progress | None, meanwhile: Meanwhile | None
) -> Audit | None:
    """Return the verdict of a replay that assumes that proofs are correct, None if one of them is not."""
    try:
        found = _verdict(replay, entries, progress, meanwhile)
    except Exception:
        if replay.hopes_held(progress):
            raise
        return None  # rules cannot handle the cards of a false shuffle
    return found if replay.hopes_held(progress) else None


def _verdict(
    replay: _Replay, entries: Sequence[Entry], progress: Progress | None, meanwhile: Meanwhile | None
) -> Audit:
    replay.run(entries, progress)
    _leftovers(replay.table, replay.numbers, replay.problems)
    _results(replay.table, replay.numbers, replay.problems)
    _hands(replay.table, replay.problems)
    found = _account(replay, len(entries))
    if meanwhile is not None:
        meanwhile(found)
    return found


def _genesis(entries: Sequence[Entry], problems: list[Problem]) -> Genesis | None:
    """Return the genesis of the log, if it is valid and all entries name its table."""
    first = genesis_among(entries)
    if first is None:
        problems.append(Problem(None, "log/no-genesis"))
        return None
    number = entries.index(first)
    try:
        genesis = Genesis.read(first.body)
    except WireError as error:
        problems.append(Problem(number, error.code, error.detail))
        return None
    if genesis.table != first.table:
        problems.append(Problem(number, "log/foreign-genesis"))
        return None
    return genesis


@dataclass(slots=True)
class _Replay:
    """The replay of a log.

    Attributes:
        believing: True to assume that shuffles and partials are correct, while threads check them. If one is false, the
            replay is invalid.
        numbers: by id, the number of each entry.
        heights: by resolved height, its kind.
    """

    table: Follower
    checked: bool
    believing: bool
    pool: ThreadPoolExecutor | None = None
    problems: list[Problem] = field(default_factory=list)
    proofs: list[Evidence] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)
    heights: dict[int, str] = field(default_factory=dict)
    events: dict[int, tuple[object, ...]] = field(default_factory=dict)
    shuffles: list[Statement] = field(default_factory=list)
    partials: list[tuple[ThresholdKey, bytes, Point, Partial]] = field(default_factory=list)
    checks: list[Future[bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.believing:
            self.table.position.chance.check_partial = self._believe

    def run(self, entries: Sequence[Entry], progress: Progress | None) -> None:
        """Feed the log to the table."""
        tell = progress or (lambda *_: None)
        tell(0, len(entries), "replay")
        for number, entry in enumerate(entries):
            self.numbers[entry.id] = number
            code = _misplaced(self.table, entry, self.checked)
            if code is None:
                self.table.hear(entry)
            else:
                self.problems.append(Problem(number, code))
        self.table.go_on()
        while effects := self.table.effects():
            tell(self.table.reading.done, len(entries), "replay")
            for effect in effects:
                self._note(effect)
        tell(len(entries), len(entries), "replay")

    def _note(self, effect: Effect) -> None:
        numbers, problems = self.numbers, self.problems
        match effect:
            case Work(job):
                self._work(job)
            case More():
                self.table.go_on()
            case Convicted(fault, accused):
                last = max((numbers[entry.id] for entry in accused if entry.id in numbers), default=None)
                problems.append(Problem(last, fault.code, fault.detail))
                self.proofs.append(gathered(self.table, effect))
            case Diverged(entry, mine):
                code = "result/other-state" if entry.kind == "result" else "entry/other-state"
                problems.append(Problem(numbers.get(entry.id), code, mine.hex()))
            case Happened(height, kind, events):
                self.heights[height], self.events[height] = kind, events
            case Rewound(height):
                self.heights = {below: kind for below, kind in self.heights.items() if below < height}
                self.events = {below: told for below, told in self.events.items() if below < height}

    def _work(self, job: Job) -> None:
        if not self.believing or job.statement is None:
            self.table.worked(job, job.run())
            return
        self.shuffles.append(job.statement)
        if len(self.shuffles) == TOGETHER:
            self._hand_out(check_shuffles, self.shuffles)
        self.table.worked(job, job.hoped)

    def _believe(self, key: ThresholdKey, member: bytes, point: Point, partial: Partial) -> bool:
        self.partials.append((key, member, point, partial))
        if len(self.partials) == PARTIALS:
            self._hand_out(_check_partials, self.partials)
        return True

    def _hand_out(self, check: Callable[[Sequence[_Believed]], bool], believed: list[_Believed]) -> None:
        """Let another thread check these statements, which were assumed correct."""
        if self.pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self.pool = ThreadPoolExecutor(cpu_count() or 1)
        self.checks.append(self.pool.submit(check, tuple(believed)))
        believed.clear()

    def close(self) -> None:
        """Stop checking."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def hopes_held(self, progress: Progress | None) -> bool:
        """True if all that was assumed correct is correct."""
        for number, check in enumerate(self.checks):
            if progress is not None:
                progress(number, len(self.checks), "shuffles")
            if not check.result():
                return False
        return check_shuffles(self.shuffles) and _check_partials(self.partials)


def _check_partials(partials: Sequence[tuple[ThresholdKey, bytes, Point, Partial]]) -> bool:
    return all(check_partial(*each) for each in partials)


def _misplaced(table: Follower, entry: Entry, checked: bool) -> str | None:
    """Return why an entry does not belong in this log, None if it does."""
    if entry.table != table.genesis.table:
        return "entry/table"
    if not checked:
        try:
            check_signature(entry)
        except WireError as error:
            return error.code
    return None if table.welcome(entry) else "entry/stranger"


def _leftovers(table: Follower, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    """Report entries that the replay could not read: those after a gap, and those of another history."""
    position = table.position
    for author in table.feeds.authors:
        if table.feeds.early(author):
            problems.append(Problem(None, "log/gap", f"after seq {len(table.feeds.feed(author)) - 1}"))
        entry = table.reading.held(author)
        if (
            entry is not None
            and entry.kind in STAGE
            and entry.height == position.height
            and entry.head != position.head
        ):
            problems.append(Problem(numbers.get(entry.id), "entry/other-head"))


def _results(table: Follower, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    """Report results that differ from how the game ended, or that claim an end where there is none."""
    for entry in table.feeds.entries:
        if entry.kind == "result" and read_claim(entry) is None:
            said = entry.body[0] if isinstance(entry.body, list) and len(entry.body) == 1 else None
            code = _false_result(table, entry, said) if isinstance(said, str) else "result/form"
            if code:
                problems.append(Problem(numbers.get(entry.id), code, said[:SHOWN] if isinstance(said, str) else ""))


def _false_result(table: Follower, entry: Entry, said: str) -> str:
    """Return what is wrong with a well-formed result with this code, empty if nothing is."""
    position = table.position
    if position.over and entry.head == position.head:
        return "" if said == (position.ended or "played") else "result/other-ending"
    if position.held(entry.height, entry.head) is not None:
        return "result/not-over"
    last = table.results.get(entry.author) is entry
    return "result/other-head" if last and position.over and entry.author in position.members else ""


def _unsigned(table: Follower) -> tuple[bytes, ...]:
    """Return the members that were present at the end of the game and whose result is not in the log."""
    position = table.position
    heads = {author: entry.head for author, entry in table.results.items()}
    present = [member for member in position.members if member not in position.cut] if position.over else []
    return tuple(member for member in present if heads.get(member) != position.head)


def _hands(table: Follower, problems: list[Problem]) -> None:
    """Report cards that changed in the hands of remaining members when a deck was dealt anew. Every message had its
    proof, so no member is at fault but the programs."""
    for height, (deck, index), member in table.position.chance.strayed:
        name = table.position.roster[member].name
        problems.append(Problem(None, "anew/hand-changed", f"{deck} {index} of {name}, height {height}"))


def _account(replay: _Replay, count: int) -> Audit:
    table, problems = replay.table, replay.problems
    position, found = table.position, cards(table, replay.heights)
    return Audit(
        ok=not problems,
        complete=position.over,
        genesis=table.genesis,
        entries=count,
        height=position.height,
        head=position.head,
        state=position.state,
        ending=(position.ended or "played") if position.over else "",
        unjudged=tuple((author, count) for author in table.feeds.authors if (count := table.reading.unread(author))),
        unsigned=_unsigned(table),
        rolls=rolls(table),
        cards=found,
        pacts=pacts(table),
        problems=tuple(problems),
        proves=proven(table, found) if not problems else (),
        does_not_prove=unproven(table, found),
        coalitions=coalitions(table),
        proofs=tuple(replay.proofs),
        heights=replay.heights,
        history=tuple(sorted(replay.events.items())),
        table=table,
    )
