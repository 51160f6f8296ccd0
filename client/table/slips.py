# SPDX-License-Identifier: GPL-3.0-or-later
"""Recovery slips: friends keep a member's table secret, sealed to its identity (`p2p.identity.slip`).

    home/slip     [slip]    from a member to each member over a new link: keep this for me
    home/lost     []        from a device of a member that has no secret: give me mine
    home/kept     [slip]    the answer; [] of a member that keeps none

A slip is an opaque blob of SLIP_BYTES bytes outside the log. A home keeps one for each identity that sits at the table,
that of its latest key, until the game is over. It goes to that identity alone. Who asks takes the slip of its latest
key too: a friend may still keep, or bring back, one whose secret opens no hand any more.
"""

from __future__ import annotations

from typing import Final

import trio

from client.table.moving import holder
from client.table.router import LinkRouter
from client.table.runtime import RunningTable
from p2p.identity.keys import SigningKey
from p2p.identity.slip import SLIP_BYTES, make_slip, read_slip, slip_number
from p2p.link.live import LiveLink
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.log.store import Store
from p2p.sync.exchange import TableMessage
from p2p.wire.codec import Value
from p2p.wire.messages import Lobby

SLIP: Final = "home/slip"
LOST: Final = "home/lost"
KEPT: Final = "home/kept"
MOST: Final = 4
"""The most slips that are taken, and the most that are given, over one link."""
OTHERS: Final = 5.0
"""Seconds for which those who have not answered are waited for, once a slip has opened."""


class Slips:
    """Gives the own slip to the other members, and keeps theirs."""

    def __init__(self, table: RunningTable, voice: Lockstep, store: Store, identity: SigningKey, secret: bytes) -> None:
        self._table, self._voice, self._store = table, voice, store
        self._identity, self._secret = identity, secret
        self._given: set[str] = set()
        self._heard: dict[tuple[str, str], int] = {}
        self._kept: dict[bytes, bytes] = {}
        table.words[SLIP] = table.words[LOST] = self.heard
        table.after_change.append(self.give)

    def give(self) -> None:
        """Give the own slip to each member over its present link, while this member has seats."""
        position, linked = self._voice.position, self._table.who
        self._given &= linked.keys()
        self._heard = {said: times for said, times in self._heard.items() if said[0] in linked}
        me = self._voice.me
        if me is None or me not in position.owner.values() or position.over:
            return
        others = {self._table.identity(key) for key in self._table.others()}
        for name in [name for name, who in self._table.who.items() if who in others and name not in self._given]:
            self._given.add(name)
            number = position.membership.numbers[me]
            slip = make_slip(self._identity, self._voice.genesis.table, number, self._secret)
            self._table.router.send(name, Lobby(SLIP, [slip]))

    def heard(self, name: str, kind: str, body: Value) -> None:
        """Keep a slip, or give it back to its owner."""
        self._heard[name, kind] = self._heard.get((name, kind), 0) + 1
        identity, table = self._table.who.get(name, b""), self._voice.genesis.table
        if self._heard[name, kind] > MOST or holder(self._voice, identity) is None or self._voice.position.over:
            return
        match kind, body:
            case "home/slip", [bytes() as slip] if len(slip) == SLIP_BYTES:
                kept = self._kept.get(identity) or self._store.slip(table, identity)
                if kept is None or slip_number(kept) <= slip_number(slip):
                    self._kept[identity] = slip
                    self._table.writer.slip(identity, slip)
            case "home/lost", []:
                kept = self._store.slip(table, identity)
                self._table.router.send(name, Lobby(KEPT, [] if kept is None else [kept]))


class Asking:
    """Asks the members of a table for the own slip, before that table is opened here. Entries that they send then are
    asked for again later."""

    def __init__(self, router: LinkRouter, identity: SigningKey) -> None:
        self._router, self._identity = router, identity
        self._genesis: Genesis | None = None
        self._answered_all, self._patience = trio.Event(), trio.CancelScope()
        self._asked: dict[str, bytes] = {}
        self._answered: set[bytes] = set()
        self._opened: dict[int, bytes] = {}
        router.connect(self)

    async def secret(self, genesis: Genesis, seconds: float) -> bytes | None:
        """Return the table secret in the latest of the slips that open, None if no member has one or none answers in
        time."""
        self._genesis = genesis
        for name, link in self._router.links.items():
            self.came(name, link)
        with trio.move_on_after(seconds) as self._patience:
            await self._answered_all.wait()
        return self._opened[max(self._opened)] if self._opened else None

    def _members(self) -> set[bytes]:
        members = () if self._genesis is None else self._genesis.members
        return {member.certificate.identity for member in members} - {self._identity.public}

    def came(self, name: str, link: LiveLink) -> None:
        """A link is up."""
        if link.peer_id in self._members() and name not in self._asked:
            self._asked[name] = link.peer_id
            self._router.send(name, Lobby(LOST, []))

    def went(self, name: str, code: str) -> None:
        """Nothing: another link is asked again."""

    async def hear(self, name: str, message: TableMessage) -> None:
        """Nothing."""

    async def word(self, name: str, kind: str, body: Value) -> None:
        """Try a slip."""
        if kind != KEPT or name not in self._asked or self._genesis is None:
            return
        match body:
            case [bytes() as slip] if (secret := read_slip(self._identity, self._genesis.table, slip)) is not None:
                self._opened.setdefault(slip_number(slip), secret)
                self._patience.deadline = min(self._patience.deadline, trio.current_time() + OTHERS)
        self._answered.add(self._asked[name])
        if self._answered >= self._members():
            self._answered_all.set()
