"""The end of a table: everybody signs the result, and nobody leaves before everybody has everything.

A member is done when it holds the result of every member present and each of them has said, by `have` or by a good-bye
"done", that it holds all that I hold.  For whoever is out of reach the others wait a while; what they lack they can
have from anybody when they come back.
"""

from __future__ import annotations

from typing import Final

import trio

from client.table.runtime import Table
from p2p.wire.messages import Have

WAITING: Final = 10.0
"""Seconds to wait at the end for somebody to whom there is no link, or who does not say what it has."""


class Ending:
    """complete: whether everybody has everything; None until the end is settled one way or the other."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._said: dict[bytes, tuple[int, bytes]] = {}
        self._since: float | None = None
        self.complete: bool | None = None
        table.after_change.append(self.look)
        table.on_tick.append(self.look)

    def look(self) -> None:
        """See whether this is the end."""
        table = self._table
        if not table.lockstep.position.over or self.complete is not None:
            return
        now = trio.current_time()
        held = dict(table.lockstep.feeds.have())
        if held != self._said:
            self._said, self._since = held, now
            table.exchange.compare()
        if not self.waiting():
            self.complete = True
        elif self._since is not None and now - self._since > WAITING:
            self.complete = False
        if self.complete is not None:
            table.finish()

    def waiting(self) -> list[bytes]:
        """The members present that have not signed this result, or may lack something."""
        table = self._table
        head = table.lockstep.position.head
        members = [key for key in table.lockstep.position.members if key not in table.lockstep.position.cut]
        signed = {key for key, entry in table.lockstep.results.items() if entry.head == head}
        return [key for key in members if key not in signed or (key != table.me and not self._has_all(key))]

    def _has_all(self, key: bytes) -> bool:
        table = self._table
        identity = table.identity(key)
        if identity in table.farewells:
            return True
        links = [name for name, who in table.who.items() if who == identity]
        return any(self._covers(table.held[name]) for name in links if name in table.held)

    def _covers(self, have: Have) -> bool:
        theirs = {feed.author: feed.seq for feed in have.feeds}
        mine = self._table.lockstep.feeds.have()
        return all(theirs.get(author, -1) >= seq for author, (seq, _) in mine.items())
