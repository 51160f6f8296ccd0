# SPDX-License-Identifier: GPL-3.0-or-later
"""LAN discovery: each peer announces itself on every interface, by multicast and by broadcast.

An announcement is "starlock" followed by canonical CBOR [version, instance, port, calling, tags, note, answer]. A tag
is 16 bytes of a hash of a meeting's secret and the instance, so only peers that know the meeting recognize it, and
nobody learns a table's id or its members. The note is free for the owner's use, for instance to show an open table. The
announcement does not contain an address: the receiver uses the sender's, which works, with the interface if it is
link-local.

Anybody can send an announcement in another machine's name. Who hears one with a note asks its address: "starlock" and
[version, question], 8 bytes. The machine there answers with its announcement, to the asker alone, and the question is
the answer in it. A question follows from the asked address and a key of this process, so that none has to be
remembered, and who does not receive what is sent to an address cannot answer for it.

Announcements are frequent at first, then come every 2 s, and soon when a new peer is heard, so that both sides dial. A
forged one costs a failed dial: identity and secret are proven on the link.
"""

from __future__ import annotations

import errno
import secrets
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from hmac import compare_digest, digest
from ipaddress import IPv4Interface, IPv6Interface, ip_address
from typing import Final, TypeAlias

import trio

from engine.core.dataclass import dataclass, replace
from p2p.link.bucket import Bucket, Buckets
from p2p.link.contract import LinkRefusedError
from p2p.link.meet import Meeting
from p2p.link.pulse import beat
from p2p.reach.addresses import own_adapters, own_networks
from p2p.wire.address import Address, at_endpoint
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from seeds.hashing import H

MAGIC: Final = b"starlock"
VERSION: Final = 3
PORT: Final = 40_917
GROUP_4: Final = "239.255.83.76"
GROUP_6: Final = "ff12::534c"
TAG: Final = 16
QUESTION: Final = 8
MAX_TAGS: Final = 8
MAX_ANNOUNCEMENT: Final = 1_000
BEGINNING: Final = (0.0, 0.25, 0.75)
EVERY: Final = 2.0
ANSWER_AFTER: Final = 0.05
HURRIES_A_SECOND: Final = 1.0
HURRIES_AT_ONCE: Final = 4.0
"""How often new peers make this one announce itself before its time."""
WORDS_A_SECOND: Final = 20.0
WORDS_AT_ONCE: Final = 60.0
"""Datagrams of one address that are read: announcements, questions, and answers, each apart."""
QUESTIONS_A_SECOND: Final = 200.0
"""Questions to all addresses, of IPv4 and of IPv6 each. The system keeps an entry for some seconds for each neighbour
that it looks for."""
MAX_HOSTS: Final = 4_096
"""Addresses that are counted apart."""
MAX_KNOWN: Final = 256

_Sender: TypeAlias = tuple[str, int] | tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class LanAnnouncement:
    """What one process announces.

    Attributes:
        port: TCP port on which it accepts links, 0 if it accepts none.
        tags: 16 bytes for each of its meetings.
        calling: the port from which it connects to who connects to it at the same time, 0 for none.
    """

    instance: bytes
    port: int
    tags: tuple[bytes, ...]
    note: Plain = None
    calling: int = 0

    def pack(self, answer: bytes = b"") -> bytes:
        """Return the datagram. Raises ValueError if it is longer than 1,000 bytes because of the note. answer: the
        question that it answers, empty for none."""
        data = MAGIC + encode([VERSION, self.instance, self.port, self.calling, self.tags, self.note, answer])
        if len(data) > MAX_ANNOUNCEMENT:
            raise ValueError(f"an announcement has at most {MAX_ANNOUNCEMENT} bytes, not {len(data)}")
        return data


@dataclass(frozen=True, slots=True)
class Sighting:
    """A peer that was heard: its address (empty if it accepts no links) and its announcement. The note is unchecked.

    Attributes:
        host: the sender's IP address, with the interface if it is link-local.
        answer: the question that it answers, empty for none.
        genuine: whether that is this process's question to this address, so that the sender receives what is sent
            there.
        calling: the address from which it connects to who connects to it at the same time, empty if it does not.
    """

    address: Address
    instance: bytes
    tags: tuple[bytes, ...]
    note: Value
    host: str = ""
    answer: bytes = b""
    genuine: bool = False
    calling: Address = ""

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
        case [_, bytes(instance), int(port), int(calling), list(tags), note, bytes(answer)] if (
            len(instance) == 8
            and _is_port(port)
            and _is_port(calling)
            and len(tags) <= MAX_TAGS
            and len(answer) in (0, QUESTION)
        ):
            known = tuple(each for each in tags if isinstance(each, bytes) and len(each) == TAG)
            if len(known) == len(tags):
                listens, calls = (at_endpoint(host, each) if each else "" for each in (port, calling))
                return Sighting(listens, instance, known, note, host, answer, calling=calls)
    raise WireError("announce/form")


