# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person is told again when a run begins, because the lockstep tells it once: in an earlier run, or while the
log was read and nobody listened."""

from __future__ import annotations

from client.table import notices
from client.table.runtime import RunningTable
from p2p.lockstep.effects import Diverged, Proposed
from p2p.lockstep.step import read_claim


def remind(table: RunningTable) -> None:
    """Tell what has not ended: members that are convicted, claims of waiting, engines and histories that differ, and
    proposals that wait for this member's vote. Call this when `on_diverged` is set."""
    lockstep, position = table.lockstep, table.lockstep.position
    for author, faults in lockstep.faults.items():
        if author in position.members and author not in position.cut and author != table.me:
            table.notice(notices.FaultProven(table.party(author), faults[0].code))
    for author, entry in lockstep.hearing.claims.items():
        claim = read_claim(entry)
        if claim is not None and claim[0] in lockstep.owing() and entry.head == position.head:
            table.notice(notices.Owes(table.party(claim[0]), table.party(author)))
    for entry in lockstep.reading.differing():
        table.tell(Diverged(entry, position.state))
    if lockstep.reading.elsewhere:
        table.exchange.compare()
    for vote in table.voice.votes() if table.voice is not None else ():
        if table.me in vote.missing:
            table.tell(Proposed(vote.pact, next(iter(lockstep.ballots.proposers[vote.pact.id]))))
