# SPDX-License-Identifier: GPL-3.0-or-later
"""The last tables that are over or were left: late members get the missing entries while this process plays another
table.

A member who was away at the end resumes that table and gets the rest from the first other member who runs starlock
again. These links belong to the meeting of the old table, so the table being played never hears of them. Members who
lack the end are dialed too, unless they sit at the table being played; nobody else is dialed.

For a table that was left before its end, a member who connects gets the entries held here and then the message that
this member has left. This lasts until all others have received it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import trio

from client.system.errors import UserError
from client.system.journal import Journal
from client.table.checked import Checked, split
from client.table.notices import DiskFull, DiskReady
from client.table.record import Record, sound_record
from client.table.router import Links
from client.table.writer import StoreWriter
from p2p.link.bucket import Bucket
from p2p.link.live import LiveLink
from p2p.link.meet import Meeting, table_meeting
from p2p.log.store import Store, StoreError
from p2p.reach.supervise import Supervisor
from p2p.sync.archived import Archived
from p2p.sync.exchange import TableMessage
from p2p.wire.messages import Push

KEPT: Final = 5
"""Number of tables: as many as fit an announcement together with the meetings of a lobby."""
MAX_LINKS: Final = 8
BYTES_A_SECOND: Final = 1_000_000
"""Limit for all late members together; the table being played goes first."""
LEAST_COST: Final = 500
"""The least number of bytes that a message counts for."""
SETTLED: Final = 5.0
"""Seconds after which the link to a dialed member that lacks nothing is closed: the member may want to connect for
another table."""
LINGER: Final = 3.0
"""Seconds that a connecting member has to fetch what it lacks before it is told that this member has left."""


@dataclass(slots=True, eq=False)
class _Kept:
    """A table and the links for it.

    Attributes:
        open: the table's entries, read once somebody is linked.
        turn: lets one message be answered at a time.
    """

    record: Record
    me: bytes
    writer: StoreWriter
    meeting: Meeting
    open: Archived | None = None
    links: dict[str, LiveLink] = field(default_factory=dict)
    turn: trio.Lock = field(default_factory=trio.Lock)

    @property
    def left(self) -> bool:
        """True if it was left before its end."""
        return self.record.state == "left" and not self.record.result

    @property
    def waited_for(self) -> list[bytes]:
        """The identities of members that lack the end, or have not heard that this one has left."""
        found = map(self.identity, self.record.lacking)
        return [identity for identity in found if identity is not None]

    def sits(self, identity: bytes) -> bool:
        """True if this identity has a seat there."""
        return any(member.certificate.identity == identity for member in self.record.genesis.members)

    def identity(self, key: bytes) -> bytes | None:
        """The identity behind a table key of the genesis."""
        member = self.record.genesis.member(key)
        return None if member is None else member.certificate.identity


class Archive:
    """See the module. meetings: where this process may be met, to which these tables are added."""

    def __init__(
        self, store: Store, identity: bytes, meetings: list[Meeting], links: Links, supervisor: Supervisor, log: Journal
    ) -> None:
        self._store, self._identity, self._meetings = store, identity, meetings
        self._links, self._supervisor, self._log = links, supervisor, log
        self._kept: dict[bytes, _Kept] = {}
        self._bytes = Bucket(BYTES_A_SECOND, BYTES_A_SECOND, trio.current_time())
        self._checked = Checked()
        self._noted = trio.lowlevel.ParkingLot()
        self._nursery: trio.Nursery

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Answer until cancelled."""
        records = await trio.to_thread.run_sync(self._records)
        for record in records[:KEPT]:
            self.add(record)
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    def _records(self) -> list[Record]:
        """The tables of this home that others may ask for: first those where somebody lacks something, then the
        latest."""
        found = []
        for stored in reversed(self._store.tables()):
            try:
                record = sound_record(stored)
            except UserError:
                self._log("archive/note", table=stored.table.hex())  # a command that names this table tells of it
                continue
            if stored.member and self._mine(record) is not None and (record.result or _unheard(record)):
                found.append(record)
        return sorted(found, key=lambda record: not record.lacking)

    def _mine(self, record: Record) -> bytes | None:
        keys = [each.key for each in record.genesis.members if each.certificate.identity == self._identity]
        return keys[0] if keys else None

    def add(self, record: Record) -> _Kept:
        """Answer for this table from now on; this identity has a seat there."""
        me, table = self._mine(record), record.genesis.table
        assert me is not None
        meeting = table_meeting(table, passive=True)
        kept = self._kept[meeting.name] = _Kept(record, me, StoreWriter(self._store, table, self._tell), meeting)
        self._meetings.append(meeting)
        return kept

    def release(self, table: bytes) -> None:
        """Stop answering for this table: it is played here now, or nobody lacks anything."""
        kept = self._kept.pop(table_meeting(table).name, None)
        if kept is not None:
            self._close_door(kept)
            for identity in kept.waited_for:
                self._supervisor.forget(identity)

    def _close_door(self, kept: _Kept) -> None:
        """Accept no new links to this table; open ones stay."""
        self._meetings[:] = [each for each in self._meetings if each is not kept.meeting]

    def reach_out(self, busy: Collection[bytes], *, local: bool) -> None:
        """Dial the members that lack something.

        busy: identities at the table that is played.
        local: whether this process stays on this machine.
        """
        for kept in self._kept.values():
            for identity in kept.waited_for if kept.record.local == local else ():
                if identity not in busy:
                    self._supervisor.want(kept.meeting, identity, kept.record.addresses.get(identity, ()))

    async def tell_left(self, record: Record, seconds: float) -> Record:
        """Dial the members who have not heard that this one left the table. Returns the record of the table after
        `seconds`, or as soon as all have heard. A home with another identity than at that table cannot tell anybody."""
        if self._mine(record) is None:
            return record
        self.release(record.genesis.table)
        kept = self.add(record)
        for identity in kept.waited_for:
            self._supervisor.want(kept.meeting, identity, record.addresses.get(identity, ()))
        with trio.move_on_after(seconds):
            while kept.record.lacking:
                await self._noted.park()
        await self._say_left(kept, kept.links)
        return kept.record

    # Links -----------------------------------------------------------------------------------------------------------

    def keeps(self, meeting: bytes) -> bool:
        """True if links of this meeting belong here."""
        return meeting in self._kept

    def came(self, name: str, link: LiveLink) -> None:
        """Somebody is linked for one of the tables. If there are too many, a late member gets the place of one who does
        not sit there."""
        kept = self._kept[link.pipe.meeting]
        full = sum(len(each.links) for each in self._kept.values()) >= MAX_LINKS
        if full and not (kept.sits(link.peer_id) and self._let_a_stranger_go()):
            self._nursery.start_soon(link.aclose, "bye/full")
            return
        kept.links[name] = link
        self._log("archive/up", link=name, table=kept.record.name)
        self._nursery.start_soon(self._welcome, kept, name, link)

    def _let_a_stranger_go(self) -> bool:
        """Close the first link of somebody without a seat at its table. Return False if there is none."""
        links = [(kept, name, link) for kept in self._kept.values() for name, link in kept.links.items()]
        found = next(((name, link) for kept, name, link in links if not kept.sits(link.peer_id)), None)
        if found is not None:
            self.went(found[0])
            self._nursery.start_soon(found[1].aclose, "bye/full")
        return found is not None

    def went(self, name: str) -> None:
        """A link is down, if it is one of these."""
        for kept in self._kept.values():
            if kept.links.pop(name, None) is not None and kept.open is not None:
                kept.open.closed(name)
                if not kept.links:
                    kept.open = None

    async def hear(self, name: str, link: LiveLink, message: TableMessage) -> None:
        """Answer a message. Returns afterwards, so that a link that asks for much is read more slowly."""
        kept = self._kept.get(link.pipe.meeting)
        if kept is None or name not in kept.links:
            return
        await trio.sleep(self._bytes.wait(trio.current_time()))
        async with kept.turn:
            if kept.open is not None:
                await self._hear(kept, kept.open, name, link, message)

    async def _hear(self, kept: _Kept, table: Archived, name: str, link: LiveLink, message: TableMessage) -> None:
        raws = [sent.raw for sent in message.entries] if isinstance(message, Push) else []
        await self._checked.ahead(raws, table.authors)
        for part in split(message):
            received = table.received(name, part)
            self._bytes.spend(max(received.size, LEAST_COST), trio.current_time())
            link.charge(received.cost)
            await self._carry_out(kept, table)
            for code in received.errors:
                self._log("entry/refused", link=name, code=code)
            if received.drop:
                self._nursery.start_soon(self._links.refuse, name, "bye/refused")
                break
        self._checked.forget(raws)

    async def _welcome(self, kept: _Kept, name: str, link: LiveLink) -> None:
        """Say which entries are held here, and whether this member has left."""
        async with kept.turn:
            try:
                table = kept.open if kept.open is not None else await trio.to_thread.run_sync(self._opened, kept)
            except StoreError as error:  # shown when that table is opened; the table being played goes on
                self._log("archive/unreadable", table=kept.record.name, code=error.code)
                self.release(kept.record.genesis.table)
                await link.aclose("bye/closed")
                return
            if name not in kept.links:
                return
            kept.open = table
            table.opened(name, link.peer_id)
            await self._carry_out(kept, table)
        if kept.left:
            await trio.sleep(LINGER)
            await self._say_left(kept, [name])
        while link.pipe.dialed and name in kept.links:
            await trio.sleep(SETTLED)
            if link.peer_id in map(kept.identity, table.whole):
                await link.aclose("bye/done")

    async def _say_left(self, kept: _Kept, names: Iterable[str]) -> None:
        """Tell the other ends of these links that this member has left. They would dial again at once and be told
        again, so no link is accepted after that; members who have not heard are dialed."""
        links = [kept.links[name] for name in names if name in kept.links]
        if not links:
            return
        self._close_door(kept)
        async with trio.open_nursery() as nursery:
            for link in links:
                nursery.start_soon(link.aclose, "bye/leave")
        heard = {link.peer_id for link in links}
        await self._note(kept, {key for key in kept.record.lacking if kept.identity(key) in heard})

    def _opened(self, kept: _Kept) -> Archived:
        table = kept.record.genesis.table
        entries, forks = self._store.entries(table), self._store.forks(table)
        read, check = self._checked.read, self._checked.check
        return Archived(kept.record.genesis, kept.me, entries, forks, read=read, check=check)

    async def _carry_out(self, kept: _Kept, table: Archived) -> None:
        """Store, then send; note the members that now have everything."""
        for entry, attachment in table.news():
            kept.writer.received(entry, attachment)
        await kept.writer.settle()
        for name, message in table.outgoing():
            self._links.send(name, message)
        if not kept.left:
            await self._note(kept, table.whole.intersection(kept.record.lacking))

    async def _note(self, kept: _Kept, served: Collection[bytes]) -> None:
        """These members lack nothing any more."""
        if not served:
            return
        for member in kept.record.genesis.members:
            if member.key in served:
                self._supervisor.forget(member.certificate.identity)
        lacking = tuple(key for key in kept.record.lacking if key not in served)
        state = "finished" if kept.record.state == "over" and not lacking else kept.record.state
        kept.record = replace(kept.record, lacking=lacking, state=state)
        await kept.writer.note(kept.record.info())
        self._noted.unpark_all()
        if kept.left and not lacking:
            self.release(kept.record.genesis.table)

    def _tell(self, notice: DiskFull | DiskReady) -> None:
        """The disk is full or has room again; the player is told so by the table being played."""
        self._log(f"archive/{notice.code}")


def _unheard(record: Record) -> bool:
    """True for a table that was left before its end while somebody has not heard so."""
    return record.state == "left" and not record.result and bool(record.lacking)
