# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens and closes all of one peer together: store, listener, links, table."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final

import trio

from client import __version__
from client.system.context import Context
from client.system.journal import Journal
from client.table.agreed import WaitMeasure
from client.table.archive import Archive
from client.table.back import WayBack
from client.table.beginning import new_machine
from client.table.confirmation import Confirmation
from client.table.controls import RunningControls
from client.table.divergence import Divergence
from client.table.doctor import examined, lines_of
from client.table.ending import WAITING, Ending
from client.table.gossip import AddressGossip
from client.table.home import Seat
from client.table.lobby import Hosting
from client.table.moving import Moving
from client.table.naps import Naps
from client.table.noted import Notes
from client.table.notices import EndUnseen, Restoring
from client.table.pauses import freeze_loaded
from client.table.player import Player
from client.table.record import Record, State
from client.table.reminders import remind
from client.table.responder import Responder
from client.table.result import Result, keep_star, result_of
from client.table.router import LinkRouter, Links
from client.table.runtime import RunningTable
from client.table.slips import Slips
from client.table.snapshot import History, Snapshot
from client.table.thinker import Bots, Thinker, bot_seed
from client.table.verdict import Place
from client.table.words import link_trouble, lobby_trouble
from client.table.writer import StoreWriter
from engine.core.dataclass import dataclass, replace
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting, table_meeting
from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import maker
from p2p.log.store import Store
from p2p.reach.find import TableOffer
from p2p.reach.opened import Reach, open_reach
from p2p.wire.address import RELAYED, Address, scheme
from p2p.wire.circuit import relay_of
from p2p.wire.codec import Value

PROGRAM: Final = f"starlock {__version__}"
LOOPBACK: Final = "127.0.0.1"
RESTORING_TOLD: Final = 1.0
"""Seconds between two reports of progress while a log is read."""
FAREWELL: Final = 0.3
"""Seconds that good-byes may take when this process is asked to end."""
OVER_PATIENCE: Final = 60.0
"""Seconds for which a bot stays at a finished table for members that may lack the last entries."""


@dataclass(slots=True)
class Peer:
    """The open parts of one peer."""

    context: Context
    store: Store
    identity: SigningKey
    meetings: list[Meeting]
    reach: Reach
    router: LinkRouter
    archive: Archive
    nursery: trio.Nursery
    local: bool
    quiet: bool = False

    def places(self) -> tuple[Address, ...]:
        """The addresses at which others may dial this process, the likeliest first."""
        return self.reach.places()

    def examine(self, show: Callable[[Sequence[str]], None], place: Place = "lobby") -> None:
        """Check the network; `show` is called with the findings after some seconds."""

        async def look() -> None:
            show(lines_of(await examined(self.reach, place=place)))

        self.nursery.start_soon(look)

    def nearby(self) -> list[TableOffer]:
        """The tables announced on this network, those of this peer included."""
        self.reach.tables.forget(trio.current_time())
        return [found.offer for found in self.reach.tables.all()]


class _Quiet:
    """The handler of lobby messages before there is a lobby: it ignores them."""

    def came(self, name: str, link: LiveLink) -> None: ...

    def went(self, name: str, code: str) -> None: ...

    def word(self, name: str, kind: str, body: Value) -> None: ...

    def trouble(self, expected: bytes | None, code: str, detail: tuple[object, ...]) -> None: ...


@asynccontextmanager
async def open_peer(
    context: Context,
    store: Store,
    identity: SigningKey,
    *,
    port: int,
    local: bool,
    any_port: bool = False,
    quiet: bool = False,
    public: Callable[[int], tuple[Address, ...]] = lambda _port: (),
) -> AsyncIterator[Peer]:
    """Listen and keep links while the block lasts.

    any_port: True to use another port if `port` is taken.
    quiet: True to announce nothing on the LAN.
    public: returns the addresses that the user gave, for the port in use.
    """
    meetings: list[Meeting] = []
    host, lan = LOOPBACK if local else None, not local
    if any_port and not _free(port, host):
        port = 0
    try:
        async with (
            open_reach(
                Local(identity, PROGRAM), meetings, port=port, host=host, lan=lan, quiet=quiet, public=public
            ) as reach,
            trio.open_nursery() as nursery,
        ):
            router = LinkRouter(reach.supervisor, _Quiet(), context.log)
            archive = Archive(store, identity.public, meetings, router, reach.supervisor, context.log)
            router.others = archive
            await nursery.start(archive.run)
            nursery.start_soon(router.run)
            context.log("peer/listening", port=reach.listener.port)
            try:
                yield Peer(context, store, identity, meetings, reach, router, archive, nursery, local, quiet)
            finally:
                with trio.CancelScope(shield=True, deadline=trio.current_time() + FAREWELL):
                    await router.close_all("bye/leave")
            nursery.cancel_scope.cancel()
    except LinkRefusedError as refused:
        raise link_trouble(refused) from refused


