# SPDX-License-Identifier: GPL-3.0-or-later
"""LAN discovery: each peer announces itself on every interface, by multicast and by broadcast.

An announcement is "starlock" followed by canonical CBOR [version, instance, port, tags, note]. A tag is 16 bytes of a
hash of a meeting's secret and the instance, so only peers that know the meeting recognize it, and nobody learns a
table's id or its members. The note is free for the owner's use, for instance to show an open table. The announcement
does not contain an address: the receiver uses the sender's, which works, with the interface if it is link-local.

Announcements are frequent at first, then come every 3 s, and at once when a new peer is heard, so that both sides dial.
A forged one costs a failed dial: identity and secret are proven on the link.
"""

from __future__ import annotations

import errno
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from ipaddress import IPv4Interface, ip_address
from typing import Final

import trio

from p2p.link.bucket import Buckets
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Meeting
from p2p.link.pulse import beat
from p2p.reach.addresses import own_adapters
from p2p.wire.address import Address, at_endpoint
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from seeds.dataclass import dataclass
from seeds.hashing import H

MAGIC: Final = b"starlock"
VERSION: Final = 1
PORT: Final = 40_917
GROUP_4: Final = "239.255.83.76"
GROUP_6: Final = "ff12::534c"
TAG: Final = 16
MAX_TAGS: Final = 8
MAX_ANNOUNCEMENT: Final = 1_000
BEGINNING: Final = (0.0, 0.25, 0.75)
EVERY: Final = 4.0
ANSWER_AFTER: Final = 0.05
WORDS_A_SECOND: Final = 20.0
WORDS_AT_ONCE: Final = 60.0
MAX_KNOWN: Final = 256


@dataclass(frozen=True, slots=True)
class LanAnnouncement:
    """What one process announces.

    Attributes:
        port: TCP port on which it accepts links, 0 if it accepts none.
        tags: 16 bytes for each of its meetings.
    """

    instance: bytes
    port: int
    tags: tuple[bytes, ...]
    note: Plain = None

    def pack(self) -> bytes:
        """Return the datagram. Raises ValueError if it is longer than 1,000 bytes because of the note."""
        data = MAGIC + encode([VERSION, self.instance, self.port, self.tags, self.note])
        if len(data) > MAX_ANNOUNCEMENT:
            raise ValueError(f"an announcement has at most {MAX_ANNOUNCEMENT} bytes, not {len(data)}")
        return data


@dataclass(frozen=True, slots=True)
class Sighting:
    """A peer that was heard: its address (empty if it accepts no links) and its announcement. The note is unchecked."""

    address: Address
    instance: bytes
    tags: tuple[bytes, ...]
    note: Value

    def knows(self, meeting: Meeting) -> bool:
        """True if the announcement carries the tag of this meeting."""
        return tag(meeting, self.instance) in self.tags


def tag(meeting: Meeting, instance: bytes) -> bytes:
    """Return the 16 bytes by which peers that know a meeting recognize each other."""
    return H("announce", meeting.secret, instance)[:TAG]


def read_announcement(data: bytes, host: str) -> Sighting:
    """Return the announcement received from `host`. Raises WireError; such datagrams are counted and ignored."""
    if not data.startswith(MAGIC):
        raise WireError("announce/foreign")
    match decode(data[len(MAGIC) :], limit=MAX_ANNOUNCEMENT):
        case [int(version), *_] if version != VERSION:
            raise WireError("announce/version", 0, str(version))
        case [_, bytes(instance), int(port), list(tags), note] if (
            len(instance) == 8 and type(port) is int and 0 <= port <= 65_535 and len(tags) <= MAX_TAGS
        ):
            known = tuple(each for each in tags if isinstance(each, bytes) and len(each) == TAG)
            if len(known) == len(tags):
                return Sighting(at_endpoint(host, port) if port else "", instance, known, note)
    raise WireError("announce/form")


