# SPDX-License-Identifier: GPL-3.0-or-later
"""Votes at positions that a member never reaches, since they depend on the other branch of a feed whose author signed
two histories. It refuses them, so that those who are bound by them need not wait for its word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p.lockstep.cuts import other_branch
from p2p.lockstep.pacts import Pact
from p2p.lockstep.reading import Reading

MOST: Final = 64
"""Votes of one member that another one refuses in a game because it never reaches their positions."""


def unreachable(seen: Reading, me: bytes, *, apart: bool) -> Iterator[Pact]:
    """Yield the pacts that a member without a fork has signed at the position that its entries name last, and that ask
    for the word of `me` there, which never reaches that position: histories are apart, or the pact ends such a feed on
    the other branch. Votes for positions that nobody has reached cost their author nothing, so that of each member only
    MOST count."""
    position, ballots, feeds, forgers = seen.position, seen.hearing.ballots, seen.hearing.feeds, seen.hearing.forgers
    for member in (each for each in position.members if each not in forgers and forgers):
        last = feeds.last(member)
        if last is None or last.height <= position.height:
            continue
        there = [pact for pact in ballots.at(last.height, last.head) if me in pact.signers(position.members)]
        open_ = (p for p in there if not ballots.voted(p, me) and ballots.refused(p, me) is None)
        for pact in (pact for pact in open_ if ballots.signed(pact, member)):
            elsewhere = apart or any(other_branch(seen, end) for end in pact.out)
            if elsewhere and sum(ballots.signed(other, member) for other in _refused(seen, me)) < MOST:
                yield pact


def _refused(seen: Reading, me: bytes) -> list[Pact]:
    """Return the pacts that a member has refused at an earlier position than theirs."""
    pacts, found = seen.hearing.ballots.pacts, list[Pact]()
    for entry in seen.hearing.feeds.feed(me):
        match entry.kind, entry.body:
            case "refuse", [bytes() as name, *_] if name in pacts and pacts[name].at > entry.height:
                found.append(pacts[name])
    return found
