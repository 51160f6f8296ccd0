"""Two hosts on one bridge find each other unasked, talk, and survive a cut cable. Real processes, real time."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bridge import Bridge, bridge, missing

from p2p.identity.keys import SigningKey

ROOT = Path(__file__).parents[2]
REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


class Host:
    """A peer's process in its namespace, and what it said."""

    def __init__(self, lan: Bridge, name: str) -> None:
        script = Path(__file__).with_name("lan_peer.py")
        self.key = SigningKey.from_seed(name.encode() * 32).public.hex()
        self.process = subprocess.Popen(
            lan.command(name, sys.executable, str(script), name),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.said: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(json.loads(line))

    def hears(self, what: Callable[[dict[str, Any]], bool], seconds: float = 150) -> dict[str, Any]:
        """Return the first thing said from now on that fits."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                said = self.said.get(timeout=left)
            except queue.Empty:
                break
            if what(said):
                return said
        pytest.fail("the peer did not say what was awaited")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def two_hosts(*, ipv4: bool) -> Iterator[tuple[Bridge, Host, Host]]:
    with bridge("a", "b", ipv4=ipv4) as lan:
        ann, bob = Host(lan, "a"), Host(lan, "b")
        try:
            yield lan, ann, bob
        finally:
            ann.stop()
            bob.stop()


def meet(ann: Host, bob: Host) -> str:
    """Both link with each other and talk; return the address at which ann sees bob."""
    came = ann.hears(lambda said: "came" in said)
    assert came["came"] == bob.key
    assert bob.hears(lambda said: "came" in said)["came"] == ann.key
    for host in (ann, bob):
        host.hears(lambda said: said.get("heard") == 5)
    return str(came["at"])


def test_two_hosts_find_each_other_and_survive_a_cut_cable() -> None:
    with two_hosts(ipv4=True) as (lan, ann, bob):
        for host in (ann, bob):
            assert host.hears(lambda said: "ready" in said)["ready"]
        meet(ann, bob)
        lan.cut("a")
        for host in (ann, bob):
            assert host.hears(lambda said: "went" in said)["went"] in ("link/dead", "link/broken")
        lan.mend("a")
        meet(ann, bob)


def test_two_hosts_without_ipv4_find_each_other_by_their_link_local_addresses() -> None:
    with two_hosts(ipv4=False) as (_, ann, bob):
        assert meet(ann, bob).startswith("[fe80::")
