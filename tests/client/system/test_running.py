"""A request to end this process, while trio runs its tasks."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator

import pytest
import trio

from client.system import bridge, running

Run = Callable[[Callable[[], Awaitable[None]]], None]


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    """Python's own handler for SIGINT, which a run of tests in the background lacks."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("run", [running.run, lambda main: bridge.run(lambda _host: main())], ids=["alone", "guest"])
def test_a_request_that_comes_while_a_link_works_lets_it_say_good_bye(run: Run) -> None:
    said: list[str] = []

    async def main() -> None:
        asked, left = trio.Event(), trio.Event()

        async def link() -> None:
            await asked.wait()
            signal.raise_signal(signal.SIGINT)
            await left.wait()
            said.append("good-bye")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(link)
            try:
                asked.set()
                await trio.sleep_forever()
            finally:
                left.set()

    with pytest.raises(BaseExceptionGroup):
        run(main)
    assert said == ["good-bye"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
