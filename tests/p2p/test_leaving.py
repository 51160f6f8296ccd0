# SPDX-License-Identifier: GPL-3.0-or-later
"""One signature ends a member's part in a table: its seats fall to the rules, its hand to the decks, its feed ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from agreement import NODE, Game, judged_by_all, packed
from volume import gated, seeds

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import moving_lobby
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import decode, encode
from p2p.wire.entry import Entry, make_entry
from seeds.hashing import H


def table_of(members: int, draws: str = "open", seed: int = 1, rounds: int = 2) -> DirectTable:
    table = DirectTable([[number] for number in range(members)], seed, rounds, options={"draws": draws})
    table.start()
    return table


def played_on(members: int, leavers: Sequence[int], draws: str, steps: int) -> DirectTable:
    """A table of which some leave after so many answers, played to the end."""
    table = table_of(members, draws)
    for _ in range(steps):
        table.step()
    for leaver in leavers:
        assert table.peers[leaver].leave() is None
    table.settle()
    table.play()
    return table


def log(table: DirectTable) -> list[Entry]:
    return [entry for entry, _ in table.log]


def judged(table: DirectTable, seats: int) -> Audit:
    return audit(log(table), lambda genesis: TestMachine(seats, 2))


@pytest.mark.parametrize("draws", ["open", "sealed"])
@pytest.mark.parametrize(("members", "leavers"), gated([(2, (0,)), (3, (1, 2)), (4, (3, 0)), (2, (1,)), (3, (0,))], 3))
@pytest.mark.parametrize("steps", gated([0, 3, 1, 6], 2))
def test_who_leaves_gives_up_the_seat_and_the_others_play_to_the_end(
    members: int, leavers: tuple[int, ...], draws: str, steps: int
) -> None:
    table = played_on(members, leavers, draws, steps)
    found = judged(table, members)
    assert found.ok, found.problems
    assert found.complete
    assert {pact.kind for pact in found.pacts} == {"leave"}
    assert {who for pact in found.pacts for who in pact.members} == {key(table, each) for each in leavers}
    assert not found.unsigned
    for peer in table.peers:
        assert peer.position.over
        assert peer.reading.final
        assert (peer.position.head, peer.position.state) == (found.head, found.state)
        assert peer.position.membership.gone == {table.keys[number].key.public for number in leavers}


@pytest.mark.skipif(NODE is None, reason="the page's checks run under node")
@pytest.mark.parametrize("draws", gated(["sealed", "open"], 1))
@pytest.mark.parametrize("all_steps", gated([[2], [0, 2, 5]], 1))
@pytest.mark.parametrize(("members", "leavers"), gated([(3, (0, 1)), (2, (1,)), (4, (3,))], 1))
def test_the_page_judges_a_leave_like_the_audit(
    members: int, leavers: tuple[int, ...], all_steps: list[int], draws: str, tmp_path: Path
) -> None:
    games = []
    for steps in all_steps:
        table = played_on(members, leavers, draws, steps)
        stayed = next(peer for number, peer in enumerate(table.peers) if number not in leavers)
        games.append(Game(packed(stayed, table.keys[0].key.private), TestMachine(members, 2)))
    for case in LACKING if len(all_steps) > 1 else LACKING[:3]:
        lacking = parted(*case)
        seated = [number for number in range(case[0]) if number not in case[1]]
        games.append(Game(packed(lacking.peers[seated[0]], lacking.keys[0].key.private), TestMachine(case[0], 2)))
    last = played_on(members, (), draws, 99)
    assert last.peers[leavers[0]].leave() is None
    last.settle()
    games.append(Game(packed(last.peers[leavers[0]], last.keys[0].key.private), TestMachine(members, 2)))
    for judged in judged_by_all(games, tmp_path):
        assert judged.ours is None
        assert judged.theirs["ok"], judged.theirs
        assert judged.second.intact, judged.second.problems


class Leaving(DirectTable):
    """A table of which some leave as soon as each has signed an entry of a kind beyond a height."""

    def __init__(self, members: int, leavers: Sequence[int], kind: str, draws: str) -> None:
        self.waiting, self.kind = [*leavers], kind
        super().__init__([[number] for number in range(members)], rounds=2, options={"draws": draws})

    def deliver(self, sender: int, keep: Keep) -> None:
        super().deliver(sender, keep)
        if sender in self.waiting and keep.entry.kind == self.kind and keep.entry.height > 3:
            self.waiting.remove(sender)
            assert self.peers[sender].leave() is None


LACKING = [
    (3, (0, 1), "open", "sealed"), (4, (0, 1, 2), "open", "open"), (3, (0, 1), "answer", "open"),
    (5, (0, 1, 2), "open", "open"), (4, (0, 1), "open", "open"), (3, (1, 2), "open", "sealed"),
    (5, (2, 3, 4), "seal", "sealed"),
]  # fmt: skip


def parted(members: int, leavers: Sequence[int], kind: str, draws: str) -> Leaving:
    """A table of which some have left after what they signed of this kind, played to the end."""
    table = Leaving(members, leavers, kind, draws)
    table.start()
    table.play()
    return table


@pytest.mark.parametrize(("members", "leavers", "kind", "draws"), gated(LACKING, 4))
def test_where_too_few_can_lift_a_lock_those_who_have_left_are_gone_and_the_others_play_on(
    members: int, leavers: tuple[int, ...], kind: str, draws: str
) -> None:
    """Who has opened its seed owes its part of the lock, which any t can give, and t are not left."""
    table = parted(members, leavers, kind, draws)
    found = judged(table, members)
    assert found.ok, found.problems
    assert found.complete
    assert {peer.position.head for peer in table.peers} == {found.head}
    assert all(replayed(table, seed).position.head == found.head for seed in seeds(2))
    for roll in table.peers[0].position.chance.rolls:
        assert len(roll.lifted) >= roll.lock


class WithoutPart(DirectTable):
    """A table of three whose second member is cut off with its part of the first lock of two."""

    def deliver(self, sender: int, keep: Keep) -> None:
        if sender == 1 and keep.entry.kind == "partial" and len(self.peers[0].position.members) == 2:
            self.cut_off.add(1)
        super().deliver(sender, keep)


def test_a_lock_that_one_alone_cannot_lift_waits_for_no_key_that_has_moved() -> None:
    """Of three one is left out, so that the two others lift the last lock together; then one of them moves."""
    table = WithoutPart([[0], [1], [2]], rounds=2, options={"draws": "open"})
    table.start()
    table.cut_off = {2}
    while key(table, 2) not in table.peers[0].owing():
        assert table.step()
    assert table.peers[0].propose("absent", [key(table, 2)]) is None
    table.settle()
    (vote,) = table.peers[1].votes()
    assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    while 1 not in table.cut_off:
        assert table.step()
    assert table.peers[0].debts()[key(table, 1)] == "partial"
    old = key(table, 1)
    owner = SigningKey.from_seed(H("test identity", 1, 1))
    new = SigningKey.from_seed(b"n" * 32).public
    fields = certify(owner, new, moving_lobby(table.genesis.table, old), "another device").fields()
    assert table.peers[0].propose("moved", [old], [decode(encode(fields)), False]) is None
    table.settle()
    assert table.peers[0].position.owner[1] == new
    assert judged(table, 3).ok
    assert all(roll.lock == len(roll.lifted) for roll in table.peers[0].position.chance.rolls[1:])


def key(table: DirectTable, number: int) -> bytes:
    return table.keys[number].key.public


def replayed(table: DirectTable, seed: int) -> Follower:
    """A follower that has got the log in another order: each feed in order, the feeds mixed at random."""
    random, follower = Random(seed), Follower(table.genesis, TestMachine(len(table.keys), 2))
    waiting = [[entry for entry in log(table) if entry.author == key(table, n)] for n in range(len(table.keys))]
    while any(waiting):
        feed = random.choice([feed for feed in waiting if feed])
        for _ in range(random.choice((1, 1, 5, 100))):
            if feed:
                follower.take(feed.pop(0))
                follower.settled(table.work)
    return follower


@pytest.mark.parametrize("draws", ["open", "sealed"])
@pytest.mark.parametrize("leavers", gated([[1, 3], [0, 1], [2, 0, 3]], 1))
def test_in_whatever_order_leaves_arrive_they_take_effect_at_the_same_heights(leavers: list[int], draws: str) -> None:
    for steps in (0, 4):
        table = played_on(4, leavers, draws, steps)
        heads = {peer.position.head for peer in table.peers} | {replayed(table, n).position.head for n in seeds(4)}
        assert len(heads) == 1


def test_what_is_said_behind_a_leave_is_no_part_of_any_feed() -> None:
    table = table_of(3)
    leaver = table.peers[2]
    assert leaver.leave() is None
    assert leaver.chat("still here") == TableRefusal("lockstep/left")
    last = leaver.feeds.last(key(table, 2))
    assert last is not None
    later = make_entry(
        table.keys[2].key.private, table=last.table, seq=last.seq + 1, prev=last.id, epoch=last.epoch,
        height=last.height, head=last.head, state=last.state, kind="chat", body=[bytes(32)],
    )  # fmt: skip
    table.settle()
    for peer in table.peers:
        peer.feed(later)
        assert peer.feeds.last(key(table, 2)) == last
        assert not peer.faults
    table.play()
    assert judged(table, 3).ok


def test_two_histories_are_proven_of_a_feed_that_has_ended() -> None:
    table = table_of(3)
    before = table.peers[2].feeds.last(key(table, 2))
    assert before is not None
    assert table.peers[2].leave() is None
    table.settle()
    other = make_entry(
        table.keys[2].key.private, table=before.table, seq=before.seq + 1, prev=before.id, epoch=before.epoch,
        height=before.height, head=before.head, state=before.state, kind="chat", body=[bytes(32)],
    )  # fmt: skip
    table.peers[0].feed(other)
    assert [fault.code for fault in table.peers[0].faults[key(table, 2)]] == ["entry/forked"]


def test_who_is_bound_by_a_vote_may_leave_and_the_vote_is_decided_as_without_that() -> None:
    table = table_of(3)
    for _ in range(3):
        table.step()
    height = table.peers[0].position.height
    assert table.peers[2].propose("takeback", (), [height - 1, True]) is None
    assert table.peers[2].leave() is None
    table.settle()
    for peer in table.peers[:2]:
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
        table.settle()
    table.play()
    found = judged(table, 3)
    assert found.ok, found.problems
    assert found.complete
    assert sorted(pact.kind for pact in found.pacts) == ["leave", "takeback"]
    assert len({peer.position.head for peer in table.peers}) == 1


def test_who_leaves_refuses_the_open_votes_so_that_nobody_waits_for_its_word() -> None:
    table = table_of(3)
    for _ in range(3):
        table.step()
    height = table.peers[0].position.height
    assert table.peers[0].propose("takeback", (), [height - 1, True]) is None
    table.settle()
    assert table.peers[0].voting.locks()
    assert table.peers[2].leave() is None
    table.settle()
    assert not table.peers[0].voting.locks()
    table.play()
    assert judged(table, 3).complete


def test_the_leave_of_one_who_was_left_out_before_is_void() -> None:
    table = table_of(4)
    out = key(table, 3)
    table.cut_off = {3}
    while out not in table.peers[0].owing():
        assert table.step()
    assert table.peers[0].propose("absent", [out]) is None
    table.settle()
    for peer in table.peers[1:3]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    table.step()
    table.cut_off = set()
    assert table.peers[3].leave() is None
    table.settle()
    table.play()
    found = judged(table, 4)
    assert [pact.kind for pact in found.pacts] == ["absent"]
    assert found.complete


def left_beside_one_who_is_away(members: int, named: Sequence[int]) -> TableRefusal | None:
    """What becomes of a proposal of the first member, where the last one leaves and the one before it is away."""
    table = table_of(members)
    gone, away = members - 1, members - 2
    table.cut_off = {away}
    assert table.peers[gone].leave() is None
    table.settle()
    refusal = table.peers[0].propose("absent", [key(table, number) for number in named])
    table.settle()
    for peer in table.peers[1:away]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
        table.settle()
    counted = {key(table, number) for number in (gone, away)} == set(table.peers[0].position.cut)
    assert counted is (refusal is None)
    assert refusal is None or isinstance(refusal, TableRefusal)
    return refusal


def test_half_of_the_members_suffice_to_go_on_without_one_who_has_left_and_one_who_is_away() -> None:
    """Of four two stay. Without a leave it takes three of four."""
    assert left_beside_one_who_is_away(4, (2, 3)) is None


def test_fewer_than_half_do_not_suffice_unless_all_others_have_left() -> None:
    assert left_beside_one_who_is_away(3, (1, 2)) == TableRefusal("pact/too-few", "", (1, 2))
