# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that have left by one signature: the entry `leave` is the last of its author, and gives its seats up.

It takes effect at the first height at which its author owes a slot, or somebody who was left out before: nobody can
have passed that height, and no vote ends it that waits for its author. There it counts as a pact of one signature.
A slot that any t members can fill is owed so only where fewer than t have filled it or still may.
"""

from __future__ import annotations

from collections.abc import Collection

from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.position import Position
from p2p.wire.entry import Entry


class Departures:
    """The leaves up to which feeds are read.

    Attributes:
        noted: by author, its `leave`.
    """

    def __init__(self) -> None:
        self.noted: dict[bytes, FeedEnd] = {}

    def note(self, entry: Entry) -> None:
        """Note a `leave`."""
        self.noted[entry.author] = FeedEnd(entry.author, entry.seq, entry.id)

    def due(self, position: Position, *, quiet: bool = False) -> list[Pact]:
        """Return the leaves that take effect at this position and that it does not count yet. quiet: True if no feed
        can be read further, so that it is known who has given a partial before the end of its feed."""
        withheld = position.withheld(self.noted) if quiet else set[bytes]()
        ends = (end for end in self.noted.values() if _due(position, end, withheld))
        return [Pact("leave", position.height, position.head, (end,), None) for end in ends]


def _due(position: Position, end: FeedEnd, withheld: Collection[bytes]) -> bool:
    """True if the author of a leave, or somebody who is no member, owes a slot here, or if the author is left out with
    an end that contains the leave. withheld: authors that owe what too few others can give."""
    author = end.author
    counted = any(pact.kind == "leave" and end in pact.out for pact in position.agreed)
    settled = author in position.membership.gone or end.seq <= position.membership.floor.get(author, -1)
    if counted or settled or position.over:
        return False
    cut = position.cut.get(author)
    if cut is not None:
        return cut.seq >= end.seq
    going_on = position.ending is None or position.ending.kind == "leave"
    debtors, members = position.debtors, position.members
    owes = author in debtors or author in withheld
    return going_on and author in members and (owes or not debtors.issubset(members))
