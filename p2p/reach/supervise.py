"""Keeps a link to everybody wanted.

For each one wanted a task dials all known addresses (`race`); after a failure it waits as `backoff` says. Both sides do
this, so two links may come up, of which both keep the same one (`glare`), in whatever order their handshakes end.
When the machine was asleep its links are dead: all are dropped and everybody is dialed at once; when its addresses
change, everybody not linked is.

A link through a relay is better than none and worse than a direct one: while there is no other, the direct addresses
are dialed again and again and the two sides try to open a way through their routers, and a direct link replaces it.
Whoever is linked directly relays for its friends, over the very link, so whoever is wanted is called there too.

Who comes in without being wanted is linked as well, since it knows a meeting: whether it may stay is for the reader of
the news to say, by closing the link. An identity that broke the protocol waits longer each time until it is linked
again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Final, TypeAlias

import trio

from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import LiveLink
from p2p.link.meet import Local, Meeting
from p2p.link.pulse import pulse
from p2p.link.tcp import connect
from p2p.link.within import StreamWithin
from p2p.reach.announce import Sighting
from p2p.reach.backoff import CALMLY, CARRIED, LASTING, Backoff, Penalties
from p2p.reach.dial import Dial, Punch, dial, punch
from p2p.reach.glare import choose, first_word, turn_away
from p2p.reach.race import race
from p2p.reach.wanted import Wanted
from p2p.reach.ways import Ways
from p2p.wire.address import RELAYED, Address, at_friend, friend_of, parse_endpoint, scheme
from p2p.wire.messages import Here

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether this process can be dialed elsewhere."""
SIGHTING_LASTS: Final = 10.0
MAX_SIGHTED: Final = 32
MAX_WEIGHED: Final = 16
"""Second channels at a time."""


@dataclass(frozen=True, slots=True)
class Came:
    """A link is up. link.peer_id says who; whoever reads the news reads the link and closes it if it may not stay."""

    link: LiveLink


