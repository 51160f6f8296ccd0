# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole log judged without secrets: the same follower that reads a live table, run over its entries.

Signatures, chains, commitments, openings, dice, answers, digests and heads are all checked by the replay itself: an
entry counts only under the head and state that the replay arrives at. It hears the whole log first, so that the verdict
does not depend on the order of the entries, which whoever saved the log has chosen. The audit adds the account: which
seeds made which roll, which problems there are, what the log proves and what no log can prove.

An end that all present have signed stands: if members have voted after that, the log is read first as if they had not
(`closing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.core.dataclass import dataclass, field
from p2p.lockstep.account import CardReport, PactReport, RollReport, cards, coalitions, pacts, proven, rolls, unproven
from p2p.lockstep.closing import Closing, Standing, closings, first
from p2p.lockstep.ends import PLAYED, SHOWN, End, false_result, read_end
from p2p.lockstep.follower import Follower, misplaced
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine
from p2p.lockstep.pacts import NEWCOMERS
from p2p.lockstep.replay import Problem, Progress, Replay
from p2p.lockstep.step import STAGE, read_claim
from p2p.lockstep.undone import Undone, undone
from p2p.log.evidence import Evidence
from p2p.log.feeds import genesis_among
from p2p.wire.codec import WireError
from p2p.wire.entry import Entry

MakeMachine = Callable[[Genesis], Machine | None]
"""Returns the game of a genesis at its start, None without the rules or the content."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The verdict on a log.

    Attributes:
        ok, complete: True if there is no problem; True if the game has ended.
        height, head, state: the last position.
        unjudged: by author, the number of entries that depend on missing ones.
        unsigned: members present at the end whose result is missing.
        final: True if the game has ended and nobody's result is missing, so that no vote undoes the end.
        end: the end that members have signed under the last head and state, None without any.
        rolls, cards: the account of dice, cards and choices.
        pacts, undone: the pacts that took effect, and what they have undone.
        proves, does_not_prove, coalitions: as in `account`.
        proofs: evidence for each fault.
        heights, numbers: by resolved height, its kind; by id, the number of each entry.
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
    final: bool = False
    end: End | None = None
    rolls: tuple[RollReport, ...] = ()
    cards: CardReport = field(default_factory=CardReport)
    pacts: tuple[PactReport, ...] = ()
    undone: tuple[Undone, ...] = ()
    problems: tuple[Problem, ...] = ()
    proves: tuple[str, ...] = ()
    does_not_prove: tuple[str, ...] = ()
    coalitions: tuple[tuple[int, int], ...] = ()
    proofs: tuple[Evidence, ...] = ()
    heights: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)
    numbers: Mapping[bytes, int] = field(default_factory=dict, compare=False, repr=False)
    history: tuple[tuple[int, tuple[object, ...]], ...] = field(default=(), compare=False, repr=False)
    table: Follower | None = field(default=None, compare=False, repr=False)

    @property
    def events(self) -> tuple[object, ...]:
        """The events of the machine, in order."""
        return tuple(event for _, events in self.history for event in events)


Meanwhile = Callable[[Audit], None]
"""Called with a verdict that is right if all remaining checks succeed. If one fails, it is called again with the right
verdict."""


def audit(
    entries: Sequence[Entry],
    make_machine: MakeMachine,
    progress: Progress | None = None,
    *,
    checked: bool = False,
    meanwhile: Meanwhile | None = None,
    threads: int | None = None,
) -> Audit:
    """Judge a log.

    checked: True if signatures were verified when the entries were read, as from a .star file.
    meanwhile: uses the verdict before the last proofs are checked, or while threads check them.
    threads: as in `p2p.log.records.executor`.
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
    log = _Log(genesis, machine, entries, checked, progress, threads)
    found = log.verdict(meanwhile)
    while newcomers := log.newcomers(found):
        log = log._replace(seated=newcomers)
        found = log.verdict(meanwhile)
    return found


class _Log(NamedTuple):
    """A log to be judged.

    Attributes:
        machine: the game at its start.
        seated: who gets a seat by a vote, as far as an earlier reading has shown that and has not taken their entries.
    """

    genesis: Genesis
    machine: Machine
    entries: Sequence[Entry]
    checked: bool
    progress: Progress | None
    threads: int | None
    seated: tuple[bytes, ...] = ()

    def verdict(self, meanwhile: Meanwhile | None) -> Audit:
        """Return the verdict of the reading that leads to the end that stands."""
        standing: dict[bytes, tuple[Standing, Audit]] = {}
        for closing in self.closings():
            found = self.judged(closing)
            end = found.table.standing() if found.table is not None and found.head == closing.head else None
            if end is not None:
                standing[closing.head] = end, found
        if not standing:
            return self.judged(None, meanwhile)
        _, found = standing[first([end for end, _ in standing.values()]).closing.head]
        if meanwhile is not None:
            meanwhile(found)
        return found

    def newcomers(self, found: Audit) -> tuple[bytes, ...]:
        """Return all who are to be seated, if a reading has not taken the entries of one to whom a vote gives a seat;
        empty else."""
        assert found.table is not None
        refused = {self.entries[each.entry or 0].author for each in found.problems if each.code == "entry/stranger"}
        late = [key for key in found.table.position.roster if key in refused]
        known = (*self.seated, *late)[:NEWCOMERS]
        return known if len(known) > len(self.seated) else ()

    def _table(self) -> Follower:
        table = Follower(self.genesis, self.machine.clone())
        table.hearing.seat(self.seated)
        return table

    def closings(self) -> list[Closing]:
        """Return the ends to be tried, of those whose entries the log takes."""
        if not closings(self.entries):
            return []
        table = self._table()
        for entry in self.entries:
            if misplaced(table, entry, checked=True) is None:
                table.hear(entry)
        return closings(table.feeds.entries)

    def judged(self, closing: Closing | None, meanwhile: Meanwhile | None = None) -> Audit:
        """Return the verdict. closing: the end that is believed to stand, None for none."""
        hopeful = self._replay(closing, believing=True)
        try:
            found = _hopefully(hopeful, self.entries, self.progress, meanwhile)
        finally:
            hopeful.close()
        if found is not None:
            return found
        return _verdict(self._replay(closing, believing=False), self.entries, self.progress, meanwhile)

    def _replay(self, closing: Closing | None, *, believing: bool) -> Replay:
        table = self._table()
        table.ballots.closing = closing
        return Replay(table, self.checked, believing, self.threads)


def _hopefully(
    replay: Replay, entries: Sequence[Entry], progress: Progress | None, meanwhile: Meanwhile | None
) -> Audit | None:
    """Return the verdict of a replay that assumes that proofs are correct, None if one of them is not."""
    try:
        found = _verdict(replay, entries, progress, meanwhile)
    except Exception:
        if replay.hopes_held(progress):
            raise
        return None  # rules cannot handle the cards of a false shuffle
    return found if replay.hopes_held(progress) else None


def _verdict(replay: Replay, entries: Sequence[Entry], progress: Progress | None, meanwhile: Meanwhile | None) -> Audit:
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


def _leftovers(table: Follower, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    """Report entries that the replay could not read: those after a gap, and those of another history."""
    position = table.position
    for author in table.feeds.authors:
        ended = author in position.cut and position.cut[author].seq < len(table.feeds.feed(author))
        if table.feeds.early(author) and not ended:
            problems.append(Problem(None, "log/gap", f"after seq {len(table.feeds.feed(author)) - 1}"))
        entry = table.reading.held(author)
        here = entry is not None and entry.kind in STAGE and entry.height == position.height
        if entry is not None and here and entry.head != position.head:
            problems.append(Problem(numbers.get(entry.id), "entry/other-head"))


def _results(table: Follower, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    """Report results that differ from how the game ended, or that claim an end where there is none."""
    for entry in table.feeds.entries:
        if entry.kind == "result" and read_claim(entry) is None:
            end = read_end(entry)
            code = "result/form" if end is None else _false_result(table, entry)
            if code and not any((problem.entry, problem.code) == (numbers.get(entry.id), code) for problem in problems):
                problems.append(Problem(numbers.get(entry.id), code, "" if end is None else end.ending[:SHOWN]))


def _false_result(table: Follower, entry: Entry) -> str:
    """Return what is wrong with a well-formed result, empty if nothing is."""
    position = table.position
    if position.over and entry.head == position.head:
        return false_result(position, entry)
    if position.held(entry.height, entry.head) is not None:
        return "result/not-over"
    last = table.results.get(entry.author) is entry and not _plays_on(table, entry)
    return "result/other-head" if last and position.over and entry.author in position.members else ""


def _plays_on(table: Follower, entry: Entry) -> bool:
    """True if the author of a result plays on behind it, after a vote that has undone that end."""
    return any(later.kind in STAGE and later.seq > entry.seq for later in table.feeds.feed(entry.author))


def _signed_end(table: Follower) -> End | None:
    """Return the end that members have signed under the last head and state, None if nobody has."""
    position = table.position
    if not position.over:
        return None
    members, here = position.membership.numbers, (position.head, position.state)
    signed = (entry for entry in table.feeds.entries if entry.kind == "result" and entry.author in members)
    right = (each for each in signed if (each.head, each.state) == here and not false_result(position, each))
    return next(map(read_end, right), None)


def _hands(table: Follower, problems: list[Problem]) -> None:
    """Report cards that changed in the hands of remaining members when a deck was dealt anew. Every message had its
    proof, so no member is at fault but the programs."""
    for height, (deck, index), member in table.position.chance.strayed:
        name = table.position.roster[member].name
        problems.append(Problem(None, "anew/hand-changed", f"{deck} {index} of {name}, height {height}"))


def _account(replay: Replay, count: int) -> Audit:
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
        ending=(position.ended or PLAYED) if position.over else "",
        end=_signed_end(table),
        unjudged=tuple((author, count) for author in table.feeds.authors if (count := table.reading.unread(author))),
        unsigned=tuple(table.reading.unsigned),
        final=table.reading.final,
        rolls=rolls(table),
        cards=found,
        pacts=pacts(table),
        undone=undone(table),
        problems=tuple(problems),
        proves=proven(table, found) if not problems else (),
        does_not_prove=unproven(table, found),
        coalitions=coalitions(table),
        proofs=tuple(replay.proofs),
        heights=replay.heights,
        numbers=replay.numbers,
        history=tuple(sorted(replay.events.items())),
        table=table,
    )
