# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the home router to let IPv6 in at the port on which this process listens, by PCP (RFC 6887, 11).

IPv6 is not translated at home, but routers have firewalls that admit answers only. One that speaks PCP opens a hole for
the address from which it is asked: that by which this machine speaks to the rest of the world, which stands in the
ticket. A router grants nothing for the address of another machine, so nobody opens a hole to a neighbor.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from ipaddress import ip_address

from p2p.reach import portmap
from p2p.reach.addresses import default_sources
from p2p.reach.lease import AGAIN, SOONEST, Lease, exchange
from p2p.reach.portmap import Alive, Mapped, MapRefused
from p2p.reach.routes import default_gateway
from p2p.wire.address import Address, at_endpoint

__all__ = ["Pinhole", "own_source"]


def own_source() -> str | None:
    """Return the global IPv6 address from which this machine speaks to the rest of the world, None if it has none."""
    return next((str(each) for each in default_sources() if each.version == 6 and each.is_global), None)


class Pinhole(Lease):
    """A port at which the home router lets IPv6 in. gateway, at, own: the router and the own address, for tests.

    Attributes:
        own: the address of this machine for which it was requested last, None without IPv6.
    """

    def __init__(
        self,
        port: int,
        gateway: Callable[[], str | None] = lambda: default_gateway(6),
        at: int = portmap.PORT,
        own: Callable[[], str | None] = own_source,
    ) -> None:
        super().__init__(port)
        self.own: str | None = None
        self._gateway, self._at, self._source = gateway, at, own
        self._nonce = secrets.token_bytes(portmap.NONCE)

    def address(self) -> Address | None:
        """Return the address at which the router lets friends in, None without one."""
        if self.mapped is None or self.mapped.host is None:
            return None
        return at_endpoint(self.mapped.host, self.mapped.port)

    async def renew(self) -> float:
        self.own, gateway = self._source(), self._gateway()
        if self.own is None or gateway is None:
            self.mapped, self.trouble = None, "portmap/no-gateway"
            return AGAIN
        wanted = self.mapped.port if self.mapped is not None else self.port
        answer = await self._exchange(gateway, portmap.pcp_map(self.port, self.own, self._nonce, wanted))
        if isinstance(answer, Mapped) and _leads_here(answer.host):
            self._forgot(answer.epoch)
            self.mapped, self.trouble = answer, None
            return max(SOONEST, answer.lease / 2)
        self.mapped = None
        self.trouble = answer.code if isinstance(answer, MapRefused) else "portmap/no-answer"
        return AGAIN

    async def still_mapped(self, mapped: Mapped) -> bool:
        gateway = self._gateway()
        if gateway is None or self.own is None:
            return True
        answer = await self._exchange(gateway, portmap.pcp_announce(self.own))
        return not isinstance(answer, Alive) or not self._forgot(answer.epoch)

    async def delete(self) -> None:
        gateway = self._gateway()
        if self.mapped is not None and gateway is not None and self.own is not None:
            await self._exchange(gateway, portmap.pcp_map(self.port, self.own, self._nonce, 0, 0))

    async def _exchange(self, gateway: str, question: bytes) -> portmap.Answer | None:
        return await exchange(gateway, self._at, question, self.port, self._nonce, self.own)


def _leads_here(host: str | None) -> bool:
    """True for an address at which somebody elsewhere may dial."""
    at = ip_address(host or "::")
    return at.version == 6 and at.is_global and not at.is_multicast
