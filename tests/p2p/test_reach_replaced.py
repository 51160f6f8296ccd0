"""A link through a relay gives way to a direct one as soon as there is one."""

from __future__ import annotations

from contextlib import suppress

import pytest
import trio
from reachworld import Peer, want, world
from trio.testing import MockClock

from p2p.link.contract import LinkDownError
from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import Follower
from p2p.reach.news import Came
from p2p.sync.exchange import HAVE_EVERY, Exchange
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.address import Address, at_friend
from p2p.wire.compression import Compressor, Decompressor
from p2p.wire.entry import Entry
from p2p.wire.messages import Have, Push, Sent, Want

OFTEN = 0.02
"""Seconds between two entries."""


class Copy:
    """A copy of a table, brought up to date over the links of one peer, whose other side is this member."""

    def __init__(self, peer: Peer, table: DirectTable, member: int) -> None:
        self.table = Follower(table.genesis, TestMachine(2, 1))
        self.exchange = Exchange(self.table)
        self.ways: list[Address] = []
        self._links: dict[str, tuple[Came, Compressor]] = {}
        self._other = table.genesis.members[member].certificate.identity
        peer.carry = self.carry

    def say(self, entry: Entry) -> None:
        """Have an entry, which nobody else has."""
        self._take("here", Push((Sent(entry.raw),)))

    def _take(self, name: str, message: Have | Want | Push) -> None:
        assert not self.exchange.received(name, message, trio.current_time()).errors
        for effect in self.table.settled():
            if isinstance(effect, Keep):
                self.exchange.spread(effect.entry)
        self._send()

    def _send(self) -> None:
        for name, message in self.exchange.outgoing():
            if name in self._links:
                came, packing = self._links[name]
                came.link.send(packing.pack(message))

    async def carry(self, came: Came) -> None:
        """Sync over a link until all that came over it is heard."""
        name, unpacking = f"link {len(self.ways)}", Decompressor()
        self.ways.append(came.link.pipe.via)
        self._links[name] = came, Compressor()
        self.exchange.opened(name, self._other)
        self._send()
        with suppress(LinkDownError):
            while True:
                message = unpacking.parse(await came.link.recv())
                assert isinstance(message, Have | Want | Push)
                self._take(name, message)
        self.exchange.closed(name)


@pytest.mark.parametrize("relay", ["relay://192.0.2.1:4000", at_friend(b"f" * 32)], ids=["relay", "friend"])
async def test_a_direct_path_found_later_replaces_the_relayed_link_without_losing_an_entry(
    relay: Address, autojump_clock: MockClock
) -> None:
    table = DirectTable([[0], [1]], seed=3)
    table.start()
    table.play()
    async with world("a", "b") as (made, (ann, bob)):
        made.relays[relay] = "b"
        made.unreachable = {("a", "b"), ("b", "a")}
        copies = [Copy(ann, table, 1), Copy(bob, table, 0)]
        for copy in copies:
            copy.exchange.opened("here", table.genesis.members[0].certificate.identity)
        want(ann, bob).learn(relay)
        want(bob, ann)
        await trio.sleep(1)
        authors = [keys.key.public for keys in table.keys]
        for number, (entry, _) in enumerate(table.log):
            if number == len(table.log) // 4:
                made.unreachable.discard(("a", "b"))
            copies[authors.index(entry.author)].say(entry)
            await trio.sleep(OFTEN)
        await trio.sleep(HAVE_EVERY / 3)
        for copy, peer in zip(copies, (ann, bob), strict=True):
            assert copy.ways == [relay, ""]
            assert peer.codes() == ["bye/replaced"]
            assert len(copy.table.feeds.entries) == len(table.log)
            assert copy.table.position.height == table.peers[0].position.height
