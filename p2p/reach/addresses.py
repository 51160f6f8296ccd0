"""Where somebody can be dialed, and under which addresses this machine may be."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import ifaddr

MAX_NAME: Final = 253


@dataclass(frozen=True, slots=True)
class Address:
    """host: an IPv4 or IPv6 address, the latter perhaps with %interface, or a name to look up; port: 1 to 65535."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Return the address in "host:port" or "[IPv6]:port". Raises ValueError with a code: "address/port" when the port
    is missing or no number from 1 to 65535, "address/host" when the host is empty, too long or has other letters."""
    host, _, port = text.strip().rpartition(":")
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65_535):
        raise ValueError("address/port")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if ":" not in host:
            raise ValueError("address/host")
    elif ":" in host:
        raise ValueError("address/host")
    if not valid_host(host):
        raise ValueError("address/host")
    return Address(host, int(port))


def valid_host(host: str) -> bool:
    """Whether `host` is an address, or a name of letters, digits, hyphens and dots."""
    try:
        ip_address(host)
    except ValueError:
        letters = host.replace("-", "").replace(".", "")
        return bool(letters) and letters.isascii() and letters.isalnum() and len(host) <= MAX_NAME
    return True


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """Return this machine's addresses that mean something elsewhere, the likeliest to work on a LAN first: private
    IPv4, other IPv4, global IPv6, private IPv6; loopback and link-local ones are left out."""
    found: set[IPv4Address | IPv6Address] = set()
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            address = ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0].partition("%")[0])
            if not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified):
                found.add(address)
    return sorted(found, key=_preference)


def _preference(address: IPv4Address | IPv6Address) -> tuple[int, int]:
    if address.version == 4:
        return (0 if address.is_private else 1), int(address)
    return (3 if address.is_private else 2), int(address)
