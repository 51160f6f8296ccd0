"""How a link ends: nothing that was sent before a good-bye is lost."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest
import trio
from reachworld import want, world
from trio.testing import MockClock

from p2p.link.contract import LinkDownError
from p2p.link.live import LINGER, LiveLink, live
from p2p.wire.messages import Bye, Lobby, Ping, link_message, pack

LAST = pack(Lobby("last", None))


class Scripted(SimpleNamespace):
    """A pipe that hears what it is given. breaks: it can send nothing; silent: it hears nothing; broken: set when
    sending has failed; gone: when the other side closes; closed: when this side did, None before."""

    def __init__(self, heard: Sequence[bytes], *, breaks: bool = False, silent: bool = False) -> None:
        super().__init__(remote="", peer_id=b"p" * 32, dialed=False)
        self.heard, self.breaks, self.silent = list(heard), breaks, silent
        self.broken, self.gone = trio.Event(), trio.Event()
        self.sent: list[bytes] = []
        self.closed: float | None = None

    async def send(self, messages: Sequence[bytes]) -> None:
        await trio.lowlevel.checkpoint()
        if self.breaks:
            self.broken.set()
            raise trio.BrokenResourceError
        self.sent += messages

    async def recv(self) -> bytes:
        if self.silent:
            await trio.sleep_forever()
        if self.breaks:
            await self.broken.wait()
            if not self.heard:
                raise trio.BrokenResourceError
        if not self.heard:
            await self.gone.wait()
            raise trio.EndOfChannel
        await trio.lowlevel.checkpoint()
        return self.heard.pop(0)

    def offer(self, message: bytes) -> bool:
        return False

    def abort(self) -> None:
        """Nothing is under way."""

    def doze(self, size: int) -> bool:
        return False

    def unheard(self) -> float:
        return 0.0

    async def aclose(self) -> None:
        self.closed = trio.current_time()


async def read(link: LiveLink) -> tuple[list[bytes], str]:
    """All that a link brings, and how it ends."""
    came = []
    try:
        while True:
            came.append(await link.recv())
    except LinkDownError as down:
        return came, down.code


@pytest.mark.parametrize(("heard", "code"), [([LAST, pack(Bye("bye/done"))], "bye/done"), ([LAST], "link/broken")])
async def test_what_came_before_a_break_is_read_though_the_writer_meets_the_break_first(
    autojump_clock: MockClock, heard: list[bytes], code: str
) -> None:
    async with live(Scripted(heard, breaks=True)) as link:
        assert await read(link) == ([LAST], code)


async def test_a_pipe_that_breaks_in_one_direction_alone_ends_all_the_same(autojump_clock: MockClock) -> None:
    async with live(Scripted([LAST], breaks=True, silent=True)) as link:
        assert await read(link) == ([], "link/broken")
        assert trio.current_time() - link.stats.since <= 2 * LINGER


async def test_who_says_good_bye_closes_when_the_other_side_has_read_it_and_closed(autojump_clock: MockClock) -> None:
    pipe = Scripted([pack(Ping(number)) for number in range(3)])
    async with live(pipe) as link, trio.open_nursery() as nursery:
        link.send(LAST)
        nursery.start_soon(link.aclose, "bye/done")
        await trio.sleep(LINGER / 2)
        assert pipe.sent[-2] == LAST
        assert link_message(pipe.sent[-1]) == Bye("bye/done")
        assert pipe.closed is None
        pipe.gone.set()
        assert await read(link) == ([], "bye/done")
    assert pipe.closed == link.stats.since + LINGER / 2


async def test_who_is_not_answered_by_a_closed_channel_closes_after_a_second(autojump_clock: MockClock) -> None:
    pipe = Scripted([])
    async with live(pipe) as link:
        await link.aclose("bye/done")
    assert pipe.closed == link.stats.since + LINGER


async def test_of_two_good_byes_that_cross_the_other_sides_counts(autojump_clock: MockClock) -> None:
    pipe = Scripted([LAST, pack(Bye("bye/done"))])
    async with live(pipe) as link:
        await link.aclose("bye/replaced")
        assert await read(link) == ([LAST], "bye/done")


async def test_who_comes_while_a_process_ends_hears_its_good_bye_too(autojump_clock: MockClock) -> None:
    async with world("a", "b", "c") as (made, (ann, bob, cat)):
        want(bob, ann)
        await trio.sleep(5)
        made.nursery.start_soon(ann.supervisor.close_all, "bye/done")
        want(cat, ann)
        await trio.sleep(0.5)
        assert ann.supervisor.links == {}
        assert {*bob.codes()} == {*cat.codes()} == {"bye/done"}


async def test_who_ends_dials_nobody_any_more(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        bob.answers = False
        want(ann, bob)
        await trio.sleep(1)
        await ann.supervisor.close_all("bye/leave")
        ann.dials.clear()
        await trio.sleep(60)
        assert ann.dials == []
