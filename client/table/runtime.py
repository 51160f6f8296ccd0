# SPDX-License-Identifier: GPL-3.0-or-later
"""The table at run time: one loop that alone touches the lockstep."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from math import inf
from time import thread_time
from typing import Final, TypeVar

import trio

from client.system.journal import Journal
from client.system.names import member_name
from client.table import notices
from client.table.checked import Checked, split
from client.table.contact import Contact
from client.table.machine import GameMachine
from client.table.player import Player
from client.table.router import Links
from client.table.telling import notice_of
from client.table.writer import StoreWriter
from engine.core.events import Event
from p2p.link.live import LiveLink
from p2p.link.meet import table_meeting
from p2p.link.pulse import pulse
from p2p.lockstep.effects import (
    Compare,
    Convicted,
    Diverged,
    Effect,
    Happened,
    Keep,
    More,
    Proven,
    Rewound,
    Said,
    Work,
)
from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.task import Job
from p2p.log.evidence import Contradiction
from p2p.sync.exchange import Exchange, TableMessage
from p2p.wire.codec import Value
from p2p.wire.entry import Attachment, Entry
from p2p.wire.messages import Have, Push

T = TypeVar("T")

TICK, IDLE = 1.0, 2.0
"""Seconds between two checks of the clock: while anything happens or a member is away, and otherwise."""
AT_ONCE: Final = 0.001
"""Seconds of jobs before their effects are carried out: messages that arrive together are answered together."""
MAX_SPECTATORS: Final = 16


class RunningTable:
    """A table that this peer plays or follows. `run` is its loop; everything else hands it jobs.

    history: the events of the game by height, from its beginning.
    held: what each link last stated to hold.
    farewells: the identities that said good-bye holding everything, and sent nothing since.
    watched_by: returns whether a link of the lobby may follow the table.
    waited_until: returns the time until which a member is waited for, in seconds since 1970.
    level: the level of the bot that plays for the user, None for a person.
    on_chat: called with each chat message.
    way_back: the text by which members find this table, after waiting at a relay that is named, "" for none more;
        None for a spectator. UserError if that is no relay.
    kept_here: takes a text that is meant for this home, such as an answer; False for any other text.
    words: who hears the messages of a kind about the table: name of the link, kind and body.
    """

    def __init__(self, lockstep: Follower, writer: StoreWriter, router: Links, player: Player, log: Journal) -> None:
        self.lockstep, self.writer, self.router, self.player, self.log = lockstep, writer, router, player, log
        self._checked = Checked()
        self.exchange = Exchange(lockstep, self._checked.read, self._checked.check)
        self.history: list[tuple[int, Sequence[Event]]] = []
        self.who: dict[str, bytes] = {}
        self.held: dict[str, Have] = {}
        self.farewells: set[bytes] = set()
        self._contact = Contact(self._tell_contact)
        self.level: str | None = None
        self.after_change: list[Callable[[], None]] = []
        self.on_chat: list[Callable[[str], None]] = []
        self.on_tick: list[Callable[[], None]] = []
        self.on_diverged: Callable[[Entry], None] = lambda entry: None
        self.words: dict[str, Callable[[str, str, Value], None]] = {}
        self.apart: Callable[[], bool] = lambda: False
        self.watched_by: Callable[[str], bool] = lambda name: False
        self.waited_until: Callable[[bytes], float] = lambda key: 0
        self.kept_here: Callable[[str], bool] = lambda text: False
        self.way_back: Callable[[str], str] | None = None
        self.done, self._working, self._unfinished = False, 0, 0
        self._jobs_in, self._jobs = trio.open_memory_channel[Callable[[], None]](inf)
        self._changed = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._one_at_a_time = trio.CapacityLimiter(1)

    # What others look at ---------------------------------------------------------------------------------------------

    @property
    def me(self) -> bytes | None:
        """The table key of this member; None for a spectator."""
        return self.lockstep.me

    @property
    def machine(self) -> GameMachine:
        """The game at the present position."""
        machine = self.lockstep.machine
        assert isinstance(machine, GameMachine)
        return machine

    @property
    def voice(self) -> Lockstep | None:
        """The lockstep of this member; None for a spectator."""
        return self.lockstep if isinstance(self.lockstep, Lockstep) else None

    def identity(self, key: bytes) -> bytes:
        """The identity behind a table key of the roster."""
        return self.lockstep.position.roster[key].certificate.identity

    def name(self, key: bytes) -> str:
        """A member's name, safe to show; for a spectator the start of its key."""
        member = self.lockstep.position.roster.get(key)
        return member_name(member.rows) if member else key.hex()[:8]

    def party(self, key: bytes) -> notices.Party:
        """A member as notices name it."""
        return notices.Party(self.lockstep.position.membership.numbers.get(key, -1), self.name(key))

    def others(self) -> list[bytes]:
        """The table keys of all other members that are not left out."""
        position = self.lockstep.position
        return [key for key in position.members if key != self.me and key not in position.cut]

    def linked(self, key: bytes) -> bool:
        """True if there is a link to this member."""
        return self.exchange.linked(key)

    def notice(self, notice: notices.TableNotice) -> None:
        """Tell the player, and the log."""
        self.log(f"table/{notice.code}", **notices.logged(notice))
        self.player.notice(notice)

    # Jobs ------------------------------------------------------------------------------------------------------------

    async def do(self, job: Callable[[], T]) -> T:
        """Run `job` in the loop, which alone touches the lockstep, and return its result."""
        finished = trio.Event()
        result: list[T] = []

        def run() -> None:
            result.append(job())
            finished.set()

        self.soon(run)
        await finished.wait()
        return result[0]

    def soon(self, job: Callable[[], None]) -> None:
        """Queue `job` without waiting. There is no back-pressure: for rare jobs only."""
        self._unfinished += 1
        self._jobs_in.send_nowait(job)

    async def changed(self) -> None:
        """Wait until something happens."""
        await self._changed.wait()

    async def at_rest(self) -> None:
        """Wait until no work is left: the next step has to come from a player or from other members."""
        while True:
            await self.do(lambda: None)
            await self.do(lambda: None)  # all earlier effects are carried out before this job
            if self._unfinished:  # a job waits, is being taken from the queue, or has effects that are carried out
                continue
            if not self._working:
                return
            await self.changed()

    def finish(self) -> None:
        """Leave the loop after this turn."""
        self.done = True
        self.soon(lambda: None)

    # The loop --------------------------------------------------------------------------------------------------------

    def restore(
        self,
        entries: Sequence[tuple[Entry, Attachment | None]],
        progress: Callable[[int, int], None],
        proven: Collection[bytes] = (),
        forks: Sequence[Contradiction] = (),
    ) -> None:
        """Read the entries of this home's store. Blocks; nothing else may touch the table meanwhile."""
        self.lockstep.restore(entries, progress, proven, forks)
        for effect in self.lockstep.effects():
            match effect:
                case Keep():
                    self.writer.received(effect.entry, effect.attachment)
                case Happened():
                    self._remember(effect)
                case Rewound(height):
                    self.history = [(told, events) for told, events in self.history if told < height]
                case Proven(entry):
                    self.writer.proven(entry)
                case Compare():
                    self.exchange.compare()

    async def run(self, new: bool) -> None:
        """Play until `finish`. new: True if the table key was made in this run, so nothing was signed before."""
        if self.voice is not None:
            self.voice.start(new=new, by_post=not self.router.live)
        self.router.connect(self)
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._clock)
            nursery.start_soon(self.writer.run)
            await self._carry_out()
            while not self.done:
                job = await self._jobs.receive()
                began, taken = thread_time(), 1
                job()
                with suppress(trio.WouldBlock):
                    while thread_time() - began < AT_ONCE:
                        self._jobs.receive_nowait()()
                        taken += 1
                if thread_time() - began >= AT_ONCE:
                    await trio.lowlevel.checkpoint()
                await self._carry_out()
                self._unfinished -= taken
            nursery.cancel_scope.cancel()
        await self.writer.settle()

    async def _clock(self) -> None:
        seen = -1
        while True:
            seen, before = len(self.lockstep.feeds.entries), seen
            await pulse(IDLE if seen == before and all(map(self.linked, self.others())) else TICK)
            await self.do(self._tick)

    def _tick(self) -> None:
        now, live = trio.current_time(), self.router.live and not self.lockstep.position.over
        others = self.others() if live else []
        self.exchange.tick(now)
        if self.voice is not None:
            self.voice.tick(now)
        self._contact.tick(now, [self.identity(key) for key in others], any(map(self.linked, others)))
        for each in self.on_tick:
            each()

    async def _carry_out(self) -> None:
        """Carry out the effects of the lockstep, then send messages."""
        while effects := self.lockstep.effects():
            for effect in effects:
                if isinstance(effect, Keep):
                    await self._keep(effect)
                elif isinstance(effect, Proven):
                    self.writer.proven(effect.entry)
            await self._send()
            for effect in effects:
                await self._do(effect)
        for each in self.after_change:
            each()
        changed, self._changed = self._changed, trio.Event()
        changed.set()
        await self._send()
        self.lockstep.look_ahead()

    async def _keep(self, keep: Keep) -> None:
        if keep.is_own:
            await self.writer.append(keep.entry, dict(keep.secrets), keep.attachment)
        elif self.lockstep.seated(keep.entry.author):
            self.writer.received(keep.entry, keep.attachment)
        self.exchange.spread(keep.entry)

    async def _send(self) -> None:
        """Send the queued messages; links run before the next job."""
        for name, message in (messages := self.exchange.outgoing()):
            self.router.send(name, message)
        if messages:
            await trio.lowlevel.checkpoint()

    async def _do(self, effect: Effect) -> None:
        match effect:
            case Happened(height, kind, _):
                self.log("table/height", height=height, kind=kind)
                self.player.tell(height, self._remember(effect))
            case Rewound(height):
                self.history = [(told, events) for told, events in self.history if told < height]
                self.notice(notices.HistoryRewound(height))
            case Compare():
                self.exchange.compare()
            case Work(job):
                assert self._nursery is not None
                self._working += 1
                self._nursery.start_soon(self._work, job)
            case More():
                self.soon(self.lockstep.go_on)
            case Convicted():
                await self._convict(effect)
            case _:
                self.tell(effect)

    async def _work(self, job: Job) -> None:
        """Run a job of more than some milliseconds in a thread."""
        result = await trio.to_thread.run_sync(job.run, abandon_on_cancel=True, limiter=self._one_at_a_time)

        def worked() -> None:  # until the loop has this, it is work that `at_rest` waits for
            self._working -= 1
            self.lockstep.worked(job, result)

        self.soon(worked)

    def tell(self, effect: Effect) -> None:
        """Tell the player of an effect."""
        if (notice := notice_of(self.lockstep, self.party, effect)) is not None:
            self.notice(notice)
        match effect:
            case Said(_, str(text)):
                for each in self.on_chat:
                    each(text)
            case Diverged(entry):
                self.on_diverged(entry)

    def _remember(self, effect: Happened) -> Sequence[Event]:
        events = [event for event in effect.events if isinstance(event, Event)]
        if events:
            self.history.append((effect.height, events))
        return events

    async def _convict(self, effect: Convicted) -> None:
        fault, known = effect.fault, self.lockstep.faults[effect.fault.author]
        if fault == next(each for each in known if each.code == fault.code) and fault.author != self.me:
            self.notice(notices.FaultProven(self.party(fault.author), fault.code))
        if len(effect.entries) == 2:
            await self.writer.fork(Contradiction(*effect.entries))
        self.exchange.spread_evidence(effect.entries)

    # Links -----------------------------------------------------------------------------------------------------------

    def came(self, name: str, link: LiveLink) -> None:
        """A link is up, or may be admitted now: members, and up to 16 that know the table or that the lobby admits."""
        member = link.peer_id in self._identities()
        at_table = link.pipe.meeting == table_meeting(self.lockstep.genesis.table).name
        if name not in self.who and (member or at_table or self.watched_by(name)):
            self._admit(name, link)

    def _admit(self, name: str, link: LiveLink) -> None:
        identity, roster = link.peer_id, self.lockstep.position.roster
        keys = [key for key, member in roster.items() if member.certificate.identity == identity]
        guests = set(self.who.values()) - self._identities()
        if not keys and len(guests) >= MAX_SPECTATORS:
            self.log("table/spectators", link=name)
            return
        known = identity in self.who.values()
        self.who[name] = identity
        self.soon(lambda: self.exchange.opened(name, identity))
        if not known:
            self._contact.came(identity)

    def went(self, name: str, code: str) -> None:
        """A link is down."""
        identity = self.who.pop(name, None)
        self.held.pop(name, None)
        self.soon(lambda: self.exchange.closed(name))
        others = [link for link, who in self.who.items() if who == identity]
        if identity is None or identity not in self._identities():  # of spectators nothing is kept
            return
        if code == "bye/done" and not any(link in self.held for link in others):
            self.farewells.add(identity)
        if others:
            self._contact.replaced(identity)
        elif not self.done:
            self._contact.went(identity, code, trio.current_time())

    def _identities(self) -> set[bytes]:
        """The identities behind all table keys of the roster."""
        return {member.certificate.identity for member in self.lockstep.position.roster.values()}

    def _tell_contact(self, change: notices.LinkChange, identities: Sequence[bytes], reason: str) -> None:
        others = [key for key in self.lockstep.position.roster if key != self.me]
        keys = [key for key in others if self.identity(key) in identities]
        gone = [key for key in keys if self.lockstep.feeds.left(key) or key in self.lockstep.position.membership.gone]
        if keys == gone and change is notices.LinkChange.LEFT:  # nothing waits for them to resume
            change, reason = notices.LinkChange.ANOTHER, ""
        told = [key for key in keys if key not in gone] or gone[-1:]  # who has moved goes on with the last of its keys
        if told:
            self.notice(notices.LinkChanged(change, tuple(map(self.party, told)), reason))

    async def hear(self, name: str, message: TableMessage) -> None:
        """Process a message. Returns when the loop has taken it, so that a busy table reads its links more slowly."""
        raws = self.exchange.unknown(message) if isinstance(message, Push) else []
        await self._checked.ahead(raws, {*self.lockstep.position.roster, *self.lockstep.feeds.authors})
        for part in split(message):
            await self.do(lambda part=part: self._hear(name, part))  # type: ignore[misc]
        self._checked.forget(raws)

    async def word(self, name: str, kind: str, body: Value) -> None:
        """Process a message about the states or the homes of this table."""
        if (heard := self.words.get(kind)) is not None:
            await self.do(lambda: heard(name, kind, body))

    def _hear(self, name: str, message: TableMessage) -> None:
        if isinstance(message, Have) and message.table == self.lockstep.genesis.table:
            self.held[name] = message
            self.farewells.discard(self.who.get(name, b""))
        received = self.exchange.received(name, message, trio.current_time())
        if (link := self.router.links.get(name)) is not None and received.cost:
            link.charge(received.cost)
        for code in received.errors:
            self.log("entry/refused", link=name, code=code)
        if received.drop and self._nursery is not None:
            self._nursery.start_soon(self.router.refuse, name, "bye/refused")
