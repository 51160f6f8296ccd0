# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses in the libp2p network: `libp2p:`, the multiaddr of a relay, and the id of a peer that waits there.

    libp2p:/ip4/203.0.113.9/tcp/4001/p2p/RELAY                        a relay
    libp2p:/ip4/203.0.113.9/tcp/4001/p2p/RELAY/p2p-circuit/p2p/PEER   a peer at that relay

Sources: https://github.com/multiformats/multiaddr, and of libp2p's specifications "peer-ids" and "circuit-v2".
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final

from p2p.wire.address import LIBP2P, MAX_ADDRESS, Address, scheme, valid_host

CIRCUIT: Final = "/p2p-circuit/p2p/"
LONGEST_PEER: Final = 59
"""Greatest length of a relay's peer id: a hash of 32 bytes as CIDv1. Those of starlock have 52 characters."""
_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_PEER: Final = r"[1-9A-Za-z]{40,59}"
_RELAY: Final = re.compile(rf"/(ip4|ip6|dns|dns4|dns6)/([^/]+)/tcp/([0-9]{{1,5}})/p2p/({_PEER})")


def peer_id(public: bytes) -> str:
    """Return the libp2p peer id of an Ed25519 public key: an identity multihash of the key in its protobuf, base58."""
    data = b"\x00\x24\x08\x01\x12\x20" + public
    number, letters = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        letters = _BASE58[digit] + letters
    return _BASE58[0] * (len(data) - len(data.lstrip(b"\0"))) + letters


def relay_address(multiaddr: str) -> Address:
    """Return the address of the relay at a multiaddr: /ip4/HOST/tcp/PORT/p2p/ID, or with ip6, dns, dns4 or dns6. Raises
    ValueError "address/multiaddr" for any other form."""
    found = _RELAY.fullmatch(multiaddr.strip())
    if found is None:
        raise ValueError("address/multiaddr")
    kind, host, port, _ = found.groups()
    if not 1 <= int(port) <= 65_535 or not _fits(kind, host):
        raise ValueError("address/multiaddr")
    address = f"{LIBP2P}:{found[0]}"
    if len(address) + len(CIRCUIT) + LONGEST_PEER > MAX_ADDRESS:
        raise ValueError("address/multiaddr")
    return address


def through(relay: Address, peer: str) -> Address:
    """Return the address of a peer that waits at a libp2p relay."""
    return relay + CIRCUIT + peer


def relay_of(address: Address) -> Address:
    """Return the address of the relay in a libp2p address. Return any other address unchanged."""
    return address.partition(CIRCUIT)[0] if scheme(address) == LIBP2P else address


def parts(address: Address) -> tuple[str, str, str]:
    """Return the parts of a peer's address: the relay's multiaddr, the relay's peer id and the peer's id.

    Raises ValueError "address/multiaddr" for any other form."""
    relay, _, peer = address.partition(CIRCUIT)
    multiaddr = relay.partition(":")[2]
    relay_address(multiaddr)
    if scheme(address) != LIBP2P or not re.fullmatch(_PEER, peer):
        raise ValueError("address/multiaddr")
    return multiaddr, multiaddr.rpartition("/")[2], peer


def _fits(kind: str, host: str) -> bool:
    if kind.startswith("dns"):
        return valid_host(host)
    try:
        return ip_address(host).version == int(kind[-1])
    except ValueError:
        return False