@dataclass(frozen=True, slots=True)
class Went:
    """A link is down. code: as in LinkDownError. Comes once for each Came, before the next Came of the same process."""

    link: LiveLink
    code: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Somebody wanted cannot be reached for a new reason. expected: identity key, or None for a sighting."""

    expected: bytes | None
    code: str
    detail: tuple[object, ...]


News: TypeAlias = Came | Went | Trouble
Visited: TypeAlias = Callable[[trio.abc.Stream, str], Awaitable[None]]
"""Serves a visitor until it leaves: its stream, and where it is."""


class Supervisor:
    """See the module.

    Attributes:
        news: what happens, to be read without long pauses.
        links: all that are up.

    local: this process; incoming: pipes of a listener; meetings: where somebody sighted may be dialed; places: where
    this process can be dialed now; symmetric: whether no router in between lets itself be opened; lost: called when a
    link ended by silence; visited: serves who comes over a stream within a link, None: nobody does. The rest is for
    tests: how to dial and to punch, the randomness of the pauses.
    """

    def __init__(
        self,
        local: Local,
        incoming: trio.MemoryReceiveChannel[Pipe],
        meetings: Collection[Meeting] = (),
        *,
        places: Callable[[], Sequence[Address]] = tuple,
        symmetric: Callable[[], bool] = lambda: False,
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
        self._gone: dict[LiveLink, trio.Event] = {}
        self._ways = Ways(local, places, symmetric, punch, self._adopt)
        self._penalties = Penalties()
        self._weighed = 0
        self._farewell = ""
        self._nursery: trio.Nursery
        self._out, self.news = trio.open_memory_channel[News](inf)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Work until cancelled; all links end then."""
        async with trio.open_nursery() as self._nursery:
            self._nursery.start_soon(self._tell_places)
            task_status.started()
            async for pipe in self._incoming:
                self._adopt(pipe)

    def want(self, meeting: Meeting, expected: bytes, addresses: Collection[Address] = ()) -> Wanted:
        """Keep a link to this person from now on; again: more addresses for them. With no address they must dial us."""
        wanted = self._wanted.get(expected)
        if wanted is None:
            wanted = self._start(expected, Wanted(meeting, expected, []))
        wanted.meeting = meeting
        for address in addresses:
            wanted.learn(address)
        return wanted

    def forget(self, expected: bytes) -> None:
        """Dial this person no more; a link that is up stays."""
        wanted = self._wanted.pop(expected, None)
        if wanted is not None:
            wanted.scope.cancel()

    def sighted(self, sighting: Sighting) -> None:
        """Dial somebody heard on the LAN, for as long as they are heard, if we share a meeting."""
        for peer, instance in self.links:
            if instance == sighting.instance and sighting.address:
                if peer in self._wanted:
                    self._wanted[peer].learn(sighting.address)
                return
        known = self._wanted.get(sighting.instance)
        meeting = next((each for each in self._meetings if not each.passive and sighting.knows(each)), None)
        if sighting.instance == self._local.instance or meeting is None or not sighting.address:
            return
        if known is None:
            if sum(each.instance is not None for each in self._wanted.values()) >= MAX_SIGHTED:
                return
            known = self._start(sighting.instance, Wanted(meeting, None, [], sighting.instance))
        known.until = trio.current_time() + SIGHTING_LASTS
        known.learn(sighting.address)

    async def close_all(self, code: str) -> None:
        """Say good-bye on all links and to everybody who comes from now on: this process ends. The first code stays."""
        self._farewell = self._farewell or code
        for wanted in self._wanted.values():
            wanted.scope.cancel()
        async with trio.open_nursery() as closing:
            for link in list(self._gone):
                closing.start_soon(link.aclose, self._farewell)

    def linked(self, wanted: Wanted) -> bool:
        """True if a link to this one is up."""
        return any(wanted.expected == peer or wanted.instance == instance for peer, instance in self.links)

    def linked_directly(self, wanted: Wanted) -> bool:
        """True if a link to this one is up that no relay passes on."""
        return any(
            not link.pipe.via and (wanted.expected == peer or wanted.instance == instance)
            for (peer, instance), link in self.links.items()
        )

    def all_direct(self) -> bool:
        """True if nobody wanted could use a relay."""
        return all(self.linked_directly(wanted) for wanted in self._wanted.values())

    def friends(self) -> dict[Address, bytes]:
        """The relays that friends are, with the identity of each: whoever is linked directly."""
        return {at_friend(peer): peer for (peer, _), link in self.links.items() if not link.pipe.via}

    async def visit(self, address: Address, own_port: int) -> trio.abc.Stream:
        """Connect to the relay that a friend is: within the link, or, to come from `own_port`, where the friend was
        dialed: a router then keeps that port open, and the friend sees it. Raises LinkRefusedError."""
        friend = friend_of(address)
        link = next((link for (peer, _), link in self.links.items() if peer == friend and not link.pipe.via), None)
        if link is None:
            raise LinkRefusedError("link/unreachable")
        if own_port and link.pipe.dialed and not link.pipe.punched:
            with suppress(LinkRefusedError):
                return await connect(*parse_endpoint(link.pipe.remote), own_port)
        return link.streams.open()

    def network_changed(self, slept: bool) -> None:
        """Dial everybody who is not linked at once. slept: whether all links are dead, since the machine slept."""
        for link in list(self.links.values()) if slept else ():
            link.drop("link/slept")
        for wanted in self._wanted.values():
            wanted.wake.set()

    def _start(self, key: bytes, wanted: Wanted) -> Wanted:
        self._wanted[key] = wanted
        self._nursery.start_soon(self._keep, key, wanted)
        return wanted

    async def _keep(self, key: bytes, wanted: Wanted) -> None:
        backoff = Backoff(self._random, trio.current_time())
        with wanted.scope:
            while trio.current_time() < wanted.until:
                if self.linked(wanted):
                    await self._while_linked(wanted, backoff)
                elif addresses := self._addresses_of(wanted):
                    wanted.wake = trio.Event()  # what is known by now is tried; only what is learned later wakes
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
        if trio.current_time() - up > LASTING:
            backoff.reset(trio.current_time())
        elif wanted.carried > CARRIED:
            backoff.reset(trio.current_time(), CALMLY)

    def _addresses_of(self, wanted: Wanted) -> list[Address]:
        """Return what to dial, in order: direct addresses, relays, friends who relay."""
        known = sorted(wanted.addresses, key=lambda address: scheme(address) in RELAYED)
        friends = [address for address, peer in self.friends().items() if peer != wanted.expected]
        return list(dict.fromkeys([*known, *(friends if wanted.expected is not None else ())]))

    async def _race(self, wanted: Wanted, addresses: Sequence[Address], *, telling: bool = True) -> None:
        """Dial all addresses, each a little later than the one before; adopt the first pipe, or tell the trouble."""
        came = await race(addresses, lambda address: self._dial(address, self._local, wanted.meeting, wanted.expected))
        if not isinstance(came, LinkRefusedError):
            self._adopt(came)
        elif telling:
            self._tell(wanted, came)

    def _tell(self, wanted: Wanted, trouble: LinkRefusedError) -> None:
        if trouble.code != wanted.trouble:
            wanted.trouble = trouble.code
            self._out.send_nowait(Trouble(wanted.expected, trouble.code, trouble.detail))

    def _adopt(self, pipe: Pipe) -> None:
        """Make a pipe the link to its process, or close it because there is a better one, because the other side has
        to wait, or because this process ends."""
        old = self.links.get((pipe.peer_id, pipe.instance))
        if self._farewell:
            self._nursery.start_soon(turn_away, pipe, self._farewell)
        elif self._penalties.wait(pipe.peer_id, trio.current_time()) > 0:
            self._nursery.start_soon(turn_away, pipe, "bye/wait")
        elif old is None or (kept := choose(old.pipe, pipe, self._me)) == "new":
            self._link(pipe, old)
        elif kept == "listen" and self._weighed < MAX_WEIGHED:
            self._nursery.start_soon(self._weigh, pipe)
        else:
            self._nursery.start_soon(turn_away, pipe, "bye/double")

    async def _weigh(self, pipe: Pipe) -> None:
        """The other side dialed twice: see by its first word which channel it keeps."""
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
        """Make a pipe the link to its process. first: what was read from it already."""
        link = self.links[pipe.peer_id, pipe.instance] = LiveLink(pipe, first)
        self._gone[link] = trio.Event()
        if old is not None:
            self._nursery.start_soon(old.aclose, "bye/replaced")  # what is queued or under way is still heard
        self._nursery.start_soon(self._carry, link, self._gone.get(old) if old else None)

    async def _carry(self, link: LiveLink, before: trio.Event | None) -> None:
        """Run a link and tell when it comes and goes; a link that it replaced is told to be gone first."""
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
            for waiting in self._wanted.values():  # here is a friend who may relay
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
        if link.code == "link/dead":
            self._lost()
        for wanted in self._wanted.values():
            if wanted.expected == key[0] or wanted.instance == key[1]:
                wanted.carried = link.stats.sent_bytes + link.stats.received_bytes
                wanted.wake.set()

    def _receive(self, link: LiveLink, stream: StreamWithin) -> None:
        """Serve a friend who wants to be passed on to another."""
        self._nursery.start_soon(self._visited or _nobody, stream, link.pipe.remote)

    def _hear_where(self, link: LiveLink, here: Here) -> None:
        """The other side says where it can be dialed, and perhaps wants a way to be opened."""
        wanted = self._wanted.get(link.peer_id)
        if wanted is not None:
            for address in here.addresses:
                wanted.learn(address)
        meeting = next((each for each in self._known_meetings() if each.name == link.pipe.meeting), None)
        if here.punch and link.pipe.via and meeting is not None:
            self._nursery.start_soon(self._ways.answer, link, here, meeting)

    def _known_meetings(self) -> list[Meeting]:
        return [*self._meetings, *(wanted.meeting for wanted in self._wanted.values())]

    async def _tell_places(self) -> None:
        """Tell everybody linked when this process can be dialed elsewhere."""
        told = tuple(self._places())
        while True:
            await pulse(LOOK_EVERY)
            if (places := tuple(self._places())) != told:
                told = places
                for link in self.links.values():
                    link.here(places)


async def _nobody(stream: trio.abc.Stream, _: str) -> None:
    """Nobody serves visitors here."""
    await stream.aclose()


@asynccontextmanager
async def open_supervisor(supervisor: Supervisor) -> AsyncIterator[Supervisor]:
    """Run a supervisor while the block lasts; links get a good-bye at its end."""
    async with trio.open_nursery() as nursery:
        await nursery.start(supervisor.run)
        yield supervisor
        await supervisor.close_all("bye/leave")
        nursery.cancel_scope.cancel()
