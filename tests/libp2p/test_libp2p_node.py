"""py-libp2p, as we use it, at a relay of js-libp2p."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from bench import FINDING
from bench.chapters import NAMES
from jsrelay import EXTRA, ROOT, JsRelay, add_extra, js_relay, missing

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.wire.circuit import peer_id, relay_address, through

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[JsRelay]:
    add_extra()
    with js_relay(tmp_path / "relay") as found:
        yield found


@pytest.mark.soak
async def test_a_relay_that_was_restarted_is_noticed_even_when_somebody_has_connected_to_it_since(
    relay: JsRelay,
) -> None:
    from p2p.link.libp2p import open_node

    address = relay_address(relay.multiaddr)
    called, calls = trio.open_memory_channel[trio.abc.Stream](9)
    waits, comes = SigningKey.generate(), SigningKey.generate()
    async with open_node(waits.seed(), called.send) as ann, open_node(comes.seed(), called.send) as bob:
        assert 60 < await ann.reserve(address) < 7_260
        await ann.ping(address)
        with pytest.raises(LinkRefusedError, match="relay/nobody"):
            await bob.call(through(address, peer_id(SigningKey.generate().public)))
        relay.restart()
        with trio.fail_after(60):
            for node in (ann, bob):
                await reached(node, through(address, peer_id(SigningKey.generate().public)))
            with pytest.raises(LinkRefusedError, match="link/hung-up"):
                await ann.ping(address)
            await ann.reserve(address)
            await ann.ping(address)
            stream = await bob.call(through(address, peer_id(waits.public)))
            await (await calls.receive()).send_all(b"here")
            assert await stream.receive_some(9) == b"here"


async def reached(node: object, address: str) -> None:
    """Call somebody who does not exist until the relay says so."""
    while True:
        try:
            await node.call(address)  # type: ignore[attr-defined]
        except LinkRefusedError as refused:
            if refused.code == "relay/nobody":
                return
        await trio.sleep(0.1)


async def test_who_waits_is_found_in_the_directory_of_the_relay(relay: JsRelay) -> None:
    from p2p.link.libp2p import open_node

    address, key = relay_address(relay.multiaddr), bytes(32)
    waits = SigningKey.generate()
    with trio.fail_after(60):
        async with (
            open_node(waits.seed(), lambda stream: stream.aclose()) as ann,
            open_node(SigningKey.generate().seed(), lambda stream: stream.aclose()) as bob,
        ):
            await bob.reserve(address)
            assert await bob.find(address, key) == []
            await ann.reserve(address)
            assert (await ann.seen(address)).startswith("127.0.0.1:")
            await ann.announce(address, key)
            assert await bob.find(address, key) == [through(address, peer_id(waits.public))]
            assert await bob.find(address, bytes(31) + b"1") == []


async def test_an_address_that_is_none_and_a_relay_that_is_not_there_are_refused(relay: JsRelay) -> None:
    from p2p.link.libp2p import open_node

    async with open_node(SigningKey.generate().seed(), lambda stream: stream.aclose()) as ann:
        peer = peer_id(SigningKey.generate().public)
        for address, code in [
            ("libp2p:/ip4/127.0.0.1/tcp/1", "libp2p/address"),
            (through("libp2p:/ip4/127.0.0.1/tcp/4001/p2p/" + "1" * 45, peer), "libp2p/address"),
            (through(f"libp2p:/ip4/127.0.0.1/tcp/1/p2p/{peer}", peer), "link/unreachable"),
        ]:
            with pytest.raises(LinkRefusedError, match=code):
                await ann.call(address)


MEASURED = f"""import json
{FINDING}
import bench
from bench import circuits, reach
bench.ROUNDS, reach.PING_PONGS, reach.CHUNKS = 1, 3, 3
print(json.dumps([measure.fields() for measure in circuits.measures()]))
"""


@pytest.mark.soak
def test_the_way_through_the_library_is_measured_beside_a_bare_connection() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, EXTRA)))}
    command = [sys.executable, "-c", MEASURED]  # a process of its own, since the library leaves sockets open
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, timeout=200)
    found = {measure["name"]: measure for measure in json.loads(ended.stdout)}
    assert set(found) == {name for name in NAMES if name.endswith("-libp2p")}
    assert all(measure["value"] > measure["floor"] > 0 for measure in found.values() if measure["unit"] == "ms")
