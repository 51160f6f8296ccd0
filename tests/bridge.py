"""Hosts in network namespaces on one bridge, each with its own cable. For tests on Linux, with the rights to make them.

Use: `with bridge("a", "b") as lan: subprocess.Popen(lan.command("a", …)); lan.cut("a"); lan.mend("a")`.
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

_SERIAL = count()


@cache
def missing() -> str | None:
    """Return why namespaces cannot be made here, None when they can."""
    if sys.platform != "linux":
        return "network namespaces are Linux"
    if shutil.which("ip") is None:
        return "the program ip is not installed"
    name = f"sl-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"network namespaces are not allowed here: {made.stderr.strip()}"
    tried = subprocess.run(
        ["ip", "-n", name, "link", "add", "br0", "type", "bridge"], capture_output=True, text=True, check=False
    )
    subprocess.run(["ip", "netns", "del", name], check=False)
    return f"no bridge can be made here: {tried.stderr.strip()}" if tried.returncode else None


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=150)


class Bridge:
    """A switch in a namespace of its own, and hosts with a cable to it: 10.99.0.1, 10.99.0.2, … or, without IPv4,
    whatever link-local addresses they give themselves."""

    def __init__(self, hosts: Sequence[str], *, ipv4: bool) -> None:
        self._ipv4 = ipv4
        self._prefix = f"sl-{os.getpid()}-{next(_SERIAL)}-"
        self._made: list[str] = []
        self.switch = self._namespace("switch")
        self.hosts = list(hosts)

    def build(self) -> None:
        ip("-n", self.switch, "link", "add", "br0", "type", "bridge")
        ip("-n", self.switch, "link", "set", "br0", "up")
        for number, host in enumerate(self.hosts, 1):
            space = self._namespace(host)
            pair = f"to-{host}"
            ip("-n", self.switch, "link", "add", pair, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", self.switch, "link", "set", pair, "master", "br0")
            ip("-n", self.switch, "link", "set", pair, "up")
            ip("-n", space, "link", "set", "lo", "up")
            if self._ipv4:
                ip("-n", space, "addr", "add", f"10.99.0.{number}/24", "broadcast", "10.99.0.255", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")

    def remove(self) -> None:
        for space in self._made:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)

    def cut(self, host: str) -> None:
        """Pull the host's cable out of the switch; the host itself does not notice."""
        ip("-n", self.switch, "link", "set", f"to-{host}", "nomaster")

    def mend(self, host: str) -> None:
        ip("-n", self.switch, "link", "set", f"to-{host}", "master", "br0")

    def command(self, host: str, *words: str) -> list[str]:
        """Return the command that runs `words` on a host."""
        return ["ip", "netns", "exec", self._prefix + host, *words]

    def _namespace(self, name: str) -> str:
        ip("netns", "add", self._prefix + name)
        self._made.append(self._prefix + name)
        return self._prefix + name


@contextmanager
def bridge(*hosts: str, ipv4: bool = True) -> Iterator[Bridge]:
    """Make a bridge with these hosts for as long as the block lasts."""
    made = Bridge(hosts, ipv4=ipv4)
    try:
        made.build()
        yield made
    finally:
        made.remove()
