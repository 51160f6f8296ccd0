"""Home routers are asked to pass a port on, and whatever they answer does no harm."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from client.table.inviting import FIRST_LOOK
from p2p.reach import portmap
from p2p.reach.gateway import PortMap
from p2p.reach.lease import TRIES
from p2p.reach.portmap import (
    Alive,
    Mapped,
    MapRefused,
    Outside,
    behind_another,
    forgot,
    pcp_announce,
    pcp_map,
    pmp_address,
    pmp_map,
    read,
)
from p2p.reach.routes import default_gateway, gateway_in
from p2p.reach.upnp import Igd

NONCE = b"n" * 12
Script = Callable[[bytes], list[bytes]]


class NoIgd(Igd):
    """No router answers by UPnP."""

    async def search(self) -> None:
        return None

    async def ask(self, port: int, wanted: int) -> Mapped | MapRefused | None:
        return None


def pcp_answer(asked: bytes, *, result: int = 0, lease: int = 3_600, epoch: int = 9, outer: int = 7_000) -> bytes:
    head = struct.pack("!BBBBII12x", 2, 0x81, 0, result, lease, epoch)
    return head + asked[24:42] + struct.pack("!H", outer) + b"\0" * 10 + b"\xff\xff" + bytes([203, 0, 113, 1])


def pcp_alive(epoch: int) -> bytes:
    return struct.pack("!BBBBII12x", 2, 0x80, 0, 0, 0, epoch)


def pmp_answer(asked: bytes, *, result: int = 0, lease: int = 3_600, epoch: int = 9, outer: int = 7_000) -> bytes:
    if asked == pmp_address():
        return struct.pack("!BBHI4s", 0, 0x80, result, epoch, bytes([203, 0, 113, 1]))
    return struct.pack("!BBHI", 0, 0x82, result, epoch) + asked[4:6] + struct.pack("!HI", outer, lease)


@asynccontextmanager
async def router(script: Script) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A router that answers each question as the script says; its port and what it was asked."""
    asked: list[bytes] = []

    async def serve() -> None:
        while True:
            data, sender = await listening.recvfrom(2_000)
            asked.append(data)
            for answer in script(data):
                await listening.sendto(answer, sender)

    with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as listening:
        await listening.bind(("127.0.0.1", 0))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            yield listening.getsockname()[1], asked
            nursery.cancel_scope.cancel()


async def outcome(script: Script) -> tuple[PortMap, list[bytes]]:
    with trio.fail_after(150):
        async with router(script) as (at, asked):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            await made.renew()
            return made, asked


async def test_a_router_with_pcp_grants_a_port_and_says_its_address() -> None:
    made, _ = await outcome(lambda asked: [pcp_answer(asked)])
    assert made.address(()) == "tcp://203.0.113.1:7000"
    assert made.trouble is None


async def test_a_router_that_knows_nat_pmp_only_is_asked_in_it() -> None:
    def old(asked: bytes) -> list[bytes]:
        return [pmp_answer(asked)] if asked[0] == 0 else [struct.pack("!BBHI", 0, 0x80, 1, 9)]

    made, asked = await outcome(old)
    assert made.address(()) == "tcp://203.0.113.1:7000"
    assert [each[0] for each in asked] == [2, 0, 0]


@pytest.mark.parametrize(("result", "code"), [(2, "portmap/refused"), (8, "portmap/full"), (77, "portmap/failed")])
async def test_a_refusal_is_told_by_its_cause(result: int, code: str) -> None:
    made, _ = await outcome(lambda asked: [pcp_answer(asked, result=result)])
    assert (made.address(()), made.trouble) == (None, code)


async def test_nonsense_and_answers_to_other_questions_are_passed_over() -> None:
    def babbling(asked: bytes) -> list[bytes]:
        other = pcp_map(4_001, "192.168.1.7", NONCE, 4_001)
        return [b"", b"\x02\x81", b"\xff" * 60, asked, pcp_answer(other), pcp_answer(asked, outer=0), pcp_answer(asked)]

    made, _ = await outcome(babbling)
    assert made.address(()) == "tcp://203.0.113.1:7000"


