"""A name with several addresses: every one is tried, from the own port too, so that a broken IPv6 stops nobody."""

from __future__ import annotations

import errno
import socket
from typing import Any

import pytest
import trio

from p2p.identity.keys import SigningKey
from p2p.link import connecting
from p2p.link.connecting import SEGMENT, STAGGER, connect
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Local
from p2p.link.tcp import open_listener

SIX, FOUR = socket.AF_INET6, socket.AF_INET
SILENT, REFUSED = "silent", "refused"


class World:
    """What a name resolves to, and how each address behaves: the stream of one that answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, addresses: dict[str, tuple[int, Any]]) -> None:
        self.tried: list[tuple[str, float]] = []
        self._addresses = addresses
        self.streams: list[trio.SocketStream] = []
        monkeypatch.setattr(trio.socket, "getaddrinfo", self._resolve)
        monkeypatch.setattr(connecting, "_connected", self._connected)

    async def _resolve(self, _host: str, port: int, **_wish: Any) -> list[Any]:
        kind = socket.SOCK_STREAM
        return [(family, kind, 6, "", (name, port)) for name, (family, _how) in self._addresses.items()]

    async def _connected(self, _own_port: int, _family: int, where: tuple[Any, ...]) -> trio.SocketStream:
        self.tried.append((where[0], trio.current_time()))
        _, how = self._addresses[where[0]]
        if how == SILENT:
            await trio.sleep_forever()
        if how == REFUSED:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        await trio.sleep(how)
        stream = trio.SocketStream(trio.socket.socket())
        self.streams.append(stream)
        return stream


@pytest.mark.parametrize("broken", [SILENT, REFUSED])
async def test_the_next_address_is_tried_when_one_is_silent_or_fails(
    broken: str, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    world = World(monkeypatch, {"six": (SIX, broken), "again": (SIX, broken), "four": (FOUR, 0.1)})
    began = trio.current_time()
    stream = await connect("relay.example", 4_000, own_port=5_000)
    assert stream is world.streams[0]
    assert [name for name, _ in world.tried][:2] == ["six", "four"]  # the families in turn
    assert trio.current_time() - began < 2 * STAGGER + 0.2
    await stream.aclose()


async def test_the_first_that_answers_wins_and_the_others_are_closed(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    world = World(monkeypatch, {"slow": (SIX, 4.0), "quick": (FOUR, 0.1)})
    stream = await connect("relay.example", 4_000, own_port=5_000)
    assert stream is world.streams[0]
    assert len(world.streams) == 1
    await stream.aclose()


async def test_who_gives_up_at_the_moment_at_which_one_answers_keeps_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch, {"four": (FOUR, 0.0)})

    async def given_up(*where: Any) -> trio.SocketStream:
        stream = await world._connected(*where)
        scope.cancel()
        return stream

    monkeypatch.setattr(connecting, "_connected", given_up)
    with trio.CancelScope() as scope:
        await connect("relay.example", 4_000)
    assert scope.cancelled_caught
    assert [stream.socket.fileno() for stream in world.streams] == [-1]


async def test_a_name_none_of_whose_addresses_answers_is_refused_within_five_seconds(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    World(monkeypatch, {"six": (SIX, SILENT), "four": (FOUR, SILENT)})
    with trio.fail_after(6), pytest.raises(LinkRefusedError) as refused:
        await connect("relay.example", 4_000, own_port=5_000)
    assert refused.value.code == "link/timeout"
    World(monkeypatch, {"six": (SIX, REFUSED), "four": (FOUR, REFUSED)})
    with trio.fail_after(6), pytest.raises(LinkRefusedError) as refused:
        await connect("relay.example", 4_000, own_port=5_000)
    assert refused.value.code == "link/unreachable"


async def test_it_connects_for_real_from_the_own_port() -> None:
    (other,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with other, open_listener(Local(SigningKey.generate(), "test"), []) as listener:
        stream = await connect("127.0.0.1", other.socket.getsockname()[1], own_port=listener.port)
        async with stream, await other.accept() as heard:
            assert heard.socket.getpeername()[1] == listener.port


@pytest.mark.skipif(not hasattr(socket, "TCP_MAXSEG"), reason="the system does not tell the size of segments")
async def test_no_packet_of_a_link_is_longer_than_the_smallest_path_of_ipv6() -> None:
    async with open_listener(Local(SigningKey.generate(), "test"), []) as listener:
        for own_port in (0, listener.port):
            stream = await connect("127.0.0.1", listener.port, own_port)
            try:
                assert stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG) <= SEGMENT
            finally:
                await stream.aclose()