def _free(port: int, host: str | None) -> bool:
    """True if this process could listen on the port now."""
    try:
        with socket.create_server((host or "", port)):
            return True
    except OSError:
        return False


# Playing -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PlayedTable:
    """How a table was left.

    Attributes:
        result: None when it goes on without me or later.
        complete: all members have all.
    """

    table: Follower
    record: Record
    result: Result | None
    complete: bool


async def play(peer: Peer, seat: Seat, player: Player, hosting: Hosting | None = None, *, person: bool) -> PlayedTable:
    """Play or follow a table to its end, or until the player leaves."""
    record = seat.record
    began = trio.current_time()
    table = await restored(peer.store, peer.router, peer.context.log, seat, player)
    if hosting is not None:
        table.watched_by = hosting.watched_by
    else:
        table.watched_by = lambda name: True  # every linked peer knows the ticket of this table or its id
    reach_out(peer, record)
    freeze_loaded()
    over = bool(record.result and record.lacking)
    ending = Ending(
        table,
        stay_for=record.lacking if over else (),
        patience=inf if over and person else OVER_PATIENCE if over else WAITING,
    )
    record = replace(record, state="over") if over else replace(record, state="playing", lacking=())

    key = peer.identity if seat.keys is None else seat.keys.key
    save = partial(keep_star, peer.context.folders.data, record.name, table.lockstep, key)
    table.level = record.level
    alone = None if seat.keys is None else partial(_go_alone, peer, table, record)
    back, notes = _ways_back(peer, seat, table, player, record)
    controls = RunningControls(table, table.finish, partial(peer.examine, place="table"), save, alone)
    player.sit(controls)
    if over:
        player.notice(EndUnseen(tuple(map(table.party, record.lacking))))
    divergence = Divergence(table, peer.context.folders.logs)
    WaitMeasure(table, lambda: (notes.last or record).since)
    thinker = Thinker(peer.context.log)
    async with trio.open_nursery() as nursery:
        remind(table)
        bots = _take_seat(peer, seat, table, player, controls, thinker, nursery, person=person)
        nursery.start_soon(notes.run)
        if person:
            nursery.start_soon(back.run)
        try:
            await table.run(seat.new)
            if bots is not None:
                await bots.over()
        finally:
            nursery.cancel_scope.cancel()  # first, so that no stand-in answers for a bot that is ended in thought
            await thinker.end()
    result = None
    if table.lockstep.position.over:
        result = result_of(table.lockstep, trio.current_time() - began, peer.router.bytes_sent)
        lacking = tuple(ending.lacking())
        state: State = "over" if lacking else "finished"
        record = replace(record, state=state, lacking=lacking, result=result.text())
    await table.writer.note(notes.noted(record).info())
    await keep_read(table, peer.store, seat, doubted=divergence.found)
    await peer.router.close_all("bye/done" if ending.complete else "bye/leave")
    return PlayedTable(table.lockstep, record, result, record.state == "finished")


def _take_seat(
    peer: Peer,
    seat: Seat,
    table: RunningTable,
    player: Player,
    controls: RunningControls,
    thinker: Thinker,
    nursery: trio.Nursery,
    *,
    person: bool,
) -> Bots | None:
    """Answer for the seats of this home, if it has any."""
    if table.voice is None or seat.keys is None:
        return None
    bots = Bots(table, thinker, bot_seed(seat.keys.secret, seat.record.genesis.table), controls)
    Responder(table, table.voice, player, nursery, person=person, bots=bots)
    Confirmation(table, table.voice)
    Slips(table, table.voice, peer.store, peer.identity, seat.keys.secret)
    if seat.record.moved is not None:
        Moving(table, table.voice, peer.identity)
    if seat.new and person:
        bots.greet()
    return bots


def _ways_back(peer: Peer, seat: Seat, table: RunningTable, player: Player, record: Record) -> tuple[WayBack, Notes]:
    """What keeps the members' addresses: the gossip, the tickets made of it, and the notes of this home."""
    sign = None if seat.keys is None else seat.keys.key.sign
    gossip = AddressGossip(table, sign, peer.reach.supervisor, peer.places, record)
    folder = peer.context.folders.config
    back = WayBack(
        peer.reach, peer.identity, folder, peer.nursery, table, gossip, player, record, seat.back, seat.answer
    )
    return back, Notes(peer.router, table, record, whereabouts=gossip.known.values)


