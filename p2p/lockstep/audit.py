"""A whole log judged without secrets: the same follower that reads a live table, run over its entries.

Signatures, chains, commitments, openings, dice, answers, digests and heads are all checked by the replay itself: an
entry counts only under the head and state that the replay arrives at. What the audit adds is the account: which
rolls were made of which seeds, what was wrong where, what the log proves and what no log can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p.lockstep.chance import Rolled
from p2p.lockstep.conviction import gathered
from p2p.lockstep.effects import Convicted, Diverged, Effect
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine
from p2p.lockstep.step import STAGE
from p2p.log.evidence import Evidence
from p2p.wire.codec import WireError
from p2p.wire.entry import Entry, check_signature

Progress = Callable[[int, int, str], None]
"""Told how far long work has come: (done, total, what)."""
MakeMachine = Callable[[Genesis], Machine | None]
"""The game of a genesis at its start; None when rules or content are not at hand."""
REPORT_EVERY: Final = 64


@dataclass(frozen=True, slots=True)
class Problem:
    """entry: its number in the log from 0, None when it is about the log as a whole; code: stable name; detail: for
    a log."""

    entry: int | None
    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RollReport:
    """height: where it was rolled; seeds: (member, seed or None for one left out); faces: empty for a shuffle; ok:
    every seed opened fits the commitment that its member had made before."""

    height: int
    tag: str
    sides: tuple[int, ...]
    seeds: tuple[tuple[bytes, bytes | None], ...]
    faces: tuple[int, ...]
    ok: bool


@dataclass(frozen=True, slots=True)
class Audit:
    """The verdict over a log. ok: nothing was wrong; complete: the game has ended; height, head, state: where it
    stands; rolls: dice only; shuffles, reveals: counts; pacts: kinds of those that took effect, with their heights;
    proves, does_not_prove: codes; proofs: evidence for each fault."""

    ok: bool
    complete: bool
    genesis: Genesis | None
    entries: int
    height: int = 0
    head: bytes = b""
    state: bytes = b""
    ending: str = ""
    rolls: tuple[RollReport, ...] = ()
    shuffles: int = 0
    reveals: int = 0
    pacts: tuple[tuple[int, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    proves: tuple[str, ...] = ()
    does_not_prove: tuple[str, ...] = ()
    proofs: tuple[Evidence, ...] = ()
    table: Follower | None = field(default=None, compare=False, repr=False)


def audit(
    entries: Sequence[Entry], make_machine: MakeMachine, progress: Progress | None = None, *, checked: bool = False
) -> Audit:
    """Judge a log. checked: signatures were verified when the entries were read, as from a .star file."""
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
    table = Follower(genesis, machine)
    proofs: list[Evidence] = []
    numbers = _replay(table, entries, problems, proofs, progress, checked)
    _leftovers(table, numbers, problems)
    return _account(table, len(entries), problems, proofs)


def _genesis(entries: Sequence[Entry], problems: list[Problem]) -> Genesis | None:
    """The genesis of the log, if it is sound and the one that its author's entries name."""
    number = next((number for number, entry in enumerate(entries) if entry.kind == "genesis"), None)
    if number is None:
        problems.append(Problem(None, "log/no-genesis"))
        return None
    first = entries[number]
    try:
        genesis = Genesis.read(first.body)
    except WireError as error:
        problems.append(Problem(number, error.code, error.detail))
        return None
    if genesis.table != first.table or genesis.members[0].key != first.author:
        problems.append(Problem(number, "log/foreign-genesis"))
        return None
    return genesis


def _replay(
    table: Follower,
    entries: Sequence[Entry],
    problems: list[Problem],
    proofs: list[Evidence],
    progress: Progress | None,
    checked: bool,
) -> dict[bytes, int]:
    """Feed the log to the table; return the number of each entry."""
    numbers: dict[bytes, int] = {}
    for number, entry in enumerate(entries):
        if progress is not None and number % REPORT_EVERY == 0:
            progress(number, len(entries), "replay")
        numbers[entry.id] = number
        code = _misplaced(table, entry, checked)
        if code is not None:
            problems.append(Problem(number, code))
            continue
        table.take(entry)
        for effect in table.settled():
            if isinstance(effect, Convicted):
                proofs.append(gathered(table, effect))
            _note(effect, numbers, problems)
    if progress is not None:
        progress(len(entries), len(entries), "replay")
    return numbers


