# SPDX-License-Identifier: GPL-3.0-or-later
"""Listener, discovery, relays and supervisor of a program, opened and closed together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address

import trio

from engine.core.dataclass import dataclass, field
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local, Meeting, active_first
from p2p.link.pulse import beat
from p2p.link.relayed import call, visit
from p2p.link.tcp import Listener, open_listener
from p2p.reach.addresses import default_sources, own_addresses, own_networks
from p2p.reach.announce import MAX_TAGS, Announcer, LanAnnouncement, open_announcer, tag
from p2p.reach.calls import Caller
from p2p.reach.change import watch_network
from p2p.reach.circuits import Circuits
from p2p.reach.dial import dial, punch
from p2p.reach.door import LOOK_EVERY, Doors
from p2p.reach.find import TablesHeard
from p2p.reach.gateway import PortMap
from p2p.reach.lease import Lease
from p2p.reach.pinhole import Pinhole
from p2p.reach.reflect import Kind, Reflections
from p2p.reach.relay import Relay
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.reach.ticket import MAX_RELAYS
from p2p.reach.verdict import CallBack, Facts, outside
from p2p.wire.address import FRIEND, LIBP2P, RELAY, Address, at_endpoint, endpoint_of, scheme, without_credentials
from p2p.wire.circuit import relay_of
from p2p.wire.codec import Plain

LOOPBACK = "127.0.0.1"
MOST_PLACES = 8
CALM = 2.0
"""Seconds between two looks where to wait while everybody is linked."""


@dataclass(slots=True)
class Reach:
    """The open parts.

    Attributes:
        meetings: the meetings of this process. It may be changed at any time; listener and announcer read it.
        public: addresses given by the user.
        relays: relays at which to wait, those of starlock and of libp2p.
        reflections: addresses at which others see this machine.
        relay: serves friends.
        note: returns the note of this process's announcements.
        tables: open tables announced on the LAN, including those of this process.
        port_map, pinhole: the port that the home router forwards, and that at which it lets IPv6 in; None if none is
            requested.
        announcer: None without LAN discovery.
        trouble: why LAN discovery was requested but could not be opened, else None.
        doors, circuits: wait at the relays of starlock and of libp2p.
        caller: calls peers whose answers were pasted here, and those that were answered.
        outside: this machine's IPv4 address as seen from outside, as the user typed it, and the addresses that it had
            then; it counts as long as these stay. None if the user typed none.
        calls: what came of asking relays and friends to call back, by relay.
        answering: relays that have answered, besides those where this process waits.
    """

    listener: Listener
    supervisor: Supervisor = field(init=False)
    doors: Doors = field(init=False)
    circuits: Circuits = field(init=False)
    caller: Caller = field(init=False)
    meetings: Collection[Meeting]
    host: str | None = None
    public: tuple[Address, ...] = ()
    outside: tuple[str, frozenset[IPv4Address | IPv6Address]] | None = None
    relays: list[Address] = field(default_factory=list)
    reflections: Reflections = field(default_factory=Reflections)
    relay: Relay = field(default_factory=Relay)
    note: Callable[[], Plain] = lambda: None
    tables: TablesHeard = field(default_factory=TablesHeard)
    port_map: PortMap | None = None
    pinhole: Pinhole | None = None
    announcer: Announcer | None = None
    trouble: LinkRefusedError | None = field(default=None)
    calls: dict[Address, CallBack] = field(default_factory=dict)
    answering: set[Address] = field(default_factory=set)

    def candidates(self) -> tuple[Address, ...]:
        """Return addresses at which this process may be dialed, the likeliest first: one LAN address, those given by
        the user, those that others see, IPv6, the others, loopback."""
        port, calling = self.listener.port, self.listener.local.calling_port
        if self.host is not None:
            return (at_endpoint(self.host, port),)
        own = own_addresses()
        hosts = [str(address) for address in own]
        self._look_at_links()
        reflected = [at_endpoint(*found) for found in self.reflections.endpoints(calling, hosts)]
        local = [at_endpoint(host, port) for host in hosts]
        global_6 = [at_endpoint(str(each), port) for each in own if each.version == 6 and each.is_global]
        mapped = self.port_map.address(self.reflections.hosts_seen()) if self.port_map is not None else None
        let_in = self.pinhole.address() if self.pinhole is not None else None
        by_6 = [let_in] if let_in is not None else global_6[:1]
        reflected = [*([mapped] if mapped is not None else []), *reflected]
        if calling != port:  # who connects at the same time meets nobody at the listening port
            by_6 += [at_endpoint(endpoint_of(each)[0], calling) for each in global_6[:1]]
        outside = [at_endpoint(host, each) for host in self.outer_hosts() for each in dict.fromkeys((calling, port))]
        found = list(dict.fromkeys([*local[:1], *self.public, *reflected, *by_6, *outside, *local]))
        return (*found[: MOST_PLACES - 1], at_endpoint(LOOPBACK, port))

    def outer_hosts(self) -> list[str]:
        """Return the IPv4 addresses of this machine outside of its router, as the user, the router and others say, the
        likeliest first; those of a router behind another one are left out."""
        told = self.port_map.outside if self.port_map is not None else None
        seen = [host for host in self.reflections.hosts_seen() if ":" not in host]
        typed = [self.outside[0]] if self.outside is not None and self.outside[1] == default_sources() else []
        hosts = [*typed, *([told] if told else []), *seen]
        return [host for host in dict.fromkeys(hosts) if ip_address(host).is_global]

    def lacks_outer_host(self) -> bool:
        """True if nobody has said what this machine's IPv4 address outside is, and it has IPv4."""
        return not self.outer_hosts() and any(each.version == 4 for each in default_sources())

    def places(self) -> tuple[Address, ...]:
        """Return `candidates` and the relays where this process waits. Linked peers are told these."""
        found = self.candidates()
        relays = self.relayed()
        return (*found[: MOST_PLACES - len(relays)], *relays)

    def wait_at(self, addresses: Iterable[Address]) -> None:
        """Wait at the relays named in these addresses, at three of them at most. Of several addresses of one relay,
        which differ by key or pass, the first counts."""
        relays: dict[Address, Address] = {}
        for each in map(relay_of, addresses):
            relays.setdefault(without_credentials(each), each)
        self.relays = list(relays.values())[:MAX_RELAYS]

    def wait_also_at(self, addresses: Iterable[Address]) -> None:
        """Wait at more relays. If that makes too many, those that fail go first. The first relay stays: it may fail
        while this home has no network, and tickets name it."""
        failing = self.troubles()
        kept = [each for place, each in enumerate(self.relays) if place == 0 or each not in failing]
        self.wait_at([*kept, *addresses, *self.relays])

    def relayed(self) -> tuple[Address, ...]:
        """Return the addresses at which this process can be called through relays."""
        through = self.circuits.address_through
        return tuple(through(relay) if scheme(relay) == LIBP2P else relay for relay in self.relays)

    async def dial(self, address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
        """Dial an address of any scheme. Raises LinkRefusedError."""
        if scheme(address) == FRIEND:
            return await call(address, local, meeting, expected, self.visit)
        way = self.circuits.dial if scheme(address) == LIBP2P else dial
        return await way(address, local, meeting, expected)

    async def visit(self, address: Address, own_port: int) -> trio.abc.Stream:
        """Connect to a relay, which may be a friend. Raises LinkRefusedError."""
        return await (self.supervisor.visit if scheme(address) == FRIEND else visit)(address, own_port)

    def symmetric(self) -> bool:
        """True if a symmetric NAT prevents hole punching. It does not if this machine has IPv6, which is not
        translated."""
        return self.kind() == "symmetric" and not any(each.version == 6 and each.is_global for each in own_addresses())

    def saw(self, by: Address, endpoint: str) -> None:
        """Note how a node of libp2p sees this machine. That library connects from ports of its own."""
        self.reflections.note(by, endpoint, exact=False)

    def kind(self) -> Kind:
        """Return the kind of router before this machine, judged by what others see."""
        self._look_at_links()
        return self.reflections.kind([str(address) for address in own_addresses()])

    def facts(self) -> Facts:
        """Return what is known about who can reach this process."""
        mapped, hosts = self.port_map, self.reflections.hosts_seen()
        return Facts(
            local=self.host is not None,
            online=bool(own_addresses()),
            routed=bool(default_sources()),
            asked=all(each.asked.is_set() for each in self.leases()),
            mapped=mapped is not None and mapped.address(hosts) is not None,
            let_in=self.pinhole is not None and self.pinhole.address() is not None,
            behind=self.behind_another_router(),
            kind=self.kind(),
            outside=frozenset(family for each in self.candidates() if (family := outside(each))),
            relayed=not self.standing_at().isdisjoint(self.relays),
            calls=tuple(self.calls.values()),
        )

    def outer_port(self) -> int:
        """Return the port at which others dial this process from outside."""
        if self.port_map is not None and self.port_map.mapped is not None:
            return self.port_map.mapped.port
        return next((endpoint_of(each)[1] for each in self.public), self.listener.port)

    def behind_another_router(self) -> bool:
        """True if the home router forwards a port but is itself behind another NAT."""
        return self.port_map is not None and self.port_map.useless(self.reflections.hosts_seen())

    def network_changed(self, slept: bool = False) -> None:
        """Forget what others saw of this machine, ask routers and relays again, and redial. This is also called when a
        link ends by silence, since that is all one sees when the router gets a new address."""
        self.reflections.clear()
        self.calls.clear()
        self.answering.clear()
        for link in self.supervisor.links.values():
            link.stats.seen = ""  # the next pong sets it, if the link still lives
        self.doors.anew()
        self.circuits.anew()
        for lease in self.leases():
            lease.network_changed()
        self.supervisor.network_changed(slept)

    async def asked_router(self) -> None:
        """Wait until the home router has answered or its time is over."""
        for lease in self.leases():
            await lease.asked.wait()

    def leases(self) -> list[Lease]:
        """Return what the home router is asked for."""
        return [each for each in (self.port_map, self.pinhole) if each is not None]

    def announcement(self) -> LanAnnouncement:
        """Return what this process announces on the LAN."""
        local = self.listener.local
        tags = tuple(tag(meeting, local.instance) for meeting in active_first(self.meetings))
        return LanAnnouncement(local.instance, local.port, tags[:MAX_TAGS], self.note(), local.calling_port)

    def _look_at_links(self) -> None:
        one_port = self.listener.local.calling_port == self.listener.port
        for link in self.supervisor.links.values():
            if link.stats.seen and not link.pipe.via:
                dialed = one_port and not link.pipe.dialed  # the other side connected to this address
                exact = link.pipe.punched or dialed
                self.reflections.note(link.peer_id.hex(), link.stats.seen, exact=exact)

    def standing_at(self) -> set[Address]:
        """Return the relays that have let this process wait, and have not failed since."""
        return {*self.doors.answering, *self.circuits.answering} - self.troubles().keys()

    def waits_at(self) -> Sequence[Address]:
        """Return the relays at which to wait: those in `relays`, and friends while a wanted peer has no direct link."""
        friends = [] if self.supervisor.all_direct() else list(self.supervisor.friends())
        return list(dict.fromkeys([*self.relays_by(RELAY), *friends]))

    async def pause(self) -> None:
        """Wait until one may look again where to wait: half a second, or the next beat of this process while all that
        are wanted are linked directly."""
        calm = bool(self.supervisor.links) and self.supervisor.all_direct()
        with trio.move_on_at(beat(CALM) if calm else trio.current_time() + LOOK_EVERY):
            await self.supervisor.stirred.park()

    def troubles(self) -> dict[Address, str]:
        """Return, for each relay in `relays` that fails, the error code that says why."""
        named = {relay: code for relay, code in self.doors.troubles.items() if scheme(relay) != FRIEND}
        return {**named, **self.circuits.troubles}

    def relays_by(self, kind: str) -> list[Address]:
        """Return the relays of one scheme."""
        return [relay for relay in self.relays if scheme(relay) == kind]


@asynccontextmanager
async def open_reach(
    local: Local,
    meetings: Collection[Meeting],
    *,
    port: int = 0,
    host: str | None = None,
    lan: bool = True,
    quiet: bool = False,
    public: Callable[[int], tuple[Address, ...]] = lambda _port: (),
) -> AsyncIterator[Reach]:
    """Listen, announce, relay for friends and keep links while the block lasts.

    meetings: the meetings of this process.
    lan: True to announce on the LAN, and to listen for others there.
    quiet: True to listen only.
    host: IP address to listen on, None for all.
    public: called with the port listened on; returns the addresses given by the user.

    Raises LinkRefusedError if it cannot listen. If it cannot announce, `Reach.trouble` says why.
    """
    async with AsyncExitStack() as stack:
        listener = await stack.enter_async_context(open_listener(local, meetings, port=port, host=host))
        reach = Reach(listener, meetings, host, public(listener.port))
        supervisor = reach.supervisor = Supervisor(
            listener.local,
            listener.pipes,
            meetings,
            places=reach.places,
            symmetric=reach.symmetric,
            seen=lambda: bool(reach.reflections.exact),
            lost=reach.network_changed,
            visited=reach.relay.visited,
            dial=reach.dial,
        )
        reach.caller = Caller(
            listener.local, punch, supervisor.adopt, lambda: [peer for peer, _ in supervisor.links], own_networks
        )
        listener.relay = reach.relay.serve
        reach.doors = Doors(listener, meetings, reach.waits_at, reach.reflections, reach.visit, reach.pause)
        reach.circuits = Circuits(listener, meetings, lambda: reach.relays_by(LIBP2P), reach.saw, pause=reach.pause)
        await stack.enter_async_context(open_supervisor(supervisor))
        if lan:
            try:
                announcement = (lambda: None) if quiet else reach.announcement
                reach.announcer = await stack.enter_async_context(open_announcer(announcement))
            except LinkRefusedError as refused:
                reach.trouble = refused
        nursery = await stack.enter_async_context(trio.open_nursery())
        if reach.announcer is not None:
            nursery.start_soon(_pass_on, reach.announcer, reach)
        nursery.start_soon(reach.caller.run)
        nursery.start_soon(reach.doors.run)
        nursery.start_soon(reach.circuits.run)
        nursery.start_soon(watch_network, reach.network_changed)
        if lan:
            reach.port_map, reach.pinhole = PortMap(listener.port), Pinhole(listener.port)
            for lease in reach.leases():
                nursery.start_soon(lease.run)
        yield reach
        nursery.cancel_scope.cancel()


async def _pass_on(announcer: Announcer, reach: Reach) -> None:
    async for sighting in announcer.sightings:
        reach.tables.heard(sighting, trio.current_time())
        reach.supervisor.sighted(sighting)
