# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells the player why it cannot answer: no other member has confirmed the end of this member's feed yet, or the others
have left it out."""

from __future__ import annotations

from typing import Final

import trio

from client.table.notices import OwnFeedConfirmed, PeerStopped
from client.table.runtime import RunningTable
from p2p.lockstep.lockstep import Lockstep

PATIENCE: Final = 3.0
"""Seconds after which a player is told what this peer waits for; usually the others have answered by then."""


def newer_elsewhere(table: RunningTable) -> list[str]:
    """The names of the members that say they hold newer entries of this member than this home does."""
    end = len(table.lockstep.feeds.feed(table.me or b""))
    known = [have for have in table.held.values() if any(f.author == table.me and f.seq >= end for f in have.feeds)]
    return [table.name(have.writer) for have in known if have.writer is not None]


def outside(table: RunningTable) -> str:
    """The code that says that the others go on without this member, "" if they do not. A program that differs may have
    to be told by votes of a position that it never reaches."""
    me, lockstep = table.me or b"", table.lockstep
    if lockstep.feeds.left(me):
        return "lockstep/left"
    position, ballots = lockstep.position, lockstep.ballots
    if me in position.membership.gone:
        mine = table.identity(me)
        elsewhere = any(table.identity(key) == mine for key in position.owner.values() if key != me)
        return "lockstep/moved" if elsewhere else "lockstep/given-up"
    out = me in position.cut
    if table.apart():
        known = [pact for pact in ballots.pacts.values() if pact.at > position.height and me in pact.about]
        agreed = [pact for pact in known if ballots.complete(pact, position.members)]
        out = max(agreed, key=lambda pact: pact.at).kind != "back" if agreed else out
    return "lockstep/left-out" if out else ""


class Confirmation:
    """Checks whether this peer may answer, and tells the player when that changes."""

    def __init__(self, table: RunningTable, voice: Lockstep) -> None:
        self._table, self._voice = table, voice
        self._since = trio.current_time()
        self._told = ""
        self._recovered = 0
        self._left_out = ""
        table.after_change.append(self.look)
        table.on_tick.append(self.look)

    def look(self) -> None:
        """Say once what this peer waits for, and later how the wait ended."""
        voice = self._voice
        out = "" if voice.unconfirmed else outside(self._table)
        if out != self._left_out:
            self._left_out = out
            if out:
                self._table.notice(PeerStopped(out))
        if not voice.unconfirmed:
            self._since = trio.current_time()
        if voice.unconfirmed:
            code = voice.mute.code if voice.mute is not None else ""
            late = trio.current_time() - self._since >= PATIENCE
            if code != self._told and (late or code == "lockstep/older-copy"):
                self._told = code
                self._table.notice(PeerStopped(code))
        elif voice.mute is None and not out and (self._told or voice.recovered > self._recovered):
            self._table.notice(OwnFeedConfirmed(voice.recovered - self._recovered))
            self._told, self._recovered = "", voice.recovered
