# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs trio as a guest of asyncio, for a person's terminal, which needs both.

prompt_toolkit runs on asyncio, everything else on trio. `run` starts asyncio and lets trio run inside it, in the same
thread; trio code awaits an asyncio coroutine by `LoopHost.ask`. Headless peers and bots do not use it.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import trio

from p2p.link.pulse import DayClock

T = TypeVar("T")
R = TypeVar("R")


class LoopHost:
    """The asyncio loop, as trio sees it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    async def ask(self, work: Coroutine[Any, Any, R]) -> R:
        """Run an asyncio coroutine and return what it returns; cancelled with the trio scope that awaits it. It has
        ended when this returns."""
        done, token = trio.Event(), trio.lowlevel.current_trio_token()
        task = self._loop.create_task(work)
        task.add_done_callback(lambda _task: token.run_sync_soon(done.set))
        try:
            await done.wait()
        except trio.Cancelled:
            task.cancel()
            with trio.CancelScope(shield=True):
                await done.wait()
            raise
        return task.result()


def run(main: Callable[[LoopHost], Awaitable[T]]) -> T:
    """Run `main` on trio inside asyncio and return its result. A request to end this process is raised in its main
    task, as in `client.system.running`."""
    return asyncio.run(_host(main))()


async def _host(main: Callable[[LoopHost], Awaitable[T]]) -> Callable[[], T]:
    """Run the guest to its end; the result is called outside of asyncio, to return or raise what the guest did."""
    loop = asyncio.get_running_loop()
    finished: asyncio.Future[Callable[[], T]] = loop.create_future()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # trio replaces only this one, and asyncio has its own
    trio.lowlevel.start_guest_run(
        main,
        LoopHost(loop),
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=lambda outcome: finished.set_result(outcome.unwrap),
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
        clock=DayClock(),
    )
    return await finished
