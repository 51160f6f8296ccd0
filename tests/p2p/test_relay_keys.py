"""A relay with a key, with clubs that have access keys, and with several who wait in one room."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from ports import free_port
from relayhouse import TABLE, House, ends_in_time, person, relay_house, until
from test_relay_caps import FRIEND, LIMITS, OTHER, SILENT, Town, Visitor, town
from trio.testing import MockClock

from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.meet import Local, Meeting, table_meeting
from p2p.link.relayed import call, look, time_at, visit, wait
from p2p.link.sealed import answer_seal, seal
from p2p.link.strangers import HALF_OPEN
from p2p.link.tcp import StreamPipe
from p2p.reach.admission import (
    ACCESS,
    DAY,
    LASTS,
    PASS,
    ROOMS_OF_A_PASS,
    access_key,
    admitted,
    make_pass,
    refusal_of,
)
from p2p.reach.explore import explore
from p2p.reach.metrics import metrics, serve_metrics
from p2p.reach.opened import open_reach
from p2p.reach.relay import MAX_WAITING
from p2p.wire.address import at_relay, credentials_of, is_address, parse_endpoint, without_credentials
from p2p.wire.codec import WireError
from p2p.wire.relaying import MAGIC, No, Paired, Request, pack_seal, read_seal, room_of

ANN, BOB, EVE = person("a"), person("b"), person("e")
PRIVATE = X25519PrivateKey.from_private_bytes(bytes([7]) * 32)
KEY = PRIVATE.public_key().public_bytes_raw()
CHESS, GO = (access_key(PRIVATE.private_bytes_raw(), club) for club in ("chess", "go"))
NOW = 1_800_000_000


class Tapped(trio.abc.Stream):
    """A stream, and all bytes that went over it."""

    def __init__(self, stream: trio.abc.Stream, heard: bytearray) -> None:
        self._stream, self._heard = stream, heard

    async def send_all(self, data: Any) -> None:
        self._heard += data
        await self._stream.send_all(data)

    async def receive_some(self, max_bytes: int | None = None) -> Any:
        data = await self._stream.receive_some(max_bytes)
        self._heard.extend(data)
        return data

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def keyed(**how: Any) -> AsyncIterator[tuple[House, Callable[[bytes], str]]]:
    """A relay with a key, and its address with a pass or without one."""
    async with relay_house(private=PRIVATE, **how) as house:
        host, port = parse_endpoint(without_credentials(house.address).partition("//")[2])
        yield house, lambda admission: at_relay(host, port, KEY, admission)


async def refusal(act: Awaitable[object]) -> str:
    with pytest.raises(LinkRefusedError) as caught:
        await act
    return str(caught.value.code)


async def stay(address: str, **how: Any) -> None:
    """Wait until a caller has come, and go."""
    with suppress(LinkRefusedError):
        pipe = await waits(address, **how)
        await pipe.aclose()


async def waits(address: str, who: Local = BOB, table: bytes = b"t", **how: Any) -> StreamPipe:
    meeting = table_meeting(table * 32)
    return await wait(address, who, meeting, [meeting], lambda _: None, lambda: None, **how)


async def test_nobody_on_the_way_to_a_relay_with_a_key_reads_a_room_or_what_is_answered() -> None:
    heard = bytearray()

    async def tapped(address: str, own_port: int) -> trio.abc.Stream:
        return Tapped(await visit(address, own_port), heard)

    with ends_in_time():
        async with keyed() as (house, at), trio.open_nursery() as nursery:
            nursery.start_soon(lambda: stay(at(b""), visit=tapped))
            await until(lambda: house.relay.waiting > 0)
            pipe = await call(at(b""), ANN, TABLE, BOB.identity.public, tapped)
            await look(at(b""), 0, tapped)
            assert abs(await time_at(at(b""), tapped) - time.time()) < 5
            await pipe.aclose()
    room = room_of(TABLE.secret, BOB.identity.public)
    for word in (room, b"wait", b"call", b"seen", b"paired", b"127.0.0.1"):
        assert word not in heard


async def test_who_answers_with_another_key_gets_no_request() -> None:
    with ends_in_time():
        async with relay_house(private=X25519PrivateKey.generate()) as house, relay_house() as keyless:
            for place, code in ((house, "relay/other-key"), (keyless, "relay/other-key")):
                address = at_relay("127.0.0.1", place.listener.port, KEY)
                assert await refusal(waits(address)) == code
                assert await refusal(call(address, ANN, TABLE, BOB.identity.public)) == code
            assert not house.relay.counts["relay/wait"] + house.relay.counts["relay/call"]


async def test_only_who_has_a_pass_of_a_club_waits_and_whoever_knows_the_room_calls() -> None:
    good = make_pass(CHESS, b"table..1", NOW)
    cases = [
        (b"", "relay/no-pass"),
        (make_pass(bytes(ACCESS), b"table..1", NOW), "relay/no-pass"),
        (good[:-1] + bytes([good[-1] ^ 1]), "relay/no-pass"),
        (b"another." + good[8:], "relay/no-pass"),
        (make_pass(CHESS, b"table..1", NOW - 1), "relay/pass-expired"),
    ]
    with ends_in_time():
        async with keyed(access=[GO, CHESS], clock=lambda: NOW) as (house, at), trio.open_nursery() as nursery:
            for admission, code in cases:
                assert await refusal(waits(at(admission))) == code
            plain = at_relay("127.0.0.1", house.listener.port)
            assert await refusal(waits(plain)) == "relay/no-pass"
            nursery.start_soon(lambda: stay(at(good)))
            await until(lambda: house.relay.waiting > 0)
            pipe = await call(plain, ANN, TABLE, BOB.identity.public)
            await pipe.aclose()


async def test_a_pass_admits_to_eight_rooms_at_a_time_and_keeps_no_other_table_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.link.tcp.KNOCKS_AT_ONCE", 99)  # all come from this machine
    first, second = (make_pass(GO, tag, NOW) for tag in (b"table..1", b"table..2"))
    with ends_in_time():
        async with keyed(access=[GO], clock=lambda: NOW) as (house, at), trio.open_nursery() as nursery:
            for number in range(ROOMS_OF_A_PASS):
                nursery.start_soon(partial(stay, at(first), table=bytes([number])))
                await until(partial(waiting_beyond, house, number))
            assert await refusal(waits(at(first), table=b"z")) == "relay/too-many"
            async with trio.open_nursery() as other:
                other.start_soon(lambda: stay(at(second), table=b"z"))
                await until(lambda: house.relay.waiting > ROOMS_OF_A_PASS)
                other.cancel_scope.cancel()
            nursery.cancel_scope.cancel()
        assert not house.relay._of_pass, "what is over counts no longer"


@pytest.mark.parametrize("meetings", [[TABLE], []])
@pytest.mark.parametrize(("left", "code"), [(1, ""), (-1, "relay/pass-expired")])
async def test_a_home_counts_as_reachable_through_a_relay_once_the_relay_lets_it_wait(
    left: int, code: str, meetings: list[Meeting]
) -> None:
    """Whoever asks is told how it is seen, also with a pass that has expired. A host looks before it has a meeting."""
    with ends_in_time():
        async with (
            keyed(access=[GO], clock=lambda: NOW) as (_, at),
            open_reach(ANN, meetings, host="127.0.0.1", lan=False) as reach,
        ):
            relay = at(make_pass(GO, b"table..1", NOW + left))
            await trio.testing.wait_all_tasks_blocked()  # the doors look for relays again only in a while
            reach.wait_at([relay])
            await explore(reach, 60)
            assert reach.troubles() == ({relay: code} if code else {})
            assert reach.facts().relayed == (not code)


def waiting_beyond(house: House, number: int) -> bool:
    return house.relay.waiting > number


@given(st.binary(max_size=PASS + 1), st.binary(min_size=ACCESS, max_size=ACCESS))
def test_no_pass_comes_from_anywhere_but_the_access_key(forged: bytes, access: bytes) -> None:
    assert refusal_of(forged, [access], NOW) == "relay/no-pass"
    assert refusal_of(make_pass(access, b"table..1", NOW), [bytes(ACCESS), access], NOW) == ""


def test_an_address_that_others_see_has_a_pass_in_the_place_of_the_access_key() -> None:
    own = at_relay("relay.example.org", 40_918, KEY, CHESS)
    shown = admitted(own, b"table..1", NOW)
    assert is_address(own)
    assert is_address(shown)
    key, admission = credentials_of(shown)
    assert (key, refusal_of(admission, [CHESS], NOW)) == (KEY, "")
    assert CHESS not in admission
    assert refusal_of(admission, [CHESS], NOW + LASTS + DAY) == "relay/pass-expired"
    assert refusal_of(admission, [CHESS], NOW + 364 * 86_400) == "", "a game may take a year"
    begins = NOW - NOW % 86_400
    all_day = {admitted(own, b"table..1", at) for at in (begins, begins + 43_200, begins + 86_399)}
    assert len(all_day) == 1
    assert admitted(own, b"table..1", begins + 86_400) not in all_day
    for other in (shown, at_relay("h", 1), at_relay("h", 1, KEY), "tcp://192.0.2.1:1", "libp2p:/x"):
        assert admitted(other, b"table..1", NOW) == other


def test_clubs_and_relays_have_different_access_keys() -> None:
    assert len({access_key(private, club) for private in (bytes(32), b"x" * 32) for club in ("chess", "go", "")}) == 6


# Several in one room --------------------------------------------------------------------------------------------------


async def test_whoever_waits_in_a_members_room_does_not_keep_its_caller_away() -> None:
    """Eve knows the table and waits in Bob's room, before him and after him."""
    with ends_in_time():
        async with relay_house() as house, trio.open_nursery() as nursery:

            async def wait_as_bob() -> None:
                frames = Frames(await visit(house.address))
                room = room_of(TABLE.secret, BOB.identity.public)
                await frames.send(Request("wait", room).pack())
                async with frames.stream:
                    with suppress(trio.EndOfChannel, trio.BrokenResourceError):
                        while True:
                            await frames.recv(65_535)

            nursery.start_soon(wait_as_bob)
            await until(lambda: house.relay.waiting > 0)
            nursery.start_soon(stay, house.address)
            await until(lambda: house.relay.waiting > 1)
            pipe = await call(house.address, ANN, TABLE, BOB.identity.public)
            assert pipe.peer_id == BOB.identity.public
            await pipe.aclose()
            nursery.cancel_scope.cancel()


