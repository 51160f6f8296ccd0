# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of peers and relays as text: `tcp://192.168.1.7:4000`, `tcp://[2001:db8::1]:4000`, `relay://…`.

The scheme before the colon names the transport, which defines the rest. `friend:/` with a friend's identity key in hex
is the relay at the other end of the link to that friend. An address of an unknown scheme is kept and passed on, since
another or a later program may know it.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final, TypeAlias

Address: TypeAlias = str

TCP: Final = "tcp"
RELAY: Final = "relay"
LIBP2P: Final = "libp2p"
FRIEND: Final = "friend"
RELAYED: Final = frozenset({RELAY, LIBP2P, FRIEND})
"""The schemes of links that go through a third party."""
MAX_ADDRESS: Final = 200
MAX_NAME: Final = 253
_FORM: Final = re.compile(r"[a-z][a-z0-9+.-]{0,15}:/[!-~]+")


def is_address(text: str) -> bool:
    """True if `text` has the form of an address: a scheme, ":/", and up to 200 visible ASCII characters in all. Host
    and port of `tcp` and `relay` are checked too, so that each address has one spelling."""
    if len(text) > MAX_ADDRESS or not _FORM.fullmatch(text):
        return False
    if scheme(text) not in (TCP, RELAY):
        return True
    try:
        return at_endpoint(*endpoint_of(text), scheme(text)) == text
    except ValueError:
        return False


def scheme(address: Address) -> str:
    """Return the scheme of an address."""
    return address.partition(":")[0]


def at_endpoint(host: str, port: int, kind: str = TCP) -> Address:
    """Return the address of scheme `kind` at a host (an IP address or a name) and a port."""
    return f"{kind}://[{host}]:{port}" if ":" in host else f"{kind}://{host}:{port}"


def endpoint_of(address: Address) -> tuple[str, int]:
    """Return host and port of a `tcp://` or `relay://` address. Raises ValueError as `parse_endpoint` does."""
    return parse_endpoint(address.partition("://")[2])


def parse_endpoint(text: str, default: int | None = None) -> tuple[str, int]:
    """Return host and port in "host:port" or "[IPv6]:port". default: the port where none is given.

    Raises ValueError with a code: "address/port" if the port is missing or not a number from 1 to 65535, "address/host"
    if the host is empty, too long or contains other characters.
    """
    text = text.strip()
    if default is not None and (":" not in text.rpartition("]")[2] or _is_ip(text)):
        host, port = text, str(default)
    else:
        host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65_535):
        raise ValueError("address/port")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if ":" not in host:
            raise ValueError("address/host")
    elif ":" in host and not (default is not None and host == text):
        raise ValueError("address/host")
    if not valid_host(host):
        raise ValueError("address/host")
    return host, int(port)


def valid_host(host: str) -> bool:
    """True if `host` is an IP address, with or without %interface for IPv6, or a name of letters, digits, hyphens and
    dots."""
    if _is_ip(host):
        return True
    letters = host.replace("-", "").replace(".", "")
    return bool(letters) and letters.isascii() and letters.isalnum() and len(host) <= MAX_NAME


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def way_of(via: Address) -> str:
    """Return the kind of a link that goes through the address `via`: "direct", "relay" or "libp2p", "" for none."""
    if not via:
        return "direct"
    return "libp2p" if scheme(via) == LIBP2P else "relay"


def at_friend(identity: bytes) -> Address:
    """Return the address of the relay at the other end of the link to a friend. identity: the friend's key."""
    return f"{FRIEND}:/{identity.hex()}"


def friend_of(address: Address) -> bytes | None:
    """Return the identity key in a `friend:` address, None for any other address."""
    if scheme(address) != FRIEND:
        return None
    try:
        return bytes.fromhex(address.partition("/")[2])
    except ValueError:
        return None
