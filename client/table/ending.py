# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a table: everybody signs the result, and nobody leaves before everybody has everything.

A member is done when it holds the result of every member present and each of them has said, by `have` or by a good-bye
"done", that it holds the same entries. The others wait `WAITING` seconds for a member out of reach, and no longer for a
linked spectator who does not say what it has. Who has left for good counts as a spectator. A member who was left out or
out of reach gets the rest from any member who resumes the table at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from client.table.runtime import RunningTable
from p2p.wire.messages import Have

WAITING: Final = 10.0
"""Seconds to wait at the end for a peer that is not linked or does not say what it has."""


class Ending:
    """How long a peer stays after the game is over.

    Attributes:
        stay_for: the members that a finished table was resumed for, including those left out.
        patience: how long to wait since the last news.
        complete: True if all who are waited for have everything, False if not, None before that is settled.
    """

    def __init__(self, table: RunningTable, *, stay_for: Sequence[bytes] = (), patience: float = WAITING) -> None:
        self._table, self._stay_for, self._patience = table, tuple(stay_for), patience
        self._said: dict[bytes, tuple[int, bytes]] = {}
        self._since = 0.0
        self.complete: bool | None = None
        self._lacked: list[bytes] | None = None
        table.after_change.append(self.look)
        table.on_tick.append(self.look)

    def look(self) -> None:
        """Check whether the table may be closed."""
        table = self._table
        if not table.lockstep.position.over or self.complete is not None:
            return
        now = trio.current_time()
        held = dict(table.lockstep.feeds.have())
        if held != self._said:
            self._said, self._since = held, now
            table.exchange.compare()
        if self._awaited():
            self.complete = False if now - self._since > self._patience else None
        elif not self._spectators_lack() or now - self._since > WAITING:
            self.complete = True
        if self.complete is not None:
            self._lacked = self.lacking()
            table.finish()

    def _awaited(self) -> list[bytes]:
        """The members that may lack something or have not signed this result, among those that the table was resumed
        for, else among those present."""
        keys = self._stay_for or self._present()
        return [key for key in keys if not (self._has_all(key) and self._has_signed(key))]

    def _spectators_lack(self) -> bool:
        """True if a linked spectator, or who has left for good and is linked still, may lack something."""
        table = self._table
        roster, left = table.lockstep.position.roster, table.lockstep.feeds.left
        members = {member.certificate.identity for key, member in roster.items() if not left(key)}
        names = [name for name, who in table.who.items() if who not in members]
        return any(name not in table.held or not self._covers(table.held[name]) for name in names)

    def _present(self) -> list[bytes]:
        """The members that are neither left out nor gone for good."""
        lockstep = self._table.lockstep
        return [key for key in lockstep.position.membership.present if not lockstep.feeds.left(key)]

    def _has_signed(self, key: bytes) -> bool:
        """True if a member has signed this result, or cannot sign it any more: it was left out, it has left, or it said
        good-bye and no other link could forward its entry."""
        table = self._table
        said = table.lockstep.results.get(key)
        signed = said is not None and said.head == table.lockstep.position.head
        gone = table.identity(key) in table.farewells and not table.who
        return signed or gone or key not in self._present()

    def lacking(self) -> list[bytes]:
        """The members, including those left out, that may lack something. After the end this no longer changes, because
        links close with the table."""
        if self._lacked is not None:
            return self._lacked
        roster = self._stay_for or self._table.lockstep.position.roster
        return [key for key in roster if not self._has_all(key)]

    def _has_all(self, key: bytes) -> bool:
        table = self._table
        identity = table.identity(key)
        if table.me in (None, key) or identity in table.farewells:
            return True  # a spectator has nothing that others could lack
        links = [name for name, who in table.who.items() if who == identity]
        return any(self._covers(table.held[name]) for name in links if name in table.held)

    def _covers(self, have: Have) -> bool:
        theirs = {feed.author: feed.seq for feed in have.feeds}
        table = self._table.lockstep
        mine = [(author, seq) for author, (seq, _) in table.feeds.have().items() if table.seated(author)]
        return all(theirs.get(author, -1) >= seq for author, seq in mine)
