"""Asks the home router to pass the port on where this process listens, for as long as it does.

The map is renewed at half its lease, made anew when the router has lost it or the network has changed, and deleted at
the end. A router that has another one before it ("carrier-grade NAT") grants a map that nobody outside can use: that
shows when its address is not the one that others see.
"""

from __future__ import annotations

import secrets
import socket
import struct
import sys
from contextlib import suppress
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import trio

from p2p.reach import portmap
from p2p.reach.portmap import Mapped, Outside, Refused
from p2p.wire.address import Address, at_endpoint

ROUTES: Final = Path("/proc/net/route")
TRIES: Final = (0.25, 0.5, 1.0)
"""Seconds to wait for each answer; a router of the LAN answers within some milliseconds."""
AGAIN: Final = 120.0
SOONEST: Final = 30.0
BEFORE_END: Final = 0.5


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
    """port: where this process listens. mapped: what the router granted, None for nothing; outside: the router's
    address on its other side, None when unknown; trouble: the code of why there is no map; asked:
    set after the first try."""

    def __init__(self, port: int, gateway: str | None = None, at: int = portmap.PORT) -> None:
        self.mapped: Mapped | None = None
        self.outside: str | None = None
        self.trouble: str | None = None
        self.asked = trio.Event()
        self._port, self._gateway, self._at = port, gateway, at
        self._nonce = secrets.token_bytes(portmap.NONCE)
        self._pcp = True
        self._said: tuple[int, float] | None = None

    def address(self) -> Address | None:
        """Return where the map can be dialed from outside."""
        if self.mapped is None or self.outside is None:
            return None
        return at_endpoint(self.outside, self.mapped.port)

    def useless(self, seen: set[str]) -> bool:
        """Whether the map leads nowhere, since others see another address than the router's. seen: what they see."""
        return self.outside is not None and bool(seen) and self.outside not in seen

    async def run(self) -> None:
        """Keep the map until cancelled, and delete it then."""
        try:
            while True:
                pause = await self._renew()
                self.asked.set()
                await trio.sleep(pause)
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + BEFORE_END):
                await self._delete()

    async def _renew(self) -> float:
        """Ask once; return after how many seconds to ask again."""
        gateway = self._gateway or default_gateway()
        if gateway is None:
            self.mapped, self.trouble = None, "portmap/no-gateway"
            return AGAIN
        wanted = self.mapped.port if self.mapped is not None else self._port
        answer = await self._ask(gateway, wanted)
        if not isinstance(answer, Mapped):
            self.mapped = None
            self.trouble = answer.code if isinstance(answer, Refused) else "portmap/no-answer"
            return AGAIN
        said = answer.epoch, trio.current_time()
        lost = self._said is not None and portmap.forgot(self._said, said)
        self._said, self.trouble = said, None
        if answer.host is not None:
            self.outside = answer.host
        elif self.outside is None or lost:
            told = await self._exchange(gateway, portmap.pmp_address())
            self.outside = told.host if isinstance(told, Outside) else None
        self.mapped = answer
        return max(SOONEST, answer.lease / 2)

    async def _ask(self, gateway: str, wanted: int) -> Mapped | Outside | Refused | None:
        if self._pcp:
            own = _own_towards(gateway)
            answer = await self._exchange(gateway, portmap.pcp_map(self._port, own, self._nonce, wanted))
            if not isinstance(answer, Refused) or answer.code != "portmap/version":
                if answer is not None:
                    return answer
            else:
                self._pcp = False
        return await self._exchange(gateway, portmap.pmp_map(self._port, wanted))

    async def _exchange(self, gateway: str, question: bytes) -> Mapped | Outside | Refused | None:
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

    async def _delete(self) -> None:
        gateway = self._gateway or default_gateway()
        if self.mapped is None or gateway is None:
            return
        if self._pcp:
            question = portmap.pcp_map(self._port, _own_towards(gateway), self._nonce, 0, 0)
        else:
            question = portmap.pmp_map(self._port, 0, 0)
        await self._exchange(gateway, question)


def _own_towards(gateway: str) -> str:
    """Return this machine's address towards the router; no packet is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((gateway, portmap.PORT))
        except OSError:
            return "0.0.0.0"  # noqa: S104  the router will refuse it
        host: str = probe.getsockname()[0]
        return host
