# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of ends: whoever tries to have two of them, or to undo one, all honest members have one, and it is final."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2p.lockstep.audit import audit
from p2p.lockstep.follower import Follower
from p2p.log.feeds import Feeds
from p2p.testing.between import BETWEEN, between_plan
from p2p.testing.endings import Confirmed, last_word_plan, undoing_plan
from p2p.testing.hostile import Silent
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_votes import VOTERS as CHOOSERS
from p2p.testing.machine import Brief
from seeds.hashing import H


def last_words(seed: int) -> Confirmed:
    """One shows its last entry in two ways: all honest members have one end, and it is final."""
    table = Confirmed(seed, last_word_plan(seed), SILENCES)
    table.run()
    demand_one_end(table)
    return table


def between(seed: int, kind: str = "") -> Confirmed:
    """One of five leads two parts of a table, which hear nothing of each other, to two ends: one of these is final for
    all when they meet, also for a judge of the log and for somebody who hears the feeds one by one. kind: when it signs
    what leads to the second end, "" for one by lot."""
    kind = kind or Random(f"between {seed}").choice(sorted(BETWEEN))
    table = Confirmed(seed, between_plan(seed, kind), BETWEEN, Brief)
    table.run()
    demand_one_end(table)
    demand_end_stands(table)
    return table


def undoing(seed: int, kind: str = "") -> Confirmed:
    """More than half vote against the end that all have signed: it stays, also for a judge of the log and for somebody
    who hears the feeds one by one. kind: how they do it, "" for a way by lot."""
    kind = kind or Random(f"undoer {seed}").choice(("Undoer", "Continuer"))
    table = Confirmed(seed, undoing_plan(seed, kind), {**CHOOSERS, "Silent": Silent})
    table.run()
    demand_end_stands(table)
    return table


def demand_one_end(table: Confirmed) -> None:
    """Demand that all honest members have one end, and that it is final for each."""
    table.check_end()
    there = {peer.number for peer in table.peers if peer.honest}
    table.demand(there == set(table.final) and len(set(table.final.values())) == 1, "the end is not final for all")


def demand_end_stands(table: Confirmed) -> None:
    """Demand that a judge of each honest member's log, and somebody who hears its feeds one by one, come to the end
    that was final for it."""
    for peer in (peer for peer in table.peers if peer.honest):
        feeds = peer.lockstep.feeds
        found = audit(feeds.entries, lambda genesis: type(table.fresh)(genesis.seats, 1))
        late = Follower(table.genesis, type(table.fresh)(table.genesis.seats, 1))
        hear_feeds(late, feeds, sorted(feeds.authors, key=lambda author: H("order", table.seed, author)))
        for head in (found.head, late.position.head):
            table.demand(table.final.get(peer.number) == head, "an end that was final is undone")


def hear_feeds(late: Follower, feeds: Feeds, authors: Sequence[bytes]) -> None:
    """Let a follower take of each feed in turn what it takes, until it takes no more."""
    known = -1
    while known < len(late.feeds.entries):
        known = len(late.feeds.entries)
        for author in authors:
            for entry in feeds.feed(author)[len(late.feeds.feed(author)) :]:
                late.feed(entry)
                late.settled()
        late.compared()
        late.settled()
