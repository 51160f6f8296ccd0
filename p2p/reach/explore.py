# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out who can reach this process, before it tells others where it is.

The router is asked for a port, relays are asked whether they answer and how they see this machine, and relays and
friends call back at the port that others use.
"""

from __future__ import annotations

from collections.abc import Collection

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.relayed import look
from p2p.reach.called import called_back
from p2p.reach.opened import Reach
from p2p.wire.address import FRIEND, LIBP2P, RELAY, Address, at_port, friend_of, scheme

__all__ = ["explore", "visit_relay"]

LOOK_EVERY = 0.1


async def explore(reach: Reach, patience: float, relays: Collection[Address] = ()) -> None:
    """Ask all of them for at most `patience` seconds; `Reach.facts` tells what came of it.

    relays: others than those where this process waits.
    """
    with trio.move_on_after(patience):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reach.asked_router)
            for each in dict.fromkeys([*relays, *reach.relays_by(RELAY), *reach.supervisor.friends()]):
                if scheme(each) in (RELAY, FRIEND):
                    nursery.start_soon(visit_relay, reach, each)
            nursery.start_soon(_until_let_in, reach)


async def visit_relay(reach: Reach, relay: Address) -> None:
    """See whether a relay or friend answers, let it call back, and ask it at both of its ports how it sees this
    machine."""
    reach.answering.discard(relay)
    try:
        await look(relay, 0, reach.visit)
        reach.answering.add(relay)
        await reach.asked_router()  # the call comes to the port that the router passes on
        await _let_call_back(reach, relay)
        if relay in reach.relays:
            return  # the doors there look from the listening port, which two cannot do at once
        calling = reach.listener.local.calling_port
        first = await look(relay, calling, reach.visit)
        reach.doors.note(relay, first)
        if first.other_port and scheme(relay) == RELAY:
            other = at_port(relay, first.other_port)
            reach.doors.note(f"{relay} {first.other_port}", await look(other, calling))
    except LinkRefusedError:
        if relay not in reach.answering:
            reach.doors.answering.discard(relay)  # until it lets this process wait again


async def _let_call_back(reach: Reach, relay: Address) -> None:
    asked, certain = reach.outer_port(), _certain(reach, relay)
    call = await called_back(reach.listener, relay, asked, certain=certain, visit=reach.visit)
    if call is not None and (call.family == 4 or asked == reach.listener.port):  # the router passes on IPv4 alone
        before = reach.calls.get(relay)
        reach.calls[relay] = before if before is not None and before.came and call.came else call


def _certain(reach: Reach, relay: Address) -> bool:
    """True if the listening port has not connected to a relay or friend, whom a router might let in for that alone."""
    friend = friend_of(relay)
    punched = any(peer == friend and link.pipe.punched for (peer, _), link in reach.supervisor.links.items())
    return relay not in reach.reflections.exact and not punched


async def _until_let_in(reach: Reach) -> None:
    """Wait until each relay has let this process wait or failed, if it is called at relays at all."""
    relays = reach.relays if reach.doors.called_at() else reach.relays_by(LIBP2P)
    while not {*reach.standing_at(), *reach.troubles()}.issuperset(relays):  # noqa: ASYNC110  no event
        await trio.sleep(LOOK_EVERY)