def _go_alone(peer: Peer, table: RunningTable, record: Record, words: Sequence[str]) -> None:
    """End the play of a table, and then go on from it alone. words: options of `starlock resume`."""
    peer.context.then = ["resume", record.name, "--alone", *words]
    table.finish()


async def restored(store: Store, links: Links, log: Journal, seat: Seat, player: Player) -> RunningTable:
    """The table as this home's store has it. UserError when its rules are not known here."""
    genesis = seat.record.genesis
    content = await trio.to_thread.run_sync(store.content, genesis.table)
    choices = await trio.to_thread.run_sync(store.secrets, genesis.table)
    lockstep, history = await trio.to_thread.run_sync(as_left, store, seat, content, choices, log)
    writer = StoreWriter(store, genesis.table, player.notice)
    table = RunningTable(lockstep, writer, links, player, log)
    table.history = history
    known = {entry.id for entry in lockstep.feeds.entries}
    entries = await trio.to_thread.run_sync(store.entries, genesis.table, known)
    proven = await trio.to_thread.run_sync(store.proven, genesis.table)
    forks = await trio.to_thread.run_sync(store.forks, genesis.table)
    await trio.to_thread.run_sync(table.restore, entries, restoring_told(player), proven, forks)
    return table


def as_left(
    store: Store, seat: Seat, content: bytes, choices: Mapping[str, bytes], log: Journal
) -> tuple[Follower, History]:
    """The lockstep at its snapshot, or before its first entry without one, with the events of the game so far.
    UserError when its rules are not known here."""
    genesis = seat.record.genesis
    machine = new_machine(genesis, content)
    if isinstance(machine, TableRefusal):
        raise lobby_trouble(machine.code, machine.detail)
    if seat.keys is None:
        return Follower(genesis, machine), []
    key, secret, history = seat.keys.key, seat.keys.secret, History()
    snapshot = Snapshot(_home(store), genesis, seat.keys)

    def read(member_secrets: MemberSecrets) -> Reading | None:
        found = snapshot.read(machine, member_secrets, store, log)
        if found is None:
            return None
        history.extend(found[1])
        return found[0]

    member = Lockstep(
        genesis,
        machine,
        me=key.public,
        make=maker(key),
        secret=secret,
        choices=choices,
        sign=key.sign,
        read=read,
    )
    member.signing.naps = Naps()
    return member, history


async def keep_read(table: RunningTable, store: Store, seat: Seat, *, doubted: bool = False) -> None:
    """Write a snapshot of a table that is being left, so that it opens at once the next time. A finished table gets
    none, nor one whose state is doubted, so that its log is played again. The slips of a finished one are deleted."""
    if seat.keys is None or table.voice is None:
        return
    snapshot = Snapshot(_home(store), seat.record.genesis, seat.keys)
    if table.lockstep.position.over:
        await trio.to_thread.run_sync(store.drop_slips, seat.record.genesis.table)
    if table.lockstep.position.over or doubted:
        snapshot.remove()
    else:
        await trio.to_thread.run_sync(snapshot.write, table.voice, table.history, table.log)


def _home(store: Store) -> Path:
    return store.disk.path.parent


def restoring_told(player: Player) -> Callable[[int, int], None]:
    """Tell the player the progress of reading a long log, from the thread that reads it."""
    last = [monotonic()]

    def progress(done: int, total: int) -> None:
        if monotonic() - last[0] > RESTORING_TOLD:
            last[0] = monotonic()
            trio.from_thread.run_sync(player.notice, Restoring(done, total))

    return progress


def reach_out(peer: Peer, record: Record) -> None:
    """Let the members find this peer, dial them, and wait for them at the relays."""
    meeting = table_meeting(record.genesis.table)
    if any(each.name == meeting.name for each in peer.meetings):
        return
    peer.archive.release(record.genesis.table)
    known = (address for addresses in record.addresses.values() for address in addresses if scheme(address) in RELAYED)
    peer.reach.wait_at([*peer.reach.relays, *known])
    peer.meetings.append(meeting)
    for member in record.genesis.members:
        identity = member.certificate.identity
        if identity != peer.identity.public:
            addresses = record.addresses.get(identity, ())
            unknown = set(peer.reach.relays).difference(map(relay_of, addresses))
            peer.reach.supervisor.want(meeting, identity, [*addresses, *sorted(unknown)])
    busy = {member.certificate.identity for member in record.genesis.members}
    peer.archive.reach_out(busy, local=peer.local)
