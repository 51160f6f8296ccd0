# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams over the existing libp2p network, by py-libp2p: waits at relays, accepts callers, and calls waiting peers.

A relay is any node of circuit relay v2. libp2p only transports bytes: its authentication is not used, since the Noise
channel of starlock runs inside each stream. Only this module imports the library, which is an extra and slow to load;
`p2p.reach.circuits` imports the module when it is needed.

Workarounds for the library (0.8.1): it blocks a peer for a minute after one failed dial, so each dial lifts that; of
several addresses of a peer it dials the one that it learned first, so each dial leaves it one; it does not notice that
a relay is gone, so call `ping`; it silently reconnects to a relay that restarted, without a new reservation; its own
sockets try the addresses of a name one after the other and send packets of any size, so `connecting` makes them.
Sources: of libp2p's specifications "circuit-v2", "identify" and "DCUtR".
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final

import trio
from libp2p import create_yamux_muxer_option, new_host
from libp2p.connection_types import ConnectionType
from libp2p.crypto.ed25519 import create_new_key_pair
from libp2p.host.ping import ID as PING
from libp2p.host.ping import perform_ping_roundtrip
from libp2p.identity.identify.identify import ID as IDENTIFY
from libp2p.identity.identify.pb.identify_pb2 import Identify
from libp2p.io.trio import TrioTCPStream
from libp2p.kad_dht.kad_dht import DHTMode, KadDHT
from libp2p.network.config import ConnectionConfig
from libp2p.network.connection.raw_connection import RawConnection
from libp2p.network.stream.exceptions import StreamEOF
from libp2p.peer.id import ID
from libp2p.peer.peerinfo import PeerInfo
from libp2p.relay.circuit_v2.dcutr import DCUtRProtocol
from libp2p.relay.circuit_v2.pb.circuit_pb2 import HopMessage
from libp2p.relay.circuit_v2.pb.circuit_pb2 import PeerId as Callee
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP
from libp2p.relay.circuit_v2.protocol import CircuitV2Protocol
from libp2p.relay.circuit_v2.protocol_buffer import StatusCode
from libp2p.relay.circuit_v2.utils import read_delimited_msg, write_delimited_msg
from libp2p.tools.anyio_service import background_trio_service
from libp2p.transport.exceptions import OpenConnectionError
from libp2p.transport.tcp.tcp import TCP, TCPListener
from libp2p.utils import read_length_prefixed_protobuf
from multiaddr import Multiaddr

from p2p.link.connecting import connect, short_segments
from p2p.link.contract import LinkRefusedError
from p2p.wire.address import LIBP2P, Address, is_address
from p2p.wire.circuit import CIRCUIT, parts, relay_address, through

PROTOCOL: Final = "/starlock/1"
ANSWER_WITHIN: Final = 5.0
"""Seconds in which a relay must answer."""
CONNECT_WITHIN: Final = 5.0
"""Seconds to connect to a peer: to the relay, through it, and two handshakes of libp2p."""
OTHERS_WITHIN: Final = 15.0
"""Seconds in which nodes of the directory lead to others."""
MOST_FOUND: Final = 4
MOST_SAID: Final = 16_384
"""Bytes in which a node says what it is."""
SHA_256: Final = b"\x12\x20"
"""Prefix of a 32-byte key in the directory (the multihash header of SHA-256)."""
_FAMILIES: Final = {
    **dict.fromkeys(("ip4", "dns4"), trio.socket.AF_INET),
    **dict.fromkeys(("ip6", "dns6"), trio.socket.AF_INET6),
    "dns": trio.socket.AF_UNSPEC,
}
"""By how a multiaddr begins, the family of the addresses that it leads to."""
_NO: Final = {
    StatusCode.NO_RESERVATION: "relay/nobody",
    StatusCode.CONNECTION_FAILED: "relay/nobody",
    StatusCode.RESERVATION_REFUSED: "relay/full",
    StatusCode.RESOURCE_LIMIT_EXCEEDED: "relay/full",
}

logging.getLogger("libp2p").addHandler(logging.NullHandler())  # else each failed dial prints a line
logging.getLogger("libp2p").propagate = False