def _misplaced(table: Follower, entry: Entry, checked: bool) -> str | None:
    """Why an entry has no place in this log at all."""
    if entry.table != table.genesis.table:
        return "entry/table"
    if not checked:
        try:
            check_signature(entry)
        except WireError as error:
            return error.code
    return None if table.welcome(entry) else "entry/stranger"


def _note(effect: Effect, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    match effect:
        case Convicted(fault, accused):
            last = max((numbers[entry.id] for entry in accused if entry.id in numbers), default=None)
            problems.append(Problem(last, fault.code, fault.detail))
        case Diverged(entry, mine):
            problems.append(Problem(numbers.get(entry.id), "entry/other-state", mine.hex()))


def _leftovers(table: Follower, numbers: dict[bytes, int], problems: list[Problem]) -> None:
    """What the replay could not place: entries beyond a gap, and entries of another history."""
    position = table.position
    for author in table.feeds.authors:
        if table.feeds.early(author):
            problems.append(Problem(None, "log/gap", f"after seq {len(table.feeds.feed(author)) - 1}"))
        entry = table.held(author)
        if (
            entry is not None
            and entry.kind in STAGE
            and entry.height == position.height
            and entry.head != position.head
        ):
            problems.append(Problem(numbers.get(entry.id), "entry/other-head"))
    for author, result in table.results.items():
        if position.over and author in position.members and result.head != position.head:
            problems.append(Problem(numbers.get(result.id), "result/other-head"))


def _account(table: Follower, count: int, problems: list[Problem], proofs: list[Evidence]) -> Audit:
    position, chance = table.position, table.position.chance
    dice = tuple(_report(rolled) for rolled in chance.rolls if rolled.kind == "roll")
    pacts = tuple((height, pact.kind) for height in sorted(position.past) for pact in table.applied(height))
    return Audit(
        ok=not problems,
        complete=position.over,
        genesis=table.genesis,
        entries=count,
        height=position.height,
        head=position.head,
        state=position.state,
        ending=(position.ended or "played") if position.over else "",
        rolls=dice,
        shuffles=len(chance.rolls) - len(dice),
        reveals=chance.reveals,
        pacts=pacts,
        problems=tuple(problems),
        proves=_proves(table) if not problems else (),
        does_not_prove=_does_not_prove(table),
        proofs=tuple(proofs),
        table=table,
    )


def _report(rolled: Rolled) -> RollReport:
    """Openings that do not fit their commitments never get into a roll; one without any seed would be nobody's."""
    roll = rolled.roll
    return RollReport(
        roll.height, rolled.tag, rolled.sides, roll.seeds, rolled.faces, any(seed is not None for _, seed in roll.seeds)
    )


def _proves(table: Follower) -> tuple[str, ...]:
    proven = ["signatures", "order", "legal-answers", "same-states"]
    if len(table.genesis.members) > 1 and not table.genesis.test:
        proven.append("dice-committed")
    if table.position.over:
        proven.append("result")
    return tuple(proven)


def _does_not_prove(table: Follower) -> tuple[str, ...]:
    """What no log shows, or this one does not."""
    open_points = ["who-holds-a-key", "collusion", "why-somebody-was-silent"]
    rolls = table.position.chance.rolls
    if len(table.genesis.members) == 1:
        open_points.append("one-member")
    if table.genesis.test:
        open_points.append("test-seed")
    if rolls:
        open_points.append("last-opener-may-stop")
    if any(seed is None for rolled in rolls for _, seed in rolled.roll.seeds):
        open_points.append("roll-without-an-absent-seed")
    if table.position.chance.looks or any(rolled.kind == "shuffle" for rolled in rolls):
        open_points.append("cards-are-not-secret")
    if table.genesis.position is not None:
        open_points.append("edited-position")
    return tuple(open_points)