def _is_port(number: int) -> bool:
    return type(number) is int and 0 <= number <= 65_535


def pack_question(question: bytes) -> bytes:
    """Return the datagram that asks an address for its announcement. question: 8 bytes."""
    return MAGIC + encode([VERSION, question])


def read_question(data: bytes) -> bytes | None:
    """Return the question in a datagram, None if it is another one."""
    if len(data) != len(pack_question(bytes(QUESTION))) or not data.startswith(MAGIC):
        return None
    with suppress(WireError):
        match decode(data[len(MAGIC) :]):
            case [int(version), bytes(question)] if version == VERSION and len(question) == QUESTION:
                return question
    return None


class Datagrams:
    """A UDP socket. What the system does not take at once is lost, as it may be on the way: words to machines that are
    not there wait until nobody has answered for them, and nobody waits for that."""

    def __init__(self, bound: socket.socket) -> None:
        self._bound, self._hearing, self.family = bound, trio.socket.from_stdlib_socket(bound), bound.family

    def setsockopt(self, level: int, option: int, value: int | bytes) -> None:
        self._bound.setsockopt(level, option, value)

    def sendto(self, data: bytes, to: _Sender) -> None:
        """Send or lose a datagram. Raises OSError, also where it is lost for want of room."""
        self._bound.sendto(data, to)

    async def recvfrom(self, most: int) -> tuple[bytes, _Sender]:
        data, sender = await self._hearing.recvfrom(most)
        return data, sender

    def close(self) -> None:
        self._hearing.close()