async def test_a_router_that_says_nothing_is_told_so() -> None:
    made, asked = await outcome(lambda _: [])
    assert (made.address(()), made.trouble) == (None, "portmap/no-answer")
    assert len(asked) == 2 * len(TRIES)


async def test_a_router_with_upnp_alone_has_answered_before_a_ticket_waits_no_longer(autojump_clock: object) -> None:
    """It is searched for while it passes over PCP and NAT-PMP in silence. A search may take two seconds."""

    class SlowIgd(Igd):
        found = False

        async def search(self) -> None:
            await trio.sleep(2.0)
            self.found = True

        async def ask(self, port: int, wanted: int) -> Mapped | MapRefused | None:
            assert self.found
            await trio.sleep(0.2)
            return Mapped(4_100, "203.0.113.1", 3_600, 0)

    class Silent(PortMap):
        async def _exchange(self, gateway: str, question: bytes) -> portmap.Answer | None:
            await trio.sleep(sum(TRIES))
            return None

    made = Silent(4_000, "127.0.0.1", 9, SlowIgd)
    with trio.fail_after(FIRST_LOOK):
        await made.renew()
    assert made.mapped is not None
    assert (made.way, made.mapped.port) == ("upnp", 4_100)


async def test_the_map_is_deleted_at_the_end() -> None:
    with trio.fail_after(150):
        async with router(lambda asked: [pcp_answer(asked)]) as (at, asked):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(made.run)
                while made.address(()) is None:  # noqa: ASYNC110  what is awaited has no event
                    await trio.sleep(0.01)
                nursery.cancel_scope.cancel()
            assert struct.unpack("!I", asked[-1][4:8]) == (0,)
            assert asked[-1][24:36] == asked[0][24:36]


@pytest.mark.parametrize(("lease", "pause"), [(3_600, 1_800), (2**32 - 1, 43_200), (0, 30), (10, 30)])
async def test_a_map_is_renewed_at_half_its_lease_whatever_the_router_claims(lease: int, pause: float) -> None:
    with trio.fail_after(150):
        async with router(lambda asked: [pcp_answer(asked, lease=lease)]) as (at, _):
            assert await PortMap(4_000, "127.0.0.1", at, NoIgd).renew() == pause


async def test_a_map_behind_another_router_is_called_useless() -> None:
    made, _ = await outcome(lambda asked: [pcp_answer(asked)])
    assert made.useless({"198.51.100.7"})
    assert not made.useless({"203.0.113.1"})
    assert not made.useless(set())


async def test_a_map_that_leads_nowhere_is_no_address_to_dial() -> None:
    made, _ = await outcome(lambda asked: [pcp_answer(asked)])
    assert made.address({"198.51.100.7"}) is None
    assert made.address({"203.0.113.1", "192.168.1.7", "2001:db8::7"}) == "tcp://203.0.113.1:7000"


@pytest.mark.parametrize(
    ("outside", "seen", "expected"),
    [
        ("203.0.113.1", set(), False),
        ("203.0.113.1", {"203.0.113.1"}, False),
        ("203.0.113.1", {"198.51.100.7"}, True),
        ("203.0.113.1", {"192.168.1.7"}, False),  # somebody on the same LAN
        ("203.0.113.1", {"2001:db8::7"}, False),  # somebody by IPv6
        ("100.64.3.4", set(), True),
        ("100.128.0.1", set(), False),
        ("192.168.0.2", set(), True),
        ("10.0.0.2", {"10.0.0.2"}, True),
    ],
)
def test_another_router_is_known_by_the_address_outside(outside: str, seen: set[str], expected: bool) -> None:
    assert behind_another(outside, seen) is expected