class _Listener(TCPListener):  # type: ignore[misc]  # mypy does not read the library
    """A listener whose connections carry short segments."""

    async def listen(self, maddr: Multiaddr) -> None:
        """Listen at an address of this machine."""
        await super().listen(maddr)
        for each in self.listeners:
            short_segments(each.socket)


class _Tcp(TCP):  # type: ignore[misc]  # mypy does not read the library
    """TCP by the sockets of starlock: all addresses of a name (RFC 8305), and segments that fit the smallest paths."""

    async def dial(self, maddr: Multiaddr) -> RawConnection:
        """Connect to an address. Raises the library's OpenConnectionError."""
        return await self.dial_with_source(maddr, ("", 0))

    async def dial_with_source(self, maddr: Multiaddr, source: tuple[str, int]) -> RawConnection:
        """The same, from a port of this machine if that is possible. source: an address, which is not used, and a
        port."""
        try:
            _, kind, host, _, port, *_ = str(maddr).split("/")
            stream = await connect(host, int(port), source[1], _FAMILIES[kind])
        except (LinkRefusedError, ValueError, KeyError) as error:
            raise OpenConnectionError(str(error)) from error
        return RawConnection(TrioTCPStream(stream), initiator=True)

    def create_listener(self, handler_function: Callable[[Any], Awaitable[None]]) -> _Listener:
        """Return a listener that does not listen yet."""
        return _Listener(handler_function)


class LibStream(trio.abc.Stream):
    """A libp2p stream as a trio stream. relayed: True if it goes through a relay."""

    def __init__(self, stream: Any) -> None:
        self.relayed = _relayed(stream.swarm_conn)
        self.closed = trio.Event()
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send. Raises trio.BrokenResourceError."""
        if self.closed.is_set():
            raise trio.ClosedResourceError
        try:
            await self._stream.write(bytes(data))
        except Exception as error:  # the library raises any kind of exception
            raise trio.BrokenResourceError from error

    async def wait_send_all_might_not_block(self) -> None:
        """Return at once, since the library does not tell."""
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return received bytes, b"" at the end. Raises trio.BrokenResourceError."""
        if self.closed.is_set():
            raise trio.ClosedResourceError
        try:
            return bytes(await self._stream.read(max_bytes))
        except StreamEOF:
            return b""
        except Exception as error:
            raise trio.BrokenResourceError from error

    async def aclose(self) -> None:
        """Close both ways."""
        if self.closed.is_set():
            return
        self.closed.set()
        await _close(self._stream)


class _AtRelays:
    """A host whose addresses include those at relays. The library would cut these at the first peer id."""

    def __init__(self, host: Any, ways: list[Multiaddr]) -> None:
        self._host, self._ways = host, ways

    def get_addrs(self) -> list[Multiaddr]:
        """Return the addresses of this host, those at relays included."""
        return list(self._ways)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)


