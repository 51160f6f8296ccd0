"""Byte streams within a link, and the friend who passes on over them what two others say."""

from __future__ import annotations

import random
from collections import deque
from contextlib import suppress

import pytest
import trio
from relayhouse import ends_in_time, until
from trio.testing import MockClock, check_two_way_stream

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, table_meeting
from p2p.link.within import MAX_STREAMS, WINDOW, Streams, StreamWithin
from p2p.reach.news import Came
from p2p.reach.opened import Reach, open_reach
from p2p.reach.relay import Limits, Relay
from p2p.wire.address import at_endpoint, at_friend, friend_of
from p2p.wire.codec import WireError
from p2p.wire.messages import Lobby, Within, pack, parse
from p2p.wire.pieces import MAX_PIECE

TABLE = table_meeting(b"t" * 32)
ANN, BOB, FAY = (SigningKey.from_seed(name * 32) for name in (b"a", b"b", b"f"))


class Ends:
    """The streams of both ends of a link, which carries every word at once. opened: by the answerer's other side."""

    def __init__(self) -> None:
        self.opened: list[StreamWithin] = []
        self.words: list[Within] = []
        self._under_way: deque[tuple[Streams, bytes]] = deque()
        self.one = Streams(True, lambda word: self.say(self.other, word))
        self.other = Streams(False, lambda word: self.say(self.one, word))
        self.other.opened = self.opened.append

    def say(self, hearer: Streams, word: Within) -> None:
        self.words.append(word)
        self._under_way.append((hearer, pack(word)))
        if len(self._under_way) == 1:
            while self._under_way:
                hearer, data = self._under_way[0]
                heard = parse(data)
                assert isinstance(heard, Within)
                hearer.hear(heard)
                self._under_way.popleft()

    async def pair(self) -> tuple[StreamWithin, StreamWithin]:
        mine = self.one.open()
        await mine.send_all(b"!")
        theirs = self.opened.pop()
        assert await theirs.receive_some() == b"!"
        return mine, theirs


async def test_a_stream_within_a_link_does_what_trio_asks_of_a_stream() -> None:
    async def clogged() -> tuple[StreamWithin, StreamWithin]:
        one, other = await Ends().pair()
        await one.send_all(bytes((WINDOW - 1) * MAX_PIECE))  # the first piece was read, which is told later
        return one, other

    with ends_in_time():
        await check_two_way_stream(lambda: Ends().pair(), None)
        one, other = await clogged()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.send_all, b"more")
            await trio.testing.wait_all_tasks_blocked()
            read = b""
            while not read.endswith(b"more"):
                read += await other.receive_some()


async def test_who_does_not_read_one_stream_holds_up_no_other() -> None:
    ends = Ends()
    slow, _ = await ends.pair()
    quick, end = await ends.pair()
    sent = len(ends.words)
    with trio.move_on_after(0):
        await slow.send_all(bytes(MAX_PIECE * 100))
    assert len(ends.words) - sent <= WINDOW
    await quick.send_all(b"word")
    assert await end.receive_some() == b"word"


async def test_a_piece_tells_too_how_many_were_taken() -> None:
    ends = Ends()
    one, other = await ends.pair()
    for _ in range(2 * WINDOW):
        await other.send_all(b"word")
        assert await one.receive_some() == b"word"
        await one.send_all(b"answer")
        assert await other.receive_some() == b"answer"
    assert all(word.data for word in ends.words)


async def test_a_friend_passes_every_byte_on_in_order_at_once_or_when_it_may(autojump_clock: MockClock) -> None:
    one, calling = await Ends().pair()
    waiting, other = await Ends().pair()
    relay = Relay(Limits(bytes=2_000))
    sent = random.Random(1).randbytes(40_000)
    read = b""

    async def send() -> None:
        for start in range(0, len(sent), 700):
            await one.send_all(sent[start : start + 700])
            await trio.sleep(0.5 if start < 20_000 else 0.1)  # slower than the limit, and then faster
        await one.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(relay.pass_on, calling, waiting)
        nursery.start_soon(send)
        while len(read) < len(sent):
            read += await other.receive_some(500)
    assert read == sent
    assert relay.bytes == len(sent)


