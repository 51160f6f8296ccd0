"""Homes behind routers of several kinds, and a public host, in network namespaces. For tests on Linux with the rights.

Kinds of a home's router: "open" (no translation), "cone" (keeps the port, lets in answers only), "symmetric" (another
port for each connection). Each home has one host, which sees its router as gateway; all routers meet on one bridge with
the public host. Needs iproute2 and nftables.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

_SERIAL = count()
PUBLIC = "203.0.113.9"


def missing() -> str | None:
    """Return why there can be no such homes here, None when there can."""
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
    """kinds: one for each home, in order; homes are "0", "1", …, the public host is "public"."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._prefix = f"nat-{os.getpid()}-{next(_SERIAL)}-"
        self._made: list[str] = []
        self._kinds = kinds

    def build(self) -> None:
        """Make all of it."""
        self._space("wan")
        self._do("wan", "ip link add br0 type bridge", "ip link set br0 up")
        self._space("public")
        self._cable("public", "pub", "wan", "p-public")
        self._do("public", f"ip addr add {PUBLIC}/24 dev pub")
        for number, kind in enumerate(self._kinds):
            self._home(number, kind)
        for number, kind in enumerate(self._kinds):
            if kind == "open":
                for other in ["public", *(f"router{each}" for each in range(len(self._kinds)) if each != number)]:
                    self._do(other, f"ip route add 10.{number + 1}.0.0/24 via 203.0.113.{number + 1}")

    def _home(self, number: int, kind: str) -> None:
        router, host = f"router{number}", str(number)
        self._space(router)
        self._space(host)
        self._cable(router, "pub", "wan", f"p-{number}")
        self._cable(host, "eth0", router, "lan", bridged=False)
        self._do(
            router, f"ip addr add 203.0.113.{number + 1}/24 dev pub", f"ip addr add 10.{number + 1}.0.1/24 dev lan"
        )
        self._do(router, "sysctl -qw net.ipv4.ip_forward=1")
        self._do(host, f"ip addr add 10.{number + 1}.0.2/24 dev eth0", f"ip route add default via 10.{number + 1}.0.1")
        if kind == "open":
            return
        ports = " random,fully-random" if kind == "symmetric" else ""
        self._rules(
            router,
            f"""table ip nat {{
              chain post {{ type nat hook postrouting priority 100; oifname "pub" masquerade{ports}; }}
            }}
            table ip flt {{
              chain forward {{ type filter hook forward priority 0; policy drop;
                ct state established,related accept; iifname "lan" accept; }}
              chain input {{ type filter hook input priority 0; policy drop;
                ct state established,related accept; iifname {{ "lan", "lo" }} accept; meta l4proto icmp accept; }}
            }}""",
        )

    def command(self, host: str, *words: str) -> list[str]:
        """Return the command that runs `words` on a host."""
        return ["ip", "netns", "exec", self._prefix + host, *words]

    def remove(self) -> None:
        """Unmake all of it."""
        for space in self._made:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)

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


@contextmanager
def homes(*kinds: str) -> Iterator[Homes]:
    """Make homes for as long as the block lasts."""
    made = Homes(kinds)
    try:
        made.build()
        yield made
    finally:
        made.remove()