async def test_a_router_that_lost_its_maps_is_asked_again_within_a_minute() -> None:
    with trio.fail_after(150):
        async with router(lambda asked: [pcp_answer(asked, epoch=1_000) if asked[1] == 1 else pcp_alive(3)]) as (
            at,
            asked,
        ):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            await made.renew()
            assert made.mapped is not None
            assert not await made.still_mapped(made.mapped)
            assert asked[-1] == pcp_announce("127.0.0.1")


async def test_a_router_with_another_address_is_asked_again_within_a_minute() -> None:
    def old(asked: bytes) -> list[bytes]:
        return [pmp_answer(asked)] if asked[0] == 0 else [struct.pack("!BBHI", 0, 0x80, 1, 9)]

    with trio.fail_after(150):
        async with router(old) as (at, _):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            await made.renew()
            assert made.mapped is not None
            assert await made.still_mapped(made.mapped)
            made.outside = "203.0.113.2"
            assert not await made.still_mapped(made.mapped)


async def test_a_change_of_the_network_asks_at_once() -> None:
    with trio.fail_after(150):
        async with router(lambda asked: [pcp_answer(asked)]) as (at, asked):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(made.run)
                await made.asked.wait()
                made.network_changed()
                while made.outside is None:  # noqa: ASYNC110  what is awaited has no event
                    await trio.sleep(0.01)
                assert asked[1][24:42] == asked[0][24:42]
                nursery.cancel_scope.cancel()


async def test_a_map_is_deleted_by_the_protocol_that_granted_it() -> None:
    def old(asked: bytes) -> list[bytes]:
        return [pmp_answer(asked)] if asked[0] == 0 else []

    with trio.fail_after(150):
        async with router(old) as (at, asked):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            await made.renew()
            await made.delete()
            assert asked[-1] == pmp_map(4_000, 0, 0)


@pytest.mark.parametrize("version", [2, 0])
async def test_a_map_is_deleted_by_one_request_that_the_router_answers_as_the_standards_say(version: int) -> None:
    """It repeats the port asked for, which is none, and the lease. Source: RFC 6887, 15, and RFC 6886, 3.4."""

    def standard(asked: bytes) -> list[bytes]:
        if asked[0] != version:
            return [struct.pack("!BBHI", 0, 0x80, 1, 9)]
        if version == 0:
            deleted = asked[8:12] == bytes(4)
            return [pmp_answer(asked, lease=0, outer=0) if deleted else pmp_answer(asked)]
        return [pcp_answer(asked, lease=0, outer=0) if asked[4:8] == bytes(4) else pcp_answer(asked)]

    with trio.fail_after(150):
        async with router(standard) as (at, asked):
            made = PortMap(4_000, "127.0.0.1", at, NoIgd)
            await made.renew()
            before = len(asked)
            await made.delete()
            assert len(asked) == before + 1


async def test_a_router_that_grants_no_port_and_no_time_has_granted_nothing() -> None:
    made, _ = await outcome(lambda asked: [pcp_answer(asked, lease=0, outer=0)])
    assert (made.mapped, made.trouble) == (None, "portmap/no-answer")


def test_a_router_whose_clock_went_back_has_lost_its_maps() -> None:
    assert forgot((1_000, 0.0), (5, 60.0))
    assert forgot((1_000, 0.0), (1_010, 60.0))
    assert not forgot((1_000, 0.0), (1_060, 60.0))
    assert not forgot((1_000, 0.0), (1_052, 60.0))


def test_requests_have_the_form_of_the_standards() -> None:
    assert pmp_address() == bytes(2)
    assert pmp_map(4_000, 4_001, 60) == bytes.fromhex("0002 0000 0fa0 0fa1 0000003c")
    request = pcp_map(4_000, "192.168.1.7", NONCE, 4_001, 60)
    assert pcp_announce("192.168.1.7") == bytes.fromhex("0200 0000 00000000 00000000000000000000ffff c0a80107")
    assert len(request) == 60
    assert request[:24] == bytes.fromhex("0201 0000 0000003c 00000000000000000000ffff c0a80107")
    assert request[24:44] == NONCE + bytes.fromhex("06 000000 0fa0 0fa1")