async def test_more_than_was_asked_for_breaks_the_protocol() -> None:
    opened: list[StreamWithin] = []
    streams = Streams(False, lambda _: None)
    streams.opened = opened.append
    for _ in range(WINDOW):
        streams.hear(Within(0, b"x"))
    with pytest.raises(WireError, match="message/stream"):
        streams.hear(Within(0, b"x"))
    with pytest.raises(WireError, match="message/stream"):
        streams.hear(Within(0, taken=1))


async def test_streams_are_bounded_and_words_for_one_that_has_ended_say_nothing() -> None:
    said: list[Within] = []
    opened: list[StreamWithin] = []
    streams = Streams(True, said.append)
    streams.hear(Within(1, b"x"))
    assert said == [Within(1)]  # nobody serves here
    streams.opened = opened.append
    for number in range(MAX_STREAMS + 1):
        streams.hear(Within(3 + 2 * number, b"x"))
    assert len(opened) == MAX_STREAMS
    assert said[1:] == [Within(3 + 2 * MAX_STREAMS)]
    await opened[0].aclose()
    streams.hear(Within(3, b"late"))
    streams.hear(Within(2, b"of this side's numbers, never opened"))
    assert len(opened) == MAX_STREAMS


async def test_streams_end_with_their_link() -> None:
    ends = Ends()
    mine, _ = await ends.pair()
    ends.one.end()
    assert await mine.receive_some() == b""
    with pytest.raises(trio.BrokenResourceError):
        await mine.send_all(b"x")


def test_a_friends_address_names_the_friend_and_no_place() -> None:
    assert friend_of(at_friend(FAY.public)) == FAY.public
    assert friend_of("relay://192.0.2.1:4000") is None
    assert friend_of("friend:/nothing") is None


async def test_a_friend_whom_nobody_can_dial_passes_on_what_two_others_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reach, "places", lambda _: ())  # or both would dial each other as soon as they are linked
    loopback = {"host": "127.0.0.1", "lan": False}
    with ends_in_time():
        async with (
            open_reach(Local(FAY, "test"), {TABLE}, **loopback) as fay,  # type: ignore[arg-type]
            open_reach(Local(ANN, "test"), {TABLE}, **loopback) as ann,  # type: ignore[arg-type]
            open_reach(Local(BOB, "test"), {TABLE}, **loopback) as bob,  # type: ignore[arg-type]
            trio.open_nursery() as nursery,
        ):
            for reach, other in ((ann, BOB), (bob, ANN)):
                reach.supervisor.want(TABLE, other.public)  # no address of it is known
            for reach in (ann, bob):
                fay.supervisor.want(
                    TABLE, reach.listener.local.identity.public, [at_endpoint("127.0.0.1", reach.listener.port)]
                )
            heard: list[bytes] = []
            for reach, other in ((ann, BOB), (bob, ANN)):
                nursery.start_soon(_greet, reach, other.public, heard)
            await until(lambda: {*heard} == {ANN.public, BOB.public})
            assert fay.relay.bytes
            assert not fay.listener.counts  # nobody came in
            nursery.cancel_scope.cancel()


async def _greet(reach: Reach, other: bytes, heard: list[bytes]) -> None:
    """Say a word on every link to somebody, and note whose word came."""

    async def listen(link: LiveLink) -> None:
        with suppress(LinkDownError):  # of two that call each other one call gives way
            if await link.recv() == pack(Lobby("hello", None)):
                heard.append(link.peer_id)

    async with trio.open_nursery() as nursery:
        async for news in reach.supervisor.news:
            if isinstance(news, Came) and news.link.peer_id == other:
                assert news.link.pipe.via == at_friend(FAY.public)
                news.link.send(pack(Lobby("hello", None)))
                nursery.start_soon(listen, news.link)