class Announcer:
    """Sends announcements and receives those of others. Questions leave from ports of their own: where they wait for
    machines that are not there, announcements and answers do not.

    Attributes:
        announcement: called before each announcement; returns what to send, None for nothing.
        sightings: announcements that are new or changed, and each known one again every few seconds.
        problems: by interface, why it is not used.
        echoed: whether this process has received its own announcement. If not, a firewall of this machine drops them.
    """

    def __init__(self, announcement: Callable[[], LanAnnouncement | None], port: int = PORT) -> None:
        self.problems: dict[str, str] = {}
        self.ignored = 0
        self.echoed = False
        self._announcement = announcement
        self._port = port
        self._sockets = list(_open_sockets(port))
        self._asking_from = {each.family: each for each in _open_sockets(0)}
        self._joined: set[tuple[int, int | str]] = set()
        self._known: set[bytes] = set()
        self._key = secrets.token_bytes(QUESTION)
        self._networks: list[IPv4Interface | IPv6Interface] = []
        self.rates = Buckets(WORDS_A_SECOND, WORDS_AT_ONCE, MAX_HOSTS)
        self._answers, self._asking = (Buckets(WORDS_A_SECOND, WORDS_AT_ONCE, MAX_HOSTS) for _ in range(2))
        self._asked, now = Buckets(1.0, 2.0, MAX_HOSTS), trio.current_time()
        kinds = (socket.AF_INET, socket.AF_INET6)
        self._questions = {kind: Bucket(QUESTIONS_A_SECOND, QUESTIONS_A_SECOND, now) for kind in kinds}
        self._hurries = Bucket(HURRIES_A_SECOND, HURRIES_AT_ONCE, now)
        self._hurry = trio.Event()
        self._out, self.sightings = trio.open_memory_channel[Sighting](64)

    async def run(self) -> None:
        """Announce and listen until cancelled."""
        async with trio.open_nursery() as nursery:
            for each in (*self._sockets, *self._asking_from.values()):
                nursery.start_soon(self.receive, each)
            nursery.start_soon(self.send_regularly)

    @property
    def heard(self) -> int:
        """How many other processes were heard, of any table."""
        return len(self._known)

    def close(self) -> None:
        """End the sightings, and close the sockets."""
        self._out.close()
        self.close_sockets()

    def close_sockets(self) -> None:
        """Close the sockets."""
        for each in (*self._sockets, *self._asking_from.values()):
            each.close()

    async def send_regularly(self) -> None:
        pauses = iter(BEGINNING)
        while True:
            await trio.sleep(next(pauses, 0.0))
            if (own := self._announcement()) is not None:
                self.send(own.pack())
            with trio.move_on_at(beat(EVERY)):
                await self._hurry.wait()
                now = trio.current_time()
                await trio.sleep(max(ANSWER_AFTER, self._hurries.wait(now)))
                self._hurries.spend(1, now)
                self._hurry = trio.Event()

    def send(self, data: bytes) -> None:
        """Announce on all interfaces."""
        self._networks = own_networks()
        for adapter in own_adapters():
            for entry in adapter.ips:
                ipv4 = isinstance(entry.ip, str)
                host = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
                for each in self._sockets:
                    if ipv4 == (each.family == socket.AF_INET):
                        self._say_on(each, adapter.nice_name, adapter.index, host, entry.network_prefix, data)

    def _say_on(self, each: Datagrams, name: str, index: int | None, host: str, prefix: int, data: bytes) -> None:
        try:
            if each.family == socket.AF_INET:
                self._join_ipv4(each, host)
                each.sendto(data, (GROUP_4, self._port))
                if prefix < 31:
                    each.sendto(data, (str(IPv4Interface(f"{host}/{prefix}").network.broadcast_address), self._port))
            elif index is not None and ip_address(host.partition("%")[0]).is_link_local:
                self._join_ipv6(each, index)
                each.sendto(data, (GROUP_6, self._port, 0, index))
        except OSError as error:
            self.problems[f"{name} {host}"] = error.strerror or str(error)
        else:
            self.problems.pop(f"{name} {host}", None)

    def _join_ipv4(self, each: Datagrams, host: str) -> None:
        address = socket.inet_aton(host)
        if (socket.AF_INET, host) not in self._joined:
            _join(each, socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP_4) + address)
            self._joined.add((socket.AF_INET, host))
        each.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)

    def _join_ipv6(self, each: Datagrams, index: int) -> None:
        if (socket.AF_INET6, index) not in self._joined:
            request = socket.inet_pton(socket.AF_INET6, GROUP_6) + struct.pack("@I", index)
            _join(each, socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)
            self._joined.add((socket.AF_INET6, index))
        each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)

    async def receive(self, each: Datagrams) -> None:
        while True:
            try:
                data, sender = await each.recvfrom(MAX_ANNOUNCEMENT + 1)
            except OSError as error:  # Windows reports an unreachable receiver of an earlier datagram here
                self.problems["hearing"] = error.strerror or str(error)
                continue
            host = _host(sender)
            if (question := read_question(data)) is not None:
                self._answer(each, sender, host, question)
                continue
            try:
                sighting = self._read(data, host)
            except WireError:
                self.ignored += 1
                continue
            self._ask(self._asking_from[each.family], sender, sighting)
            self._notice(sighting)

    def _read(self, data: bytes, host: str) -> Sighting:
        """Read an announcement. A flood from one address is not parsed and displaces nothing of others; what answers
        this process's own question is counted apart from what anybody can send. Raises WireError."""
        genuine = data.endswith(self._question(host))
        rates = self._answers if genuine else self.rates
        if not _within(rates, host):
            raise WireError("announce/flood")
        sighting = read_announcement(data, host)
        return replace(sighting, genuine=genuine and compare_digest(sighting.answer, self._question(host)))

    def _question(self, host: str) -> bytes:
        """Return this process's question to an address."""
        return digest(self._key, host.encode(), "sha256")[:QUESTION]

    def _ask(self, each: Datagrams, sender: _Sender, sighting: Sighting) -> None:
        """Ask an address whether what was heard in its name is its own, if it says more than that somebody is there."""
        wanted = not (sighting.genuine or sighting.note is None or self._announcement() is None)
        if not (wanted and _within(self._asked, sighting.host)):
            return
        if self._questions[each.family].take(1, trio.current_time()):
            with suppress(OSError):  # a forged sender that nothing leads to, or so many that there is no room
                each.sendto(pack_question(self._question(sighting.host)), sender)

    def _answer(self, each: Datagrams, sender: _Sender, host: str, question: bytes) -> None:
        """Answer a neighbour. Others get nothing, so that nobody is sent what another one has asked for."""
        own, at = self._announcement(), ip_address(host.partition("%")[0])
        if own is None or own.note is None or not any(at in network.network for network in self._networks):
            return
        if _within(self._asking, host):
            with suppress(OSError):  # a forged sender, or so many that there is no room
                each.sendto(own.pack(question), sender)

    def _notice(self, sighting: Sighting) -> None:
        own = self._announcement()
        if own is not None and sighting.instance == own.instance:
            self.echoed = True
            return
        if sighting.instance not in self._known:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known.add(sighting.instance)
            self._hurry.set()
        try:
            self._out.send_nowait(sighting)
        except trio.WouldBlock:  # a flood; the next announcement comes in 2 s
            self.ignored += 1


@asynccontextmanager
async def open_announcer(
    announcement: Callable[[], LanAnnouncement | None], port: int = PORT
) -> AsyncIterator[Announcer]:
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


def _open_sockets(port: int) -> Iterator[Datagrams]:
    yield Datagrams(_bound(socket.AF_INET, port))
    try:
        ipv6 = _bound(socket.AF_INET6, port)
    except OSError:  # a machine without IPv6
        return
    yield Datagrams(ipv6)


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


def _join(each: Datagrams, level: int, option: int, request: bytes) -> None:
    try:
        each.setsockopt(level, option, request)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:  # the interface has another address in the group already
            raise


def _within(rates: Buckets, host: str) -> bool:
    """True if an address is within its rate."""
    now = trio.current_time()
    return rates.admit(host, now) and rates.take(host, now)


def _host(sender: _Sender) -> str:
    if len(sender) == 4 and sender[3] and "%" not in sender[0]:
        return f"{sender[0]}%{sender[3]}"
    return sender[0]
