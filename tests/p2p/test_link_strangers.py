"""Who is not let in, and what a stranger can and cannot learn or cost."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, memory_stream_pair

from p2p.identity.keys import SigningKey
from p2p.link import meet, tcp
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.live import live
from p2p.link.meet import Answering, Dialing, Local, Meeting, table_meeting
from p2p.link.strangers import HALF_OPEN, Strangers
from p2p.link.tcp import dial, greet_as_answerer, greet_as_dialer, household, open_listener
from p2p.wire.codec import WireError
from p2p.wire.frames import MAX_EARLY_FRAME, frame
from p2p.wire.messages import WIRE_VERSION, Hello, Lobby, Packed, Sent, pack, parse

ANN, BOB = Local(SigningKey.from_seed(b"a" * 32), "test 1"), Local(SigningKey.from_seed(b"b" * 32), "test 1")
EVE = Local(SigningKey.from_seed(b"e" * 32), "test 1")
TABLE, OTHER = table_meeting(b"t" * 32), table_meeting(b"o" * 32)
TICKET = Meeting(b"n" * 32, b"secret in a ticket")
Act = Callable[[trio.abc.Stream], Awaitable[object]]
PATIENCE = 150
"""Seconds by the clock on the wall, on a slow machine: a cap against hangs, no promise."""


async def both(dialer: Act, answerer: Act) -> tuple[object, object]:
    """Run the two sides of one connection; return what each made of it, a refusal as its code."""
    ends = memory_stream_pair()
    outcomes: list[object] = [None, None]

    async def side(number: int, act: Act) -> None:
        try:
            outcomes[number] = await act(ends[number])
        except LinkRefusedError as refused:
            outcomes[number] = refused.code

    async with trio.open_nursery() as nursery:
        nursery.start_soon(side, 0, dialer)
        nursery.start_soon(side, 1, answerer)
    return outcomes[0], outcomes[1]


def calls(local: Local, meeting: Meeting = TABLE, expected: bytes | None = None) -> Act:
    return lambda stream: greet_as_dialer(stream, local, meeting, expected, "there")


def answers(local: Local, *meetings: Meeting) -> Act:
    return lambda stream: greet_as_answerer(stream, local, meetings, "here")


async def test_two_who_know_a_meeting_meet_there_by_their_identities() -> None:
    for meeting in (TABLE, TICKET):
        ann, bob = await both(calls(ANN, meeting, BOB.identity.public), answers(BOB, OTHER, TABLE, TICKET))
        assert isinstance(ann, tcp.StreamPipe)
        assert isinstance(bob, tcp.StreamPipe)
        assert (ann.peer_id, bob.peer_id) == (BOB.identity.public, ANN.identity.public)
        assert ann.meeting == bob.meeting == meeting.name
        assert (ann.instance, bob.instance) == (BOB.instance, ANN.instance)


async def test_who_knows_no_meeting_gets_no_byte_in_answer() -> None:
    heard = b""

    async def eavesdrop(stream: trio.abc.Stream) -> None:
        nonlocal heard
        await stream.send_all(frame(Dialing(EVE, OTHER).first()))
        heard = bytes(await stream.receive_some(1_000))

    assert (await both(eavesdrop, answers(BOB, TABLE)))[1] == "link/unknown-meeting"
    assert heard == b""


async def test_the_dialer_of_an_unknown_meeting_is_told_that_the_other_hung_up() -> None:
    assert (await both(calls(ANN, OTHER), answers(BOB, TABLE)))[0] == "link/hung-up"


async def test_a_replayed_first_message_shows_no_identity() -> None:
    overheard = Dialing(ANN, TABLE).first()
    second = Answering(BOB, [TABLE]).second(overheard)
    for secret in (BOB.identity.public, BOB.static.public_key().public_bytes_raw()):
        assert secret not in second


async def test_another_person_at_the_address_is_refused_before_our_identity_is_shown() -> None:
    ann, eve = await both(calls(ANN, TABLE, BOB.identity.public), answers(EVE, TABLE))
    assert (ann, eve) == ("link/other-identity", "link/hung-up")


async def test_an_identity_cannot_be_claimed_without_its_key() -> None:
    forged = Local(SigningKey.from_seed(b"e" * 32), "test 1")
    forged.identity.public = BOB.identity.public
    assert (await both(calls(ANN), answers(forged, TABLE)))[0] == "link/bad-signature"
    assert (await both(calls(forged), answers(ANN, TABLE)))[1] == "link/bad-signature"


async def test_a_man_in_the_middle_who_knows_the_meeting_is_seen_by_his_own_identity() -> None:
    """He may pass every byte on, or answer himself; he cannot answer with a signature made for another channel."""
    to_bob = Dialing(EVE, TABLE)
    second = Answering(BOB, [TABLE]).second(to_bob.first())
    to_ann = Dialing(ANN, TABLE, BOB.identity.public)
    to_ann.first()
    with pytest.raises(WireError, match="noise/forged"):
        to_ann.finish(second)


async def test_another_wire_version_is_named_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    later = pack(Hello(WIRE_VERSION + 1, "starlock 9.9", bytes(8), 0))
    ours = pack(Hello(WIRE_VERSION, "x", bytes(8), 0))
    monkeypatch.setattr(Local, "hello", lambda self: later if self is BOB else ours)
    with pytest.raises(LinkRefusedError) as caught:
        meet.read_hello(later)
    assert (caught.value.code, caught.value.detail) == (
        "link/other-version",
        (WIRE_VERSION, WIRE_VERSION + 1, "starlock 9.9"),
    )
    assert (await both(calls(ANN), answers(BOB, TABLE)))[0] == "link/other-version"


async def test_the_first_word_inside_must_be_hello() -> None:
    with pytest.raises(WireError, match="message/no-hello"):
        meet.read_hello(pack(Lobby("hi", None)))


@pytest.mark.parametrize("size", [0, 1, 31, 32, 47, 49, MAX_EARLY_FRAME])
async def test_a_first_message_of_any_other_shape_is_hung_up_on(size: int) -> None:
    async def garbage(stream: trio.abc.Stream) -> None:
        await stream.send_all(size.to_bytes(2, "big") + bytes(size))
        await stream.receive_some(1)

    refused = (await both(garbage, answers(BOB, TABLE)))[1]
    assert refused in ("link/unknown-meeting", "frame/empty")


async def test_more_than_256_bytes_before_trust_are_refused_by_their_length() -> None:
    async def oversize(stream: trio.abc.Stream) -> None:
        await stream.send_all((MAX_EARLY_FRAME + 1).to_bytes(2, "big"))
        await stream.receive_some(1)

    assert (await both(oversize, answers(BOB, TABLE)))[1] == "frame/too-long"


async def test_a_stranger_who_says_nothing_is_hung_up_on_after_three_seconds(autojump_clock: MockClock) -> None:
    async def silent(stream: trio.abc.Stream) -> None:
        await stream.receive_some(1)

    assert (await both(silent, answers(BOB, TABLE)))[1] == "link/timeout"
    assert trio.current_time() == pytest.approx(3, abs=0.1)


@pytest.mark.parametrize("drops", [b"", b"\x00\xc8" + bytes(20)])
async def test_a_stranger_who_only_drips_is_hung_up_on_after_five_seconds(
    drops: bytes, autojump_clock: MockClock
) -> None:
    async def drip(stream: trio.abc.Stream) -> None:
        await stream.send_all(frame(Dialing(ANN, TABLE).first()))
        with suppress(trio.BrokenResourceError):
            for drop in drops:
                await trio.sleep(0.9)
                await stream.send_all(bytes([drop]))
        await trio.sleep(10)

    async def answer(stream: trio.abc.Stream) -> object:
        try:
            return await greet_as_answerer(stream, BOB, [TABLE], "here")
        finally:
            assert trio.current_time() == pytest.approx(5, abs=0.1)

    assert (await both(drip, answer))[1] == "link/timeout"


async def on_loopback(act: Callable[[tcp.Listener], Awaitable[None]]) -> tcp.Listener:
    async with open_listener(BOB, [TABLE], host="127.0.0.1") as listener:
        with trio.fail_after(PATIENCE):
            await act(listener)
    return listener


async def until(condition: Callable[[], bool]) -> None:
    """Wait for the sockets, whose time no virtual clock tells."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end
        await trio.lowlevel.checkpoint()


