# SPDX-License-Identifier: GPL-3.0-or-later
"""An account of dice, cards and choices after a replay: when each was fixed and opened, by which member, and what was
proven.

`proven` and `unproven` return codes of what a log proves and does not prove. The client words them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from engine.core.dataclass import dataclass, field
from p2p.lockstep.drawn import Rolled
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.pacts import LEAVING, Pact
from p2p.lockstep.randomness import LOCKED_FROM
from p2p.lockstep.step import SEATED, STAGE
from p2p.wire.entry import Entry
from seeds.beacon import commitment
from seeds.threshold import threshold

SHOWING: Final = ("share", "reveal")
"""Kinds of entries that may show something hidden to somebody."""
CHECKED: Final = ("keys", "ok", "seal", "shuffle", "remask", "tag", "open", "partial", "share", "reveal")


class RollPart(NamedTuple):
    """A member's part in a roll.

    Attributes:
        committed: 32-byte commitment, made at a lower height.
        seed: the opened seed, None if the member was left out.
    """

    member: bytes
    committed: bytes
    seed: bytes | None


@dataclass(frozen=True, slots=True)
class RollReport:
    """One roll and its parts.

    Attributes:
        height: height of the roll.
        epoch, k: epoch, and number of the roll in it.
        parts: the parts of its contributors, in roster order.
        lock: number of members needed to lift its lock, 0 without a lock.
        lifted: the members whose partials lifted it.
        faces: the numbers rolled, empty for a shuffle.
        ok: True if there is a seed and every seed matches its commitment.
        value: the hash of all seeds and the lock, from which the faces come.
    """

    height: int
    epoch: int
    k: int
    tag: str
    sides: tuple[int, ...]
    parts: tuple[RollPart, ...]
    lock: int
    lifted: tuple[bytes, ...]
    faces: tuple[int, ...]
    ok: bool
    value: bytes = b""


@dataclass(frozen=True, slots=True)
class CardReport:
    """Cards and secret choices.

    Attributes:
        sealed: True if face-down cards were secret.
        shuffles, deals, peeks, reveals, seals: the number of heights of each kind.
        entries: number of checked entries that count, by kind.
        anew: (height, deck) of each deck dealt anew because a member was gone.
        forced: (height, author, True if it could be opened) of each choice that the others opened.
        void: number of entries that do not count because a pact left their author out or ended their height.
    """

    sealed: bool = False
    shuffles: int = 0
    deals: int = 0
    peeks: int = 0
    reveals: int = 0
    seals: int = 0
    entries: Mapping[str, int] = field(default_factory=dict)
    anew: tuple[tuple[int, str], ...] = ()
    forced: tuple[tuple[int, bytes, bool], ...] = ()
    void: int = 0


class StepReport(NamedTuple):
    """One resolved height.

    Attributes:
        kind: what the table waited for, a `Kind`; "" for preparations.
        before, after: the running hash before and after it.
        entries: the entries that filled its slots, in the order in which they came; an answer that covers several
            heights stands at each of them.
        built: the members that signed an entry under `after` or a later running hash, in roster order.
    """

    height: int
    kind: str
    before: bytes
    after: bytes
    entries: tuple[Entry, ...]
    built: tuple[bytes, ...]


class PactReport(NamedTuple):
    """A pact that took effect.

    Attributes:
        kind: its kind, "leave" for those of its members who had left.
        members: the members that it leaves out, lets back or seats.
        to: height taken back to, None for other pacts.
    """

    height: int
    kind: str
    members: tuple[bytes, ...]
    to: int | None


def pacts(table: Follower) -> tuple[PactReport, ...]:
    """Return every pact that took effect, by height."""
    heights = sorted(table.position.past)
    return tuple(
        report for height in heights for pact in table.effected(height) for report in _pact(table, height, pact)
    )


def _pact(table: Follower, height: int, pact: Pact) -> Iterator[PactReport]:
    match pact.kind, pact.terms:
        case "back", [bytes() as author, _]:
            yield PactReport(height, pact.kind, (author,), None)
        case "seat", [_, [[_, bytes() as key, *_], *_]]:
            yield PactReport(height, pact.kind, (key,), None)
        case "takeback", [int() as to, _]:
            yield PactReport(height, pact.kind, (), to)
        case _:
            left = table.ballots.parting(pact)
            for kind, members in ((pact.kind, pact.named - left), ("leave", left)):
                if members or (kind == pact.kind and not pact.named):
                    yield PactReport(height, kind, tuple(sorted(members)), None)


def rolls(table: Follower) -> tuple[RollReport, ...]:
    """Return every roll of dice."""
    return tuple(_roll(table, rolled) for rolled in table.position.chance.rolls if rolled.kind == "roll")


def _roll(table: Follower, rolled: Rolled) -> RollReport:
    roll = rolled.roll
    seedless = bool(rolled.lock) and not rolled.promised
    parts = tuple(RollPart(member, rolled.promised[member], seed) for member, seed in roll.seeds)
    opened = [part for part in parts if part.seed is not None]
    fits = all(
        commitment(table.genesis.table, roll.epoch, roll.k, part.member, part.seed) == part.committed
        for part in opened
        if part.seed is not None
    )
    return RollReport(
        *(roll.height, roll.epoch, roll.k, rolled.tag, rolled.sides, parts),
        *(rolled.lock, rolled.lifted, rolled.faces, fits and (bool(opened) or seedless), roll.value),
    )


def steps(table: Follower, first: int) -> Mapping[int, StepReport]:
    """Return the resolved heights from `first` on. A `without` leaves some out."""
    position = table.position
    past, asked, end = position.past, position.asked, position.height
    signed: dict[int, list[Entry]] = {}
    built: dict[bytes, int] = {}
    for entry in table.feeds.entries:
        if entry.height < first or entry.height not in past or past[entry.height].head != entry.head:
            continue
        built[entry.author] = max(built.get(entry.author, 0), entry.height)
        if entry.kind in STAGE:
            for height in range(entry.height, min(entry.height + _span(entry), end)):
                if height == entry.height or (height in asked and asked[height].kind in SEATED):
                    signed.setdefault(height, []).append(entry)
    return {
        height: StepReport(
            height,
            asked[height].kind if height in asked else "",
            past[height].head,
            past[following].head,
            tuple(signed.get(height, ())),
            tuple(key for key in position.roster if built.get(key, 0) > height),
        )
        for height, following in pairwise(height for height in past if height >= first)
    }


def signed_below(table: Follower) -> Mapping[bytes, int]:
    """Return for every member the height of its last entry on the present line: its entry names the running hash, so it
    holds every step below."""
    past, feeds = table.position.past, table.feeds
    found = {}
    for key in table.position.roster:
        heights = (
            each.height
            for each in reversed(feeds.feed(key))
            if each.height in past and past[each.height].head == each.head
        )
        found[key] = next(heights, 0)
    return found


def _span(entry: Entry) -> int:
    """The number of heights that an entry answers."""
    match entry.kind, entry.body:
        case "answer", [_, list() as values]:
            return len(values)
    return 1


def hands(table: Follower) -> Mapping[HandleRef, int]:
    """Return the seat that each card was dealt to, of those that have been neither opened nor mixed in again."""
    position = table.position
    held: dict[HandleRef, int] = {}
    for look in position.chance.looks:
        if position.asked[look.height].kind == "deal":
            held.update((handle, look.seat) for handle, _face in look.cards)
    for height, pending in position.asked.items():
        if position.history.stands(height) and pending.kind in ("reveal", "shuffle"):
            put_back = [handle for handle in held if list(handle) in pending.members]
            for handle in pending.handles if pending.kind == "reveal" else put_back:
                held.pop(handle, None)
    return held


def cards(table: Follower, heights: Mapping[int, str]) -> CardReport:
    """Return how cards and choices were dealt and opened. heights: the kind of every resolved height."""
    chance = table.position.chance
    kinds = Counter(heights.values())
    unread = {entry.id for author in table.feeds.authors for entry in table.reading.waiting(author)}
    slots = [entry for entry in table.feeds.entries if entry.kind in STAGE and entry.id not in unread]
    counted = [entry for entry in slots if _counts(table, entry, heights)]
    entries = Counter(entry.kind for entry in counted)
    return CardReport(
        sealed=chance.sealed,
        shuffles=kinds["shuffle"],
        deals=kinds["deal"],
        peeks=kinds["show"],
        reveals=chance.reveals,
        seals=kinds["seal"],
        entries={kind: entries[kind] for kind in CHECKED if entries[kind]},
        anew=tuple(chance.anew),
        forced=tuple(chance.forced),
        void=len(slots) - len(counted),
    )


def _counts(table: Follower, entry: Entry, heights: Mapping[int, str]) -> bool:
    """True if an entry belongs to a resolved height of this history or to the open one."""
    past = table.position.past.get(entry.height)
    if past is None or past.head != entry.head or entry.author not in past.members:
        return False
    cuts = [pact.end_of(entry.author) for pact in table.effected(entry.height) if pact.kind in LEAVING]
    beyond = any(end is not None and entry.seq > end.seq for end in cuts)
    return heights.get(entry.height) != "pact" and not beyond


# What a log proves ---------------------------------------------------------------------------------------------------


def coalitions(table: Follower) -> tuple[tuple[int, int], ...]:
    """Return (t, n) for every size that the table had while dice or choices were locked: t of n members can open
    them."""
    locked = [(rolled.lock, rolled.holders) for rolled in table.position.chance.rolls if rolled.lock]
    return tuple(sorted(set(locked + _short_choices(table)), key=lambda size: -size[1]))


def _short_choices(table: Follower) -> list[tuple[int, int]]:
    """Return the same for choices that were sealed to the others."""
    said = (entry for entry in table.feeds.entries if entry.kind == "seal" and isinstance(entry.body, list))
    heights = {entry.height for entry in said if isinstance(entry.body, list) and len(entry.body) > 3}
    members = [len(past.members) for height, past in table.position.past.items() if height in heights]
    return [(threshold(count), count) for count in members]


def _across(table: Follower) -> bool:
    """True if something that had been secret was shown and does not count: the table went back over it by a take-back
    whose terms allow it, or read on by a repair, within which it need not fit; or somebody showed it in a history that
    a vote has undone or overtaken, or that a member with two histories has led it to, or at the height from which the
    others go on without one."""
    position = table.position
    undone = [range(pact.at, pact.resumes[0]) for pact in _agreed(table, "without") if pact.resumes is not None]
    read = [(pact.at, end) for pact in _agreed(table, "repair") for end in (pact.repaired or ((), ()))[1]]
    shown = [entry for entry in table.feeds.entries if entry.kind in SHOWING and entry.author in position.roster]
    reached = (entry for entry in shown if entry.height <= position.height)
    elsewhere = any(position.held(entry.height, entry.head) is None for entry in reached)
    allowed = any(isinstance(pact.terms, list) and pact.terms[1] is True for pact in _agreed(table, "takeback"))
    again = any(
        entry.author == end.author and entry.seq <= end.seq and entry.height >= at
        for at, end in read
        for entry in shown
    )
    return allowed or again or elsewhere or any(entry.height in heights for heights in undone for entry in shown)


def _states_differed(table: Follower) -> bool:
    """True if members have read on from a difference, or have signed two states at a position that a vote has ended."""
    named: dict[int, bytes] = {}
    for entry in table.feeds.entries:
        known = entry.author in table.position.roster and table.position.held(entry.height, entry.head) is not None
        if entry.kind in STAGE and known and named.setdefault(entry.height, entry.state) != entry.state:
            return True
    return bool(_agreed(table, "repair"))


def _agreed(table: Follower, kind: str) -> list[Pact]:
    """Return the pacts of a kind that took effect."""
    return [pact for height in table.position.past for pact in table.effected(height) if pact.kind == kind]


def _left_alone(table: Follower) -> bool:
    """True if dice or cards were asked for where one member was left of several: it knew and could choose them."""
    position, several = table.position, len(table.genesis.members) > 1
    alone = (height for height, past in position.past.items() if several and len(past.members) == 1)
    asked = (position.asked[height].kind for height in alone if height in position.asked and height < position.height)
    return not {"roll", "shuffle"}.isdisjoint(asked)


def _keys_voted(table: Follower) -> bool:
    """True if a vote has led to another key of a lock that alone makes the rolls, or to rolls of seeds: whoever foresaw
    those of the key before may have voted for that."""
    past, rolled = table.position.past, table.position.chance.rolls
    members = [len(past[height].members) for height in sorted(past)]
    grown = any(few < LOCKED_FROM <= many for few, many in pairwise(members))
    seeded = any(not one.promised and following.promised for one, following in pairwise(rolled))
    return grown or seeded or (table.genesis.seedless and any(map(table.effected, past)))


def proven(table: Follower, found: CardReport) -> tuple[str, ...]:
    """Return the codes of what a log without a fault proves."""
    fair = len(table.genesis.members) > 1 and not table.genesis.test
    forgotten, alone = _across(table), _left_alone(table)
    rolled = table.position.chance.rolls
    facts = {
        "signatures": True,
        "order": True,
        "legal-answers": True,
        "same-states": not _states_differed(table),
        "dice-committed": fair and not alone and bool(rolled) and all(roll.promised for roll in rolled),
        "dice-unchosen": fair and any(not roll.promised for roll in rolled) and not _keys_voted(table),
        "dice-locked": fair and bool(rolled) and all(roll.lock and roll.promised for roll in rolled),
        "cards-proven": len(table.genesis.members) > 1 and found.sealed and "share" in found.entries,
        "cards-secret": fair and not alone and found.sealed and "shuffle" in found.entries and not forgotten,
        "choices-fixed": fair and bool(found.seals) and not forgotten,
        "result": table.position.over,
    }
    return tuple(code for code, holds in facts.items() if holds)


def unproven(table: Follower, found: CardReport) -> tuple[str, ...]:
    """Return the codes of what this log, or any log, does not prove."""
    chance, genesis = table.position.chance, table.genesis
    rolled, alone = chance.rolls, len(genesis.members) == 1
    facts = {
        "who-holds-a-key": True,
        "collusion": True,
        "why-somebody-was-silent": True,
        "last-words": True,
        "one-member": alone,
        "one-was-left": _left_alone(table),
        "test-seed": genesis.test,
        "last-opener-may-stop": not alone and any(not roll.lock for roll in rolled),
        "lock-coalition": any(roll.lock and roll.promised for roll in rolled),
        "dice-foreseen": any(roll.lock and not roll.promised for roll in rolled),
        "choice-coalition": bool(_short_choices(table)),
        "roll-without-an-absent-seed": any(seed is None for roll in rolled for _, seed in roll.roll.seeds),
        "cards-are-not-secret": not found.sealed and (bool(chance.looks) or any(r.kind == "shuffle" for r in rolled)),
        "dealt-anew-unreviewed": bool(found.anew),
        "shown-and-taken-back": _across(table),
        "parted-histories": bool(_agreed(table, "without")),
        "programs-differed": bool(_agreed(table, "repair")),
        "edited-position": genesis.position is not None and genesis.origin is None,
        "goes-on-alone": genesis.origin is not None,
    }
    return tuple(code for code, holds in facts.items() if holds)
