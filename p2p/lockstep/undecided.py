# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may still go another way from an earlier height (PROTOCOL 9.8).

Two parts of a table must not go on beside each other, and nobody may see a roll before it decides whether to undo it. A
member that has signed a vote at an earlier height before it went on, or that has not gone on from there, can still
complete one there. While those are so many that it would count, nobody is left out and nothing is given for dice and
cards.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice, pairwise
from typing import Final

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.hearing import Hearing
from p2p.lockstep.pacts import enough
from p2p.lockstep.position import Position
from p2p.lockstep.step import goes_on
from p2p.wire.entry import MAX_NUMBER

NEVER: Final = MAX_NUMBER + 1
"""Stands for a seq after all others."""


def undecided(position: Position, hearing: Hearing, out: Collection[bytes] = ()) -> set[bytes]:
    """Return the members of an earlier height that may still vote there for something else, if they are so many that it
    would count. Then whatever is said without them is undone if they do. These are those who are not here, `out`
    included, and have not gone on from there, and whoever may have signed such a vote before it went on. Who was left
    out has gone on once it asks at a later height to come back."""
    ballots = hearing.ballots
    staying, unshown = {*position.members} - position.cut.keys() - {*out}, ballots.unshown
    for height in _voted(position, ballots, unknown=bool(unshown), settled=bool(out)):
        past = position.past[height]
        left = ballots.left.intersection(past.members)
        needed, place = enough("absent", len(past.members), len(left)), (height, past.head, past.members)
        voted = {who for who in past.members if who in unshown or ballots.pledges(who, *place)}
        may = [who for who in past.members if who not in left and (who in voted or who not in staying)]
        if len(may) < needed:
            continue  # most heights: no feed is read for them
        first = {who: _gone_on(position, hearing, who, height) for who in past.members}
        passed = frozenset(who for who in past.members if first[who] < NEVER) - hearing.feeds.forks.keys()
        seqs = {who: (*unshown.get(who, ()), *ballots.pledges(who, *place, passed)) for who in may}
        bound = {who for who in may if any(seq < first[who] for seq in seqs[who])}
        away = {who for who in may if who not in staying and first[who] == NEVER}
        if (bound or out) and len(bound | away) >= needed:
            return bound | away
    return set()


def _voted(position: Position, ballots: Ballots, *, unknown: bool, settled: bool) -> set[int]:
    """Return the earlier heights at which somebody has voted. unknown: True if somebody has voted for what is not known
    here. That may be of any height, of which those are asked after which the members were others, and the last one: at
    those before them, with the same members, no more can still vote. settled: also heights where each vote has been
    turned down, so that nobody is bound."""
    found = set[int]()
    for pact in ballots.until(position.height - 1):
        past = position.held(pact.at, pact.head)
        if past is not None and (settled or not ballots.turned_down(pact, past.members)):
            found.add(pact.at)
    if unknown:
        for (height, here), (following, there) in pairwise(position.past.items()):
            if following == position.height or here.members != there.members:
                found.add(height)
    return found - {position.height}


def _gone_on(position: Position, hearing: Hearing, member: bytes, height: int) -> int:
    """Return the seq of the first entry by which a member of an earlier height has gone on from there in this history,
    NEVER without one."""
    said = (entry for entry in hearing.feeds.feed(member) if entry.height > height and goes_on(entry))
    words = (entry.seq for entry in said if position.held(entry.height, entry.head) is not None)
    asked = hearing.ballots.asked(member, height)
    back = (seq for at, head, seq in asked if position.held(at, head) is not None)
    return min((*islice(words, 1), *back), default=NEVER)
