"""A copy that starts again signs nothing before its end is confirmed, takes what it lacks, and says nothing twice."""

from __future__ import annotations

from openheights import entry, found, started

from p2p.lockstep.effects import Keep, Stopped
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member


def test_n80_an_older_copy_signs_nothing_until_a_member_confirms_its_end() -> None:
    table = started()
    stored = [(kept, None) for kept in table.peers[0].feeds.entries]
    again = member(table.genesis, table.keys[0], TestMachine(3, 1))
    again.restore(stored)
    again.start(new=False)
    refusal = again.answer(0, [1])
    assert refusal is not None
    assert refusal.code == "lockstep/unconfirmed"
    seq, last = again.feeds.have()[again.me or b""]
    again.confirm(seq - 1, bytes(32))
    assert again.mute is not None
    again.older()
    assert again.mute.code == "lockstep/older-copy"
    again.confirm(seq, last)
    assert again.answer(0, [1]) is None


def test_a_new_table_and_a_table_of_one_wait_for_nobody() -> None:
    table = started()
    assert member(table.genesis, table.keys[1], TestMachine(3, 1)).mute is not None, (
        "nothing is signed before the start"
    )
    again = member(table.genesis, table.keys[1], TestMachine(3, 1))
    again.start(new=True)
    assert again.mute is None
    alone = DirectTable([[0, 1, 2]])
    alone.peers[0].start(new=False)
    assert alone.peers[0].mute is None


def test_who_is_alone_with_its_copy_can_vouch_for_it_once() -> None:
    table = started()
    again = member(table.genesis, table.keys[0], TestMachine(3, 1))
    again.restore([(kept, None) for kept in table.peers[0].feeds.entries])
    again.start(new=False)
    assert again.vouch() is None
    assert again.answer(0, [1]) is None
    refusal = again.vouch()
    assert refusal is not None
    assert refusal.code == "own-feed/confirmed"


def test_newer_entries_that_come_after_the_confirmation_are_adopted_while_nothing_else_was_signed() -> None:
    table = started()
    assert table.peers[0].answer(0, [1]) is None
    entries = table.peers[0].feeds.entries
    mine = [kept for kept in entries if kept.author == table.peers[0].me]
    again = member(table.genesis, table.keys[0], TestMachine(3, 1))
    again.restore([(kept, None) for kept in entries if kept not in mine[-1:]])
    again.start(new=False)
    again.vouch()
    again.effects()
    assert again.own_end() == (mine[-2].seq, mine[-2].id)
    again.feed(mine[-1])
    assert again.mute is not None
    assert again.mute.code == "lockstep/older-copy"
    again.confirm(mine[-1].seq, mine[-1].id)
    assert again.mute is None


def test_a_longer_own_feed_from_elsewhere_is_adopted_before_anything_is_signed() -> None:
    table = started()
    entries = table.peers[0].feeds.entries
    mine = [kept for kept in entries if kept.author == table.peers[0].me]
    again = member(table.genesis, table.keys[0], TestMachine(3, 1))
    again.restore([(kept, None) for kept in entries if kept not in mine[-1:]])
    again.start(new=False)
    again.feed(mine[-1])
    again.confirm(mine[-1].seq, mine[-1].id)
    assert again.mute is None
    assert again.position.head == table.peers[0].position.head


def test_n81_a_second_device_that_signs_with_my_table_key_stops_me() -> None:
    table = started()
    peer = table.peers[0]
    peer.feed(entry(table, 0))
    assert [effect.code for effect in found(peer.effects(), Stopped)] == ["lockstep/twin"]
    assert peer.mute is not None


def test_a_restart_at_any_entry_says_nothing_twice_and_finishes_the_game() -> None:
    table = DirectTable([[0], [1]], seed=4)
    table.start()
    table.play()
    me = table.keys[0]
    log = list(table.peers[0].feeds.entries)
    for end in range(len(log)):
        choices = dict(table.peers[0].member_secrets.choices)
        again = member(table.genesis, me, TestMachine(2, 1), choices)
        again.restore([(kept, None) for kept in log[:end]])
        again.start(new=True)
        mine = {kept.seq: kept.id for kept in log if kept.author == me.key.public}
        for keep in found(again.effects(), Keep):
            if keep.entry.kind not in ("answer", "result", "seal"):
                assert mine[keep.entry.seq] == keep.entry.id
        assert not again.faults
