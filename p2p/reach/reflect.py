"""How the world sees this machine: the address and port that others told, and what kind of router that shows.

A router gives connections from the port where this process listens one port of its own, whoever they go to, or another
for each: in the first case ("cone") a connection to that port can be opened from outside once one has gone out, in the
second ("symmetric") nobody can know the port beforehand. Synchronous; nothing here is trusted more than a hint: a wrong
address costs a dial that fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from ipaddress import ip_address
from typing import Final, Literal, TypeAlias

from p2p.wire.address import parse_endpoint
from seeds.dataclass import dataclass, field

MAX_SIGHTS: Final = 32
MOST: Final = 2

Kind: TypeAlias = Literal["unknown", "open", "cone", "symmetric"]


@dataclass(slots=True)
class Reflections:
    """What others saw, by whom.

    Attributes:
        exact: of connections from the listening port.
        hosts: of other connections, whose port means nothing.
    """

    exact: dict[str, tuple[str, int]] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)

    def note(self, by: str, endpoint: str, *, exact: bool) -> None:
        """Take what somebody saw.

        by: an endpoint or key that names who.
        exact: the connection came from the listening port, or goes to it.
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
        """Drop what somebody saw."""
        self.exact.pop(by, None)
        self.hosts.pop(by, None)

    def clear(self) -> None:
        """Drop all, as after a change of the network."""
        self.exact.clear()
        self.hosts.clear()

    def endpoints(self, port: int, own: Collection[str]) -> list[tuple[str, int]]:
        """Return up to two hosts and ports where this process may be seen from outside, the likeliest first.

        port: where it listens.
        own: its addresses, which are no news.
        """
        seen = Counter(self.exact.values())
        known = {host for host, _ in self.exact.values()}
        seen.update((host, port) for host in self.hosts.values() if host not in known)
        return [found for found, _ in seen.most_common() if found[0] not in own][:MOST]

    def hosts_seen(self) -> set[str]:
        """Return the addresses that others saw, without ports."""
        return {*self.hosts.values(), *(host for host, _ in self.exact.values())}

    def kind(self, own: Collection[str]) -> Kind:
        """Return what stands between this machine and those who told. own: its addresses."""
        ports: dict[str, set[int]] = {}
        for host, port in self.exact.values():
            ports.setdefault(host, set()).add(port)
        outside = {host: seen for host, seen in ports.items() if host not in own}
        if any(len(seen) > 1 for seen in outside.values()):
            return "symmetric"
        if outside:
            told = [who for who, (host, _) in self.exact.items() if host in outside]
            return "cone" if len(told) > 1 else "unknown"
        return "open" if self.hosts_seen() & set(own) else "unknown"
