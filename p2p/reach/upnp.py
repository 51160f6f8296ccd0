# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a home router to forward a port by UPnP, for routers without PCP and NAT-PMP.

miniupnpc speaks the Internet Gateway Device protocol, in a worker thread. Some systems have no wheel of it; there UPnP
is not available and says so. Any machine on the LAN can pose as the router: a false address costs a failed dial.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, Final, TypeVar

import trio

from p2p.reach.portmap import LEASE, Mapped, MapRefused

try:
    import miniupnpc  # type: ignore[import-not-found,unused-ignore]  # it has no types, and is not everywhere
except ImportError:  # no wheel for this system
    miniupnpc = None

T = TypeVar("T")
DISCOVERY: Final = 1_000
"""Milliseconds that routers have to answer the search."""
LABEL: Final = "starlock"
TAKEN: Final = "ConflictInMappingEntry"
PERMANENT: Final = "OnlyPermanentLeasesSupported"
FORBIDDEN: Final = ("Action not authorized",)
NOBODY: Final = ("Success", "No UPnP device discovered")
"""Messages of miniupnpc's errors when no router answers the search."""
OTHER_PORTS: Final = 4


class Igd:
    """The router of this LAN. at: URL of its description, None to search for one.

    outside: its external address as it said last, None if it did not.
    """

    def __init__(self, at: str | None = None) -> None:
        self._at = at
        self._router: Any = None
        self._silent = False
        self.outside: str | None = None

    async def search(self) -> None:
        """Search for the router, if none is known. Asks nothing of it."""
        if miniupnpc is not None:
            self._silent = not await _in_thread(self._search)

    async def ask(self, port: int, wanted: int) -> Mapped | MapRefused | None:
        """Request or renew the forwarding of external TCP port `wanted`, or a port after it, to `port` of this machine.
        Some routers grant only permanent mappings; these remain until `delete`. Return None if no router answers."""
        if miniupnpc is None:
            return MapRefused("portmap/no-upnp")
        if self._silent:  # a second search would take as long as the first
            return None
        return await _in_thread(lambda: self._ask(port, wanted))

    async def keeps(self, mapped: Mapped) -> bool:
        """True if the router still forwards the port and has the same address."""
        return await _in_thread(lambda: self._keeps(mapped))

    async def delete(self, mapped: Mapped) -> None:
        """Delete the mapping. If the router does not answer, the lease runs out."""
        await _in_thread(lambda: self._delete(mapped))

    def _search(self) -> bool:
        """Return False if nobody has answered."""
        try:
            self._found()
        except Exception as error:  # noqa: BLE001  miniupnpc raises nothing more special; `ask` tells the others
            return _refusal(str(error)) is not None
        return True

    def _ask(self, port: int, wanted: int) -> Mapped | MapRefused | None:
        try:
            router = self._found()
            outside = self.outside = str(ip_address(router.externalipaddress()))
            for outer in range(wanted, min(wanted + OTHER_PORTS, 65_536)):
                try:
                    _add(router, outer, port)
                except Exception as error:  # miniupnpc raises nothing more special
                    if TAKEN not in str(error):
                        raise
                else:
                    return Mapped(outer, outside, LEASE, 0)
        except Exception as error:  # noqa: BLE001  as above; ValueError for a malformed address
            self._router = None
            return _refusal(str(error))
        return MapRefused("portmap/full")

    def _found(self) -> Any:
        if self._router is None:
            router = miniupnpc.UPnP()
            router.discoverdelay = DISCOVERY
            if self._at is None:
                router.discover()
                router.selectigd()
            else:
                router.selectigd(self._at)
            self._router = router
        return self._router

    def _keeps(self, mapped: Mapped) -> bool:
        try:
            known = self._found().getspecificportmapping(mapped.port, "TCP")
            return known is not None and self._found().externalipaddress() == mapped.host
        except Exception:  # noqa: BLE001  as above; it is asked again later
            self._router = None
            return False

    def _delete(self, mapped: Mapped) -> None:
        try:
            self._found().deleteportmapping(mapped.port, "TCP")
        except Exception:  # noqa: BLE001  as above; there is nothing more to do
            self._router = None


def _add(router: Any, outer: int, port: int) -> None:
    try:
        router.addportmapping(outer, "TCP", router.lanaddr, port, LABEL, "", LEASE)
    except Exception as error:
        if PERMANENT not in str(error):
            raise
        router.addportmapping(outer, "TCP", router.lanaddr, port, LABEL, "", 0)


def _refusal(said: str) -> MapRefused | None:
    if said in NOBODY:
        return None
    return MapRefused("portmap/refused" if said in FORBIDDEN else "portmap/failed")


async def _in_thread(work: Callable[[], T]) -> T:
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
