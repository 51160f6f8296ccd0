# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the home router to forward the port on which this process listens.

PCP is tried first, then NAT-PMP, then UPnP, whose router is searched for meanwhile. A router that passes over the first
two without a word has answered after some two seconds. A router behind another NAT ("carrier-grade NAT") grants a
mapping that cannot be used from outside. All this is IPv4; `pinhole` has IPv6.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Collection
from typing import Final, Literal, TypeAlias

import trio

from p2p.reach import portmap
from p2p.reach.lease import AGAIN, SOONEST, Lease, exchange
from p2p.reach.portmap import Alive, Answer, Mapped, MapRefused, Outside, behind_another
from p2p.reach.routes import default_gateway
from p2p.reach.upnp import Igd
from p2p.wire.address import Address, at_endpoint

Way: TypeAlias = Literal["pcp", "nat-pmp", "upnp"]
WAYS: Final[tuple[Way, ...]] = ("pcp", "nat-pmp", "upnp")


class PortMap(Lease):
    """A port of this process that the home router forwards. gateway, at, igd: the router, for tests.

    Attributes:
        way: the protocol that granted it.
        outside: the router's external address, None if unknown.
    """

    def __init__(
        self, port: int, gateway: str | None = None, at: int = portmap.PORT, igd: Callable[[], Igd] = Igd
    ) -> None:
        super().__init__(port)
        self.way: Way | None = None
        self.outside: str | None = None
        self._gateway, self._at, self._new_igd = gateway, at, igd
        self._igd = igd()
        self._nonce = secrets.token_bytes(portmap.NONCE)
        self._searched = trio.Event()

    def address(self, seen: Collection[str]) -> Address | None:
        """Return the external address of the mapping, None if it cannot be dialed. seen: as in `useless`."""
        if self.mapped is None or self.outside is None or self.useless(seen):
            return None
        return at_endpoint(self.outside, self.mapped.port)

    def useless(self, seen: Collection[str]) -> bool:
        """True if the mapping cannot be used because the router is behind another NAT. seen: this machine's addresses
        as others see them."""
        return self.mapped is not None and self.outside is not None and behind_another(self.outside, seen)

    def network_changed(self) -> None:
        self.outside, self._igd = None, self._new_igd()
        super().network_changed()

    async def still_mapped(self, mapped: Mapped) -> bool:
        gateway = self._gateway or default_gateway()
        if self.way == "upnp":
            return await self._igd.keeps(mapped)
        if gateway is None:
            return True
        question = portmap.pcp_announce(_own_towards(gateway)) if self.way == "pcp" else portmap.pmp_address()
        match await self._exchange(gateway, question):
            case Outside(host, epoch):
                return host == self.outside and not self._forgot(epoch)
            case Alive(epoch):
                return not self._forgot(epoch)
            case _:
                return True

    async def renew(self) -> float:
        """Ask by each protocol until one grants a port, starting with the last that did. Return the seconds until the
        next request."""
        gateway = self._gateway or default_gateway()
        wanted = self.mapped.port if self.mapped is not None else self.port
        refusals = []
        self._searched = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._search)
            for way in sorted(WAYS, key=lambda way: way != self.way):
                answer = await self._ask(way, gateway, wanted)
                if isinstance(answer, Mapped):
                    await self._take(way, answer, gateway)
                    nursery.cancel_scope.cancel()
                    return max(SOONEST, answer.lease / 2)
                if isinstance(answer, MapRefused) and answer.code != "portmap/version":
                    refusals.append(answer.code)
        await self._look_outside(gateway if refusals else None)
        silence = "portmap/no-gateway" if gateway is None else "portmap/no-answer"
        self.mapped, self.way, self.trouble = None, None, next(iter(refusals), silence)
        return AGAIN

    async def _look_outside(self, gateway: str | None) -> None:
        """Ask for the router's external address, which it may tell although it grants no port."""
        found = None if gateway is None else await self._exchange(gateway, portmap.pmp_address())
        self.outside = found.host if isinstance(found, Outside) else self._igd.outside

    async def _search(self) -> None:
        """Look for a router with UPnP, which takes a second or two, while the other protocols are tried, unless one of
        these has granted a port before."""
        if self.way in (None, "upnp"):
            await self._igd.search()
        self._searched.set()

    async def _ask(self, way: Way, gateway: str | None, wanted: int) -> Answer | None:
        if way == "upnp":
            await self._searched.wait()
            return await self._igd.ask(self.port, wanted)
        if gateway is None:
            return None
        if way == "pcp":
            question = portmap.pcp_map(self.port, _own_towards(gateway), self._nonce, wanted)
            return await self._exchange(gateway, question)
        return await self._exchange(gateway, portmap.pmp_map(self.port, wanted))

    async def _take(self, way: Way, answer: Mapped, gateway: str | None) -> None:
        lost = self._forgot(answer.epoch)
        if answer.host is not None:
            self.outside = answer.host
        elif gateway is not None and (self.outside is None or lost):
            found = await self._exchange(gateway, portmap.pmp_address())
            self.outside = found.host if isinstance(found, Outside) else None
        self.mapped, self.way, self.trouble = answer, way, None

    async def _exchange(self, gateway: str, question: bytes) -> Answer | None:
        return await exchange(gateway, self._at, question, self.port, self._nonce)

    async def delete(self) -> None:
        gateway = self._gateway or default_gateway()
        if self.mapped is None:
            return
        if self.way == "upnp":
            await self._igd.delete(self.mapped)
        elif gateway is not None and self.way == "pcp":
            own = _own_towards(gateway)
            await self._exchange(gateway, portmap.pcp_map(self.port, own, self._nonce, 0, 0))
        elif gateway is not None:
            await self._exchange(gateway, portmap.pmp_map(self.port, 0, 0))


def _own_towards(gateway: str) -> str:
    """Return this machine's address on the router's network, without sending a packet."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((gateway, portmap.PORT))
            host: str = probe.getsockname()[0]
            return host
    except OSError:
        return "0.0.0.0"  # noqa: S104  the router will refuse it
