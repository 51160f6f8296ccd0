# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the network of this machine outside of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.system.system_troubles import parts
from client.table.doctor import DoctorStep, examined, not_listening
from client.table.identity import Identity
from client.table.peer import PROGRAM
from client.table.relays import with_passes
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local
from p2p.reach.opened import open_reach
from p2p.reach.ticket import Ticket
from p2p.wire.address import Address


async def steps_here(
    identity: Identity,
    ticket: Ticket | None = None,
    *,
    port: int = 0,
    public: Callable[[int], tuple[Address, ...]] = lambda _port: (),
    relays: Sequence[Address] = (),
) -> list[DoctorStep]:
    """Listen as at a table, and check that; see `client.table.doctor.examined`.

    port, public: as in `open_reach`. relays: those where this starlock would wait.
    """
    steps: list[DoctorStep] = []
    try:
        async with open_reach(Local(identity.key, PROGRAM), [], port=port, public=public) as reach:
            reach.wait_at(with_passes(relays))
            steps += await examined(reach, ticket)
    except* LinkRefusedError as group:
        refused = next(each for each in parts(group) if isinstance(each, LinkRefusedError))
        steps.append(not_listening(refused))
    return steps