class Node:
    """An open libp2p host. Its methods raise LinkRefusedError."""

    def __init__(self, host: Any) -> None:
        self._host = host
        self._network = host.get_network()
        self._ways: list[Multiaddr] = []
        self._directory = KadDHT(_AtRelays(host, self._ways), DHTMode.CLIENT)
        self._held: dict[ID, Any] = {}
        """By relay, the connection with the reservation, which ends with that connection."""

    async def reserve(self, relay: Address) -> float:
        """Reserve a place at a relay, or renew it. Return its duration in seconds."""
        with _failing(ANSWER_WITHIN):
            stream, answer = await self._hop(_multiaddr(relay), HopMessage(type=HopMessage.RESERVE))
            self._held[_peer(_multiaddr(relay))] = stream.muxed_conn
            way = Multiaddr(through(relay, str(self._host.get_id())).partition(":")[2])
            if way not in self._ways:
                self._ways.append(way)
            await _close(stream)
            return max(0.0, float(answer.reservation.expire) - time.time())

    async def ping(self, relay: Address) -> None:
        """Check that a relay answers on the connection with the reservation. If not, close that connection."""
        peer = _peer(_multiaddr(relay))
        async with self._or_leave(peer):
            if self._held.get(peer) not in [each.muxed_conn for each in self._network.get_connections(peer)]:
                raise LinkRefusedError("link/hung-up")  # the library would reconnect without a reservation
            with _failing(ANSWER_WITHIN):
                stream = await self._host.new_stream(peer, [PING])  # a new stream, since a relay ends a long one
                try:
                    await perform_ping_roundtrip(stream)
                finally:
                    await _close(stream)

    async def seen(self, relay: Address) -> str:
        """Return "address:port" at which a node sees this machine, empty if it says nothing of the kind. The port is
        one of the library's."""
        peer = _peer(_multiaddr(relay))
        with _failing(ANSWER_WITHIN):
            if not any(not _relayed(each) for each in self._network.get_connections(peer)):
                raise LinkRefusedError("link/hung-up")
            stream = await self._host.new_stream(peer, [IDENTIFY])
            try:
                said = Identify.FromString(await read_length_prefixed_protobuf(stream, max_length=MOST_SAID))
            finally:
                await _close(stream)
            match str(Multiaddr(said.observed_addr)).split("/"):
                case ["", "ip4", host, "tcp", port] | ["", "ip4", host, "tcp", port, "p2p", _]:
                    return f"{host}:{port}"
                case ["", "ip6", host, "tcp", port] | ["", "ip6", host, "tcp", port, "p2p", _]:
                    return f"[{host}]:{port}"
        return ""

    async def announce(self, relay: Address, key: bytes) -> None:
        """Announce the addresses of this process in the directory (Kademlia), starting at a relay. key: 32 bytes under
        which others find them. Networks without a directory ignore this."""
        with _failing(ANSWER_WITHIN):
            await self._directory.add_peer(_peer(_multiaddr(relay)))
            await self._directory.provider_store.provide(SHA_256 + key)

    async def others(self, relay: Address) -> list[Address]:
        """Return nodes that the directory names as those nearest to this one, asking this relay first, each at one of
        its addresses. They may be relays."""
        with _failing(OTHERS_WITHIN):
            await self._meet(_multiaddr(relay))
            await self._directory.add_peer(_peer(_multiaddr(relay)))
            own = self._host.get_id()
            found = await self._directory.peer_routing.find_closest_peers_network(own.to_bytes())
            return [way for each in found if each != own for way in self._ways_to(each)[:1] if way != relay]

    def _ways_to(self, peer: ID) -> list[Address]:
        """Return the addresses of a node that are known, without those that starlock cannot use."""
        ways = []
        for address in self._host.get_peerstore().addrs(peer):
            with suppress(ValueError):
                ways.append(relay_address(f"{address}/p2p/{peer}".replace(f"/p2p/{peer}/p2p/", "/p2p/")))
        return ways

    async def find(self, relay: Address, key: bytes) -> list[Address]:
        """Return the addresses at relays that are announced under a key, asking this relay first."""
        with _failing(ANSWER_WITHIN):
            await self._directory.add_peer(_peer(_multiaddr(relay)))
            store = self._directory.provider_store
            store.providers.pop(SHA_256 + key, None)  # earlier results may be out of date
            found = await store.find_providers(SHA_256 + key, MOST_FOUND)
        ways = [f"{LIBP2P}:{way}" for each in found for way in each.addrs]
        return [address for address in ways if CIRCUIT in address and is_address(address)][:MOST_FOUND]

    async def call(self, address: Address) -> LibStream:
        """Return a stream to a peer, on a direct connection if there is one, else through the relay."""
        relay, peer = _way(address)
        async with self._or_leave(peer):
            with _failing(CONNECT_WITHIN):
                if not self._network.get_connections(peer):
                    await self._connect(relay, peer)
                return LibStream(await self._host.new_stream(peer, [PROTOCOL]))

    def direct(self, address: Address) -> bool:
        """True if there is a direct connection to this peer."""
        _, peer = _way(address)
        return any(not _relayed(each) for each in self._network.get_connections(peer))

    async def _connect(self, relay: Multiaddr, peer: ID) -> None:
        """Connect to a peer through a relay."""
        wish = HopMessage(type=HopMessage.CONNECT, peer=Callee(id=peer.to_bytes()))
        stream, _ = await self._hop(relay, wish)
        way = Multiaddr(f"{relay}/p2p-circuit/p2p/{peer}")
        raw = RawConnection(stream=stream, initiator=True, connection_type=ConnectionType.RELAYED, addresses=[way])
        await self._host.upgrade_outbound_connection(raw, peer)

    async def _hop(self, relay: Multiaddr, wish: Any) -> tuple[Any, Any]:
        """Send a request to a relay. Return the stream and the answer that grants it."""
        stream = await self._host.new_stream(await self._meet(relay), [HOP])
        try:
            await write_delimited_msg(stream, wish)
            answer = await read_delimited_msg(stream, HopMessage)
            if answer.status != StatusCode.OK:
                raise LinkRefusedError(_NO.get(answer.status, "relay/refused"), int(answer.status))
        except BaseException:
            await _close(stream)
            raise
        return stream, answer

    async def _meet(self, relay: Multiaddr) -> ID:
        """Connect to a relay at this address, unless there is a connection. Return its peer id."""
        peer = _peer(relay)
        self._network.unblock_peer(peer)
        self._host.get_peerstore().clear_addrs(peer)
        await self._host.connect(PeerInfo(peer, [relay]))
        return peer

    @asynccontextmanager
    async def _or_leave(self, peer: ID) -> AsyncIterator[None]:
        """Close all connections to a peer if the block fails, since they may be dead."""
        try:
            yield
        except LinkRefusedError:
            with trio.CancelScope(shield=True), trio.move_on_after(1), suppress(Exception):
                await self._network.close_peer(peer)
            raise


