# SPDX-License-Identifier: GPL-3.0-or-later
"""Packets that ask a home router to forward a port: NAT-PMP (RFC 6886) and PCP (RFC 6887).

Both use UDP port 5351 of the gateway. PCP is tried first; a router that knows only NAT-PMP answers it with version 0,
and one that does not answer has neither. The router decides the lease, whatever was requested. The router's epoch
counts the seconds since it last lost its mappings: if it goes back, or falls behind our clock by more than an eighth,
the mapping is gone and is requested again. Synchronous; an answer that does not match the request is ignored.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address
from typing import Final, TypeAlias

from engine.core.dataclass import dataclass

PORT: Final = 5351
LEASE: Final = 3_600
LONGEST: Final = 86_400
NONCE: Final = 12
TCP: Final = 6
PCP: Final = 2
ANNOUNCE: Final = 0
MAP: Final = 1
ANSWER: Final = 0x80
PMP_ADDRESS: Final = 0
PMP_MAP_TCP: Final = 2
RESULTS: Final = {
    1: "portmap/version", 2: "portmap/refused", 3: "portmap/no-network", 4: "portmap/full", 5: "portmap/unsupported",
}  # fmt: skip
PCP_RESULTS: Final = {1: "portmap/version", 2: "portmap/refused", 8: "portmap/full", 9: "portmap/unsupported"}

INSIDE: Final = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")))
"""Networks behind a router. Source: RFC 1918, and RFC 6598 for carrier-grade NAT."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping that a router granted.

    Attributes:
        port, host: the external port and IP address; host is None with NAT-PMP, which tells it in an answer of its own.
        lease: seconds, limited to a day.
        epoch: the router's epoch in seconds.
    """

    port: int
    host: str | None
    lease: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Outside:
    """The router's external address."""

    host: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Alive:
    """The router has answered, and granted nothing: it was asked for its epoch, or to delete a mapping."""

    epoch: int


@dataclass(frozen=True, slots=True)
class MapRefused:
    """The router refuses. code: "portmap/version" (it speaks another protocol), "portmap/refused" (its owner has
    disabled mappings), "portmap/no-network", "portmap/full", "portmap/unsupported", "portmap/failed"."""

    code: str


Answer: TypeAlias = Mapped | Outside | Alive | MapRefused


def pcp_map(port: int, client: str, nonce: bytes, wanted: int, lease: int = LEASE) -> bytes:
    """Return the request to forward external TCP port `wanted`, or any, to `port` of this machine. Source: RFC 6887,
    11.1.

    own: its address towards the router.
    nonce: 12 bytes, the same when this mapping is renewed.
    lease: seconds, 0 to delete the mapping.
    """
    head = struct.pack("!BBHI16s", PCP, MAP, 0, lease, _sixteen(client))
    suggested = _sixteen("0.0.0.0" if ip_address(client).version == 4 else "::")  # noqa: S104  any address of the router
    return head + struct.pack("!12sB3xHH16s", nonce, TCP, port, wanted, suggested)


def pcp_announce(client: str) -> bytes:
    """Return the request that the router answers with its epoch. Source: RFC 6887, 14.1."""
    return struct.pack("!BBHI16s", PCP, ANNOUNCE, 0, 0, _sixteen(client))


def pmp_map(port: int, wanted: int, lease: int = LEASE) -> bytes:
    """Return the same request for NAT-PMP. To delete the mapping, `lease` and `wanted` are 0. Source: RFC 6886, 3.3."""
    return struct.pack("!BBHHHI", 0, PMP_MAP_TCP, 0, port, wanted, lease)


def pmp_address() -> bytes:
    """Return the request for the router's external address. Source: RFC 6886, 3.2."""
    return struct.pack("!BB", 0, PMP_ADDRESS)


def read(data: bytes, port: int, nonce: bytes) -> Answer | None:
    """Return a router's answer about `port`, None if it is malformed or does not match the request."""
    if len(data) < 4 or not data[1] & ANSWER:
        return None
    return _read_pcp(data, port, nonce) if data[0] == PCP else _read_pmp(data, port) if data[0] == 0 else None


def _read_pcp(data: bytes, port: int, nonce: bytes) -> Answer | None:
    if len(data) < 24:
        return None
    opcode, result, lease, epoch = struct.unpack("!xBxBII", data[:12])
    if opcode not in (ANSWER | MAP, ANSWER | ANNOUNCE):
        return None
    if result:
        return MapRefused(PCP_RESULTS.get(result, "portmap/failed"))
    if opcode == ANSWER | ANNOUNCE:
        return Alive(epoch)
    if len(data) < 60:
        return None
    echoed, protocol, inner, outer, host = struct.unpack("!12sB3xHH16s", data[24:60])
    if echoed != nonce or protocol != TCP or inner != port:
        return None
    address = IPv6Address(host)
    return _granted(outer, str(address.ipv4_mapped or address), lease, epoch)


def _read_pmp(data: bytes, port: int) -> Answer | None:
    opcode, result = struct.unpack("!xBH", data[:4])
    if result:
        return MapRefused(RESULTS.get(result, "portmap/failed"))
    if opcode == ANSWER | PMP_ADDRESS and len(data) == 12:
        epoch, host = struct.unpack("!I4s", data[4:])
        return Outside(str(IPv4Address(host)), epoch)
    if opcode == ANSWER | PMP_MAP_TCP and len(data) == 16:
        epoch, inner, outer, lease = struct.unpack("!IHHI", data[4:])
        return _granted(outer, None, lease, epoch) if inner == port else None
    return None


def _granted(outer: int, host: str | None, lease: int, epoch: int) -> Mapped | Alive | None:
    """Return what a router grants. The answer to a deletion has neither a port nor a lease (RFC 6887, 15; RFC 6886,
    3.4)."""
    if not outer:
        return None if lease else Alive(epoch)
    return Mapped(outer, host, min(lease, LONGEST), epoch)


def forgot(before: tuple[int, float], now: tuple[int, float]) -> bool:
    """True if a router has lost its mappings between two answers, each given as (epoch, our clock) in seconds. Source:
    RFC 6886, 3.6."""
    (epoch, then), (later, clock) = before, now
    return later < epoch + (clock - then) * 7 / 8 - 2


def behind_another(outside: str, seen: Collection[str]) -> bool:
    """True if the router with the external address `outside` is behind another NAT: the address is private or of
    carrier-grade NAT, or others see another one. seen: the addresses that others see, IPv4 and IPv6."""
    address = ip_address(outside)
    if address.version != 4:
        return False
    elsewhere = {known for known in map(ip_address, seen) if known.version == 4 and not _inside(known)}
    return _inside(address) or (bool(elsewhere) and address not in elsewhere)


def _inside(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in INSIDE)


def _sixteen(host: str) -> bytes:
    address = ip_address(host)
    return address.packed if isinstance(address, IPv6Address) else b"\0" * 10 + b"\xff\xff" + address.packed
