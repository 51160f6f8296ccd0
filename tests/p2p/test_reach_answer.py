"""An answer opens a way to its guest alone: it scans no network, floods nobody and tells no stranger."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from ipaddress import ip_interface
from itertools import pairwise
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local, Meeting
from p2p.reach.answer import GuestAnswer, numbered, open_answer, private_of, public_of, read_answers, write_answer
from p2p.reach.calls import EVERY, LASTS, MAX_CALLS, Call, Caller, Calls, may_call
from p2p.reach.lines import TicketError
from p2p.reach.ticket import new_ticket
from p2p.wire.address import at_endpoint, endpoint_of

ANN, BOB, EVE = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b", b"e"))
LOBBY = b"l" * 16
MEETING = Meeting(b"m" * 32, b"s" * 16)
OWN = [ip_interface("192.168.1.7/24"), ip_interface("2a00:1:2:3::7/64"), ip_interface("127.0.0.1/8")]

hosts = st.one_of(st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(str))
places = st.lists(st.builds(at_endpoint, hosts, st.integers(1, 65_535)), min_size=1, max_size=6, unique=True)


def answer(**other: Any) -> GuestAnswer:
    """Bob's answer."""
    made = GuestAnswer(LOBBY, BOB.public, b"instance", ("tcp://8.8.4.2:4000",), 1_900_000_000)
    return replace(made, **other)


@given(st.binary(min_size=32, max_size=32))
def test_the_x25519_key_of_an_identity_is_the_same_from_both_of_its_halves(seed: bytes) -> None:
    key = SigningKey.from_seed(seed)
    assert private_of(key).public_key().public_bytes_raw() == public_of(key.public).public_bytes_raw()


def test_nothing_is_sealed_to_what_is_no_identity() -> None:
    for wrong in (bytes(32), b"\1" + bytes(31), b"\xff" * 32, b"short"):
        with pytest.raises(ValueError, match="identity"):
            write_answer(answer(), BOB, wrong)


@given(places, st.integers(0, 2**40))
def test_an_answer_comes_back_whole_for_the_holder_of_the_key_alone(listed: list[str], expiry: int) -> None:
    made = answer(places=tuple(listed), expiry=expiry)
    text = write_answer(made, BOB, ANN.public)
    (sealed,) = read_answers(f"Bob> here:\n> {text}!")
    assert open_answer(sealed, ANN, LOBBY) == made
    assert open_answer(sealed, ANN, b"m" * 16) is open_answer(sealed, EVE, LOBBY) is None
    assert b"instance" not in sealed


def test_two_answers_in_one_text_are_both_read_and_a_repeated_one_once() -> None:
    lines = [write_answer(answer(guest=who.public), who, ANN.public) for who in (BOB, EVE)]
    sealed = read_answers("\n".join([*lines, lines[0]]))
    opened = [open_answer(each, ANN, LOBBY) for each in sealed]
    assert [each.guest for each in opened if each is not None] == [BOB.public, EVE.public]


def test_nobody_answers_in_the_name_of_another() -> None:
    for forged in (write_answer(answer(), EVE, ANN.public),):
        with pytest.raises(TicketError, match="ticket/form"):
            open_answer(read_answers(forged)[0], ANN, LOBBY)


@given(st.binary(max_size=400))
def test_random_bytes_are_no_answer(data: bytes) -> None:
    if len(data) <= 32:
        with pytest.raises(TicketError, match="ticket/form"):
            open_answer(data, ANN, LOBBY)
    else:
        assert open_answer(data, ANN, LOBBY) is None


def test_a_ticket_is_no_answer_and_is_called_by_name() -> None:
    with pytest.raises(TicketError) as caught:
        read_answers(str(new_ticket(LOBBY, ANN.public, (), 1)))
    assert (caught.value.code, caught.value.detail) == ("ticket/kind", (0,))
    with pytest.raises(TicketError, match="ticket/prefix"):
        read_answers("hello")


def test_an_answer_names_no_names_and_no_relays() -> None:
    listed = [
        "tcp://host:1",
        "relay://8.8.8.8:1",
        "tcp://[fe80::1%eth0]:5",
        *(f"tcp://8.8.8.{n}:4000" for n in range(9)),
    ]
    assert numbered(listed) == tuple(f"tcp://8.8.8.{n}:4000" for n in range(6))


