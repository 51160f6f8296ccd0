"""Dialing several addresses of a peer at once."""

from __future__ import annotations

from typing import Any

import trio

from p2p.reach.race import race


class Opened:
    """A pipe that notes that it was closed."""

    closed = False

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()
        self.closed = True


async def test_who_gives_up_at_the_moment_at_which_a_dial_succeeds_keeps_no_pipe() -> None:
    pipe: Any = Opened()

    async def dial(_address: str) -> Any:  # the other address is still waited for
        scope.cancel()
        return pipe

    with trio.CancelScope() as scope:
        await race(["tcp://192.0.2.1:4000", "tcp://192.0.2.2:4000"], dial, trio.CapacityLimiter(1))
    assert scope.cancelled_caught
    assert pipe.closed
