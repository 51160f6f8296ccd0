"""Connections that both sides open at the same moment, from the port where each listens (TCP simultaneous open).

A home router lets a packet in that looks like an answer to one that has gone out. When both sides send the first packet
of a connection to each other, each opens its own router for the other's. Source: RFC 793, 3.4, figure 8; RFC 5128, 3.4.
"""

from __future__ import annotations

import errno
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local, Meeting
from p2p.link.tcp import WHOLE_HANDSHAKE, Frames, StreamPipe, answer_on, connect_from, dial_on, endpoint, refusing
from p2p.wire.address import Address, endpoint_of

LASTS: Final = 3.0
"""Seconds that one try lasts; the system sends its packet again after one."""
AGAIN: Final = 0.1
REFUSED: Final = frozenset({errno.ECONNREFUSED, errno.ECONNRESET})


async def punch(address: Address, local: Local, meeting: Meeting, expected: bytes, *, leads: bool) -> StreamPipe:
    """Connect to an address while the other side connects to ours, and become a pipe. leads: whether this side begins
    the handshake; exactly one side does. Raises LinkRefusedError."""
    host, port = endpoint_of(address)
    stream = await _open(host, port, local.port)
    async with refusing(stream):
        frames, remote = Frames(stream), endpoint(stream)
        if leads:
            pipe = await _lead(frames, local, meeting, expected, remote)
        else:
            pipe = await answer_on(frames, local, [meeting], remote)
        if pipe.peer_id != expected:
            raise LinkRefusedError("link/other-identity", pipe.peer_id)
        pipe.punched = True
        return pipe


async def _lead(frames: Frames, local: Local, meeting: Meeting, expected: bytes, remote: str) -> StreamPipe:
    with trio.move_on_after(WHOLE_HANDSHAKE):
        return await dial_on(frames, local, meeting, expected, remote)
    raise LinkRefusedError("link/timeout")


async def _open(host: str, port: int, own_port: int) -> trio.SocketStream:
    """A router that answers for the other side refuses until the other's packet has opened it, so we try again."""
    with trio.move_on_after(LASTS):
        while True:
            try:
                return await connect_from(own_port, host, port)
            except OSError as error:
                if error.errno not in REFUSED:
                    raise LinkRefusedError("link/unreachable", error.strerror or str(error)) from error
            await trio.sleep(AGAIN)
    raise LinkRefusedError("link/timeout")
