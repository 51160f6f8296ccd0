"""The time that a table has agreed to wait for somebody: a person proposes to go on without them no earlier.

Who is out of reach is not waited for; by post nobody is in reach, and the time counts from when this home first saw the
position. Bots keep the same times by a clock of their own (`p2p.lockstep.consent`).
"""

from __future__ import annotations

from math import inf

from client.table.runtime import RunningTable
from p2p.lockstep.consent import DECIDED, SILENT


def waited_until(table: RunningTable, since: tuple[int, int], key: bytes, now: float) -> float:
    """When others may propose to go on without a member, in seconds since 1970; 0 for at once, inf for never.

    since: the height that was noted last, and when it was seen first.
    """
    lockstep = table.lockstep
    owed, live = lockstep.debts().get(key), table.router.live
    if owed is None or key in lockstep.faults or (live and not table.exchange.reached(key)):
        return 0
    limit = lockstep.genesis.patience if owed in DECIDED else SILENT
    if limit == inf and not live:
        return 0
    height, at = since
    return (at if at and height == lockstep.position.height else now) + limit
