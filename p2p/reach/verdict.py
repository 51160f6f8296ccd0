# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges who can reach this process: somebody anywhere, or only those in its own network.

A relay or friend that calls back proves it, whatever the router says of itself. A call that comes through from a host
to which the listening port has connected proves less: some routers admit whoever was spoken to. Synchronous.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from typing import Final, Literal, TypeAlias

from engine.core.dataclass import dataclass
from p2p.reach.reflect import Kind
from p2p.wire.address import TCP, Address, endpoint_of, scheme

Scope: TypeAlias = Literal["network", "anywhere", "unknown"]
Cause: TypeAlias = Literal[
    "local", "offline", "relay", "called", "called-6", "mapped", "mapped-6", "opened", "untried", "closed", "blocked",
    "another-router", "symmetric", "unasked", "no-way", "no-gateway",
]  # fmt: skip

SCOPES: Final[dict[Cause, Scope]] = {
    "local": "network",
    "offline": "network",
    "relay": "anywhere",
    "called": "anywhere",
    "called-6": "anywhere",
    "mapped": "anywhere",
    "mapped-6": "anywhere",
    "opened": "unknown",
    "untried": "unknown",
    "unasked": "unknown",
    "closed": "network",
    "blocked": "network",
    "another-router": "network",
    "symmetric": "network",
    "no-way": "network",
    "no-gateway": "network",
}

ONLY_6: Final = ("called-6", "mapped-6")
"""Causes that help friends alone who have IPv6."""


@dataclass(frozen=True, slots=True)
class CallBack:
    """An attempt of a relay or friend to call this process back.

    Attributes:
        by: the relay's address.
        host, port: where it called.
        came: True if the call came through.
        certain: True if nothing but an open port can have let it in.
    """

    by: Address
    host: str
    port: int
    came: bool
    certain: bool

    @property
    def family(self) -> int:
        """4 or 6."""
        return 6 if ":" in self.host else 4


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about this process.

    Attributes:
        local: True if it listens on the loopback alone.
        online: True if this machine has an address on a network.
        routed: True if a default route leads out of it.
        asked: True if the router has answered, or its time is over.
        mapped: True if the router passes a port on, at an address that is its own one outside.
        let_in: True if the router lets IPv6 in at a port.
        behind: True if it passes a port on, but stands behind another router.
        kind: how the router translates, as others see it.
        outside: the families (4, 6) of the addresses outside at which this process may be dialed, however they are
            known.
        relayed: True if it can be called through a relay now.
        calls: who has tried to call back.
    """

    local: bool = False
    online: bool = True
    routed: bool = True
    asked: bool = True
    mapped: bool = False
    let_in: bool = False
    behind: bool = False
    kind: Kind = "unknown"
    outside: frozenset[int] = frozenset()
    relayed: bool = False
    calls: tuple[CallBack, ...] = ()


def judge(facts: Facts) -> Cause:
    """Return why friends outside can reach this process, cannot, or may; `SCOPES` tells which of these it is."""
    if facts.local:
        return "local"
    if not facts.online:
        return "offline"
    if facts.relayed:
        return "relay"
    if proven := _families(facts.calls, came=True, certain=True):
        return "called" if 4 in proven else "called-6"
    failed = _families(facts.calls, came=False)
    if facts.mapped and 4 not in failed:
        return "mapped"
    if facts.let_in and 6 not in failed:
        return "mapped-6"
    if facts.mapped:
        return "blocked"
    if not facts.routed and not facts.outside:
        return "no-gateway"
    if _families(facts.calls, came=True):
        return "opened"
    left = facts.outside - failed - ({4} if facts.behind or facts.kind == "symmetric" else set())
    if left:
        return "untried"
    if facts.behind:
        return "another-router"
    if facts.kind == "symmetric":
        return "symmetric"
    if failed:
        return "closed"
    return "no-way" if facts.asked else "unasked"


def _families(calls: Collection[CallBack], *, came: bool, certain: bool = False) -> set[int]:
    return {call.family for call in calls if call.came == came and (call.certain or not certain)}


def outside(address: Address) -> int:
    """Return the family (4, 6) of an address at which somebody in another network may dial, 0 if it is none. A name
    counts as 4."""
    if scheme(address) != TCP:
        return 0
    host, _ = endpoint_of(address)
    try:
        at = ip_address(host.partition("%")[0])
    except ValueError:
        return 4
    return at.version if at.is_global else 0
