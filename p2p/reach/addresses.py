# SPDX-License-Identifier: GPL-3.0-or-later
"""The addresses of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

import ifaddr

_last: Sequence[ifaddr.Adapter] = ()


def own_adapters() -> Sequence[ifaddr.Adapter]:
    """Return the network interfaces of this machine, or those found last while this process can open no more files."""
    global _last  # noqa: PLW0603  the interfaces belong to the machine, so there is one list of them
    with suppress(OSError):
        _last = tuple(ifaddr.get_adapters())
    return _last


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """Return the addresses at which other machines can reach this one, the likeliest on a LAN first: private IPv4,
    other IPv4, global IPv6, private IPv6. Loopback and link-local addresses are left out."""
    found: set[IPv4Address | IPv6Address] = set()
    for adapter in own_adapters():
        for entry in adapter.ips:
            address = ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0].partition("%")[0])
            if not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified):
                found.add(address)
    return sorted(found, key=_preference)


def _preference(address: IPv4Address | IPv6Address) -> tuple[int, int]:
    if address.version == 4:
        return (0 if address.is_private else 1), int(address)
    return (3 if address.is_private else 2), int(address)
