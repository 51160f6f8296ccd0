# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of each feed a table takes: what its heights need, and some more.

    of a member              2,000 entries and 1 MB, and 16 entries and 16 kB for each height resolved here
    of one who is left out   256 entries and 256 kB after its cut, for what it signed before it knew, and two entries
                             and 1 kB for each height resolved here, for its words on votes and its proposal to come
                             back, which it makes once a height
    of anybody else          the same from its first entry on, for who may get a seat

Chats count apart (`p2p/log/feeds.py`). What an entry claims allows nothing: only what was resolved here does. Later
entries are not kept and not passed on; they are asked for again once more heights are resolved, or once a vote lets
their author back. So a member that plays and one that catches up take the same of every feed, whatever came first: all
that the position allows at which both arrive.

A vote may name an entry that is beyond this here: the end of a feed, or the proposal to come back of somebody of whom
its proposer had taken more before the cut. Up to there the feed is taken as that of a member, and as if 64 heights more
were resolved. So nobody is bound by a vote that others cannot read.
"""

from __future__ import annotations

from typing import Final

from p2p.lockstep.hearing import Hearing
from p2p.lockstep.position import Position
from p2p.log.feeds import Spent, Takes

AT_FIRST: Final = Spent(2_000, 1_000_000)
A_HEIGHT: Final = Spent(16, 16_000)
OUTSIDE: Final = Spent(256, 256_000)
OUTSIDE_A_HEIGHT: Final = Spent(2, 1_000)
"""What is taken of somebody who is no member, since it was one."""
UNDONE: Final = 1_024
"""Greatest number of heights that count as undone by votes, which may name any later height to go on at."""
NAMED: Final = 64
"""Heights that are added for a feed up to an entry that a vote names."""


def allowed(hearing: Hearing, position: Position, author: bytes) -> Spent:
    """Return how much may be spent in a feed before its last entry is taken."""
    feeds, cut = hearing.feeds, position.cut.get(author)
    held = len(feeds.feed(author))
    named = hearing.promised(author) >= held
    if author in position.roster and (named or cut is None):
        return of_member(position, named=named)
    before = 0 if cut is None else min(cut.seq + 1, held)
    return _sum(_sum(feeds.spent(author, before), OUTSIDE), OUTSIDE_A_HEIGHT, resolved(position))


def of_member(position: Position, *, named: bool = False) -> Spent:
    """Return how much may be spent in the feed of a member that is not left out. named: as if a vote named more."""
    return _sum(AT_FIRST, A_HEIGHT, resolved(position) + 1 + (NAMED if named else 0))


def resolved(position: Position) -> int:
    """Return the number of heights that have been resolved here, with those that a vote has undone."""
    passed = len(position.past) - 1
    return passed + min(position.height - passed, UNDONE)


def taking(hearing: Hearing, position: Position, author: bytes) -> Takes:
    """Return whether an author's next entry may be taken, by what it has spent."""
    others, size = allowed(hearing, position, author)
    return lambda spent: spent.others < others and spent.size < size


def _sum(one: Spent, other: Spent, times: int = 1) -> Spent:
    return Spent(one.others + times * other.others, one.size + times * other.size)
