"""The watch on the event loop: it sees what holds it up, and where."""

from __future__ import annotations

from time import thread_time

import trio
from trio.testing import MockClock

from client.system.journal import Field
from client.table.checked import ENTRIES, split
from client.table.watchdog import LONGEST, Watchdog
from p2p.wire.messages import Push, Sent, Want


class Notes:
    """A log that remembers."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Field]]] = []

    def __call__(self, event: str, /, **fields: Field) -> None:
        self.lines.append((event, fields))


def hold(seconds: float) -> None:
    """Keep the processor busy."""
    until = thread_time() + seconds
    while thread_time() < until:
        pass


async def quick() -> None:
    for _ in range(20):
        await trio.lowlevel.checkpoint()


async def slow() -> None:
    await trio.sleep(1)
    hold(2 * LONGEST)
    await trio.sleep(1)


def test_a_step_that_holds_up_the_loop_is_logged_with_the_place_where_it_ended() -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(quick)
            nursery.start_soon(slow)

    log = Notes()
    watchdog = Watchdog(log)
    trio.run(main, clock=MockClock(autojump_threshold=0), instruments=[watchdog])
    held = [fields for event, fields in log.lines if event == "loop/held"]
    assert any(str(fields["where"]).endswith("slow") for fields in held)
    assert watchdog.longest.work >= 2 * LONGEST
    assert watchdog.longest.took >= watchdog.longest.work * 0.9
    event, last = log.lines[-1]
    assert event == "loop/longest"
    assert last["work"] == round(watchdog.longest.work * 1000, 3)
    assert watchdog.steps > 20


def test_work_in_a_thread_holds_up_nothing() -> None:
    async def main() -> None:
        await trio.to_thread.run_sync(hold, 10 * LONGEST)

    watchdog = Watchdog(Notes())
    trio.run(main, instruments=[watchdog])
    assert watchdog.longest.work < 10 * LONGEST


def test_a_message_of_many_entries_is_heard_in_parts_and_in_its_order() -> None:
    entries = tuple(Sent(bytes([number]), None) for number in range(2 * ENTRIES + 1))
    parts = split(Push(entries))
    assert [len(part.entries) for part in parts if isinstance(part, Push)] == [ENTRIES, ENTRIES, 1]
    assert tuple(sent for part in parts if isinstance(part, Push) for sent in part.entries) == entries
    want = Want(bytes(32), bytes(32), 0, 1)
    assert split(want) == [want]
    assert split(Push(())) == []
