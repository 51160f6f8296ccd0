# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets a relay or friend call this process back at the port that others use, to see whether it comes through."""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from typing import Final

import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.relayed import Visit, ask_back, visit
from p2p.link.tcp import Listener, host_of
from p2p.reach.verdict import CallBack
from p2p.wire.address import Address
from p2p.wire.relaying import LEAST_PORT, ROOM

LATER: Final = 0.5
"""Seconds by which a call may be read after the relay has said that it called."""


async def called_back(
    listener: Listener, by: Address, port: int, *, certain: bool, visit: Visit = visit
) -> CallBack | None:
    """Return what came of asking a relay to call; None if it does not call: it is an old one, is gone, has called
    within the last ten seconds, or names no IP address.

    port: the one that others dial, which a router may pass on to the listening port.
    certain: as in `CallBack`.
    """
    if port < LEAST_PORT:
        return None
    number, came = secrets.token_bytes(ROOM), trio.Event()
    listener.calls_back[number] = came
    try:
        sight = await ask_back(by, port, number, visit)
        with trio.move_on_after(LATER):
            await came.wait()
        host = str(ip_address(host_of(sight.endpoint).partition("%")[0]))
        return CallBack(by, host, port, came.is_set(), certain)
    except (LinkRefusedError, ValueError):  # a relay may name anything as the address at which it called
        return None
    finally:
        del listener.calls_back[number]
