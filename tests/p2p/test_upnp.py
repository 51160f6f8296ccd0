"""A home router that speaks UPnP alone passes a port on, and whatever it answers does no harm."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from p2p.reach import upnp
from p2p.reach.gateway import PortMap
from p2p.reach.portmap import LEASE, Mapped, MapRefused
from p2p.reach.upnp import Igd

pytestmark = pytest.mark.skipif(find_spec("miniupnpc") is None, reason="miniupnpc has no wheel for this system")

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


async def test_without_the_library_the_cause_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upnp, "miniupnpc", None)
    assert await Igd().ask(4_000, 4_001) == MapRefused("portmap/no-upnp")


async def test_a_network_without_such_a_router_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    class Nobody:
        discoverdelay = 0

        def discover(self) -> None:
            searched.append("discover")

        def selectigd(self) -> None:
            raise Exception("No UPnP device discovered")  # noqa: TRY002  as miniupnpc does

    monkeypatch.setattr(upnp, "miniupnpc", SimpleNamespace(UPnP=Nobody))
    igd = Igd()
    await igd.search()
    assert await igd.ask(4_000, 4_001) is None
    assert searched == ["discover"]
    await igd.search()
    assert searched == ["discover"] * 2