async def test_a_household_may_knock_nine_times_at_once_and_then_twice_a_second(mock_clock: MockClock) -> None:
    async def knocks(listener: tcp.Listener, times: int) -> tuple[int, int]:
        """How many have been heard and how many were too many, all in all."""
        for _ in range(times):
            known = listener.counts.total()
            await (await trio.open_tcp_stream("127.0.0.1", listener.port)).aclose()
            await until(lambda known=known: listener.counts.total() == known + 1)  # type: ignore[misc]
        return listener.counts["link/hung-up"], listener.counts["listen/knocks"]

    async def knock(listener: tcp.Listener) -> None:
        assert await knocks(listener, 12) == (9, 3)
        mock_clock.jump(0.5)
        assert await knocks(listener, 2) == (10, 4)
        mock_clock.jump(1)
        assert await knocks(listener, 3) == (12, 5)

    await on_loopback(knock)


async def test_at_most_32_strangers_are_half_open(mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "KNOCKS_AT_ONCE", 100)

    async def crowd(listener: tcp.Listener) -> None:
        streams = [await trio.open_tcp_stream("127.0.0.1", listener.port) for _ in range(35)]
        await until(lambda: listener.counts["listen/half-open"] == 3)
        for stream in streams:
            await stream.aclose()
        await until(lambda: listener.counts["link/hung-up"] == 32)
        pipe = await dial("127.0.0.1", listener.port, ANN, TABLE)
        assert pipe.peer_id == BOB.identity.public
        await pipe.aclose()

    await on_loopback(crowd)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only one loopback address is set up")
