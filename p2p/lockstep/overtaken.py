# SPDX-License-Identifier: GPL-3.0-or-later
"""Histories that a vote has overtaken: who has spoken in one comes back, and speaks again in this one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.pacts import threshold
from p2p.lockstep.position import Position
from p2p.lockstep.step import STAGE
from p2p.log.feeds import Feeds
from p2p.wire.entry import Entry

RETRIED: Final = ("answer", "seal", "commit")
"""Kinds that a member signs again where a vote has overtaken the history in which it signed them: they open nothing."""


def back_at(position: Position, feed: Sequence[Entry], at: int) -> int | None:
    """Return where a feed goes on in this history, if its author has filled a slot at this height under another head
    and come back later: a vote was overtaken by one over it."""
    entry = feed[at]
    if entry.kind not in STAGE or entry.height != position.height or entry.head == position.head:
        return None
    if position.repairing.covers(entry):
        return None
    later = (at for at in range(at + 1, len(feed)) if feed[at].kind in STAGE)
    return next((at for at in later if (feed[at].height, feed[at].head) == (position.height, position.head)), None)


def led_elsewhere(position: Position, feeds: Feeds, ballots: Ballots, me: bytes, unread: Sequence[Entry]) -> bool:
    """True if what this member has said at this height or beyond is in another history, which has been overtaken: by a
    `free` here, or since t members, this one counted, have spoken at this position. Who has opened dice or cards there
    says nothing more here. unread: the entries of this member that are not read yet."""
    held = next(iter(unread), None)
    if held is None or held.kind not in STAGE:
        return False
    if any(entry.kind in STAGE and entry.kind not in RETRIED for entry in unread):
        return False
    if held.height > position.height:
        return ballots.ended(held, position.height, position.head)
    if held.height != position.height or held.head == position.head:
        return False
    here = position.height, position.head
    spoken = [m for m in position.members if any((e.height, e.head) == here for e in feeds.feed(m))]
    return len({*spoken, me}) >= threshold(len(position.members))
