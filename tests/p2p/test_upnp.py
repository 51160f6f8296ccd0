"""A home router that speaks UPnP alone passes a port on, and whatever it answers does no harm."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import process_time

import pytest
import trio

from p2p.reach import upnp
from p2p.reach.gateway import PortMap
from p2p.reach.portmap import LEASE, Mapped, MapRefused
from p2p.reach.upnp import Igd

SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"
DESCRIPTION = f"""<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><deviceList><device>
<deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANCommonInterfaceConfig:1</serviceType><controlURL>/common</controlURL>
<eventSubURL>/e1</eventSubURL><SCPDURL>/s1</SCPDURL></service></serviceList><deviceList><device>
<deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><serviceList><service>
<serviceType>{SERVICE}</serviceType><controlURL>/control</controlURL><eventSubURL>/e2</eventSubURL>
<SCPDURL>/s2</SCPDURL></service></serviceList></device></deviceList></device></deviceList></device></root>"""
ENVELOPE = '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{}</s:Body></s:Envelope>'
FAULT = "<s:Fault><detail><UPnPError><errorCode>{}</errorCode></UPnPError></detail></s:Fault>"
Script = Callable[[str, str], str | int]
"""Return what a router answers to an action with its arguments, as XML: results, or the number of an error."""


def granting(action: str, _arguments: str) -> str | int:
    match action:
        case "GetExternalIPAddress":
            return "<NewExternalIPAddress>203.0.113.1</NewExternalIPAddress>"
        case "GetStatusInfo":
            return "<NewConnectionStatus>Connected</NewConnectionStatus><NewUptime>9</NewUptime>"
        case "GetSpecificPortMappingEntry":
            return (
                "<NewInternalPort>4000</NewInternalPort><NewInternalClient>127.0.0.1</NewInternalClient>"
                "<NewEnabled>1</NewEnabled><NewLeaseDuration>9</NewLeaseDuration>"
            )
    return ""


@contextmanager
def router(script: Script) -> Iterator[tuple[Igd, list[tuple[str, str]]]]:
    """A router that answers each action as the script says, and what it was asked."""
    asked: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200, DESCRIPTION)

        def do_POST(self) -> None:
            action = self.headers["SOAPAction"].strip('"').partition("#")[2]
            arguments = self.rfile.read(int(self.headers["Content-Length"])).decode()
            asked.append((action, arguments))
            answer = script(action, arguments)
            if isinstance(answer, int):
                self._answer(500, ENVELOPE.format(FAULT.format(answer)))
            else:
                body = f'<u:{action}Response xmlns:u="{SERVICE}">{answer}</u:{action}Response>'
                self._answer(200, ENVELOPE.format(body))

        def _answer(self, status: int, text: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Igd(f"http://127.0.0.1:{server.server_port}/desc.xml"), asked
        finally:
            server.shutdown()
            thread.join()


def of(asked: list[tuple[str, str]], action: str) -> list[str]:
    return [arguments for done, arguments in asked if done == action]


async def test_a_router_grants_a_port_keeps_it_and_deletes_it() -> None:
    with router(granting) as (igd, asked):
        granted = await igd.ask(4_000, 4_001)
        assert granted == Mapped(4_001, "203.0.113.1", LEASE, 0)
        assert await igd.keeps(granted)
        await igd.delete(granted)
        (added,) = of(asked, "AddPortMapping")
        assert f"<NewLeaseDuration>{LEASE}</NewLeaseDuration>" in added
        assert "<NewInternalPort>4000</NewInternalPort>" in added
        (deleted,) = of(asked, "DeletePortMapping")
        assert "<NewExternalPort>4001</NewExternalPort>" in deleted


async def test_a_port_that_another_machine_has_is_passed_over() -> None:
    def taken(action: str, arguments: str) -> str | int:
        if action == "AddPortMapping" and "<NewExternalPort>4001<" in arguments:
            return 718
        return granting(action, arguments)

    with router(taken) as (igd, _):
        assert await igd.ask(4_000, 4_001) == Mapped(4_002, "203.0.113.1", LEASE, 0)


async def test_a_router_that_knows_no_leases_grants_without_one() -> None:
    def permanent(action: str, arguments: str) -> str | int:
        if action == "AddPortMapping" and "<NewLeaseDuration>0<" not in arguments:
            return 725
        return granting(action, arguments)

    with router(permanent) as (igd, _):
        assert await igd.ask(4_000, 4_001) == Mapped(4_001, "203.0.113.1", LEASE, 0)


@pytest.mark.parametrize(("error", "code"), [(606, "portmap/refused"), (718, "portmap/full"), (501, "portmap/failed")])
async def test_a_refusal_is_told_by_its_cause(error: int, code: str) -> None:
    with router(lambda action, rest: error if action == "AddPortMapping" else granting(action, rest)) as (igd, _):
        assert await igd.ask(4_000, 4_001) == MapRefused(code)


@pytest.mark.parametrize("nonsense", ["", "<", "<NewExternalIPAddress>everywhere</NewExternalIPAddress>", "\x00" * 99])
async def test_nonsense_is_a_refusal(nonsense: str) -> None:
    with router(lambda *_: nonsense) as (igd, _):
        assert isinstance(await igd.ask(4_000, 4_001), MapRefused)


async def test_a_map_that_the_router_has_lost_or_moved_is_noticed() -> None:
    def lost(action: str, arguments: str) -> str | int:
        return 714 if action == "GetSpecificPortMappingEntry" else granting(action, arguments)

    with router(lost) as (igd, _):
        assert not await igd.keeps(Mapped(4_001, "203.0.113.1", LEASE, 0))
    with router(granting) as (igd, _):
        assert not await igd.keeps(Mapped(4_001, "203.0.113.2", LEASE, 0))


async def test_upnp_is_asked_where_the_router_speaks_nothing_else() -> None:
    with router(granting) as (igd, asked):
        made = PortMap(4_000, "127.0.0.1", 9, lambda: igd)
        await made.renew()
        assert made.address(()) == "tcp://203.0.113.1:4000"
        assert made.way == "upnp"
        await made.delete()
        assert of(asked, "DeletePortMapping")


async def test_a_network_without_such_a_router_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    async def nobody() -> list[str]:
        searched.append("discover")
        return []

    monkeypatch.setattr(upnp, "_routers", nobody)
    igd = Igd()
    await igd.search()
    assert await igd.ask(4_000, 4_001) is None
    assert searched == ["discover"]
    await igd.search()
    assert searched == ["discover"] * 2


async def test_a_machine_leads_to_no_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What names a description elsewhere is passed over, and so is a description that takes requests elsewhere."""
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as machine:
        await machine.bind(("127.0.0.1", 0))
        monkeypatch.setattr(upnp, "GROUP", machine.getsockname())

        async def answer() -> None:
            for at in ("http://192.0.2.1/d.xml", "", "ftp://127.0.0.1/", "http://127.0.0.1:7/d.xml"):
                _data, asker = await machine.recvfrom(2_000)
                await machine.sendto(f"HTTP/1.1 200 OK\r\nlocation:{at}\r\n\r\n".encode(), asker)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            assert await upnp._routers() == ["http://127.0.0.1:7/d.xml"]
    elsewhere = DESCRIPTION.replace("/control<", "http://192.0.2.1/control<").encode()
    async with liar(lambda stream: stream.send_all(OK + elsewhere)) as at:
        assert await upnp._described(at) == []


