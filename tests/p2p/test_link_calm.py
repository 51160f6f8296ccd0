"""A link on which nothing is said: pings wake nobody, all else does at once, silence ends it as early as ever."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
import trio
from test_link_ending import Scripted
from trio.testing import MockClock

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError
from p2p.link.framed import Frames
from p2p.link.live import ALIVE, DEAD_AFTER, DOZE, FIRST_SERIAL, LINGER, PING_EVERY, LiveLink, live
from p2p.link.meet import Local, table_meeting
from p2p.link.tcp import StreamPipe, dial, open_listener
from p2p.reach.opened import CALM, Reach
from p2p.wire.frames import TAG, frame
from p2p.wire.messages import Bye, Have, Here, Lobby, Message, Ping, Pong, Want, Within, pack

WORD = pack(Lobby("word", None))
SHORTEST: Sequence[Message] = (
    *(Ping(FIRST_SERIAL), Pong(0, ""), Bye("x"), Here(()), Within(0), Lobby("", None)),
    *(Want(bytes(32), bytes(32), 0, 1), Have(bytes(32), None, ())),
)


class Dozing(Scripted):
    """A pipe of a system that can let its reader sleep. can: whether it does; wakes: how often it woke the reader."""

    def __init__(self, *, can: bool = True) -> None:
        super().__init__([])
        self.can, self.least, self.wakes = can, 1, 0
        self.last, self.rung = trio.current_time(), trio.Event()

    def arrive(self, message: bytes) -> None:
        self.heard.append(message)
        self.last = trio.current_time()
        if sum(len(frame(each)) + TAG for each in self.heard) >= self.least:
            self.rung.set()

    async def recv(self) -> bytes:
        await trio.lowlevel.checkpoint_if_cancelled()
        if not self.heard:
            self.rung = trio.Event()
            await self.rung.wait()
            self.wakes += 1
        return self.heard.pop(0)

    def doze(self, size: int) -> bool:
        before, self.least = self.least, size if self.can else 1
        return max(before, self.least) > 1

    def unheard(self) -> float:
        return trio.current_time() - self.last if self.can else 0.0

    async def live_on(self, seconds: float) -> None:
        """Say a tenth of a second after each beat that the other side lives."""
        for _ in range(int(seconds / PING_EVERY)):
            await trio.sleep_until((trio.current_time() // PING_EVERY + 1) * PING_EVERY + 0.1)
            self.arrive(pack(ALIVE))


@pytest.mark.parametrize("message", SHORTEST, ids=lambda message: type(message).__name__)
def test_nothing_is_as_short_as_the_ping_that_wakes_nobody(message: Message) -> None:
    assert len(frame(pack(message))) + TAG >= DOZE > len(frame(pack(ALIVE))) + TAG


async def test_pings_alone_wake_nobody_and_a_word_does_at_once(autojump_clock: MockClock) -> None:
    pipe = Dozing()
    async with live(pipe) as link:
        await pipe.live_on(10)
        before = pipe.wakes
        await pipe.live_on(60)
        assert (pipe.wakes, link.code) == (before, None)
        assert set(pipe.sent[-20:]) == {pack(ALIVE)}
        await trio.sleep(0.5)
        pipe.arrive(WORD)
        said = trio.current_time()
        assert (await link.recv(), trio.current_time()) == (WORD, said)


async def test_who_says_something_is_asked_for_a_pong_again(autojump_clock: MockClock) -> None:
    pipe = Dozing()
    async with live(pipe) as link:
        await pipe.live_on(20)
        link.send(WORD)
        await pipe.live_on(2)
        assert pack(Ping(FIRST_SERIAL + 2)) in pipe.sent


async def ended(link: LiveLink) -> tuple[str, float]:
    with pytest.raises(LinkDownError) as down:
        await link.recv()
    return down.value.code, trio.current_time()


@pytest.mark.parametrize("can", [True, False])
async def test_silence_ends_a_link_as_early_where_its_reader_dozes(autojump_clock: MockClock, can: bool) -> None:
    async with live(pipe := Dozing(can=can)) as link:
        await pipe.live_on(20)
        code, at = await ended(link)
        assert (code, round(at - pipe.last, 6)) == ("link/dead", DEAD_AFTER)


@pytest.mark.parametrize("can", [True, False])
async def test_a_ping_that_is_late_is_heard_when_it_comes(autojump_clock: MockClock, can: bool) -> None:
    async with live(pipe := Dozing(can=can)) as link:
        await pipe.live_on(20)
        for _ in range(3):
            await trio.sleep(DEAD_AFTER - 0.1)
            pipe.arrive(pack(ALIVE))
        await trio.sleep(DEAD_AFTER - 0.1)
        assert link.code is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always wake the reader")
async def test_the_system_wakes_the_reader_of_a_calm_connection_for_more_than_a_ping_only() -> None:
    ann, bob = (Local(SigningKey.from_seed(bytes([number]) * 32), "test") for number in (1, 2))
    meeting = table_meeting(b"t" * 32)
    async with open_listener(bob, [meeting], host="127.0.0.1") as listener:
        one = await dial("127.0.0.1", listener.port, ann, meeting, bob.identity.public)
        other = await listener.pipes.receive()
        assert isinstance(other, StreamPipe)
        assert other.doze(DOZE)
        heard: list[bytes] = []

        async def read() -> None:
            heard.append(await other.recv())
            heard.append(await other.recv())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await trio.testing.wait_all_tasks_blocked()
            await one.send([pack(ALIVE)])
            stream = frames_of(other).stream
            assert isinstance(stream, trio.SocketStream)
            with socket.socket(fileno=os.dup(stream.socket.fileno())) as raw:
                while not heard and not there(raw):
                    await trio.lowlevel.checkpoint()
            await trio.testing.wait_all_tasks_blocked()
            assert heard == []
            await one.send([WORD])
        assert heard == [pack(ALIVE), WORD]
        assert 0 <= other.unheard() < 60
        await one.aclose()
        await other.aclose()


def there(raw: socket.socket) -> bool:
    """True if something has come that nobody has read."""
    try:
        return bool(raw.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    except BlockingIOError:
        return False


def frames_of(pipe: StreamPipe) -> Frames:
    return next(value for value in vars(pipe).values() if isinstance(value, Frames))


@pytest.mark.parametrize(("linked", "seconds"), [(True, CALM), (False, 0.5)])
async def test_one_looks_seldom_where_to_wait_while_all_are_linked_and_at_once_for_somebody_new(
    autojump_clock: MockClock, linked: bool, seconds: float
) -> None:
    supervisor = SimpleNamespace(links={1: 2}, all_direct=lambda: linked, stirred=trio.lowlevel.ParkingLot())
    reach = Reach(listener=SimpleNamespace(port=0), meetings=())  # type: ignore[arg-type]
    reach.supervisor = supervisor  # type: ignore[assignment]
    began = trio.current_time()
    await reach.pause()
    assert trio.current_time() == began + seconds
    async with trio.open_nursery() as nursery:
        nursery.start_soon(reach.pause)
        await trio.testing.wait_all_tasks_blocked()
        supervisor.stirred.unpark_all()
    assert trio.current_time() == began + seconds


async def test_a_calm_link_ends_with_a_good_bye(autojump_clock: MockClock) -> None:
    async with live(pipe := Dozing()) as link:
        await pipe.live_on(20)
        pipe.arrive(pack(Bye("bye/done")))
        said = trio.current_time()
        assert await ended(link) == ("bye/done", said)
    assert trio.current_time() <= said + LINGER
