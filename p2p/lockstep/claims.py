# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed claims that a member did not answer, for tables that are too small to leave it out.

A table of two, or one with fewer members than the threshold, cannot leave anybody out: the game pauses. A waiting
member may then sign a `result` with ["unanswered", member, kind of the entry that it owes], under the current height
and head. The claim ends nothing and convicts nobody, because a silent program looks the same as a broken connection. A
log that contains the entry shows that the claim has lapsed.
"""

from __future__ import annotations

from engine.core.dataclass import dataclass
from p2p.lockstep.follower import Follower
from p2p.lockstep.step import read_claim


@dataclass(frozen=True, slots=True)
class OmissionClaim:
    """`author` claims that `member` did not send the entry of this kind that it owed at `height`. stands: True if, in
    this log, that entry is still owed and the author itself owes nothing."""

    author: bytes
    member: bytes
    height: int
    kind: str
    stands: bool


def claims(table: Follower) -> tuple[OmissionClaim, ...]:
    """Return the last claim of each author, judged by this log."""
    found = []
    for author, entry in table.hearing.claims.items():
        said = read_claim(entry)
        if said is not None:
            member, kind = said
            here = (entry.height, entry.head) == (table.position.height, table.position.head)
            owed = table.debts()
            stands = here and owed.get(member) == kind and author not in owed
            found.append(OmissionClaim(author, member, entry.height, kind, stands))
    return tuple(found)
