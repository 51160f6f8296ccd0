# SPDX-License-Identifier: GPL-3.0-or-later
"""The time that a table has agreed to wait for a member.

A person may not propose or agree to go on without the member earlier. A member out of reach is waited for a minute
(`p2p.lockstep.consent.grace`) from when it was lost, half as long with each time that it has come back, but no longer
than the agreed time; at a test table not at all. Nor is one waited for whose program computes another state, since no
waiting makes the programs agree. By post nobody is in reach. The agreed time counts from when this home first saw the
position, for votes too. Bots measure the same times themselves (`p2p.lockstep.consent`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import time

from client.table.runtime import RunningTable
from p2p.lockstep.consent import DECIDED, SILENT, Presence, grace


class WaitMeasure:
    """Measures for the person at a table how long its members were waited for.

    Attributes:
        since: returns the height noted last, and when it was first seen.
        clock: returns the seconds since 1970.
    """

    def __init__(
        self, table: RunningTable, since: Callable[[], tuple[int, float]], clock: Callable[[], float] = time
    ) -> None:
        self.since, self.clock = since, clock
        self._table, self._presence = table, Presence(table.exchange)
        table.on_tick.append(self._look)
        table.waited_until = self.until

    def _look(self) -> None:
        self._presence.look(self.clock(), self._table.lockstep.position.roster)

    def until(self, key: bytes) -> float:
        """When others may propose or agree to go on without a member."""
        now, last = self.clock(), self._presence.last(key)
        return waited_until(self._table, self.since(), now if last is None else last, key, now)


def waited_until(table: RunningTable, since: tuple[int, float], last: float, key: bytes, now: float) -> float:
    """When others may propose or agree to go on without a member, in seconds since 1970; 0 for at once, inf for never.

    since: the height noted last, and when it was first seen.
    last: when the member was last in reach.
    """
    lockstep = table.lockstep
    owed, live = _owed(table, key), table.router.live
    apart = {entry.author for entry in lockstep.reading.differing()}
    if owed is None or key in lockstep.faults or key in apart:
        return 0
    limit = lockstep.genesis.patience if owed in DECIDED else SILENT
    if limit == inf and not live:
        return 0
    height, at = since
    seen = at if at and height == lockstep.position.height else now
    if not live or table.exchange.reached(key):
        return seen + limit
    patience = grace(lockstep.genesis, lockstep.position.membership.returns.get(key, 0))
    return 0 if lockstep.genesis.test else min(seen + limit, max(seen, last) + patience)


def _owed(table: RunningTable, key: bytes) -> str | None:
    """The kind of entry that the table waits for from a member: "" for a vote, "ahead" for the entries that led the
    member past this position; None if it owes nothing."""
    voice, owed = table.voice, table.lockstep.debts().get(key)
    if owed is not None or voice is None:
        return owed
    return "" if key in voice.voting.awaited() else "ahead" if key in voice.voting.ahead() else None
