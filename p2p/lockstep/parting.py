# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a member that signed two histories has parted the others, and from where they may go on without it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from p2p.lockstep.cuts import other_branch
from p2p.lockstep.pacts import Pact
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE

VOTES: Final = ("pact", "sign", "refuse")


def _common(seen: Reading, out: Collection[bytes]) -> int:
    """Return the height of the latest position that the entries of all members not in `out` show. Going back further
    would undo rolls and openings that all had agreed on."""
    position = seen.position
    heights = [position.height]
    for member in position.members:
        if member not in out and member != seen.me:
            feed = reversed(seen.hearing.feeds.feed(member))
            heights.append(next((e.height for e in feed if position.held(e.height, e.head) is not None), 0))
    return min(heights)


def resumable(seen: Reading, culprit: bytes, out: Collection[bytes]) -> int:
    """Return the lowest height where play may resume without a culprit: the latest that all members not in `out` show,
    and not below its forked entry, as long as nobody shows another history from below that."""
    latest, fork = _common(seen, out), seen.hearing.feeds.forks.get(culprit)
    if fork is None:
        return latest
    ballots, feed = seen.hearing.ballots, seen.hearing.feeds.feed(culprit)
    spoken = max((entry.height for entry in feed[: fork.seq] if entry.kind in STAGE), default=0)
    since = (fork.first, fork.second, *feed[fork.seq :])
    forked = min(ballots.place(entry) for entry in since)
    lowest = min(max(spoken, forked), seen.position.height)
    lasts = [seen.hearing.feeds.last(m) for m in seen.position.members if m not in out and m not in (culprit, seen.me)]
    apart = [e for e in lasts if e is not None and e.height <= lowest and seen.position.held(e.height, e.head) is None]
    return latest if apart else max(latest, lowest)


def parted(seen: Reading, culprit: bytes, out: Collection[bytes]) -> bool:
    """True if the histories of the members not in `out` differ because a member signed two. One of them has another
    head at a height that this peer has passed, holds the other branch, or is ahead while this peer waits for entries
    that only that branch may contain or that it cannot read. Or that member has said on one branch alone its word on a
    vote by which some of them have gone on, and others not. Not if this peer has signed here that the member
    moves, which excuses what lies beyond that end: whoever has passed this position has gone on by that."""
    position = seen.position
    if culprit not in seen.hearing.feeds.forks or _moves(seen, culprit):
        return False
    if _waits_for_it(seen, culprit, out) or _decided_by_it(seen, culprit, out):
        return True
    others = [seen.hearing.feeds.last(m) for m in position.members if m not in out and m not in (culprit, seen.me)]
    lasts = [entry for entry in others if entry is not None]
    unread = [entry for each in lasts if (entry := seen.held(each.author)) is not None]
    shown = (entry for entry in (*lasts, *unread) if entry.height <= position.height)
    if any(position.held(entry.height, entry.head) is None for entry in shown):
        return True
    for pact in seen.hearing.ballots.at(position.height, position.head):
        end = pact.end_of(culprit) if pact.kind == "absent" else None
        refused = [seen.hearing.ballots.refused(pact, member) for member in pact.signers(position.members)]
        if end is not None and (other_branch(seen, end) or "pact/other-end" in refused):
            return True
    ahead = [entry.author for entry in lasts if entry.height > position.height]
    if any(seen.apart(entry.author) for entry in lasts):
        return True
    stuck = culprit in seen.owing() or any(map(seen.apart, position.members))
    return bool(ahead) and stuck


def _waits_for_it(seen: Reading, culprit: bytes, out: Collection[bytes]) -> bool:
    """True if a vote here waits for the word of a culprit alone, and a signer of it, not in `out`, has gone on."""
    ballots, position = seen.hearing.ballots, seen.position
    for pact in ballots.at(position.height, position.head):
        if ballots.missing(pact, position.members) == (culprit,) and not ballots.dead(pact, position.members):
            said = ballots.votes(pact, position.members).items()
            if any(who not in out and seen.hearing.gone_beyond(who, pact.at, seq) for who, seq in said):
                return True
    return False


def _decided_by_it(seen: Reading, culprit: bytes, out: Collection[bytes]) -> bool:
    """True if a vote has taken effect by a word of a culprit on one branch of its feed, and a member has signed it that
    has not gone on: perhaps it holds another branch."""
    past = seen.position.past
    for pact in doubtful(seen, culprit):
        signed = seen.hearing.ballots.votes(pact, past[pact.at].members).items()
        others = [(who, seq) for who, seq in signed if who not in (culprit, seen.me) and who not in out]
        passed = pact.at < seen.position.height
        if passed and not all(seen.hearing.gone_beyond(who, pact.at, seq) for who, seq in others):
            return True
    return False


def doubtful(seen: Reading, culprit: bytes) -> list[Pact]:
    """Return the complete votes of this history on which a culprit has said its word since its histories part."""
    ballots, forks, past = seen.hearing.ballots, seen.hearing.feeds.forks, seen.position.past
    since = forks[culprit].seq if culprit in forks else 0
    later = {entry.height for entry in seen.hearing.feeds.feed(culprit)[since:] if entry.kind in VOTES} & past.keys()
    pacts = [pact for at in sorted(later) for pact in seen.applied(at)]
    return [pact for pact in pacts if ballots.votes(pact, past[pact.at].members).get(culprit, -1) >= since]


def _moves(seen: Reading, culprit: bytes) -> bool:
    """True if this peer has signed at this position that a member moves to another key, and that still may come, with
    an end before its histories part."""
    ballots, position, fork = seen.hearing.ballots, seen.position, seen.hearing.feeds.forks[culprit]
    here = [pact for pact in ballots.at(position.height, position.head) if pact.kind == "moved"]
    mine = [pact for pact in here if seen.me is not None and ballots.signed(pact, seen.me)]
    ends = [pact.end_of(culprit) for pact in mine if not ballots.dead(pact, position.members)]
    return any(end is not None and end.seq < fork.seq for end in ends)
