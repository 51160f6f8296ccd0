# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a link to each wanted peer.

A task for each wanted peer dials all its known addresses (`race`); after a failure it waits as `backoff` says. Both
sides do this, so two links may come up. Both sides then keep the same one (`glare`), in whatever order the handshakes
end. After the machine has slept, its links are dead: all are dropped and all peers are dialed at once. When its
addresses change, all peers without a link are dialed at once.

A relayed link is better than none and worse than a direct one. As long as there is no direct link, the direct addresses
are dialed again and again, the two sides try hole punching, and a direct link replaces the relayed one. A peer that is
linked directly relays for its friends over that link, so wanted peers are called there too.

A peer that connects without being wanted is linked too, since it knows a meeting. The reader of the news decides
whether it may stay, and closes the link if not. An identity that broke the protocol waits longer after each fault until
it is linked again. What others can make this process open is bounded: links with those that are not wanted, links with
several processes of one identity, dials under way, and how often one peer is dialed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from random import Random
from typing import Final, TypeAlias

import trio

from p2p.link.connecting import connect
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting
from p2p.link.pulse import pulse
from p2p.link.within import StreamWithin
from p2p.reach.announce import Sighting
from p2p.reach.backoff import ASSUMED_FAILURES, LOSSES_APART, SUCCESS_BYTES, SUCCESS_SECONDS, Backoff, Penalties
from p2p.reach.dial import Dial, Punch, dial, punch
from p2p.reach.glare import choose, first_word, turn_away
from p2p.reach.news import Came, News, Trouble, Went
from p2p.reach.race import MAX_DIALS, MAX_DIALS_UNWANTED, race
from p2p.reach.wanted import Wanted
from p2p.reach.ways import Ways
from p2p.wire.address import PUNCH, RELAYED, Address, at_friend, at_punch, friend_of, parse_endpoint, punched, scheme
from p2p.wire.messages import Here

LOOK_EVERY: Final = 2.0
"""Seconds between two checks for new addresses of this process."""
SIGHTING_LASTS: Final = 10.0
MAX_SIGHTED: Final = 32
MAX_UNWANTED: Final = 24
"""Greatest number of links with identities that are not wanted."""
MAX_PROCESSES: Final = 3
"""Greatest number of links with one identity."""
MAX_WEIGHED: Final = 16
"""Greatest number of second channels that are examined at a time."""


Visited: TypeAlias = Callable[[trio.abc.Stream, str], Awaitable[None]]
"""Serves a visitor until it leaves. Arguments: its stream and its endpoint."""


