from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest
import trio
import trio.testing

from client.system import bridge


async def _after(seconds: float, value: int) -> int:
    await asyncio.sleep(seconds)
    return value


def test_trio_awaits_what_asyncio_does() -> None:
    async def main(host: bridge.LoopHost) -> int:
        return await host.ask(_after(0, 7))

    assert bridge.run(main) == 7


def test_an_error_of_asyncio_is_raised_in_trio() -> None:
    async def fail() -> None:
        raise ValueError("no")

    async def main(host: bridge.LoopHost) -> str:
        with pytest.raises(ValueError, match="no"):
            await host.ask(fail())
        return "caught"

    assert bridge.run(main) == "caught"


def test_an_error_of_trio_leaves_the_bridge() -> None:
    async def main(host: bridge.LoopHost) -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        bridge.run(main)


def test_what_is_not_awaited_any_more_is_cancelled_and_over() -> None:
    ended: list[str] = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("asyncio")

    async def main(host: bridge.LoopHost) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.ask, endless())
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        ended.append("trio")

    bridge.run(main)
    assert ended == ["asyncio", "trio"]


def test_ctrl_c_cancels_the_guest_and_is_raised_in_the_end() -> None:
    ended: list[str] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it

    async def main(host: bridge.LoopHost) -> None:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            await host.ask(asyncio.Event().wait())
        finally:
            ended.append("trio")

    try:
        with pytest.raises(KeyboardInterrupt):
            bridge.run(main)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == ["trio"]
