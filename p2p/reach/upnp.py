# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a home router to forward a port by UPnP, for routers without PCP and NAT-PMP.

A datagram to all machines of the LAN asks for routers; each answers with the place of its description, which names the
service that forwards ports and where it takes requests. Source: UPnP Device Architecture 1.1, 1.3 (discovery), 2.3
(description) and 3.1 (control); WANIPConnection:1, 2.4.

Any machine on the LAN can pose as the router. A false address costs a failed dial. Only a few machines are believed,
the default gateway first, each in what lies at its own address, up to a size and a time; what it says is searched for
names and never parsed as XML.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape, unescape
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from ipaddress import IPv4Address
from typing import Any, Final, cast
from urllib.parse import urljoin, urlsplit

import trio

from engine.core.dataclass import dataclass
from p2p.link.connecting import connect
from p2p.link.contract import LinkRefusedError
from p2p.reach.portmap import LEASE, Mapped, MapRefused
from p2p.reach.routes import default_gateway

GROUP: Final = "239.255.255.250", 1900
WANTED: Final = tuple(
    f"urn:schemas-upnp-org:{each}"
    for each in ("device:InternetGatewayDevice:1", "service:WANIPConnection:1", "service:WANPPPConnection:1")
)
"""What is asked for; a router with a later version answers too (1.3.2)."""
FORWARDS: Final = ("urn:schemas-upnp-org:service:WANIPConnection:", "urn:schemas-upnp-org:service:WANPPPConnection:")
DISCOVERY: Final = 1.0
"""Seconds that routers have to answer the search."""
PATIENCE: Final = 3.0
"""Seconds for one request to a router."""
MOST_ANSWERS: Final = 64
MOST_ROUTERS: Final = 4
MOST_SERVICES: Final = 4
MOST_BYTES: Final = 200_000
"""Most bytes of what a router says to one request."""
MOST_TEXT: Final = 1_000
"""Most letters of one element that are read."""
LABEL: Final = "starlock"
TAKEN: Final = 718
PERMANENT: Final = 725
FORBIDDEN: Final = 606
"""Errors of AddPortMapping: another machine has the port; only mappings without an end; not permitted."""
OTHER_PORTS: Final = 4


class IgdError(Exception):
    """A router refuses, or says what makes no sense. code: the number of its error, 0 without one."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Service:
    """What forwards ports in a router.

    Attributes:
        name: its type and version.
        at: URL that takes requests.
        own: the address of this machine towards the router.
    """

    name: str
    at: str
    own: str

    async def do(self, action: str, arguments: Mapping[str, object] | None = None) -> str:
        """Return the router's answer to an action. Raises IgdError."""
        given = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in (arguments or {}).items())
        body = (
            '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
            's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
            f'<u:{action} xmlns:u="{self.name}">{given}</u:{action}></s:Body></s:Envelope>'
        )
        headers = {"Content-Type": 'text/xml; charset="utf-8"', "SOAPAction": f'"{self.name}#{action}"'}
        status, said, _own = await _asked("POST", self.at, headers, body)
        if status != 200:
            code = told("errorCode", said)
            raise IgdError(int(code) if code.isascii() and code.isdigit() and len(code) < 6 else 0)
        return said

    async def outside(self) -> str:
        """Return the router's external address. Raises IgdError."""
        try:
            return str(IPv4Address(told("NewExternalIPAddress", await self.do("GetExternalIPAddress"))))
        except ValueError:
            raise IgdError from None

    async def add(self, outer: int, port: int) -> None:
        """Forward a port, without an end where the router knows no other way. Raises IgdError."""
        wanted = {**_mapping(outer), "NewInternalPort": port, "NewInternalClient": self.own, "NewEnabled": 1}
        wanted["NewPortMappingDescription"] = LABEL
        try:
            await self.do("AddPortMapping", {**wanted, "NewLeaseDuration": LEASE})
        except IgdError as error:
            if error.code != PERMANENT:
                raise
            await self.do("AddPortMapping", {**wanted, "NewLeaseDuration": 0})


class Igd:
    """The router of this LAN. at: URL of its description, None to search for one.

    outside: its external address as it said last, None if it did not.
    """

    def __init__(self, at: str | None = None) -> None:
        self._at = at
        self._service: Service | None = None
        self._silent = False
        self.outside: str | None = None

    async def search(self) -> None:
        """Search for the router, if none is known. Asks nothing of it."""
        self._silent = await self._found() is None

    async def ask(self, port: int, wanted: int) -> Mapped | MapRefused | None:
        """Request or renew the forwarding of external TCP port `wanted`, or a port after it, to `port` of this machine.
        Some routers grant only permanent mappings; these remain until `delete`. Return None if no router answers."""
        service = None if self._silent else await self._found()  # a second search would take as long as the first
        if service is None:
            return None
        try:
            outside = self.outside = await service.outside()
            for outer in range(wanted, min(wanted + OTHER_PORTS, 65_536)):
                try:
                    await service.add(outer, port)
                except IgdError as error:
                    if error.code != TAKEN:
                        raise
                else:
                    return Mapped(outer, outside, LEASE, 0)
        except IgdError as error:
            self._service = None
            return MapRefused("portmap/refused" if error.code == FORBIDDEN else "portmap/failed")
        return MapRefused("portmap/full")

    async def keeps(self, mapped: Mapped) -> bool:
        """True if the router still forwards the port and has the same address."""
        service = await self._found()
        try:
            if service is None:
                return False
            await service.do("GetSpecificPortMappingEntry", _mapping(mapped.port))
            return await service.outside() == mapped.host
        except IgdError:
            self._service = None
            return False

    async def delete(self, mapped: Mapped) -> None:
        """Delete the mapping. If the router does not answer, the lease runs out."""
        if (service := await self._found()) is not None:
            with suppress(IgdError):
                await service.do("DeletePortMapping", _mapping(mapped.port))

    async def _found(self) -> Service | None:
        """Return the service of the first router that has one, one with an external address if there are several."""
        if self._service is None:
            for at in [self._at] if self._at is not None else await _routers():
                services = await _described(at)
                for each in services[: MOST_SERVICES if len(services) > 1 else 0]:
                    with suppress(IgdError):
                        await each.outside()
                        services = [each]
                        break
                if services:
                    self._service = services[0]
                    break
        return self._service