async def test_a_caller_gets_each_who_waits_in_turn(autojump_clock: MockClock) -> None:
    async with town(LIMITS) as place:
        there = [await place.visit("wait", 1, remote) for remote in (SILENT[0], FRIEND, OTHER)]
        for number in (0, 1, 2):
            caller = await place.visit("call", 1, SILENT[3])
            assert caller.told[-1] == there[number].told[-1] == Paired()
            assert all(visitor.waits for visitor in there[number + 1 :])
        assert (await place.visit("call", 1, SILENT[3])).told[-1] == No("relay/nobody")


async def test_a_room_holds_three_and_one_household_cannot_drive_the_owner_out(autojump_clock: MockClock) -> None:
    async with town(LIMITS) as place:
        owner = await place.visit("wait", 1, FRIEND)
        flood = [await place.visit("wait", 1, SILENT[0]) for _ in range(9)]
        assert owner.waits
        assert place.relay.waiting == MAX_WAITING
        assert [visitor.told[-1] for visitor in flood if not visitor.waits] == [No("relay/full")] * 7
        assert await called_first(place) is owner


async def called_first(place: Town) -> Visitor | None:
    """Whom a caller gets in room 1."""
    waiting = [visitor for visitor in place.visitors if visitor.waits]
    await place.visit("call", 1, SILENT[5])
    return next((visitor for visitor in waiting if not visitor.waits), None)


