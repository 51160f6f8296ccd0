# SPDX-License-Identifier: GPL-3.0-or-later
"""A circuit relay of libp2p in its own process, with the library of the extra: `python -m p2p.testing.hop` prints its
address and relays until its input ends."""

from __future__ import annotations

import sys
from typing import Final

import trio
from libp2p import create_yamux_muxer_option, new_host
from libp2p.relay.circuit_v2.protocol import CircuitV2Protocol
from libp2p.relay.circuit_v2.resources import RelayLimits
from libp2p.tools.anyio_service import background_trio_service
from multiaddr import Multiaddr

from p2p.wire.circuit import relay_address

LIMITS: Final = RelayLimits(duration=3_600, data=2**40, max_circuit_conns=9, max_reservations=9)
"""An hour, and more bytes than any test sends. Other tests cover the limits of a relay."""


async def serve() -> None:
    """Relay until the input ends."""
    host = new_host(muxer_opt=create_yamux_muxer_option())
    listen = [Multiaddr("/ip4/127.0.0.1/tcp/0")]
    async with host.run(listen_addrs=listen), background_trio_service(CircuitV2Protocol(host, LIMITS, allow_hop=True)):
        sys.stdout.write(relay_address(str(host.get_addrs()[0])) + "\n")
        sys.stdout.flush()
        await trio.to_thread.run_sync(sys.stdin.read)


if __name__ == "__main__":
    trio.run(serve)
