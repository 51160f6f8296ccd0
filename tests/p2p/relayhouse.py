"""A relay on this machine, and visitors whose only way to each other leads through it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import trio

from p2p.identity.keys import SigningKey
from p2p.link.meet import Local, table_meeting
from p2p.link.tcp import Listener, open_listener
from p2p.reach.relay import Limits, Relay

TABLE = table_meeting(b"t" * 32)


@dataclass(slots=True)
class House:
    """relay: what serves; address: where."""

    relay: Relay
    listener: Listener
    address: str


@asynccontextmanager
async def relay_house(
    limits: Limits | None = None, clock: Callable[[], float] = time.time, **how: Any
) -> AsyncIterator[House]:
    relay = Relay(limits, clock=clock, **how)
    async with open_listener(Local(SigningKey.from_seed(b"r" * 32), "relay"), (), host="127.0.0.1") as listener:
        listener.relay = relay.serve
        yield House(relay, listener, f"relay://127.0.0.1:{listener.port}")


def person(name: str) -> Local:
    return Local(SigningKey.from_seed(name.encode() * 32), "test 1")


@contextmanager
def ends_in_time() -> Iterator[None]:
    with trio.fail_after(150):
        yield


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110  what is awaited has no event
        await trio.sleep(0.01)
