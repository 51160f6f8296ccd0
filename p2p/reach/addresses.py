# SPDX-License-Identifier: GPL-3.0-or-later
"""The addresses of this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Final

import ifaddr

BRIDGES: Final = (
    *("docker", "br-", "veth", "virbr", "lxc", "lxd", "podman", "cni", "flannel", "cali", "vboxnet", "vmnet"),
    *("vethernet", "hyper-v", "virtualbox", "vmware"),
)
"""Beginnings of the names of interfaces that lead to containers and virtual machines only."""
ELSEWHERE: Final = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that only a default route leads to (RFC 5737, RFC 3849). Nothing is sent there."""

_last: Sequence[ifaddr.Adapter] = ()


def own_adapters() -> Sequence[ifaddr.Adapter]:
    """Return the network interfaces of this machine, or those found last while this process can open no more files."""
    global _last  # noqa: PLW0603  the interfaces belong to the machine, so there is one list of them
    with suppress(OSError):
        _last = tuple(ifaddr.get_adapters())
    return _last


def own_networks() -> list[IPv4Interface | IPv6Interface]:
    """Return each address of this machine with its network, those of its loopback included."""
    return [interface for _, interface in _interfaces()]


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """Return the addresses at which other machines can reach this one, the likeliest on a LAN first: private IPv4,
    other IPv4, global IPv6, private IPv6; of each kind that of the default route first, and those of bridges to
    containers last of all. Loopback and link-local addresses are left out."""
    routed = default_sources()
    found: dict[IPv4Address | IPv6Address, tuple[bool, int, bool, int]] = {}
    for name, interface in _interfaces():
        at = interface.ip
        if not (at.is_loopback or at.is_link_local or at.is_multicast or at.is_unspecified):
            bridge = name.lower().startswith(BRIDGES) and at not in routed
            found[at] = bridge, _preference(at), at not in routed, int(at)
    return sorted(found, key=lambda each: found[each])


def default_sources() -> set[IPv4Address | IPv6Address]:
    """Return the addresses of this machine from which it speaks to the rest of the world: at most one of IPv4 and one
    of IPv6, none without a default route."""
    found = set()
    for family, elsewhere in ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((elsewhere, 9))
            found.add(ip_address(asking.getsockname()[0].partition("%")[0]))
    return found


def _interfaces() -> Iterator[tuple[str, IPv4Interface | IPv6Interface]]:
    for adapter in own_adapters():
        for entry in adapter.ips:
            host = entry.ip if isinstance(entry.ip, str) else entry.ip[0].partition("%")[0]
            yield adapter.nice_name or adapter.name, ip_interface(f"{host}/{entry.network_prefix}")


def _preference(address: IPv4Address | IPv6Address) -> int:
    if address.version == 4:
        return 0 if address.is_private else 1
    return 3 if address.is_private else 2