OK = b"HTTP/1.1 200 OK\r\n\r\n"
Lie = Callable[[trio.SocketStream], Awaitable[None]]


@asynccontextmanager
async def liar(lie: Lie) -> AsyncIterator[str]:
    """A machine that answers each request with a lie. Yields the URL of its description."""

    async def answer(stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            async with stream:
                await stream.receive_some()
                await lie(stream)

    async with trio.open_nursery() as nursery:
        (listening,) = await nursery.start(partial(trio.serve_tcp, answer, 0, host="127.0.0.1"))
        yield f"http://127.0.0.1:{listening.socket.getsockname()[1]}/d.xml"
        nursery.cancel_scope.cancel()


sent = Counter[str]()


async def endless(stream: trio.SocketStream, head: bytes = OK, piece: bytes = b"<service>" * 1_000) -> None:
    await stream.send_all(head)
    while True:
        await stream.send_all(piece)
        sent["bytes"] += len(piece)


async def drips(stream: trio.SocketStream) -> None:
    while True:
        await stream.send_all(b"H")
        await trio.sleep(1)


async def says_nothing(_: trio.SocketStream) -> None:
    await trio.sleep_forever()


LIES: dict[str, Lie] = {
    "endless": endless,
    "endless, of a length": partial(endless, head=b"HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\n"),
    "endless, in chunks": partial(
        endless,
        head=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        piece=b"fff\r\n" + bytes(4_095) + b"\r\n",
    ),
    "an endless head": partial(endless, head=b"HTTP/1.1 200 OK\r\n", piece=b"a: b\r\n" * 1_000),
    "a byte a second": drips,
    "nothing": says_nothing,
    "leads on": lambda stream: stream.send_all(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n"),
    "closes": lambda stream: stream.aclose(),
    "no HTTP": lambda stream: stream.send_all(bytes(range(256))),
    "a cut chunk": lambda stream: stream.send_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\nx"),
    "many services": lambda stream: stream.send_all(OK + b"<service><serviceType>x" * 8_000),
    "many services below a long address": lambda stream: stream.send_all(
        OK + b"<URLBase>" + b"&amp;" * 20_000 + b"</URLBase>" + b"<service>" * 10_000
    ),
    "many services that forward": lambda stream: stream.send_all(
        OK + f"<service><serviceType>{SERVICE}</serviceType><controlURL>//[".encode() * 1_500
    ),
    "a letter of a number without end": lambda stream: stream.send_all(OK + b"<service><serviceType>&#" + b"1" * 5_000),
    "an address that is none": lambda stream: stream.send_all(
        OK + DESCRIPTION.replace("/control<", "http://[<").encode()
    ),
    "a base that is none": lambda stream: stream.send_all(
        OK + DESCRIPTION.replace("<device>", "<URLBase>http://[</URLBase><device>", 1).encode()
    ),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_machine_that_poses_as_the_router_fills_no_memory_and_takes_little_time(lie: str) -> None:
    assert (upnp.MOST_BYTES, upnp.PATIENCE) == (200_000, 3)
    sent.clear()
    began, spent = trio.current_time(), process_time()
    async with liar(LIES[lie]) as at:
        assert await Igd(at).ask(4_000, 4_001) is None
    assert trio.current_time() - began < 60, "a cap against hangs"
    assert process_time() - spent < 5, "what is read takes little work too"
    assert sent["bytes"] < 16_000_000, "what the system holds between the two counts too"
