"""Home routers are asked by PCP to let IPv6 in, and whatever they answer does no harm."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv6Address, ip_address

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2p.reach.lease import AGAIN, TRIES
from p2p.reach.pinhole import Pinhole
from p2p.reach.portmap import pcp_announce, pcp_map
from p2p.reach.routes import default_gateway, gateway_in

HOME = "2a0e:8888:0:1::2"
Script = Callable[[bytes], list[bytes]]


def _no_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return True
    return False


needs_ipv6 = pytest.mark.skipif(_no_ipv6(), reason="this machine has no IPv6")


def granted(
    asked: bytes, *, host: str = HOME, result: int = 0, lease: int = 3_600, epoch: int = 9, outer: int = 0
) -> bytes:
    """What RFC 6887, 11.1, has for an answer. outer: the port that is opened, 0 for the one asked for."""
    head = struct.pack("!BBBBII12x", 2, 0x81, 0, result, lease, epoch)
    port = struct.pack("!H", outer) if outer else asked[42:44]
    return head + asked[24:42] + port + IPv6Address(host).packed


@asynccontextmanager
async def router(script: Script) -> AsyncIterator[tuple[Pinhole, list[bytes]]]:
    """A router that answers each question as the script says: what is asked of it, and who asks."""
    asked: list[bytes] = []

    async def serve() -> None:
        while True:
            data, sender = await listening.recvfrom(2_000)
            asked.append(data)
            for answer in script(data):
                await listening.sendto(answer, sender)

    with trio.fail_after(150), trio.socket.socket(trio.socket.AF_INET6, trio.socket.SOCK_DGRAM) as listening:
        await listening.bind(("::1", 0))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            yield Pinhole(4_000, lambda: "::1", listening.getsockname()[1], lambda: "::1"), asked
            nursery.cancel_scope.cancel()


@needs_ipv6
async def test_a_router_with_pcp_lets_ipv6_in_at_the_listening_port_and_is_told_when_that_ends() -> None:
    def standard(asked: bytes) -> list[bytes]:
        return [granted(asked, lease=int.from_bytes(asked[4:8], "big"))]

    async with router(standard) as (made, asked), trio.open_nursery() as nursery:
        nursery.start_soon(made.run)
        await made.asked.wait()
        assert made.address() == f"tcp://[{HOME}]:4000"
        nursery.cancel_scope.cancel()
    first, last = asked
    assert first == pcp_map(4_000, "::1", first[24:36], 4_000)
    assert first[8:24] == IPv6Address("::1").packed
    assert first[44:60] == bytes(16)  # any address: that of this machine
    assert (last[4:8], last[24:42]) == (bytes(4), first[24:42])


@needs_ipv6
@pytest.mark.parametrize("host", ["fe80::1", "::1", "fd00::2", "2001:db8::2", "ff02::1"])
async def test_an_address_that_leads_nowhere_from_outside_is_not_taken(host: str) -> None:
    async with router(lambda asked: [granted(asked, host=host)]) as (made, _):
        assert await made.renew() == AGAIN
        assert made.address() is None


@needs_ipv6
@pytest.mark.parametrize(("result", "code"), [(2, "portmap/refused"), (8, "portmap/full"), (1, "portmap/version")])
async def test_a_router_that_refuses_is_told_by_its_cause_and_asked_again_later(result: int, code: str) -> None:
    async with router(lambda asked: [granted(asked, result=result)]) as (made, _):
        assert await made.renew() == AGAIN
        assert (made.address(), made.trouble) == (None, code)


@needs_ipv6
async def test_nonsense_and_answers_to_other_questions_open_nothing() -> None:
    def babbling(asked: bytes) -> list[bytes]:
        other = pcp_map(4_001, "::1", bytes(12), 4_001)
        return [b"", b"\x02\x81", b"\xff" * 60, asked, granted(other), granted(asked)[:40]]

    async with router(babbling) as (made, asked):
        await made.renew()
        assert (made.address(), made.trouble) == (None, "portmap/no-answer")
        assert len(asked) == len(TRIES)


@needs_ipv6
async def test_a_hole_that_the_router_has_lost_is_noticed_and_requested_again_at_the_same_port() -> None:
    def restarted(question: bytes) -> list[bytes]:
        if question[1] == 0:
            return [struct.pack("!BBBBII12x", 2, 0x80, 0, 0, 0, 3)]
        return [granted(question, outer=4_100, epoch=1_000)]

    async with router(restarted) as (made, asked):
        await made.renew()
        assert made.mapped is not None
        assert not await made.still_mapped(made.mapped)
        assert asked[-1] == pcp_announce("::1")
        await made.renew()
        assert asked[-1][42:44] == struct.pack("!H", 4_100)


async def test_without_ipv6_nobody_is_asked() -> None:
    for gateway, own in ((None, HOME), ("fe80::1%lo", None)):
        made = Pinhole(4_000, lambda gateway=gateway: gateway, 9, lambda own=own: own)  # type: ignore[misc]
        assert await made.renew() == AGAIN
        assert (made.address(), made.trouble) == (None, "portmap/no-gateway")


LINUX = (
    "2a0e8888000000010000000000000000 40 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0\n"
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
    "fe800000000000000000000000000001 00000400 00000003 00000000 00000003     eth0\n"
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
)
MAC = """   route to: ::
destination: ::
       mask: default
    gateway: fe80::1%en0
  interface: en0
      flags: <UP,GATEWAY,DONE,PRCLONING,GLOBAL>
"""
WINDOWS = """IPv6-Routentabelle
===========================================================================
Aktive Routen:
 If Metrik Netzwerkziel             Gateway
  1    331 ::1/128                  Auf Verbindung
 12    281 ::/0                     2a0e:8888::9
  8     35 ::/0                     fe80::1
===========================================================================
"""


@pytest.mark.parametrize(
    ("platform", "told", "router"),
    [
        ("linux", LINUX, "fe80::1%eth0"),
        ("linux", LINUX.replace("fe800000000000000000000000000001", "2a0e8888000000010000000000000001"),
         "2a0e:8888:0:1::1"),
        ("linux", LINUX.replace("00000003     eth0", "00000001     eth0"), None),
        ("darwin", MAC, "fe80::1%en0"),
        ("openbsd7", MAC, "fe80::1%en0"),
        ("darwin", MAC.replace("fe80::1%en0", "link#5"), None),
        ("win32", WINDOWS, "fe80::1%8"),
        ("win32", WINDOWS.replace("  8     35", "  8    350"), "2a0e:8888::9"),
        ("win32", "", None),
    ],
)  # fmt: skip
def test_the_router_for_ipv6_is_read_from_what_each_system_tells(platform: str, told: str, router: str | None) -> None:
    assert gateway_in(told, platform, 6) == router


@given(st.text(), st.sampled_from(("linux", "win32", "darwin")))
def test_whatever_a_system_tells_is_a_router_for_ipv6_or_none(told: str, platform: str) -> None:
    found = gateway_in(told, platform, 6)
    assert found is None or ip_address(found).version == 6


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_a_system_without_the_command_tells_no_router(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert default_gateway(6, platform=platform) is None
