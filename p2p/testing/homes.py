# SPDX-License-Identifier: GPL-3.0-or-later
"""Homes behind routers of several kinds, and a public host, in network namespaces. For tests on Linux with the
necessary rights.

Kinds of a home's router, by mapping and filtering (RFC 4787, 4 and 5):

open               no translation, no filter
cone               keeps the port, no filter for a port of the host
address-restricted keeps the port, admits packets from addresses that the host has sent to
port-restricted    keeps the port, admits answers only
symmetric          another port for each connection, admits answers only
double             port-restricted, behind another such router of the provider (carrier-grade NAT)
ipv6               symmetric, and IPv6 without translation, where a firewall admits answers only
udp-blocked        port-restricted, and no UDP passes
isolated           all such homes are at one access point, which isolates them; port-restricted
mapping            port-restricted, and forwards ports on request (needs miniupnpd)
ipv6-only          no IPv4, and IPv6 as above
pinhole            as ipv6-only, and lets IPv6 in at ports on request (needs miniupnpd)

Each home has one host, which sees its router as gateway; all routers meet on one bridge with the public host. Needs
iproute2 and nftables.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

_SERIAL = count()
WAN = "8.8.4"
"""The network of all routers. It is a public one, as miniupnpd requires, but nothing leaves the namespaces."""
PUBLIC = f"{WAN}.9"
PUBLIC_6 = "2a0e:8888:0:ffff::9"
KINDS = (
    *("open", "cone", "address-restricted", "port-restricted", "symmetric"),
    *("double", "ipv6", "udp-blocked", "isolated"),
)
SIX_ALONE = ("ipv6-only", "pinhole")
SIX = ("ipv6", *SIX_ALONE)
"""Homes with IPv6."""
RENUMBERED = 100
"""By how much the number of a network with IPv6 grows when it gets another one."""
ANSWERS_ONLY = """table inet {table} {{
  chain forward {{ type filter hook forward priority 0; policy drop;
    {first}
    ct state established,related accept; iifname "lan" accept; ct status dnat accept; }}
  chain input {{ type filter hook input priority 0; policy drop;
    ct state established,related accept; iifname {{ "lan", "lo" }} accept; meta l4proto {{ icmp, ipv6-icmp }} accept; }}
}}
"""
MAPPED = """table inet filter {
  chain miniupnpd { }
  chain prerouting_miniupnpd { }
  chain postrouting_miniupnpd { }
  chain pre { type nat hook prerouting priority -110; iifname "pub" jump prerouting_miniupnpd; }
  chain post { type nat hook postrouting priority 110; oifname "pub" jump postrouting_miniupnpd; }
}
"""
"""The file in which miniupnpd lists its mappings."""
HOLE = """table inet hole {{
  chain lost {{ type filter hook {hook} priority -20; {what} drop; }}
}}
"""
NAMES = Path("/etc/netns")
"""Where `ip netns exec` looks for the files of a namespace."""
NO_UDP = "meta l4proto udp drop;"
TRANSLATED = """table ip translation {{
  set known {{ type ipv4_addr; flags dynamic,timeout; timeout 5m; }}
  chain pre {{ type nat hook prerouting priority -100; {lets_in} }}
  chain post {{ type nat hook postrouting priority 100; oifname "pub" masquerade {ports}; }}
  chain out {{ type filter hook forward priority -10; iifname "lan" oifname "pub" update @known {{ ip daddr }}; }}
}}
"""
LETS_IN = {
    "cone": 'iifname "pub" tcp dport 1024-65535 dnat to {host};',
    "address-restricted": 'iifname "pub" ip saddr @known tcp dport 1024-65535 dnat to {host};',
}


@cache
def missing() -> str | None:
    """Return why homes are not possible here, None if they are."""
    if sys.platform != "linux":
        return "network namespaces are Linux"
    for program in ("ip", "nft", "sysctl"):
        if shutil.which(program) is None:
            return f"the program {program} is not installed"
    name = f"nat-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"network namespaces are not allowed here: {made.stderr.strip()}"
    rule = ["ip", "netns", "exec", name, "nft", "add", "table", "ip", "probe"]
    tried = subprocess.run(rule, capture_output=True, text=True, check=False)
    subprocess.run(["ip", "netns", "del", name], check=False)
    return f"nftables does not work here: {tried.stderr.strip()}" if tried.returncode else None


class Homes:
    """Homes and a public host. kinds: the kind of each home. The hosts are named "0", "1", … and "public"."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._prefix = f"nat-{os.getpid()}-{next(_SERIAL)}-"
        self._made: list[str] = []
        self._kinds = kinds
        self._access_point = ""

    def build(self) -> None:
        """Make all namespaces."""
        self._space("wan")
        self._do("wan", "ip link add br0 type bridge", "ip link set br0 up")
        self._space("public")
        self._cable("public", "pub", "wan", "p-public")
        self._do("public", f"ip addr add {PUBLIC}/24 dev pub", f"ip addr add {PUBLIC_6}/64 dev pub nodad")
        for number, kind in enumerate(self._kinds):
            if kind == "isolated":
                self._guest(number)
            else:
                self._home(number, kind)
        for number, kind in enumerate(self._kinds):
            for other, other_kind in self._others(number):
                if kind == "open":
                    self._do(other, f"ip route add 10.{number + 1}.0.0/24 via {WAN}.{number + 1}")
                elif kind in SIX and other_kind in ("public", *SIX):
                    self._do(other, f"ip -6 route add {_six(number)}::/64 via {_six('ffff')}::{number + 1}")

    def _others(self, number: int) -> list[tuple[str, str]]:
        """Return the other machines on the common bridge with their kinds: the public host, and the router of each
        other home or of its provider."""
        homes = [(each, kind) for each, kind in enumerate(self._kinds) if each != number]
        edges = [(f"provider{each}" if kind == "double" else f"router{each}", kind) for each, kind in homes]
        return [("public", "public"), *(edge for edge in edges if self._prefix + edge[0] in self._made)]

    def _home(self, number: int, kind: str) -> None:
        """Make a router and a host behind it."""
        router, host = self._router(number, kind), str(number)
        self._space(host)
        self._cable(host, "eth0", router, "lan", bridged=False)
        self._do(router, f"ip addr add 10.{number + 1}.0.1/24 dev lan")
        if kind not in SIX_ALONE:
            self._do(host, f"ip addr add 10.{number + 1}.0.2/24 dev eth0")
            self._do(host, f"ip route add default via 10.{number + 1}.0.1")
        if kind in SIX:
            self._do(router, f"ip addr add {_six(number)}::1/64 dev lan nodad")
            self._do(host, f"ip addr add {_six(number)}::2/64 dev eth0 nodad")
            self._do(host, f"ip -6 route add default via {_six(number)}::1")

    def _guest(self, number: int) -> None:
        """Add a host to the access point, which is made with the first one."""
        if not self._access_point:
            self._access_point = self._router(number, "port-restricted")
            self._do(self._access_point, "ip link add lan type bridge", "ip link set lan up")
            self._do(self._access_point, "ip addr add 10.200.0.1/24 dev lan")
        plug = f"guest{number}"
        self._space(str(number))
        self._cable(str(number), "eth0", self._access_point, plug, bridged=False)
        self._do(self._access_point, f"ip link set {plug} master lan")
        self._do(self._access_point, f"ip link set {plug} type bridge_slave isolated on")
        self._do(str(number), f"ip addr add 10.200.0.{number + 2}/24 dev eth0", "ip route add default via 10.200.0.1")

    def _router(self, number: int, kind: str) -> str:
        """Make a router on the common bridge with the rules of its kind. Return its name."""
        router = f"router{number}"
        self._space(router)
        if kind == "double":
            self._provider(number)
            self._cable(router, "pub", f"provider{number}", "lan", bridged=False)
            self._do(f"provider{number}", f"ip addr add 100.64.{number + 1}.1/24 dev lan")
            self._do(router, f"ip addr add 100.64.{number + 1}.2/24 dev pub")
            self._do(router, f"ip route add default via 100.64.{number + 1}.1")
        else:
            self._cable(router, "pub", "wan", f"p-{number}")
            self._do(router, f"ip addr add {WAN}.{number + 1}/24 dev pub")
        self._do(router, "sysctl -qw net.ipv4.ip_forward=1")
        if kind in SIX:
            self._do(router, "sysctl -qw net.ipv6.conf.all.forwarding=1")
            self._do(router, f"ip addr add {_six('ffff')}::{number + 1}/64 dev pub nodad")
        if kind != "open":
            self._rules(router, _rules(kind, f"10.{number + 1}.0.2"))
        return router

    def _provider(self, number: int) -> None:
        provider = f"provider{number}"
        self._space(provider)
        self._cable(provider, "pub", "wan", f"p-{number}")
        self._do(provider, f"ip addr add {WAN}.{number + 1}/24 dev pub", "sysctl -qw net.ipv4.ip_forward=1")
        self._rules(provider, _rules("port-restricted", ""))

    def cut(self, home: int) -> None:
        """Disconnect a home's host."""
        self._do(str(home), "ip link set eth0 down")

    def heal(self, home: int) -> None:
        """Connect it again."""
        self._do(str(home), "ip link set eth0 up", f"ip route replace default via 10.{home + 1}.0.1")

    def renumber(self, home: int, last: int) -> None:
        """Give a home's router another public address with this last number, as some providers do every night. The
        router forgets all connections."""
        router = f"router{home}"
        self._do(router, "ip addr flush dev pub", f"ip addr add {WAN}.{last}/24 dev pub", "ip neigh flush all")

    def renumber_6(self, home: int) -> None:
        """Give a home other IPv6 addresses, as providers do who delegate another prefix every night."""
        router, host, prefix = f"router{home}", str(home), _six(home + RENUMBERED)
        self._do(router, "ip -6 addr flush dev lan scope global", f"ip addr add {prefix}::1/64 dev lan nodad")
        self._do(host, "ip -6 addr flush dev eth0 scope global", f"ip addr add {prefix}::2/64 dev eth0 nodad")
        self._do(host, f"ip -6 route replace default via {prefix}::1")
        for other, kind in self._others(home):
            if kind in ("public", *SIX):
                self._do(other, f"ip -6 route add {prefix}::/64 via {_six('ffff')}::{home + 1}")

    def lose_ipv6(self, home: int) -> None:
        """Let a home's router drop IPv6 without a word, as where the provider promises it and does not deliver."""
        self._rules(f"router{home}", HOLE.format(hook="forward", what="meta nfproto ipv6"))

    def narrow(self, home: int) -> None:
        """Let the way out of a home carry packets of 1,280 bytes and no larger ones, without a word to who sends
        them."""
        router = f"router{home}"
        self._do(router, "ip link set pub mtu 1280")
        self._rules(router, HOLE.format(hook="output", what="meta l4proto { icmp, ipv6-icmp }"))

    def know(self, host: str, name: str, *addresses: str) -> None:
        """Let a host know a name."""
        folder = NAMES / (self._prefix + host)
        folder.mkdir(parents=True)
        lines = ("127.0.0.1 localhost", *(f"{address} {name}" for address in addresses))
        (folder / "hosts").write_text("\n".join(lines) + "\n", "ascii")

    def command(self, host: str, *words: str) -> list[str]:
        """Return the command that runs `words` on a host."""
        return ["ip", "netns", "exec", self._prefix + host, *words]

    def remove(self) -> None:
        """Remove all namespaces."""
        for space in self._made:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)
            shutil.rmtree(NAMES / space, ignore_errors=True)

    def _space(self, name: str) -> None:
        subprocess.run(["ip", "netns", "add", self._prefix + name], check=True, capture_output=True, timeout=150)
        self._made.append(self._prefix + name)
        self._do(name, "ip link set lo up")

    def _cable(self, one: str, card: str, other: str, plug: str, *, bridged: bool = True) -> None:
        spaces = [self._prefix + one, self._prefix + other]
        words = ["link", "add", card, "netns", spaces[0], "type", "veth", "peer", "name", plug, "netns", spaces[1]]
        subprocess.run(["ip", *words], check=True, capture_output=True, timeout=150)
        self._do(one, f"ip link set {card} up")
        self._do(other, f"ip link set {plug} up", *([f"ip link set {plug} master br0"] if bridged else []))

    def _do(self, host: str, *lines: str) -> None:
        for line in lines:
            subprocess.run(self.command(host, *line.split()), check=True, capture_output=True, timeout=150)

    def _rules(self, host: str, rules: str) -> None:
        command = self.command(host, "nft", "-f", "-")
        subprocess.run(command, input=rules, text=True, check=True, capture_output=True, timeout=150)


def _rules(kind: str, host: str) -> str:
    """Return the rules of a router for nftables. host: IP address of the host behind it."""
    ports = "random,fully-random" if kind in ("symmetric", *SIX) else ""
    translated = TRANSLATED.format(lets_in=LETS_IN.get(kind, "").format(host=host), ports=ports)
    if kind in ("mapping", "pinhole"):
        return translated + MAPPED + ANSWERS_ONLY.format(table="filter", first="jump miniupnpd;")
    return translated + ANSWERS_ONLY.format(table="firewall", first=NO_UDP if kind == "udp-blocked" else "")


def _six(network: int | str) -> str:
    """Return the first half of the IPv6 addresses of a home or of the common bridge. They are global, but nothing
    leaves the namespaces."""
    return f"2a0e:8888:0:{network if isinstance(network, str) else network + 1}"


@contextmanager
def homes(*kinds: str) -> Iterator[Homes]:
    """Make homes while the block lasts."""
    made = Homes(kinds)
    try:
        made.build()
        yield made
    finally:
        made.remove()
