# SPDX-License-Identifier: GPL-3.0-or-later
"""Dials an address by the transport that its scheme names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol, TypeAlias

from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local, Meeting
from p2p.link.punched import AGAIN, punch
from p2p.link.relayed import call
from p2p.link.tcp import dial as dial_tcp
from p2p.wire.address import RELAY, TCP, Address, endpoint_of, scheme

Dial: TypeAlias = Callable[[Address, Local, Meeting, bytes | None], Awaitable[Pipe]]
"""Connects to an address. Arguments: the address, this process, the meeting, the identity expected (None for any)."""


class Punch(Protocol):
    """Connects to an address while the other side connects to ours, as `p2p.link.punched.punch` does."""

    async def __call__(
        self,
        address: Address,
        local: Local,
        meeting: Meeting,
        expected: bytes | None,
        *,
        leads: bool,
        again: float = AGAIN,
    ) -> Pipe: ...


async def _by_tcp(address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
    host, port = endpoint_of(address)
    return await dial_tcp(host, port, local, meeting, expected)


__all__ = ["AGAIN", "TRANSPORTS", "Dial", "Punch", "dial", "punch"]

TRANSPORTS: Final[Mapping[str, Dial]] = {TCP: _by_tcp, RELAY: call}


async def dial(address: Address, local: Local, meeting: Meeting, expected: bytes | None) -> Pipe:
    """Dial an address. Raises LinkRefusedError; its code is "link/no-transport", with the scheme, for an unknown
    scheme."""
    transport = TRANSPORTS.get(scheme(address))
    if transport is None:
        raise LinkRefusedError("link/no-transport", scheme(address))
    return await transport(address, local, meeting, expected)
