# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole processes that may open 256 files, among relays that lie, a member that lies as a relay, and silent strangers:
they meet in the lobby, and play on in mid-game. So do those that serve a page or figures to this machine, whose other
accounts may ask without a key and read no answer."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from peers import Starlock, guest, host, resume, ticket
from volume import gated

from p2p.testing.hostile_relays import LIES, HostileRelay, hostile_relay

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="files are counted in /proc"),
]

FILES = 256
STRANGERS = 60
FEW = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}))
"""
VISITED = "somebody waits or calls here"
LYING = """
import sys
import p2p.reach.relay as relay
from contextlib import suppress
from p2p.testing.hostile_relays import GONE, LIES, HostileRelay
from p2p.wire.relaying import read_request
import trio

async def visited(self, stream, remote):
    print("VISITED", file=sys.stderr, flush=True)
    await HostileRelay(LIES[NAME]).serve(stream)

async def serve(self, frames, first, remote):
    try:
        with suppress(*GONE):
            await LIES[NAME](frames.stream, read_request(first))
    finally:
        await trio.aclose_forcefully(frames.stream)

relay.Relay.visited, relay.Relay.serve = visited, serve
"""
"""A member that relays for friends with a lie, and else plays honestly."""


@contextmanager
def lying_relays(*names: str) -> Iterator[list[tuple[HostileRelay, str]]]:
    """Relays that lie, in a thread, with their addresses; each second one has a key."""
    found: list[tuple[HostileRelay, str]] = []
    there, over = threading.Event(), trio.Event()
    tokens: list[trio.lowlevel.TrioToken] = []

    async def serve() -> None:
        tokens.append(trio.lowlevel.current_trio_token())
        async with trio.open_nursery() as nursery:
            for number, name in enumerate(names):
                opened = await nursery.start(partial(one, name, number % 2 == 1))
                found.append(opened)
            there.set()
            await over.wait()
            nursery.cancel_scope.cancel()

    async def one(name: str, keyed: bool, *, task_status: trio.TaskStatus[tuple[HostileRelay, str]]) -> None:
        async with hostile_relay(LIES[name], keyed=keyed) as (relay, address):
            task_status.started((relay, address))
            await trio.sleep_forever()

    thread = threading.Thread(target=trio.run, args=(serve,))
    thread.start()
    try:
        assert there.wait(60)
        yield found
    finally:
        tokens[0].run_sync_soon(over.set)
        thread.join()


@contextmanager
def silent_strangers(peer: Starlock) -> Iterator[None]:
    """Connections to a peer that say nothing, from many addresses."""
    peer.until(lambda: peer.events("peer/listening"))
    port = peer.events("peer/listening")[0]["port"]
    with ExitStack() as ends:
        for number in range(STRANGERS):
            place = f"127.0.2.{1 + number}", 0
            ends.enter_context(socket.create_connection(("127.0.0.1", port), 60, place))
        yield


def open_files(peer: Starlock) -> int:
    return sum(1 for _ in Path(f"/proc/{peer.process.pid}/fd").iterdir())


@pytest.mark.parametrize("lie", gated(sorted(LIES, key=lambda name: name != "pairs_and_closes"), 1))
def test_a_table_meets_and_plays_on_whatever_relays_members_and_strangers_do(lie: str, tmp_path: Path) -> None:
    with lying_relays(lie, lie) as relays, ExitStack() as ends:
        words = [word for _, endpoint in relays for word in ("--relay", endpoint)]
        ann = ends.enter_context(host(tmp_path / "ann", *words, players=3, script=FEW))
        line = ticket(ann)
        ends.enter_context(silent_strangers(ann))
        ann.until(lambda: all(relay.visits for relay, _ in relays))
        bob = ends.enter_context(guest(tmp_path / "bob", line, "Bob", script=FEW))
        cid = ends.enter_context(
            guest(tmp_path / "cid", line, "Cid", script=LYING.replace("NAME", repr(lie)).replace("VISITED", VISITED))
        )
        bob.reaches(3)
        bob.kill()
        cid.until(lambda: VISITED in cid.errors)  # Ann waits at Cid for Bob
        height = ann.height
        bob = ends.enter_context(resume(tmp_path / "bob", script=FEW))
        for peer in (ann, bob, cid):
            peer.reaches(height + 10)
        assert max(open_files(ann), open_files(bob)) < FILES
        assert not ann.events("table/fault")


@contextmanager
def deaf_strangers(port: int, path: str) -> Iterator[None]:
    """More connections than the peer may open files, from this machine, that ask again and again and read nothing."""
    asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 4_000
    with ExitStack() as ends, suppress(OSError):  # who is sent away is gone
        for _ in range(FILES + STRANGERS):
            stranger = ends.enter_context(socket.socket())
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            stranger.connect(("127.0.0.1", port))
            stranger.setblocking(False)
            with suppress(OSError):
                stranger.send(asked)
        yield


def test_a_page_is_served_on_whatever_others_on_this_machine_do_without_a_key(tmp_path: Path) -> None:
    with Starlock(tmp_path, "play", "eclipse2", "--players", "2", "--api", script=FEW) as ann:
        assert ann.process.stdout is not None
        access = json.loads(ann.process.stdout.readline())
        port = int(access["url"].rpartition(":")[2])

        def status(body: str) -> int:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as asking:
                asking.request("POST", "/do", body, {"X-Starlock": access["key"]})
                return asking.getresponse().status

        with deaf_strangers(port, "/page.css"):
            for _ in range(20):
                assert status("{}") == 200
                assert open_files(ann) <= FILES // 2
        assert ann.errors == "", "nothing of it reaches the terminal"
        ann.process.terminate()
        ann.end()
        assert not ann.events("web/gone"), "nor the log, which strangers could fill"
