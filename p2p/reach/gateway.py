"""Asks the home router to pass the port on where this process listens, for as long as it does.

PCP is tried first, then NAT-PMP, then UPnP. The map is renewed at half its lease, made anew when the router has lost it
or the network has changed, and deleted at the end. A router that has another one before it ("carrier-grade NAT") grants
a map that nobody outside can use.
"""

from __future__ import annotations

import secrets
import socket
import struct
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final, Literal, TypeAlias

import trio

from p2p.reach import portmap
from p2p.reach.portmap import Alive, Answer, Mapped, MapRefused, Outside, behind_another
from p2p.reach.upnp import Igd
from p2p.wire.address import Address, at_endpoint

ROUTES: Final = Path("/proc/net/route")
TRIES: Final = (0.25, 0.5, 1.0)
"""Seconds to wait for each answer; a router of the LAN answers within some milliseconds."""
AGAIN: Final = 120.0
SOONEST: Final = 30.0
LOOK_EVERY: Final = 60.0
"""Seconds between two looks whether the router still knows the map."""
BEFORE_END: Final = 0.5

Way: TypeAlias = Literal["pcp", "nat-pmp", "upnp"]
WAYS: Final[tuple[Way, ...]] = ("pcp", "nat-pmp", "upnp")


def default_gateway(routes: Path = ROUTES) -> str | None:
    """Return the IPv4 address of this machine's router; None where there is none, or the system does not say."""
    if sys.platform != "linux":
        return None
    with suppress(OSError, ValueError, IndexError):
        for line in routes.read_text("ascii").splitlines()[1:]:
            fields = line.split()
            if fields[1] == "00000000" and int(fields[3], 16) & 2:
                return str(IPv4Address(struct.pack("<I", int(fields[2], 16))))
    return None


class PortMap:
    """A port of this process that the home router forwards.

    Attributes:
        port: where this process listens.
        gateway, at, igd: the router, for tests.
        mapped: what the router granted, None for nothing.
        way: by which protocol.
        outside: the router's address on its other side, None when unknown.
        trouble: the code of why there is no map.
        asked: set after the first try.
    """

    def __init__(
        self, port: int, gateway: str | None = None, at: int = portmap.PORT, igd: Callable[[], Igd] = Igd
    ) -> None:
        self.mapped: Mapped | None = None
        self.way: Way | None = None
        self.outside: str | None = None
        self.trouble: str | None = None
        self.asked = trio.Event()
        self._port, self._gateway, self._at, self._new_igd = port, gateway, at, igd
        self._igd = igd()
        self._nonce = secrets.token_bytes(portmap.NONCE)
        self._said: tuple[int, float] | None = None
        self._changed = trio.Event()

    def address(self, seen: Collection[str]) -> Address | None:
        """Return where the map can be dialed from outside, None where it cannot. seen: as in `useless`."""
        if self.mapped is None or self.outside is None or self.useless(seen):
            return None
        return at_endpoint(self.outside, self.mapped.port)

    def useless(self, seen: Collection[str]) -> bool:
        """True if the map leads nowhere, since another router stands before this one. seen: this machine's addresses as
        others see them."""
        return self.mapped is not None and self.outside is not None and behind_another(self.outside, seen)

    def network_changed(self) -> None:
        """Ask anew at once, since the router may be another one."""
        self._said, self.outside, self._igd = None, None, self._new_igd()
        self._changed.set()

    async def run(self) -> None:
        """Keep the map until cancelled, and delete it then."""
        try:
            while True:
                self._changed = trio.Event()
                pause = await self.renew()
                self.asked.set()
                with trio.move_on_after(pause):
                    await self._until_lost()
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + BEFORE_END):
                await self.delete()

    async def _until_lost(self) -> None:
        """Return when the network has changed, or the router knows the map no more."""
        while True:
            with trio.move_on_after(LOOK_EVERY):
                await self._changed.wait()
                return
            if self.mapped is not None and not await self.still_mapped(self.mapped):
                return

    async def still_mapped(self, mapped: Mapped) -> bool:
        """True if the router still knows the map, as far as it says; silence says nothing."""
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

    def _forgot(self, epoch: int) -> bool:
        said, self._said = self._said, (epoch, trio.current_time())
        return said is not None and portmap.forgot(said, self._said)

    async def renew(self) -> float:
        """Ask by each protocol until one grants a port, first by the one that did before; return after how many seconds
        to ask again."""
        gateway = self._gateway or default_gateway()
        wanted = self.mapped.port if self.mapped is not None else self._port
        refusals = []
        for way in sorted(WAYS, key=lambda way: way != self.way):
            answer = await self._ask(way, gateway, wanted)
            if isinstance(answer, Mapped):
                await self._take(way, answer, gateway)
                return max(SOONEST, answer.lease / 2)
            if isinstance(answer, MapRefused) and answer.code != "portmap/version":
                refusals.append(answer.code)
        silence = "portmap/no-gateway" if gateway is None else "portmap/no-answer"
        self.mapped, self.way, self.trouble = None, None, next(iter(refusals), silence)
        return AGAIN

    async def _ask(self, way: Way, gateway: str | None, wanted: int) -> Answer | None:
        if way == "upnp":
            return await self._igd.ask(self._port, wanted)
        if gateway is None:
            return None
        if way == "pcp":
            question = portmap.pcp_map(self._port, _own_towards(gateway), self._nonce, wanted)
            return await self._exchange(gateway, question)
        return await self._exchange(gateway, portmap.pmp_map(self._port, wanted))

    async def _take(self, way: Way, answer: Mapped, gateway: str | None) -> None:
        lost = self._forgot(answer.epoch)
        if answer.host is not None:
            self.outside = answer.host
        elif gateway is not None and (self.outside is None or lost):
            told = await self._exchange(gateway, portmap.pmp_address())
            self.outside = told.host if isinstance(told, Outside) else None
        self.mapped, self.way, self.trouble = answer, way, None

    async def _exchange(self, gateway: str, question: bytes) -> Answer | None:
        """Ask until there is an answer; words of others, and nonsense, are not one."""
        with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            try:
                await asking.connect((gateway, self._at))
                for patience in TRIES:
                    await asking.send(question)
                    with trio.move_on_after(patience):
                        while True:
                            answer = portmap.read(await asking.recv(1_100), self._port, self._nonce)
                            if answer is not None:
                                return answer
            except OSError:  # the router refuses the port, or there is no network
                return None
        return None

    async def delete(self) -> None:
        """Give the port back, if one was granted."""
        gateway = self._gateway or default_gateway()
        if self.mapped is None:
            return
        if self.way == "upnp":
            await self._igd.delete(self.mapped)
        elif gateway is not None and self.way == "pcp":
            own = _own_towards(gateway)
            await self._exchange(gateway, portmap.pcp_map(self._port, own, self._nonce, 0, 0))
        elif gateway is not None:
            await self._exchange(gateway, portmap.pmp_map(self._port, 0, 0))


def _own_towards(gateway: str) -> str:
    """Return this machine's address towards the router; no packet is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((gateway, portmap.PORT))
        except OSError:
            return "0.0.0.0"  # noqa: S104  the router will refuse it
        host: str = probe.getsockname()[0]
        return host
