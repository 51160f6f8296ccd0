# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a pact ends the feed of a member that it names: at the last entry that may fill a slot, and before the
histories of its author part. What fills no slot, or names another history, cannot move that end."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import takewhile

from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import FeedEnd
from p2p.lockstep.reading import Reading
from p2p.log.evidence import slot_of
from p2p.wire.entry import NO_PREV, Entry


def end_here(seen: Reading, author: bytes, below: int | None = None) -> FeedEnd:
    """Return the end of a feed for a pact at this position, or with `below` at the position of that height: where a
    pact has cut it, else its last entry that may count there or has counted before, and from before its histories part
    if it signed two."""
    cut = seen.position.cut.get(author)
    if cut is not None:
        return cut
    fork = seen.hearing.feeds.forks.get(author)
    feed = seen.hearing.feeds.feed(author)[: None if fork is None else fork.seq]
    if below is not None:
        feed = [*takewhile(lambda entry: entry.height < below or entry.kind in ("genesis", "join"), feed)]
    last = next((entry for entry in reversed(feed) if _counted(seen, entry)), None)
    return FeedEnd(author, -1, NO_PREV) if last is None else FeedEnd(author, last.seq, last.id)


def end_of_all(seen: Reading, author: bytes) -> FeedEnd:
    """Return the end of what a repair reads of a feed: where a pact has cut it, else its last entry, and from before
    its histories part if it signed two."""
    cut, fork = seen.position.cut.get(author), seen.hearing.feeds.forks.get(author)
    feed = seen.hearing.feeds.feed(author)[: None if fork is None else fork.seq]
    return cut or (FeedEnd(author, feed[-1].seq, feed[-1].id) if feed else FeedEnd(author, -1, NO_PREV))


def _counted(seen: Reading, entry: Entry) -> bool:
    """True if this entry may fill a slot in this history, up to the open height."""
    slot = slot_of(entry)
    if slot is None:
        return entry.kind in ("join", "leave")
    past = seen.position.held(entry.height, entry.head)
    return past is not None and past.epoch == entry.epoch and _may_have(seen, entry.author, slot[-1])


def judge_end(seen: Reading, end: FeedEnd) -> TableRefusal | None:
    """Return why a feed does not end here as the pact says, None if it does: nothing after that may fill a slot of this
    height."""
    cut = seen.position.cut.get(end.author)
    if cut is not None:
        return None if cut == end else TableRefusal("pact/other-end", "", (end.author,))
    if other_branch(seen, end):
        return TableRefusal("pact/other-end", "", (end.author,))
    if not seen.hearing.reaches(end):
        return TableRefusal("pact/feed-behind", "", (end.author,))
    fork = seen.hearing.feeds.forks.get(end.author)
    below = fork.seq if fork is not None and fork.seq > end.seq else None
    more = [entry.seq for entry in _said_here(seen, end.author) if entry.seq > end.seq]
    more = [seq for seq in more if below is None or seq < below]
    return TableRefusal("pact/more", "", (end.author, more[-1])) if more else None


def _said_here(seen: Reading, author: bytes) -> list[Entry]:
    """Return the entries of this author that fill slots of the open height, or may do so once they are read: the first
    for each slot that it may have, so that their number has a bound."""
    position, feeds = seen.position, seen.hearing.feeds
    filled = [entry for entry in position.step.filled.values() if entry.author == author]
    found: dict[Hashable, Entry] = {_place(entry): entry for entry in filled}
    place = position.height, position.head, position.epoch
    for entry in seen.waiting(author):
        slot = slot_of(entry)
        if slot is not None and (entry.height, entry.head, entry.epoch) == place and _may_have(seen, author, slot[-1]):
            found.setdefault(_place(entry), entry)
    left = feeds.last(author)
    if left is not None and left.kind == "leave":
        found[left.kind] = left
    if position.height == 0:
        found |= {entry.kind: entry for entry in reversed(feeds.feed(author)) if entry.kind == "join"}
    return sorted(found.values(), key=lambda entry: entry.seq)


def _place(entry: Entry) -> Hashable:
    """Return the kind of an entry and its seat, if it has one."""
    slot = slot_of(entry)
    return None if slot is None else slot[-2:]


def _may_have(seen: Reading, author: bytes, seat: int) -> bool:
    """True if this member may sign for a seat, or as a member where it is -1."""
    return seat == -1 or seen.position.owner.get(seat) == author


def other_branch(seen: Reading, end: FeedEnd) -> bool:
    """True if a forked feed ends on a branch that this peer does not hold and so can never read."""
    fork = seen.hearing.feeds.forks.get(end.author)
    return fork is not None and end.seq >= fork.seq and seen.hearing.feeds.get(end.id) is None


def on_another_branch(seen: Reading, member: bytes) -> bool:
    """True if a member has shown that it holds another branch of a forked feed than this peer: its last entry names
    another history, or it has passed this position while this peer waits for the author of that feed, or it has refused
    a pact here since it ends that feed where it cannot read it."""
    position, hearing = seen.position, seen.hearing
    last, forked = hearing.feeds.last(member), hearing.feeds.forks.keys() - {member}
    if last is None or not forked:
        return False
    if last.height > position.height and forked & seen.owing().keys():
        return True
    if last.height <= position.height and position.held(last.height, last.head) is None:
        return True
    here = hearing.ballots.at(position.height, position.head)
    return any(hearing.ballots.refused(pact, member) == "pact/other-end" for pact in here)