class Announcer:
    """Sends announcements and receives those of others.

    Attributes:
        announcement: called before each announcement; returns what to send.
        sightings: announcements that are new or changed, and each known one again every few seconds.
        problems: by interface, why it is not used.
        echoed: whether this process has received its own announcement. If not, a firewall of this machine drops them.
    """

    def __init__(self, announcement: Callable[[], LanAnnouncement], port: int = PORT) -> None:
        self.problems: dict[str, str] = {}
        self.ignored = 0
        self.echoed = False
        self._announcement = announcement
        self._port = port
        self._sockets = list(_open_sockets(port))
        self._joined: set[tuple[int, int | str]] = set()
        self._known: set[bytes] = set()
        self.rates = Buckets(WORDS_A_SECOND, WORDS_AT_ONCE, MAX_KNOWN)
        self._hurry = trio.Event()
        self._out, self.sightings = trio.open_memory_channel[Sighting](64)

    async def run(self) -> None:
        """Announce and listen until cancelled."""
        async with trio.open_nursery() as nursery:
            for each in self._sockets:
                nursery.start_soon(self.receive, each)
            nursery.start_soon(self.send_regularly)

    @property
    def heard(self) -> int:
        """How many other processes were heard, of any table."""
        return len(self._known)

    def close(self) -> None:
        """Close the sockets."""
        self._out.close()
        for each in self._sockets:
            each.close()

    async def send_regularly(self) -> None:
        pauses = iter(BEGINNING)
        while True:
            await trio.sleep(next(pauses, 0.0))
            await self.send(self._announcement().pack())
            with trio.move_on_at(beat(EVERY)):
                await self._hurry.wait()
                await trio.sleep(ANSWER_AFTER)
                self._hurry = trio.Event()

    async def send(self, data: bytes) -> None:
        for adapter in own_adapters():
            for entry in adapter.ips:
                ipv4 = isinstance(entry.ip, str)
                host = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
                for each in self._sockets:
                    if ipv4 == (each.family == socket.AF_INET):
                        await self._say_on(each, adapter.nice_name, adapter.index, host, entry.network_prefix, data)

    async def _say_on(
        self, each: trio.socket.SocketType, name: str, index: int | None, host: str, prefix: int, data: bytes
    ) -> None:
        try:
            if each.family == socket.AF_INET:
                self._join_ipv4(each, host)
                await each.sendto(data, (GROUP_4, self._port))
                if prefix < 31:
                    await each.sendto(
                        data, (str(IPv4Interface(f"{host}/{prefix}").network.broadcast_address), self._port)
                    )
            elif index is not None and ip_address(host.partition("%")[0]).is_link_local:
                self._join_ipv6(each, index)
                await each.sendto(data, (GROUP_6, self._port, 0, index))
        except OSError as error:
            self.problems[f"{name} {host}"] = error.strerror or str(error)
        else:
            self.problems.pop(f"{name} {host}", None)

    def _join_ipv4(self, each: trio.socket.SocketType, host: str) -> None:
        address = socket.inet_aton(host)
        if (socket.AF_INET, host) not in self._joined:
            _join(each, socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP_4) + address)
            self._joined.add((socket.AF_INET, host))
        each.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)

    def _join_ipv6(self, each: trio.socket.SocketType, index: int) -> None:
        if (socket.AF_INET6, index) not in self._joined:
            request = socket.inet_pton(socket.AF_INET6, GROUP_6) + struct.pack("@I", index)
            _join(each, socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)
            self._joined.add((socket.AF_INET6, index))
        each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)

    async def receive(self, each: trio.socket.SocketType) -> None:
        while True:
            try:
                data, sender = await each.recvfrom(MAX_ANNOUNCEMENT + 1)
            except OSError as error:  # Windows reports an unreachable receiver of an earlier datagram here
                self.problems["hearing"] = error.strerror or str(error)
                continue
            if not self._may_speak(sender[0]):
                self.ignored += 1
                continue
            try:
                sighting = read_announcement(data, _host(sender))
            except WireError:
                self.ignored += 1
                continue
            self._notice(sighting)

    def _may_speak(self, host: str) -> bool:
        """True if a host is within its rate, so that a flood from one host is not parsed and does not displace
        others."""
        now = trio.current_time()
        return self.rates.admit(host, now) and self.rates.take(host, now)

    def _notice(self, sighting: Sighting) -> None:
        if sighting.instance == self._announcement().instance:
            self.echoed = True
            return
        if sighting.instance not in self._known:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known.add(sighting.instance)
            self._hurry.set()
        try:
            self._out.send_nowait(sighting)
        except trio.WouldBlock:  # a flood; the next announcement comes in 3 s
            self.ignored += 1


@asynccontextmanager
async def open_announcer(announcement: Callable[[], LanAnnouncement], port: int = PORT) -> AsyncIterator[Announcer]:
    """Announce while the block lasts. Raises LinkRefusedError "announce/port-in-use" or "announce/failed"."""
    try:
        announcer = Announcer(announcement, port)
    except OSError as error:
        code = "announce/port-in-use" if error.errno == errno.EADDRINUSE else "announce/failed"
        raise LinkRefusedError(code, port, error.strerror or str(error)) from error
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(announcer.run)
            yield announcer
            nursery.cancel_scope.cancel()
    finally:
        announcer.close()


def _open_sockets(port: int) -> Iterator[trio.socket.SocketType]:
    yield trio.socket.from_stdlib_socket(_bound(socket.AF_INET, port))
    try:
        ipv6 = _bound(socket.AF_INET6, port)
    except OSError:  # a machine without IPv6
        return
    yield trio.socket.from_stdlib_socket(ipv6)


def _bound(family: socket.AddressFamily, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "win32" and sys.platform != "linux":  # the BSDs share a multicast port by this option
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            made.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            made.bind(("", port))
        else:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
            made.bind(("::", port))
    except OSError:
        made.close()
        raise
    return made


def _join(each: trio.socket.SocketType, level: int, option: int, request: bytes) -> None:
    try:
        each.setsockopt(level, option, request)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:  # the interface has another address in the group already
            raise


def _host(sender: tuple[str, int] | tuple[str, int, int, int]) -> str:
    if len(sender) == 4 and sender[3] and "%" not in sender[0]:
        return f"{sender[0]}%{sender[3]}"
    return sender[0]