# Where a pasted text may lead ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "port", "yes"),
    [
        ("8.8.4.4", 4_000, True),
        ("8.8.4.4", 1_023, False),
        ("192.168.1.9", 4_000, True),  # on the own network
        ("192.168.1.7", 4_000, False),  # this machine
        ("192.168.1.255", 4_000, False),  # everybody there
        ("192.168.1.0", 4_000, False),
        ("192.168.2.9", 4_000, False),  # another private network
        ("10.0.0.1", 4_000, False),
        ("100.64.0.1", 4_000, False),
        ("127.0.0.2", 4_000, False),
        ("169.254.169.254", 4_000, False),  # what clouds tell their machines
        ("0.0.0.0", 4_000, False),
        ("224.0.0.251", 5_353, False),
        ("239.1.2.3", 4_000, False),
        ("255.255.255.255", 4_000, False),
        ("240.0.0.1", 4_000, False),
        ("2a00:1:2:3::9", 4_000, True),
        ("2a00:1:2:4::9", 4_000, True),
        ("fd00::1", 4_000, False),
        ("fe80::1", 4_000, False),
        ("ff02::1", 4_000, False),
        ("::1", 4_000, False),
        ("::ffff:10.0.0.1", 4_000, False),
        ("2002:a00:1::1", 4_000, False),  # 10.0.0.1 by 6to4
        ("64:ff9b::a00:1", 4_000, False),  # 10.0.0.1 by NAT64
        ("64:ff9b:1::a00:1", 4_000, False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", 4_000, False),  # Teredo
        ("localhost", 4_000, False),
    ],
)
def test_only_global_addresses_and_own_networks_are_called(host: str, port: int, yes: bool) -> None:
    assert may_call(at_endpoint(host, port), OWN) == yes


def call(who: bytes, *listed: str, until: float = LASTS) -> Call:
    return Call(MEETING, who, listed, leads=False, until=until)


def test_four_peers_are_called_at_once_and_no_fifth() -> None:
    calls = Calls()
    for number in range(MAX_CALLS):
        assert calls.add(call(bytes([number]), f"tcp://8.8.8.{number}:4000"), 0) == ""
    assert calls.add(call(b"x", "tcp://8.8.8.9:4000"), 0) == "answer/many"
    assert calls.add(call(b"\0", "tcp://8.8.8.9:4000"), 0) == ""  # the same peer again takes its own place
    assert calls.add(call(b"y"), 0) == "answer/nowhere"
    calls.end(b"\1")
    assert calls.add(call(b"x", "tcp://8.8.8.9:4000"), 0) == ""
    assert calls.add(call(b"z", "tcp://8.8.8.9:4000"), LASTS) == ""  # the time of the others is over


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.lists(st.integers(0, 3), min_size=1, max_size=6), st.floats(0, 30)), max_size=30
    ),
    st.floats(0, 2),
)
def test_each_address_is_dialed_once_a_second_whoever_names_it(pasted: list[Any], takes: float) -> None:
    calls, now = Calls(), 0.0
    dialed: list[tuple[float, str]] = []
    ends: list[tuple[float, str]] = []
    for who, listed, pause in pasted:
        calls.add(call(bytes([who]), *{f"tcp://8.8.8.{n}:4000" for n in listed}, until=now + LASTS), now)
        until = now + pause
        while now < until:
            for each in [each for each in ends if each[0] <= now]:
                ends.remove(each)
                calls.tried(each[1])
            for _, address in calls.due(now):
                dialed.append((now, address))
                ends.append((now + takes, address))
            assert len(calls.calls) <= MAX_CALLS
            now += 0.25
    for address in {address for _, address in dialed}:
        times = [at for at, each in dialed if each == address]
        assert all(later - at >= EVERY for at, later in pairwise(times))


def test_calling_ends_after_ten_minutes_and_with_the_link() -> None:
    calls = Calls()
    calls.add(call(b"b", "tcp://8.8.8.8:4000"), 0)
    assert calls.due(LASTS - 1)
    calls.tried("tcp://8.8.8.8:4000")
    assert not calls.due(LASTS)


async def test_a_caller_dials_only_what_may_be_called_and_stops_when_the_peer_is_linked(
    autojump_clock: trio.testing.MockClock,
) -> None:
    dialed: list[str] = []
    linked: set[bytes] = set()

    async def punch(address: str, *_: Any, **how: Any) -> Any:
        assert how["again"] >= EVERY
        assert not how["leads"]
        dialed.append(address)
        await trio.sleep(0.1)
        raise LinkRefusedError("link/timeout")

    caller = Caller(Local(ANN, "test", port=4_000), punch, lambda _: None, lambda: linked, lambda: OWN)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(caller.run)
        listed = ["tcp://8.8.8.8:4000", "tcp://10.0.0.1:4000", "tcp://8.8.8.8:80", "tcp://192.168.1.9:5000"]
        assert caller.call(MEETING, BOB.public, listed, leads=False) == ""
        assert caller.call(MEETING, EVE.public, ["tcp://127.0.0.1:4000"], leads=False) == "answer/nowhere"
        await trio.sleep(60)
        assert {endpoint_of(each)[0] for each in dialed} == {"8.8.8.8", "192.168.1.9"}
        assert set(Counter(dialed).values()) <= set(range(45, 61))
        linked.add(BOB.public)
        await trio.sleep(2)
        dialed.clear()
        await trio.sleep(60)
        assert not dialed
        nursery.cancel_scope.cancel()
