# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses and ports at which others see this machine, and the kind of router that these show.

A router translates all connections from the calling port to one external port ("cone"), or each to another
("symmetric"). In the first case, others can connect to that port once a connection has gone out; in the second, nobody
can know the port beforehand. Synchronous. Everything here is a hint: a wrong address costs a failed dial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from ipaddress import ip_address
from typing import Final, Literal, TypeAlias

from engine.core.dataclass import dataclass, field
from p2p.wire.address import parse_endpoint

MAX_SIGHTS: Final = 32
MOST: Final = 2

Kind: TypeAlias = Literal["unknown", "open", "cone", "symmetric"]


@dataclass(slots=True)
class Reflections:
    """Addresses that others saw, by observer.

    Attributes:
        exact: host and port of connections that use the calling port (`p2p.link.meet.Local`).
        hosts: host of other connections, whose port says nothing.
    """

    exact: dict[str, tuple[str, int]] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)

    def note(self, by: str, endpoint: str, *, exact: bool) -> None:
        """Note what an observer saw.

        by: the observer, an endpoint or a key.
        exact: True if the connection uses the calling port.
        """
        try:
            host, port = parse_endpoint(endpoint)
            known = ip_address(host.partition("%")[0])
        except ValueError:
            return
        if known.is_loopback or known.is_link_local or known.is_unspecified or known.is_multicast:
            return
        self.forget(by)
        if exact:
            self.exact[by] = (host, port)
        else:
            self.hosts[by] = host
        for kept in (self.exact, self.hosts):
            while len(kept) > MAX_SIGHTS:
                del kept[next(iter(kept))]

    def forget(self, by: str) -> None:
        """Forget what an observer saw."""
        self.exact.pop(by, None)
        self.hosts.pop(by, None)

    def clear(self) -> None:
        """Forget everything, for instance after the network has changed."""
        self.exact.clear()
        self.hosts.clear()

    def endpoints(self, port: int, local: Collection[str]) -> list[tuple[str, int]]:
        """Return up to two hosts and ports at which this process may be seen from outside, the likeliest first.

        port: the calling port.
        local: addresses of this machine, which are left out.
        """
        seen = Counter(self.exact.values())
        known = {host for host, _ in self.exact.values()}
        seen.update((host, port) for host in self.hosts.values() if host not in known)
        return [found for found, _ in seen.most_common() if found[0] not in local][:MOST]

    def hosts_seen(self) -> set[str]:
        """Return the IP addresses that others saw."""
        return {*self.hosts.values(), *(host for host, _ in self.exact.values())}

    def kind(self, local: Collection[str]) -> Kind:
        """Return the kind of router between this machine and its observers. local: addresses of this machine."""
        ports: dict[str, set[int]] = {}
        for host, port in self.exact.values():
            ports.setdefault(host, set()).add(port)
        outside = {host: seen for host, seen in ports.items() if host not in local}
        if any(len(seen) > 1 for seen in outside.values()):
            return "symmetric"
        if outside:
            observers = [who for who, (host, _) in self.exact.items() if host in outside]
            return "cone" if len(observers) > 1 else "unknown"
        return "open" if self.hosts_seen() & set(local) else "unknown"