async def test_who_is_driven_out_of_its_room_by_several_addresses_is_back_at_once(
    autojump_clock: MockClock,
) -> None:
    async with town(LIMITS) as place:
        owner = await place.visit("wait", 1, FRIEND)
        for remote in SILENT[:3]:
            await place.visit("wait", 1, remote)
        assert owner.told[-1] == No("relay/full")
        again = await place.visit("wait", 1, FRIEND)
        assert again.waits
        turns = [await called_first(place) for _ in range(MAX_WAITING)]
        assert again in turns, "in turn, and the handshake tells who is right"


# Floods and nonsense --------------------------------------------------------------------------------------------------


async def test_visitors_that_begin_encrypted_and_ask_nothing_are_bounded(autojump_clock: MockClock) -> None:
    async with town(LIMITS, private=PRIVATE) as place:
        held = [await place.begin(f"{remote}{number}") for number in range(9) for remote in SILENT]
        assert len(place.relay._unsealing._places) <= HALF_OPEN
        assert place.relay._unsealing._taken == HALF_OPEN < len(held)
        await trio.sleep(5)
        assert not place.relay._unsealing._taken


@given(st.binary(max_size=60))
def test_arbitrary_beginnings_are_refused_and_do_no_harm(data: bytes) -> None:
    found = None
    with suppress(WireError):
        found = read_seal(MAGIC + data)
    assert found is None or pack_seal(found) == MAGIC + data


