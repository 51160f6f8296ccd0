# SPDX-License-Identifier: GPL-3.0-or-later
"""The time that a table has agreed to wait for a member.

A person may not propose or agree to go on without the member earlier. A member out of reach is not waited for. By post
nobody is in reach, and the time counts from when this home first saw the position; the same holds for votes. Bots
measure the same times themselves (`p2p.lockstep.consent`).
"""

from __future__ import annotations

from math import inf

from client.table.runtime import RunningTable
from p2p.lockstep.consent import DECIDED, SILENT


def waited_until(table: RunningTable, since: tuple[int, int], key: bytes, now: float) -> float:
    """When others may propose or agree to go on without a member, in seconds since 1970; 0 for at once, inf for never.

    since: the height noted last, and when it was first seen.
    """
    lockstep = table.lockstep
    owed, live = _owed(table, key), table.router.live
    if owed is None or key in lockstep.faults or (live and not table.exchange.reached(key)):
        return 0
    limit = lockstep.genesis.patience if owed in DECIDED else SILENT
    if limit == inf and not live:
        return 0
    height, at = since
    return (at if at and height == lockstep.position.height else now) + limit


def _owed(table: RunningTable, key: bytes) -> str | None:
    """The kind of entry that the table waits for from a member: "" for a vote, "ahead" for the entries that led the
    member past this position; None if it owes nothing."""
    voice, owed = table.voice, table.lockstep.debts().get(key)
    if owed is not None or voice is None:
        return owed
    return "" if key in voice.voting.awaited() else "ahead" if key in voice.voting.ahead() else None