@asynccontextmanager
async def open_node(seed: bytes, accept: Callable[[LibStream], Awaitable[None]]) -> AsyncIterator[Node]:
    """Run a node while the block lasts.

    seed: 32 secret bytes of its key.
    accept: called with the stream of each caller. It must close the stream in the end.

    An error in the library's own tasks ends the block with an Exception of any kind.
    """
    settings = ConnectionConfig(min_connections=0, low_watermark=0)
    host = new_host(
        key_pair=create_new_key_pair(seed),
        muxer_opt=create_yamux_muxer_option(),
        connection_config=settings,
        transports=[_Tcp()],
    )

    async def serve(stream: Any) -> None:
        came = LibStream(stream)
        try:
            await accept(came)
            await came.closed.wait()
        finally:
            await came.aclose()

    host.set_stream_handler(PROTOCOL, serve)
    listen = [Multiaddr("/ip4/0.0.0.0/tcp/0")]  # for direct connections (DCUtR)
    async with (
        host.run(listen_addrs=listen),
        background_trio_service(CircuitV2Protocol(host)),
        background_trio_service(DCUtRProtocol(host)),
    ):
        await host.get_network().auto_connector.stop()  # else it dials every node that it learns of
        try:
            yield Node(host)
        finally:
            await _close(host)  # else its sockets stay open


@contextmanager
def _failing(within: float) -> Iterator[None]:
    """Convert errors of the library into LinkRefusedError."""
    try:
        with trio.fail_after(within):
            yield
    except LinkRefusedError:
        raise
    except trio.TooSlowError as error:
        raise LinkRefusedError("link/timeout") from error
    except Exception as error:
        raise LinkRefusedError("link/unreachable", str(error)) from error


def _multiaddr(relay: Address) -> Multiaddr:
    try:
        return Multiaddr(relay.partition(":")[2])
    except ValueError as error:
        raise LinkRefusedError("libp2p/address", relay) from error


def _way(address: Address) -> tuple[Multiaddr, ID]:
    """Return the relay and the peer in an address."""
    try:
        relay, _, peer = parts(address)
        return Multiaddr(relay), ID.from_string(peer)
    except ValueError as error:
        raise LinkRefusedError("libp2p/address", address) from error


def _peer(relay: Multiaddr) -> ID:
    return ID.from_string(relay.get_peer_id())


def _relayed(connection: Any) -> bool:
    return bool(connection.get_connection_type() != ConnectionType.DIRECT)


async def _close(what: Any) -> None:
    """Close an object of the library, in any state, within a second."""
    with trio.CancelScope(shield=True), trio.move_on_after(1), suppress(Exception):
        await what.close()
