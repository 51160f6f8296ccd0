"""How an address is dialed: its scheme names the transport."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from p2p.link.address import TCP, Address, endpoint_of, scheme
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local, Meeting
from p2p.link.tcp import dial as dial_tcp

Dial: TypeAlias = Callable[[Address, Local, Meeting, bytes | None], Awaitable[Pipe]]
"""Become a pipe to whoever is at an address: this process, where the two meet, and who must answer (None: anybody)."""


async def _by_tcp(address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
    host, port = endpoint_of(address)
    return await dial_tcp(host, port, local, meeting, expected)


TRANSPORTS: Final[Mapping[str, Dial]] = {TCP: _by_tcp}


async def dial(address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
    """Dial an address. Raises LinkRefusedError, "link/no-transport" with the scheme where there is none for it."""
    transport = TRANSPORTS.get(scheme(address))
    if transport is None:
        raise LinkRefusedError("link/no-transport", scheme(address))
    return await transport(address, local, meeting, expected)
