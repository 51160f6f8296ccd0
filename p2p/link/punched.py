# SPDX-License-Identifier: GPL-3.0-or-later
"""TCP hole punching: both sides connect at the same moment, from ports that the other knows (simultaneous open).

A home router admits a packet that looks like an answer to one sent before. When both sides send the first packet of a
connection to each other, each opens its own router for the other's packet. Source: RFC 793, 3.4, figure 8; RFC 5128,
3.4.
"""

from __future__ import annotations

import errno
from typing import Final

import trio

from p2p.link.connecting import WHOLE_HANDSHAKE, connect_from
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.meet import Local, Meeting
from p2p.link.tcp import StreamPipe, answer_on, dial_on, endpoint, refusing
from p2p.wire.address import Address, endpoint_of

LASTS: Final = 3.0
"""Seconds of one attempt. The system repeats its packet after one second."""
AGAIN: Final = 0.1
REFUSED: Final = frozenset({errno.ECONNREFUSED, errno.ECONNRESET})


async def punch(
    address: Address, local: Local, meeting: Meeting, expected: bytes | None, *, leads: bool, again: float = AGAIN
) -> StreamPipe:
    """Connect to an address while the other side connects to ours. Raises LinkRefusedError.

    expected: identity key that must answer, None for any peer that knows the meeting.
    leads: True if this side starts the handshake; exactly one side does.
    again: seconds to wait after the other side's router has refused.
    """
    host, port = endpoint_of(address)
    stream = await _open(host, port, local.calling_port, again)
    async with refusing(stream):
        frames, remote = Frames(stream), endpoint(stream)
        if leads:
            pipe = await _lead(frames, local, meeting, expected, remote)
        else:
            pipe = await answer_on(frames, local, [meeting], remote)
        if expected is not None and pipe.peer_id != expected:
            raise LinkRefusedError("link/other-identity", pipe.peer_id)
        pipe.punched = True
        return pipe


async def _lead(frames: Frames, local: Local, meeting: Meeting, expected: bytes | None, remote: str) -> StreamPipe:
    with trio.move_on_after(WHOLE_HANDSHAKE):
        return await dial_on(frames, local, meeting, expected, remote)
    raise LinkRefusedError("link/timeout")


async def _open(host: str, port: int, own_port: int, again: float) -> trio.SocketStream:
    """Connect, repeatedly, since some routers refuse until the other side's packet has opened them."""
    with trio.move_on_after(LASTS):
        while True:
            try:
                return await connect_from(own_port, host, port)
            except OSError as error:
                if error.errno not in REFUSED:
                    raise LinkRefusedError("link/unreachable", error.strerror or str(error)) from error
            await trio.sleep(again)
    raise LinkRefusedError("link/timeout")
