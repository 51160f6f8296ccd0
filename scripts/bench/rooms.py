# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay in a process of its own, which says what it costs: `bench.module("rooms", HOST)`.

Who begins with ECHO instead of a request gets everything back. It prints its port, and for each line that it reads one
of JSON: seconds of the processor and greatest memory in bytes.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from functools import partial
from time import process_time
from typing import Final

import trio

from client.system.platform import allow_files, peak_memory
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.tcp import endpoint, first_message
from p2p.reach.relay import Limits, Relay
from p2p.wire.frames import MAX_FRAME

ROOMS: Final = 1_000
FAST: Final = 1_000_000_000
LIMITS: Final = Limits(2 * ROOMS, 2 * ROOMS, bytes=FAST, household_bytes=FAST, all_bytes=FAST)
"""All come from this machine, and how fast bytes are passed on is what is measured."""

ECHO: Final = b"echo"


async def serve(host: str = "127.0.0.1") -> None:
    """Relay until there is nothing more to read."""
    relay = Relay(LIMITS)
    allow_files(3 * ROOMS)

    async def visited(stream: trio.SocketStream) -> None:
        frames = Frames(stream)
        try:
            first = await first_message(frames)
        except (LinkRefusedError, trio.EndOfChannel, trio.BrokenResourceError):
            await trio.aclose_forcefully(stream)
            return
        if first == ECHO:
            await _echo(frames)
        else:
            await relay.serve(frames, first, endpoint(stream))

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, visited, 0, host=host))
        _say({"port": listener.socket.getsockname()[1]})
        while await trio.to_thread.run_sync(sys.stdin.readline):
            _say({"cpu": process_time(), "memory": peak_memory(), "rooms": relay.joined})
        nursery.cancel_scope.cancel()


async def _echo(frames: Frames) -> None:
    """Send back whatever comes: what the way to the relay and back takes alone."""
    with suppress(trio.EndOfChannel, trio.BrokenResourceError):
        while True:
            await frames.send(await frames.recv(MAX_FRAME))


def _say(facts: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(facts) + os.linesep)
    sys.stdout.flush()


if __name__ == "__main__":
    trio.run(partial(serve, *sys.argv[1:]))