class Supervisor:
    """Keeps the links of this process, as the module describes.

    Attributes:
        news: channel of Came, Went and Trouble. Read it without long pauses.
        links: all links that are up.
        stirred: wakes whoever waits there when somebody else is wanted and when a link is down.

    Arguments of the constructor:
        local: this process.
        incoming: pipes of a listener.
        meetings: the meetings at which a peer heard on the LAN may be dialed.
        places: returns the present addresses of this process.
        symmetric: returns True if a symmetric NAT prevents hole punching.
        seen: returns True if others have told at which address and port they see this process.
        lost: called when a link has ended by silence.
        visited: serves a stream within a link, None to refuse all.
        dial, punch, random: for tests: how to dial and to punch, and the randomness of the pauses.
    """

    def __init__(
        self,
        local: Local,
        incoming: trio.MemoryReceiveChannel[Pipe],
        meetings: Collection[Meeting] = (),
        *,
        places: Callable[[], Sequence[Address]] = tuple,
        symmetric: Callable[[], bool] = lambda: False,
        seen: Callable[[], bool] = lambda: True,
        lost: Callable[[], None] = lambda: None,
        visited: Visited | None = None,
        dial: Dial = dial,
        punch: Punch = punch,
        random: Random | None = None,
    ) -> None:
        self.links: dict[tuple[bytes, bytes], LiveLink] = {}
        self._local, self._incoming, self._meetings = local, incoming, meetings
        self._me = local.identity.public, local.instance
        self._dial, self._places, self._lost, self._visited = dial, places, lost, visited
        self._random = random or Random()
        self._wanted: dict[bytes, Wanted] = {}
        self.stirred = trio.lowlevel.ParkingLot()
        self._gone: dict[LiveLink, trio.Event] = {}
        self._punch, self._ways = punch, Ways(local, places, symmetric, seen, punch, self.adopt)
        self._penalties = Penalties()
        self._weighed = 0
        self._under_way = trio.CapacityLimiter(MAX_DIALS)
        self._unwanted_under_way = trio.CapacityLimiter(MAX_DIALS_UNWANTED)
        self._lost_at = -inf
        self._farewell = ""
        self._nursery: trio.Nursery
        self._out, self.news = trio.open_memory_channel[News](inf)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run until cancelled; then all links end."""
        async with trio.open_nursery() as self._nursery:
            self._nursery.start_soon(self._tell_places)
            task_status.started()
            async for pipe in self._incoming:
                self.adopt(pipe)

    def want(
        self, meeting: Meeting, expected: bytes, addresses: Collection[Address] = (), *, newest: bool = False
    ) -> Wanted:
        """Keep a link to this person from now on. A second call adds addresses, as the first ones if they are the
        newest. Without any address they must dial us."""
        wanted = self._wanted.get(expected)
        if wanted is None:
            wanted = self._start(expected, Wanted(meeting, expected, []))
        wanted.meeting = meeting
        if newest:
            wanted.prefer(addresses)
        for address in addresses:
            wanted.learn(address)
        return wanted

    def forget(self, expected: bytes) -> None:
        """Stop dialing this person. An existing link stays."""
        wanted = self._wanted.pop(expected, None)
        if wanted is not None:
            wanted.scope.cancel()

    def sighted(self, sighting: Sighting) -> None:
        """Dial a peer heard on the LAN, as long as it is heard, if it shares a meeting with us."""
        for peer, instance in self.links:
            if instance == sighting.instance and sighting.address:
                if peer in self._wanted:
                    self._wanted[peer].hear(sighting.address)
                return
        known = self._wanted.get(sighting.instance)
        meetings = (each for each in self._meetings if not each.passive or self._dials(each, sighting.address))
        meeting = next((each for each in meetings if sighting.knows(each)), None)
        if sighting.instance == self._local.instance or meeting is None or not sighting.address:
            return
        if known is None:
            if sum(each.instance is not None for each in self._wanted.values()) >= MAX_SIGHTED:
                return
            known = self._start(sighting.instance, Wanted(meeting, None, [], sighting.instance))
        known.until = trio.current_time() + SIGHTING_LASTS
        known.learn(sighting.address)
        if sighting.calling:  # between two firewalls that admit answers only, nothing else gets through
            known.learn(at_punch(sighting.calling))

    def _dials(self, meeting: Meeting, address: Address) -> bool:
        """True if somebody is wanted at this meeting who has this address."""
        return any(each.meeting == meeting and address in each.addresses for each in self._wanted.values())

    async def close_all(self, code: str) -> None:
        """Say good-bye on all links and to all later callers, because this process ends. The first code given is
        kept."""
        self._farewell = self._farewell or code
        for wanted in self._wanted.values():
            wanted.scope.cancel()
        async with trio.open_nursery() as closing:
            for link in list(self._gone):
                closing.start_soon(link.aclose, self._farewell)

    def linked(self, wanted: Wanted) -> bool:
        """True if a link to this peer is up."""
        return any(wanted.expected == peer or wanted.instance == instance for peer, instance in self.links)

    def linked_directly(self, wanted: Wanted) -> bool:
        """True if a link to this peer is up that uses no relay."""
        return any(
            not link.pipe.via and (wanted.expected == peer or wanted.instance == instance)
            for (peer, instance), link in self.links.items()
        )

    def all_direct(self) -> bool:
        """True if all wanted peers are linked directly."""
        return all(self.linked_directly(wanted) for wanted in self._wanted.values())

    def friends(self) -> dict[Address, bytes]:
        """Return the friends that relay, all directly linked peers: the address of each as a relay, and its identity
        key."""
        return {at_friend(peer): peer for (peer, _), link in self.links.items() if not link.pipe.via}

    async def visit(self, address: Address, own_port: int) -> trio.abc.Stream:
        """Connect to a friend as a relay, within the link. If `own_port` is not 0, connect from this port to where the
        friend was dialed, so that a router keeps the port open and the friend sees it. Raises LinkRefusedError."""
        friend = friend_of(address)
        link = next((link for (peer, _), link in self.links.items() if peer == friend and not link.pipe.via), None)
        if link is None:
            raise LinkRefusedError("link/unreachable")
        if own_port and link.pipe.dialed and not link.pipe.punched:
            with suppress(LinkRefusedError):
                return await connect(*parse_endpoint(link.pipe.remote), own_port)
        return link.streams.open()

    def network_changed(self, slept: bool) -> None:
        """Dial all peers without a link at once. slept: True if the machine slept, so that all links are dead."""
        for link in list(self.links.values()) if slept else ():
            link.drop("link/slept")
        for wanted in self._wanted.values():
            wanted.wake.set()

    def _start(self, key: bytes, wanted: Wanted) -> Wanted:
        self._wanted[key] = wanted
        self.stirred.unpark_all()
        self._nursery.start_soon(self._keep, key, wanted)
        return wanted

    async def _keep(self, key: bytes, wanted: Wanted) -> None:
        backoff = Backoff(self._random, trio.current_time())
        with wanted.scope:
            while trio.current_time() < wanted.until:
                if self.linked(wanted):
                    await self._while_linked(wanted, backoff)
                elif addresses := self._addresses_of(wanted):
                    wanted.wake = trio.Event()  # present addresses are tried now; only later ones wake
                    await self._race(wanted, addresses)
                if not self.linked(wanted):
                    pause = self._pause(wanted, backoff) if self._addresses_of(wanted) else inf
                    if await wanted.woken(min(trio.current_time() + pause, wanted.until)):
                        backoff.reset(trio.current_time())
        if self._wanted.get(key) is wanted:
            del self._wanted[key]

    def _pause(self, wanted: Wanted, backoff: Backoff) -> float:
        now = trio.current_time()
        return max(backoff.pause(now), self._penalties.wait(wanted.expected or b"", now))

    async def _while_linked(self, wanted: Wanted, backoff: Backoff) -> None:
        wanted.trouble = None
        up = trio.current_time()
        better = Backoff(self._random, up)
        while self.linked(wanted):
            if self.linked_directly(wanted):
                await wanted.woken(inf)
                continue
            await wanted.woken(trio.current_time() + better.pause(trio.current_time()))
            direct = [address for address in wanted.addresses if scheme(address) not in RELAYED]
            if direct and self.linked(wanted):
                await self._race(wanted, direct, telling=False)
        if trio.current_time() - up > SUCCESS_SECONDS:
            backoff.reset(trio.current_time())
        elif wanted.carried > SUCCESS_BYTES:
            backoff.reset(trio.current_time(), ASSUMED_FAILURES)

    def _addresses_of(self, wanted: Wanted) -> list[Address]:
        """Return the addresses to dial, in order: direct ones, relays, friends that relay."""
        known = sorted(wanted.addresses, key=lambda address: scheme(address) in RELAYED)
        friends = [address for address, peer in self.friends().items() if peer != wanted.expected]
        return list(dict.fromkeys([*known, *(friends if wanted.expected is not None else ())]))

    async def _race(self, wanted: Wanted, addresses: Sequence[Address], *, telling: bool = True) -> None:
        """Dial all addresses, each a little after the one before. Adopt the first pipe, or report the trouble."""
        await trio.sleep(wanted.races.wait(trio.current_time()))
        wanted.races.spend(1, trio.current_time())
        under_way = self._under_way if wanted.instance is None else self._unwanted_under_way
        came = await race(addresses, partial(self._reach, wanted), under_way)
        if not isinstance(came, LinkRefusedError):
            self.adopt(came)
        elif telling:
            self._tell(wanted, came)

    async def _reach(self, wanted: Wanted, address: Address) -> Pipe:
        """Dial an address, or connect to that from which a peer heard on the LAN connects to us at the same time. An
        address of that kind from anybody else is one of no transport."""
        if scheme(address) != PUNCH or wanted.instance is None:
            return await self._dial(address, self._local, wanted.meeting, wanted.expected)
        leads = self._local.instance < wanted.instance
        return await self._punch(punched(address), self._local, wanted.meeting, wanted.expected, leads=leads)

    def _tell(self, wanted: Wanted, trouble: LinkRefusedError) -> None:
        if trouble.code != wanted.trouble:
            wanted.trouble = trouble.code
            self._out.send_nowait(Trouble(wanted.expected, trouble.code, trouble.detail))

    def adopt(self, pipe: Pipe) -> None:
        """Make a pipe the link to its process. Close it if there is a better link, if the other side has to wait after
        a fault, or if this process ends."""
        old = self.links.get((pipe.peer_id, pipe.instance))
        if self._farewell:
            self._nursery.start_soon(turn_away, pipe, self._farewell)
        elif self._penalties.wait(pipe.peer_id, trio.current_time()) > 0:
            self._nursery.start_soon(turn_away, pipe, "bye/wait")
        elif old is None and not self._room_for(pipe.peer_id):
            self._nursery.start_soon(turn_away, pipe, "bye/full")
        elif old is None or (kept := choose(old.pipe, pipe, self._me)) == "new":
            self._link(pipe, old)
        elif kept == "listen" and self._weighed < MAX_WEIGHED:
            self._nursery.start_soon(self._weigh, pipe)
        else:
            self._nursery.start_soon(turn_away, pipe, "bye/double")

    def _room_for(self, identity: bytes) -> bool:
        """True if this identity may have one more link."""
        unwanted = [peer for peer, _ in self.links if peer not in self._wanted]
        own = sum(peer == identity for peer, _ in self.links)
        return own < MAX_PROCESSES and (identity in self._wanted or len(unwanted) < MAX_UNWANTED)

    async def _weigh(self, pipe: Pipe) -> None:
        """Find out by the first message which channel the other side keeps, after it has dialed twice."""
        self._weighed += 1
        try:
            first = await first_word(pipe)
        finally:
            self._weighed -= 1
        old = self.links.get((pipe.peer_id, pipe.instance))
        if first is None or (old is not None and choose(old.pipe, pipe, self._me) == "old"):
            await turn_away(pipe, "bye/double")
        else:
            self._link(pipe, old, first)

    def _link(self, pipe: Pipe, old: LiveLink | None, first: bytes | None = None) -> None:
        """Make a pipe the link to its process. first: a message already read from it."""
        link = self.links[pipe.peer_id, pipe.instance] = LiveLink(pipe, first)
        self._gone[link] = trio.Event()
        if old is not None:
            self._nursery.start_soon(old.aclose, "bye/replaced")  # messages queued or under way still arrive
        self._nursery.start_soon(self._carry, link, self._gone.get(old) if old else None)

    async def _carry(self, link: LiveLink, before: trio.Event | None) -> None:
        """Run a link and report when it comes and goes. The Went of a link that it replaces is sent first."""
        key = link.pipe.peer_id, link.pipe.instance
        if before is not None:
            with trio.CancelScope(shield=True):  # it is gone within two seconds
                await before.wait()
        wanted = self._wanted.get(link.peer_id)
        if wanted is not None and link.pipe.dial_back is not None:
            wanted.learn(link.pipe.dial_back)
        link.on_here = lambda here: self._hear_where(link, here)
        link.here(self._places())
        self._out.send_nowait(Came(link))
        if link.pipe.via and link.pipe.dialed:
            self._nursery.start_soon(self._ways.ask, link)
        elif not link.pipe.via:
            link.streams.opened = lambda stream: self._receive(link, stream)
            for waiting in self._wanted.values():  # this friend may relay
                if waiting.expected not in (None, link.peer_id) and not self.linked(waiting):
                    waiting.wake.set()
        try:
            await link.run()
        finally:
            if link.at_fault:
                self._penalties.add(link.peer_id, trio.current_time())
            if self.links.get(key) is link:
                del self.links[key]
            self._out.send_nowait(Went(link, link.code or "link/shutdown"))
            self._gone.pop(link).set()
        self.stirred.unpark_all()
        if link.code == "link/dead" and trio.current_time() - self._lost_at > LOSSES_APART:
            self._lost_at = trio.current_time()
            self._lost()
        for wanted in self._wanted.values():
            if wanted.expected == key[0] or wanted.instance == key[1]:
                wanted.carried = link.stats.sent_bytes + link.stats.received_bytes
                wanted.wake.set()

    def _receive(self, link: LiveLink, stream: StreamWithin) -> None:
        """Relay for a friend over a stream within the link."""
        self._nursery.start_soon(self._visited or _nobody, stream, link.pipe.remote)

    def _hear_where(self, link: LiveLink, here: Here) -> None:
        """Note the addresses of the other side, and start hole punching if it asks for that."""
        wanted = self._wanted.get(link.peer_id)
        if wanted is not None:
            for address in here.addresses:
                wanted.learn(address)
        meeting = next((each for each in self._known_meetings() if each.name == link.pipe.meeting), None)
        room = self._under_way if wanted is not None else self._unwanted_under_way
        crowded = wanted is None and room.statistics().tasks_waiting
        if here.punch and link.pipe.via and meeting is not None and not crowded:
            self._nursery.start_soon(self._ways.answer, link, here, meeting, room)

    def _known_meetings(self) -> list[Meeting]:
        return [*self._meetings, *(wanted.meeting for wanted in self._wanted.values())]

    async def _tell_places(self) -> None:
        """Tell all linked peers when the addresses of this process change."""
        sent = tuple(self._places())
        while True:
            await pulse(LOOK_EVERY)
            if (places := tuple(self._places())) != sent:
                sent = places
                for link in self.links.values():
                    link.here(places)


async def _nobody(stream: trio.abc.Stream, _: str) -> None:
    """Refuse a visitor."""
    await stream.aclose()


@asynccontextmanager
async def open_supervisor(supervisor: Supervisor) -> AsyncIterator[Supervisor]:
    """Run a supervisor while the block lasts, and say good-bye on all links at its end. If the block is cancelled, the
    links last until it has ended, so that it can say good-bye."""
    links = trio.CancelScope()

    async def run(*, task_status: trio.TaskStatus[None]) -> None:
        with links:
            await supervisor.run(task_status=task_status)

    async with trio.open_nursery() as nursery:
        await nursery.start(run)
        links.shield = True  # not before: a start that is cancelled waits for what it starts
        try:
            yield supervisor
            await supervisor.close_all("bye/leave")
        finally:
            links.cancel()
