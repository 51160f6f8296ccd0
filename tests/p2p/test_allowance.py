"""How much of each feed a table takes: what it has resolved allows, never what an entry claims, the same for all."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volume import VOLUME, gated

from client.proof.audit import MAX_FILE
from p2p.lockstep import allowance
from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import MAX_MEMBERS, fixed_keys
from p2p.lockstep.hearing import MAX_TEXT
from p2p.lockstep.pacts import NEWCOMERS, FeedEnd
from p2p.log.feeds import HELD, MAX_CHATS, MAX_FEED, Spent
from p2p.log.starfile import SALT_BYTES
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain
from p2p.wire.content import MAX_CONTENT
from p2p.wire.entry import Entry, make_entry
from p2p.wire.shapes import most_bytes

FAR = 2**50
RECORD = 5
"""Bytes of a file before each entry and text."""
LEAST_ENTRY = 200
"""Bytes of the shortest entry: ids, keys and a signature."""


class Flooded(DirectTable):
    """A table whose member 2 says much more than anything needs, before some answers. The others take it all."""

    def __init__(self, seed: int, members: int = 3) -> None:
        super().__init__([[number] for number in range(members)], seed, 2)
        self.start()

    def deliver(self, sender: int, keep: Keep) -> None:
        self.log.append((keep.entry, keep.attachment))
        for number, peer in enumerate(self.peers):
            if number != sender:
                peer.take(keep.entry, keep.attachment)

    def flood(self, count: int) -> None:
        for _ in range(count):
            assert self.peers[2].clock(self.keys[0].key.public) is None
        self.settle()

    def entries(self) -> list[Entry]:
        return [entry for entry, _ in self.log]


def asked(follower: Follower, feeds: Sequence[Sequence[Entry]], random: Random) -> None:
    """Send a follower what it lacks, as sync does: windows of each feed, in any order, until it takes no more."""
    before = None
    while before != (before := (follower.feeds.have(), follower.position.height)):
        for feed in random.sample(feeds, len(feeds)):
            start = len(follower.feeds.feed(feed[0].author))
            window = list(feed[start : start + random.randint(1, HELD)])
            random.shuffle(window)
            for entry in window:
                follower.feed(entry)
                follower.settled()


@settings(max_examples=6 * VOLUME, deadline=None)
@given(st.integers(0, 2**32))
def test_who_plays_and_who_catches_up_take_the_same_of_every_feed(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(allowance, "AT_FIRST", Spent(24, 20_000))
        patch.setattr(allowance, "A_HEIGHT", Spent(3, 3_000))
        random = Random(seed)
        table = Flooded(seed % 7)
        playing = Follower(table.genesis, TestMachine(3, 2))
        feeds: list[list[Entry]] = []
        while table.step():
            table.flood(random.choice((0, 0, 0, 5, 40)))
            feeds = [[entry for entry in table.entries() if entry.author == keys.key.public] for keys in table.keys]
            if random.random() < 0.7:
                asked(playing, feeds, random)
        others = [Follower(table.genesis, TestMachine(3, 2)) for _ in range(2)]
        for follower in (playing, *others):
            asked(follower, feeds, random)
        assert len({(each.position.height, each.position.head) for each in (playing, *others)}) == 1
        assert all(each.feeds.have() == playing.feeds.have() for each in others)
        whole = Follower(table.genesis, TestMachine(3, 2))
        for entry in playing.feeds.entries:
            whole.hear(entry)
        whole.go_on()
        whole.settled()
        assert whole.position.head == playing.position.head, "nor does who reads the whole log judge it otherwise"


def continued(last: Entry, keys: int, table: DirectTable, kind: str, body: Plain, height: int) -> Entry:
    return make_entry(
        table.keys[keys].key.private, table=last.table, seq=last.seq + 1, prev=last.id, epoch=last.epoch,
        height=height, head=bytes(32), state=bytes(16), kind=kind, body=body,
    )  # fmt: skip


def overfed(height: int, size: int, cut: bool = False) -> tuple[Follower, Spent]:
    """A follower to whom one member sends 12,000 entries of this size for this height, and what it has kept."""
    table = Flooded(1, 4)
    for _ in range(3):
        table.step()
    follower = Follower(table.genesis, TestMachine(4, 2))
    for entry in table.entries():
        follower.take(entry)
    key = table.keys[2].key.public
    if cut:
        (end,) = [(seq, name) for author, (seq, name) in follower.feeds.have().items() if author == key]
        follower.position.membership.cut[key] = FeedEnd(key, *end)
    before = follower.feeds.spent(key)
    last = follower.feeds.last(key)
    assert last is not None
    for number in range(12_000):
        last = continued(last, 2, table, "answer", [number, bytes(size)], height)
        follower.feed(last)
        if follower.held_back(key):
            break
    after = follower.feeds.spent(key)
    assert not follower.feeds.ended(key), "it may go on once more heights are resolved"
    return follower, Spent(after.others - before.others, after.size - before.size)


@pytest.mark.parametrize(("height", "size"), gated([(FAR, 1), (0, 11_000), (FAR, 11_000), (0, 1)], 2))
def test_a_claimed_height_allows_nothing(height: int, size: int) -> None:
    follower, kept = overfed(height, size)
    resolved = allowance.resolved(follower.position) + 1
    assert kept.others <= allowance.AT_FIRST.others + allowance.A_HEIGHT.others * resolved
    assert kept.size <= allowance.AT_FIRST.size + allowance.A_HEIGHT.size * resolved + 12_000
    assert kept.others == HELD if height == FAR else kept.others > HELD


def test_after_its_cut_little_is_taken_of_a_member() -> None:
    for size in (1, 11_000):
        follower, kept = overfed(0, size, cut=True)
        outside, height = allowance.OUTSIDE, allowance.OUTSIDE_A_HEIGHT
        assert kept.others <= outside.others + height.others * allowance.resolved(follower.position)
        assert kept.size <= outside.size + height.size * allowance.resolved(follower.position) + 12_000


def test_a_proposal_to_seat_somebody_lets_a_few_strangers_into_the_log_only() -> None:
    table = Flooded(1)
    peer = table.peers[0]
    for number in range(200):
        body: Plain = ["seat", number, bytes(32), [], [0, [b"", fixed_keys(number, 5).key.public]], 0]
        table.peers[2]._say("pact", body)
        table.settle()
    newcomers = [number for number in range(200) if peer.seated(fixed_keys(number, 5).key.public)]
    assert len(newcomers) <= NEWCOMERS


def test_the_longest_log_is_shorter_than_what_verify_reads() -> None:
    authors = MAX_MEMBERS + 2 * NEWCOMERS
    chats = MAX_CHATS * (most_bytes("chat") + SALT_BYTES + MAX_TEXT + 2 * RECORD)
    others = MAX_FEED + RECORD * MAX_FEED // LEAST_ENTRY
    assert authors * (chats + others) + MAX_CONTENT <= 480_000_000 < MAX_FILE
