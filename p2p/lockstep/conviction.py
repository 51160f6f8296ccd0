# SPDX-License-Identifier: GPL-3.0-or-later
"""Evidence for a fault that a follower found, and its judgement from that evidence alone.

Two contradicting entries need no context. For a single entry the judge replays the table from the genesis to its
position. The replay convicts only under the head and the state that the accused entry names. An entry also names the
entries of its height that it depends on (`step`). So omitting or exchanging entries of others leads to another head,
not to a conviction.

Some faults are shown by the entry of another member: a wrong share by its receiver's complaint, a sealed choice that
cannot be opened by the partials of t members. Their evidence extends to that entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from p2p.lockstep.effects import Convicted, Diverged
from p2p.lockstep.follower import Follower
from p2p.lockstep.step import SEATED, STAGE
from p2p.log.evidence import Evidence, Replayed
from p2p.wire.codec import Value
from p2p.wire.entry import Entry

BROUGHT_TO_LIGHT: Final = frozenset({"keys/bad-share", "seal/unopenable"})
"""Faults of an entry that was accepted when it arrived."""
_TOGETHER: Final = frozenset(STAGE) - frozenset(SEATED.values())
"""Kinds that may depend on other entries of their height, or wait for them."""


def gathered(table: Follower, convicted: Convicted) -> Evidence:
    """Return the evidence for a fault that this table has just found, with the fewest entries that prove it."""
    fault, accused = convicted.fault, convicted.entries
    if len(accused) == 2:
        return Evidence(fault.code, accused, (), fault.detail)
    (entry,) = accused
    if fault.code in BROUGHT_TO_LIGHT:
        read = len(table.feeds.feed(entry.author)) - table.reading.unread(entry.author)
        log = _below(table, table.position.height + 1, entry, read)
    else:
        earlier = (one.height for one in table.feeds.feed(entry.author)[: entry.seq] if one.kind in STAGE)
        reached = max(earlier, default=0)
        height = reached + 1 if reached > entry.height else entry.height + (entry.kind in _TOGETHER)
        log = _below(table, height, entry, entry.seq)
    return Evidence(fault.code, accused, tuple(log), fault.detail)


def _below(table: Follower, height: int, accused: Entry, end: int) -> Iterator[Entry]:
    """Yield the entries of every feed that lead to this height: those from below it, the votes for pacts that took
    effect there, and the entries that these pacts let count. The accused author's feed ends before `end`, the accused
    entry."""
    heights = (below for below in table.position.past if below < height)  # an entry may claim any height
    pacts = [pact for below in heights for pact in table.applied(below)]
    counted = {pact.id for pact in pacts}
    ends = {cut.author: cut.seq + 1 for pact in pacts for cut in pact.out}
    for entry in table.feeds.entries:
        if entry.height < height or entry.kind == "join" or _pact_of(table, entry) in counted:
            ends[entry.author] = max(entry.seq + 1, ends.get(entry.author, 0))
    ends[accused.author] = end
    return (entry for entry in table.feeds.entries if entry.seq < ends.get(entry.author, 0) and entry.id != accused.id)


def _pact_of(table: Follower, entry: Entry) -> Value:
    """Return the id of the pact that an entry proposes or signs."""
    match entry.kind, entry.body:
        case "pact", _:
            return table.ballots.proposal(entry)
        case "sign", [bytes() as pact]:
            return pact
    return None


def replayed(
    table: Follower, log: Sequence[Entry], accused: Entry, progress: Callable[[int, int, str], None] | None = None
) -> Replayed:
    """Replay the log of evidence with a new table and judge the accused entry."""
    diverged = False
    rest, before = [accused, *log], len(log) + 2
    while len(rest) < before:  # the reading may give a seat to somebody whose entries were not taken
        before, rest = len(rest), _hear(table, rest, accused, progress)
        table.go_on()
        for effect in table.settled():
            match effect:
                case Convicted(fault, (one,)) if one.id == accused.id and one.author in table.position.roster:
                    return Replayed(accused.head, accused.state, fault.code)
                case Diverged():
                    diverged = True
    past = table.position.past.get(accused.height)
    if diverged:
        return Replayed(accused.head, b"", None)
    return Replayed(table.position.head if past is None else past.head, accused.state, None)


def _hear(
    table: Follower, log: Sequence[Entry], accused: Entry, progress: Callable[[int, int, str], None] | None
) -> list[Entry]:
    """Hear the accused entry, and those that the log of a table takes. Return the others."""
    refused = list[Entry]()
    for number, entry in enumerate(log):
        if progress is not None:
            progress(number, len(log), "replay")
        if entry is accused or table.welcome(entry):
            table.hear(entry)
        else:
            refused.append(entry)
    return refused
