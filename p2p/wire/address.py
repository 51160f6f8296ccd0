# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of peers and relays as text: `tcp://192.168.1.7:4000`, `tcp://[2001:db8::1]:4000`, `relay://…`.

The scheme before the colon names the transport, which defines the rest. `friend:/` with a friend's identity key in hex
is the relay at the other end of the link to that friend, and `punch://` with an endpoint is that endpoint, to which
both sides connect at the same time. `relay://KEY@HOST:PORT` and `relay://KEY:PASS@HOST:PORT` carry
the relay's key (32 bytes) and a pass for it in base32. An address of an unknown scheme is kept and passed on, since
another or a later program may know it.
"""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from binascii import Error
from ipaddress import ip_address
from typing import Final, TypeAlias

Address: TypeAlias = str

TCP: Final = "tcp"
RELAY: Final = "relay"
LIBP2P: Final = "libp2p"
FRIEND: Final = "friend"
PUNCH: Final = "punch"
RELAYED: Final = frozenset({RELAY, LIBP2P, FRIEND})
"""The schemes of links that go through a third party."""
MAX_ADDRESS: Final = 200
MAX_NAME: Final = 253
RELAY_KEY: Final = 32
MAX_PASS: Final = 40
"""Bytes of a relay's key, and the most of a pass."""
_FORM: Final = re.compile(r"[a-z][a-z0-9+.-]{0,15}:/[!-~]+")


def is_address(text: str) -> bool:
    """True if `text` has the form of an address: a scheme, ":/", and up to 200 visible ASCII characters in all. Host
    and port of `tcp` and `relay` are checked too, so that each address has one spelling."""
    if len(text) > MAX_ADDRESS or not _FORM.fullmatch(text):
        return False
    if scheme(text) not in (TCP, RELAY):
        return True
    try:
        host, port = endpoint_of(text)
        if scheme(text) == TCP:
            return at_endpoint(host, port) == text
        return at_relay(host, port, *credentials_of(text)) == text
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
    return parse_endpoint(address.partition("://")[2].rpartition("@")[2])


def at_relay(host: str, port: int, key: bytes = b"", admission: bytes = b"") -> Address:
    """Return the address of a relay. key: its key, 32 bytes, empty if unknown. admission: a pass for it of at most 40
    bytes, empty for none; it needs the key."""
    if not key:
        return at_endpoint(host, port, RELAY)
    words = ":".join(_letters(each) for each in (key, admission) if each)
    return at_endpoint(host, port, RELAY).replace("://", f"://{words}@")


def credentials_of(address: Address) -> tuple[bytes, bytes]:
    """Return the key and the pass in a relay's address, each empty without one. Raises ValueError if they are
    malformed."""
    words, at, _ = address.partition("://")[2].rpartition("@")
    if not at:
        return b"", b""
    key, colon, admission = words.partition(":")
    found = _bytes(key), _bytes(admission)
    if len(found[0]) != RELAY_KEY or len(found[1]) > MAX_PASS or bool(colon) != bool(found[1]):
        raise ValueError("address/key")
    return found


def at_port(address: Address, port: int) -> Address:
    """Return the address of the same relay at another of its ports, with its key and without a pass."""
    return at_relay(endpoint_of(address)[0], port, credentials_of(address)[0])


def without_credentials(address: Address) -> Address:
    """Return an address without a relay's key and pass, as it may be shown."""
    kind, slashes, rest = address.partition("://")
    return f"{kind}{slashes}{rest.rpartition('@')[2]}" if kind == RELAY else address


def _letters(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()


def _bytes(letters: str) -> bytes:
    try:
        return b32decode(letters.upper() + "=" * (-len(letters) % 8))
    except Error as error:
        raise ValueError("address/key") from error


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


def at_punch(address: Address) -> Address:
    """Return the `punch:` form of a `tcp:` address."""
    return address.replace(TCP, PUNCH, 1)


def punched(address: Address) -> Address:
    """Inverse of `at_punch`."""
    return address.replace(PUNCH, TCP, 1)