def _mapping(outer: int) -> dict[str, object]:
    """The arguments that name a mapping."""
    return {"NewRemoteHost": "", "NewExternalPort": outer, "NewProtocol": "TCP"}


def told(name: str, said: str) -> str:
    """Return the text of the first element with this name, whatever its prefix and attributes; empty without one."""
    _, found, rest = said.partition(name)
    return unescape(rest.partition(">")[2][:MOST_TEXT].partition("<")[0]).strip() if found else ""


async def _routers() -> list[str]:
    """Ask the LAN for routers, and return the URLs of a few descriptions, that of the default gateway first. Each lies
    at the address of the machine that names it."""
    found: dict[str, str] = {}
    with suppress(OSError), trio.move_on_after(DISCOVERY), trio.socket.socket(type=trio.socket.SOCK_DGRAM) as asking:
        asking.setsockopt(trio.socket.IPPROTO_IP, trio.socket.IP_MULTICAST_TTL, 2)
        for kind in 2 * WANTED:  # a datagram may be lost
            question = (
                f'M-SEARCH * HTTP/1.1\r\nHOST: {GROUP[0]}:{GROUP[1]}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\nST: {kind}'
            )
            await asking.sendto(f"{question}\r\n\r\n".encode(), GROUP)
        while len(found) < MOST_ANSWERS:
            data, sender = await asking.recvfrom(2_000)
            lines = (line.partition(":") for line in data.decode("latin-1").splitlines())
            at = next((value.strip() for name, _, value in lines if name.strip().lower() == "location"), "")
            if _place(at)[0] == sender[0]:
                found.setdefault(sender[0], at)
    gateway = default_gateway()
    return [found[host] for host in sorted(found, key=lambda host: host != gateway)][:MOST_ROUTERS]


def _place(url: str) -> tuple[str, int, str]:
    """Return host, port and path of an http URL; an empty host for any other."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError:
        return "", 0, ""
    path = f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}"
    if parts.scheme != "http" or not path.isascii() or not path.isprintable() or " " in path:
        return "", 0, ""
    return host, port, path


async def _described(at: str) -> list[Service]:
    """Return the services in a router's description that forward ports, and take requests at the same address."""
    try:
        status, said, own = await _asked("GET", at)
    except IgdError:
        return []
    found, base = [], told("URLBase", said) or at
    for part in said.split("<service>")[1:] if status == 200 else ():
        name, to = told("serviceType", part), _joined(base, told("controlURL", part))
        if name.startswith(FORWARDS) and name.isascii() and '"' not in name and _place(to)[0] == _place(at)[0]:
            found.append(Service(name, to, own))
    return found


def _joined(base: str, url: str) -> str:
    """Return where a URL in a description leads, empty if that is no URL."""
    try:
        return urljoin(base, url)
    except ValueError:
        return ""


async def _asked(
    method: str, at: str, headers: Mapping[str, str] | None = None, body: str = ""
) -> tuple[int, str, str]:
    """Send a request; return the status, the body, and the address of this machine. Raises IgdError."""
    host, port, path = _place(at)
    sent = {**(headers or {}), "Host": f"{host}:{port}", "Content-Length": len(body), "Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    with trio.move_on_after(PATIENCE), suppress(trio.BrokenResourceError, ValueError, HTTPException):
        try:
            stream = await connect(host, port)
        except LinkRefusedError:
            raise IgdError from None
        async with stream:
            own: str = stream.socket.getsockname()[0]
            await stream.send_all(f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode())
            data = b""
            while not _whole(data):
                more = await stream.receive_some(65_536)
                data += more
                if len(data) > MOST_BYTES:
                    raise IgdError
                if not more:
                    break
            answer = _read(data)
            return answer.status, answer.read().decode("utf-8", "replace"), own
    raise IgdError


def _whole(data: bytes) -> bool:
    """True if a response is complete by the length that it tells; others end with their connection."""
    head, end, body = data.partition(b"\r\n\r\n")
    lengths = [
        line.partition(b":")[2].strip() for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
    ]
    return bool(end) and bool(lengths) and lengths[0].isdigit() and len(body) >= int(lengths[0][:9])


def _read(data: bytes) -> HTTPResponse:
    """Read the head of a response. Raises HTTPException."""

    class Received:
        def makefile(self, _mode: str) -> BytesIO:
            return BytesIO(data)

    answer = HTTPResponse(cast("Any", Received()))
    answer.begin()
    return answer