@pytest.mark.parametrize("size", [0, 31, 47, 49])
async def test_an_opening_of_another_size_or_for_another_key_is_refused(size: int) -> None:
    one, _other = trio.testing.memory_stream_pair()
    with pytest.raises(WireError):
        await answer_seal(Frames(one), bytes(size), PRIVATE)


async def test_what_is_altered_on_the_way_ends_the_visit() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:

        async def relay() -> None:
            frames = Frames(theirs)
            opening = read_seal(await frames.recv(200))
            assert opening is not None
            sealed = await answer_seal(frames, opening, PRIVATE)
            assert await sealed.recv(200) == b"good"
            with pytest.raises(WireError, match="noise/forged"):
                await sealed.recv(200)

        nursery.start_soon(relay)
        frames = Frames(ours)
        words = await seal(frames, KEY)
        await words.send(b"good")
        await frames.send(bytes(20))


async def test_figures_are_served_and_name_nobody() -> None:
    with ends_in_time():
        async with keyed() as (house, at), trio.open_nursery() as nursery:
            nursery.start_soon(lambda: stay(at(b"")))
            await until(lambda: house.relay.waiting > 0)
            text = metrics(house.relay, house.listener)
            assert "starlock_relay_waiting 1\n" in text
            assert "127.0.0.1" not in text
            port = free_port()
            nursery.start_soon(serve_metrics, house.relay, house.listener, port)
            for path, status in ((b"/metrics", b"200"), (b"/", b"404")):
                said = b""
                while not said:
                    with suppress(OSError):
                        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                            await stream.send_all(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
                            said = b"".join([data async for data in stream])
                assert said.startswith(b"HTTP/1.1 " + status)
            nursery.cancel_scope.cancel()


async def test_who_asks_for_no_figures_holds_few_connections(mock_clock: MockClock) -> None:
    """The virtual clock stands still, so nobody's time to ask is over."""
    port, all_ended = free_port(), trio.Event()
    ended = 0

    async def silent() -> None:
        nonlocal ended
        heard: list[bytes] = []
        while not heard:  # the first ones come too early
            with suppress(OSError):
                async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                    with suppress(trio.BrokenResourceError):
                        heard.append(bytes(await stream.receive_some(1)))
        ended += 1
        if ended == 2 * HALF_OPEN:
            all_ended.set()

    async with relay_house() as house, trio.open_nursery() as nursery:
        nursery.start_soon(serve_metrics, house.relay, house.listener, port)
        for _ in range(3 * HALF_OPEN):
            nursery.start_soon(silent)
        await all_ended.wait()
        assert ended >= 2 * HALF_OPEN
        nursery.cancel_scope.cancel()