async def test_six_silent_addresses_keep_nobody_out(mock_clock: MockClock) -> None:
    """The virtual clock stands still, so no place becomes free by the time that a stranger has to speak."""

    async def besieged(listener: tcp.Listener) -> None:
        streams = [
            await trio.open_tcp_stream("127.0.0.1", listener.port, local_address=f"127.0.0.{address}")
            for _ in range(9)
            for address in range(2, 8)
        ]
        await until(lambda: listener.counts["listen/half-open"] == len(streams) - HALF_OPEN)
        for _ in range(9):
            pipe = await dial("127.0.0.1", listener.port, ANN, TABLE)
            assert pipe.peer_id == BOB.identity.public
            await pipe.aclose()
        for stream in streams:
            await stream.aclose()

    await on_loopback(besieged)


@given(st.lists(st.integers(0, 9), max_size=200))
def test_a_household_with_few_strangers_loses_none_to_one_with_many(addresses: list[int]) -> None:
    async def enter_all() -> None:
        strangers, held = Strangers(), list[tuple[int, trio.CancelScope]]()
        for address in addresses:
            held.append((address, strangers.enter(str(address))))
            dropped = [number for number, place in held if place.cancel_called]
            held = [each for each in held if not each[1].cancel_called]
            counts = Counter(number for number, _ in held)
            assert len(held) <= HALF_OPEN
            assert all(counts[number] + 1 >= max(counts.values()) for number in dropped)
        for number, place in held:
            strangers.leave(str(number), place)
        assert not strangers._places

    trio.run(enter_all)


async def test_a_port_in_use_is_named() -> None:
    async def again(listener: tcp.Listener) -> None:
        with pytest.raises(LinkRefusedError) as caught:
            async with open_listener(BOB, [TABLE], host="127.0.0.1", port=listener.port):
                pass
        assert caught.value.code == "listen/port-in-use"
        assert caught.value.detail[0] == listener.port

    await on_loopback(again)


async def test_nobody_at_an_address_is_unreachable() -> None:
    async with open_listener(BOB, [TABLE], host="127.0.0.1") as listener:
        port = listener.port
    with pytest.raises(LinkRefusedError) as caught:
        await dial("127.0.0.1", port, ANN, TABLE)
    assert caught.value.code == "link/unreachable"