def test_answers_are_read() -> None:
    asked = pcp_map(4_000, "192.168.1.7", NONCE, 4_001)
    assert read(pcp_answer(asked), 4_000, NONCE) == Mapped(7_000, "203.0.113.1", 3_600, 9)
    assert read(pmp_answer(pmp_map(4_000, 4_001)), 4_000, NONCE) == Mapped(7_000, None, 3_600, 9)
    assert read(pmp_answer(pmp_address()), 4_000, NONCE) == Outside("203.0.113.1", 9)
    assert read(pcp_alive(9), 4_000, NONCE) == Alive(9)
    assert read(pcp_answer(asked, lease=0, outer=0), 4_000, NONCE) == Alive(9)
    assert read(pcp_answer(asked, lease=1, outer=0), 4_000, NONCE) is None
    assert read(pmp_answer(pmp_address(), result=3), 4_000, NONCE) == MapRefused("portmap/no-network")


@given(st.binary(max_size=70))
def test_arbitrary_answers_do_no_harm(data: bytes) -> None:
    assert read(data, 4_000, NONCE) is None or isinstance(
        read(data, 4_000, NONCE), Mapped | Outside | Alive | MapRefused
    )


def test_the_router_is_found_among_the_routes(tmp_path: Path) -> None:
    routes = tmp_path / "route"
    routes.write_text(
        "Iface\tDestination\tGateway\tFlags\neth0\t0001A8C0\t00000000\t0001\neth0\t00000000\t0101A8C0\t0003\n",
        "ascii",
    )
    assert default_gateway(4, routes, "linux") == "192.168.1.1"
    assert default_gateway(4, tmp_path / "none", "linux") is None
    assert portmap.PORT == 5351


MAC = """   route to: default
destination: default
       mask: default
    gateway: 192.168.1.1
  interface: en0
      flags: <UP,GATEWAY,DONE,STATIC,PRCLONING,GLOBAL>
 recvpipe  sendpipe  ssthresh  rtt,msec    rttvar  hopcount      mtu     expire
       0         0         0         0         0         0      1500         0
"""
GERMAN = """===========================================================================
Schnittstellenliste
 12...00 15 5d 00 04 05 ......Hyper-V Virtual Ethernet Adapter
===========================================================================

IPv4-Routentabelle
===========================================================================
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0         10.8.0.1         10.8.0.2    281
          0.0.0.0          0.0.0.0   192.168.178.1   192.168.178.34     35
          0.0.0.0        128.0.0.0         10.9.0.1         10.9.0.2      1
===========================================================================
St\ufffdndige Routen:
  Netzwerkadresse          Netzmaske  Gatewayadresse  Metrik
          0.0.0.0          0.0.0.0      172.16.0.1  Standard
"""


@pytest.mark.parametrize(
    ("platform", "told", "router"),
    [
        ("darwin", MAC, "192.168.1.1"),
        ("freebsd14", MAC, "192.168.1.1"),
        ("darwin", MAC.replace("192.168.1.1", "link#14"), None),
        ("darwin", MAC.replace("192.168.1.1", "fe80::1%en0"), None),
        ("darwin", "route: writing to routing socket: not in table\n", None),
        ("win32", GERMAN, "192.168.178.1"),
        ("win32", GERMAN.replace("192.168.178.1 ", "On-link "), "10.8.0.1"),
        ("win32", "", None),
    ],
)
def test_the_router_is_read_from_what_macos_the_bsds_and_windows_tell(
    platform: str, told: str, router: str | None
) -> None:
    assert gateway_in(told, platform) == router


@given(st.text(), st.sampled_from(("linux", "win32", "darwin")))
def test_whatever_a_system_tells_of_its_routes_is_an_address_or_nothing(told: str, platform: str) -> None:
    found = gateway_in(told, platform)
    assert found is None or str(IPv4Address(found)) == found


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_a_system_without_the_command_tells_no_router(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert default_gateway(platform=platform) is None
