# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways opened by hand: after an answer was carried from the guest to the inviter, both dial each other at once.

Each side dials the other's addresses from the port on which it listens, again and again (`p2p.link.punched`), until
one link is up. Their routers admit the packets of the one as answers to those of the other; no third party is needed.

A text that somebody pasted says where to dial, so this dials little and only where a peer may be: at most four peers
at once, each address at most once a second over all of them, for ten minutes after the paste; global addresses and
those of this machine's own networks, no port below 1024. It sends nothing on a connection before the other side has
shown that it knows the meeting, and admits nobody: whoever is linked asks for a seat as with a ticket.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network, ip_address
from math import inf
from typing import Final, TypeAlias

import trio

from engine.core.dataclass import dataclass, field
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local, Meeting
from p2p.reach.dial import Punch
from p2p.wire.address import TCP, Address, endpoint_of, scheme

LASTS: Final = 600.0
EVERY: Final = 1.0
"""Seconds between two attempts at one address."""
MAX_CALLS: Final = 4
LEAST_PORT: Final = 1_024
LOOK_EVERY: Final = 0.25
TRANSLATED: Final = IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48")
"""IPv6 addresses that stand for IPv4 ones (RFC 6052, RFC 8215)."""

Network: TypeAlias = IPv4Network | IPv6Network
Interface: TypeAlias = IPv4Interface | IPv6Interface


def may_call(address: Address, own: Collection[Interface]) -> bool:
    """True if a pasted text may make this process dial an address.

    own: the addresses of this machine with their networks. Addresses in these are permitted, but not this machine's
    own, nor those of the network itself and of all its hosts.
    """
    if scheme(address) != TCP:
        return False
    try:
        host, port = endpoint_of(address)
        at = ip_address(host)
    except ValueError:  # a name, or an address of one interface only
        return False
    if port < LEAST_PORT or at in {each.ip for each in own}:
        return False
    network = next((each.network for each in own if at.version == each.version and at in each.network), None)
    if network is not None and not at.is_loopback:
        return not at.is_multicast and at not in _of_all(network)
    return is_global(at)


def _of_all(network: Network) -> set[IPv4Address | IPv6Address]:
    """Return the addresses of a network that are no host's."""
    whole = network.num_addresses <= 2
    return set() if whole else {network.network_address, network.broadcast_address}


def is_global(at: IPv4Address | IPv6Address) -> bool:
    """True for the address of one machine that is reached from everywhere, and does not stand for another one."""
    if not at.is_global or at.is_multicast or at.is_reserved:
        return False
    if isinstance(at, IPv6Address):
        return not (at.ipv4_mapped or at.sixtofour or at.teredo or any(at in each for each in TRANSLATED))
    return True


@dataclass(slots=True, eq=False)
class Call:
    """A peer to be called.

    Attributes:
        meeting: where to link.
        expected: its identity key.
        places: its addresses that may be dialed.
        leads: True if this side starts the handshake. Exactly one side does: the guest.
        until: clock time in seconds.
    """

    meeting: Meeting
    expected: bytes
    places: tuple[Address, ...]
    leads: bool
    until: float


@dataclass(slots=True)
class Calls:
    """Whom to call, and when each address is due. Synchronous. Times are clock times in seconds."""

    calls: dict[bytes, Call] = field(default_factory=dict)
    _last: dict[Address, float] = field(default_factory=dict)
    _busy: set[Address] = field(default_factory=set)

    def add(self, call: Call, now: float) -> str:
        """Call a peer from now on; a second call of one peer takes the place of the first. Return "" or why not:
        "answer/nowhere" (no address may be dialed), "answer/many" (four peers are called already)."""
        self.forget(now)
        if not call.places:
            return "answer/nowhere"
        if call.expected not in self.calls and len(self.calls) >= MAX_CALLS:
            return "answer/many"
        self.calls[call.expected] = call
        return ""

    def forget(self, now: float) -> list[Call]:
        """Drop and return the calls whose time is over."""
        over = [call for call in self.calls.values() if call.until <= now]
        for call in over:
            del self.calls[call.expected]
        self._last = {address: at for address, at in self._last.items() if now - at < EVERY or address in self._busy}
        return over

    def end(self, expected: bytes) -> None:
        """Stop calling a peer, since it is linked."""
        self.calls.pop(expected, None)

    def due(self, now: float) -> list[tuple[Call, Address]]:
        """Return the attempts to begin now. Each has to be reported by `tried` when it ends."""
        self.forget(now)
        found = []
        for call in self.calls.values():
            for address in call.places:
                if address not in self._busy and now - self._last.get(address, -inf) >= EVERY:
                    self._busy.add(address)
                    self._last[address] = now
                    found.append((call, address))
        return found

    def tried(self, address: Address) -> None:
        """An attempt has ended."""
        self._busy.discard(address)


class Caller:
    """Carries out calls.

    local: this process. punch: connects to an address while the other side connects to ours. found: takes a direct
    pipe. linked: the identity keys with a link. own: the addresses of this machine with their networks.
    """

    def __init__(
        self,
        local: Local,
        punch: Punch,
        found: Callable[[Pipe], None],
        linked: Callable[[], Collection[bytes]],
        own: Callable[[], Sequence[Interface]],
    ) -> None:
        self.calls = Calls()
        self._local, self._punch, self._found, self._linked, self._own = local, punch, found, linked, own
        self._wake = trio.Event()

    def call(self, meeting: Meeting, expected: bytes, places: Sequence[Address], *, leads: bool) -> str:
        """Call a peer for ten minutes; see `Calls.add`."""
        own, now = self._own(), trio.current_time()
        permitted = tuple(each for each in dict.fromkeys(places) if may_call(each, own))
        refused = self.calls.add(Call(meeting, expected, permitted, leads, now + LASTS), now)
        self._wake.set()
        return refused

    async def run(self) -> None:
        """Call until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                if not self.calls.calls:
                    await self._wake.wait()
                    self._wake = trio.Event()
                for identity in set(self.calls.calls).intersection(self._linked()):
                    self.calls.end(identity)
                for call, address in self.calls.due(trio.current_time()):
                    nursery.start_soon(self._try, call, address)
                await trio.sleep(LOOK_EVERY)

    async def _try(self, call: Call, address: Address) -> None:
        try:
            with suppress(LinkRefusedError):
                pipe = await self._punch(
                    address, self._local, call.meeting, call.expected, leads=call.leads, again=EVERY
                )
                self._found(pipe)
        finally:
            self.calls.tried(address)