async def test_ipv4_and_ipv6_listen_on_one_port() -> None:
    async with open_listener(BOB, [TABLE]) as listener:
        pipe = await dial("127.0.0.1", listener.port, ANN, TABLE)
        assert pipe.peer_id == BOB.identity.public
        await pipe.aclose()
        try:
            pipe = await dial("::1", listener.port, ANN, TABLE)
        except LinkRefusedError as refused:
            pytest.skip(f"no IPv6 here: {refused}")
        assert pipe.peer_id == BOB.identity.public
        await pipe.aclose()


@pytest.mark.parametrize(
    ("remote", "stands_for"),
    [
        ("192.0.2.7:4000", "192.0.2.7"),
        ("[2001:db8:1:2:3:4:5:6]:4000", "2001:db8:1:2::/64"),
        ("[fe80::1%eth0]:4000", "fe80::/64"),
        ("[::ffff:192.0.2.7]:4000", "192.0.2.7"),
        ("", ""),
    ],
)
def test_a_household_is_an_ipv4_address_or_an_ipv6_network(remote: str, stands_for: str) -> None:
    assert household(remote) == stands_for


class Tap:
    """A stream that keeps a copy of all that is sent through it."""

    def __init__(self, stream: trio.abc.Stream, copy: bytearray) -> None:
        self._stream, self._copy = stream, copy

    async def send_all(self, data: bytes) -> None:
        self._copy += data
        await self._stream.send_all(data)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


async def test_no_text_and_no_name_of_an_entry_is_seen_on_the_socket() -> None:
    seen = bytearray()
    text = b"Ann attacks the galactic center with everything she has"
    one, other = memory_stream_pair()
    pipes: dict[str, Pipe] = {}

    async def ann() -> None:
        pipes["ann"] = await greet_as_dialer(Tap(one, seen), ANN, TABLE, None, "")  # type: ignore[arg-type]

    async def bob() -> None:
        pipes["bob"] = await greet_as_answerer(Tap(other, seen), BOB, [TABLE], "")  # type: ignore[arg-type]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann)
        nursery.start_soon(bob)
    async with live(pipes["ann"]) as from_ann, live(pipes["bob"]) as from_bob:
        for link, reader in ((from_ann, from_bob), (from_bob, from_ann)):
            link.send(pack(Packed((Sent(text, (bytes(16), "see you at eight")),))))
            push = parse(await reader.recv())
            assert push == Packed((Sent(text, (bytes(16), "see you at eight")),))
    assert len(seen) > 500
    public = (ANN.identity.public, BOB.identity.public, TABLE.name)
    for hidden in (text, text[:16], b"see you", b"test 1", ANN.instance, BOB.instance, *public):
        assert hidden not in seen


def test_nothing_that_describes_this_process_shows_a_secret() -> None:
    shown = f"{ANN!r} {TICKET!r}"
    assert TICKET.secret.decode() not in shown
    assert ANN.identity.seed().hex() not in shown
    assert "X25519" not in shown


def test_each_handshake_has_a_fresh_ephemeral_key() -> None:
    assert len({Dialing(ANN, TABLE).first()[:32] for _ in range(4)}) == 4
    assert isinstance(Local(SigningKey.generate(), "").static, X25519PrivateKey)


async def test_a_process_does_not_link_to_itself() -> None:
    assert await both(calls(ANN), answers(ANN, TABLE)) == ("link/self", "link/self")


async def test_each_side_learns_where_the_other_listens() -> None:
    async with open_listener(BOB, [TABLE], host="127.0.0.1") as listener, open_listener(ANN, [TABLE]) as own:
        ann = await dial("127.0.0.1", listener.port, own.local, TABLE)
        bob = await listener.pipes.receive()
        assert ann.dial_back == f"tcp://127.0.0.1:{listener.port}"
        assert bob.dial_back == f"tcp://127.0.0.1:{own.port}"
        await ann.aclose()
        await bob.aclose()


async def test_a_hello_is_at_most_2000_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Local, "hello", lambda _: pack(Lobby("long", bytes(1_990))))
    assert (await both(calls(ANN), answers(BOB, TABLE)))[0] == "message/no-hello"
    monkeypatch.setattr(Local, "hello", lambda _: pack(Lobby("long", bytes(1_991))))
    assert (await both(calls(ANN), answers(BOB, TABLE)))[0] == "frame/too-long"
