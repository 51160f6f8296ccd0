# SPDX-License-Identifier: GPL-3.0-or-later
"""A link through a circuit relay of libp2p beside a bare TCP connection; it needs the extra `starlock[libp2p]`.

The relay is the library's own, in a process of its own on this machine: what is measured is what the library adds, on
both sides and in between.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import trio

from bench import Measure, cost, rate
from bench.reach import ANN, BOB, TABLE, Carrier, bare, first_word, round_trip, throughput
from p2p.link.framed import Frames
from p2p.link.tcp import answer_on, dial_on
from p2p.wire.circuit import peer_id, through


def measures() -> list[Measure]:
    """The first word, round trips and throughput. Needs what `p2p.reach.circuits.installed` looks for."""
    command = [sys.executable, "-P", "-m", "p2p.testing.hop"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            return trio.run(_measured, process.stdout.readline().strip())
        finally:
            process.kill()


async def _measured(relay: str) -> list[Measure]:
    way = partial(_circuit, relay)
    (first, floor), (trip, least), (through_it, most) = [
        (await measured(way), await measured(bare)) for measured in (first_word, round_trip, throughput)
    ]
    return [
        cost("reach-first-libp2p", first * 1000, "ms", floor * 1000),
        cost("reach-trip-libp2p", trip * 1000, "ms", least * 1000),
        rate("reach-rate-libp2p", through_it / 1e6, "MB/s", most / 1e6),
    ]


@asynccontextmanager
async def _circuit(relay: str) -> AsyncIterator[tuple[Carrier, Carrier]]:
    """Both ends of a link through a relay, from opening both nodes on."""
    from p2p.link.libp2p import LibStream, open_node

    came, calls = trio.open_memory_channel[LibStream](1)
    seeds = [local.identity.seed() for local in (ANN, BOB)]
    async with open_node(seeds[0], came.send) as ann, open_node(seeds[1], came.send) as bob:
        await bob.reserve(relay)
        dialed = await ann.call(through(relay, peer_id(BOB.identity.public)))
        answered: list[Carrier] = []

        async def answer() -> None:
            answered.append(await answer_on(Frames(await calls.receive()), BOB, [TABLE], "", via=relay))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            one = await dial_on(Frames(dialed), ANN, TABLE, BOB.identity.public, "", via=relay)
        yield one, answered[0]
