"""Nothing is signed before another member confirms the end of the own feed; newer own entries come back first."""

from __future__ import annotations

import pytest
from test_sync_exchange import Wires, played, why_mute

from p2p.lockstep.lockstep import Lockstep
from p2p.sync.exchange import HAVE_EVERY, Exchange
from p2p.sync.ownfeed import LIAR, SETTLE
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.messages import Feed, Have


def copy_of(table: DirectTable, number: int, lost: int = 0, lost_by: int | None = None) -> Lockstep:
    """A peer that starts again. lost: how many of the last entries of `lost_by`, itself by default, it lacks."""
    author = table.keys[number if lost_by is None else lost_by].key.public
    entries = table.peers[number].feeds.entries
    gone = [entry for entry in entries if entry.author == author][-lost:] if lost else []
    after = min((entries.index(entry) for entry in gone), default=len(entries))
    again = member(table.genesis, table.keys[number], TestMachine(len(table.keys), 1))
    again.restore([(entry, None) for at, entry in enumerate(entries) if at < after])
    again.start(new=False)
    return again


def ends(peer: Lockstep) -> tuple[int, bytes]:
    return peer.own_end()


def test_all_who_start_again_at_once_confirm_one_another() -> None:
    table = played()
    peers = {name: copy_of(table, number) for number, name in enumerate("abc")}
    assert {why_mute(peer) for peer in peers.values()} == {"lockstep/unconfirmed"}
    wires = Wires(table, dict(peers), [("a", "b"), ("b", "c"), ("a", "c")])
    wires.run()
    assert {why_mute(peer) for peer in peers.values()} == {""}


def test_all_who_start_again_before_anything_was_signed_confirm_one_another() -> None:
    table = DirectTable([[0], [1], [2]])
    peers = {name: copy_of(table, number) for number, name in enumerate("abc")}
    wires = Wires(table, dict(peers), [("a", "b"), ("b", "c"), ("a", "c")])
    wires.run()
    assert {why_mute(peer) for peer in peers.values()} == {""}


@pytest.mark.parametrize("lost", [1, 2, 7])
def test_newer_own_entries_come_back_before_anything_is_signed(lost: int) -> None:
    table = played()
    again = copy_of(table, 0, lost)
    wires = Wires(table, {"a": again, "b": table.peers[1], "c": table.peers[2]}, [("a", "b"), ("a", "c"), ("b", "c")])
    wires.run()
    wires.tick(1.0)
    wires.tick(15.0)
    assert why_mute(again) == ""
    assert ends(again) == ends(table.peers[0])
    assert not table.peers[1].faults


def test_one_who_holds_the_old_end_does_not_confirm_while_another_linked_has_more() -> None:
    table = played()
    again = copy_of(table, 0, 2)
    behind = copy_of(table, 1, 2, lost_by=0)
    end = Exchange(again)
    end.opened("b", table.genesis.members[1].certificate.identity)
    end.opened("c", table.genesis.members[2].certificate.identity)
    held = tuple(Feed(author, seq, last) for author, (seq, last) in behind.feeds.have().items())
    end.received("b", Have(table.genesis.table, behind.me, held), 0.0)
    assert why_mute(again) == "lockstep/unconfirmed", "c has not spoken"
    more = tuple(Feed(author, seq, last) for author, (seq, last) in table.peers[2].feeds.have().items())
    end.received("c", Have(table.genesis.table, table.peers[2].me, more), 1.0)
    assert why_mute(again) == "lockstep/older-copy"
    end.tick(LIAR - 1)
    assert why_mute(again) == "lockstep/older-copy"
    end.tick(LIAR + 2)
    assert why_mute(again) == "", "who promises entries and never sends them is waited for so long and no longer"


def test_with_somebody_away_the_word_of_one_is_enough_when_the_others_had_time_to_come() -> None:
    table = played()
    again = copy_of(table, 0)
    wires = Wires(table, {"a": again, "b": table.peers[1]}, [("a", "b")])
    wires.run()
    assert why_mute(again) == "lockstep/unconfirmed"
    wires.tick(SETTLE)
    assert why_mute(again) == ""


def test_who_has_lost_what_i_said_last_is_sent_it_and_then_confirms_it() -> None:
    """Both were killed: mine was durable, and the other had not stored it yet."""
    table = played()
    again, other = copy_of(table, 0), copy_of(table, 1, 1, lost_by=0)
    assert len(other.feeds.feed(again.me or b"")) < len(again.feeds.feed(again.me or b""))
    wires = Wires(table, {"a": again, "b": other}, [("a", "b")])
    wires.run()
    for _ in range(4):
        wires.tick(1.0)
    assert (why_mute(again), why_mute(other)) == ("", "")


def test_who_holds_what_i_said_behind_a_gap_does_not_confirm_before_somebody_had_time_to_fill_it() -> None:
    """The other has heard what came after a lost message, and my disk has lost both."""
    table = played()
    again, other = copy_of(table, 0, 2), copy_of(table, 1, 2, lost_by=0)
    other.feed(table.peers[0].feeds.feed(again.me or b"")[-1])
    wires = Wires(table, {"a": again, "b": other, "c": table.peers[2]}, [("a", "b")])
    wires.run()
    wires.tick(SETTLE)
    assert why_mute(again) == "lockstep/older-copy"
    wires.join("a", "c")
    wires.run()
    wires.tick(SETTLE)
    assert (why_mute(again), ends(again)) == ("", ends(table.peers[0]))


def test_what_nobody_sends_is_waited_for_so_long_and_no_longer() -> None:
    table = played()
    again, other = copy_of(table, 0, 2), copy_of(table, 1, 2, lost_by=0)
    other.feed(table.peers[0].feeds.feed(again.me or b"")[-1])
    wires = Wires(table, {"a": again, "b": other}, [("a", "b")])
    wires.run()
    wires.tick(LIAR - 1)
    assert why_mute(again) == "lockstep/older-copy"
    wires.tick(1.0)
    wires.tick(SETTLE)
    assert (why_mute(again), ends(again)) == ("", ends(table.peers[0])), "the same words again are no fork"
    assert not other.faults


def test_who_only_follows_does_not_confirm() -> None:
    table = played()
    again = copy_of(table, 0)
    end = Exchange(again)
    end.opened("x", bytes(32))
    seq, last = again.own_end()
    end.received("x", Have(table.genesis.table, None, (Feed(again.me or b"", seq, last),)), 0.0)
    end.tick(LIAR)
    assert why_mute(again) == "lockstep/unconfirmed"


def test_a_copy_of_a_home_that_plays_signs_nothing_until_that_one_leaves() -> None:
    table = played()
    again = copy_of(table, 0)
    peers = {"a": table.peers[0], "b": table.peers[1], "c": table.peers[2], "again": again}
    links = [(one, other) for one in ("a", "again") for other in ("b", "c")]
    wires = Wires(table, dict(peers), [*links, ("b", "c")])
    wires.run()
    wires.tick(SETTLE)
    assert why_mute(again) == "lockstep/elsewhere"
    assert why_mute(table.peers[0]) == ""
    wires.ends["b"].closed("a")
    wires.ends["c"].closed("a")
    del wires.ends["a"]
    wires.tick(1.0)
    assert why_mute(again) == ""


def test_one_member_of_several_keeps_nobody_silent_by_saying_that_it_plays_elsewhere() -> None:
    table = DirectTable([[0], [1], [2], [3]])
    table.start()
    again = copy_of(table, 0)
    end = Exchange(again)
    for at, peer in enumerate(table.peers[1:], 1):
        end.opened(str(at), table.genesis.members[at].certificate.identity)
        held = tuple(Feed(author, seq, last) for author, (seq, last) in peer.feeds.have().items())
        end.received(str(at), Have(table.genesis.table, peer.me, held, (again.me or b"",) if at == 1 else ()), 0.0)
    end.tick(SETTLE)
    assert why_mute(again) == ""


@pytest.mark.parametrize("spoken", [False, True])
def test_two_copies_confirmed_apart_go_on_as_one_unless_both_have_spoken_before_they_meet(spoken: bool) -> None:
    """What the others cannot see: one copy is linked with b alone, the other with c alone, and b and c are apart."""
    table = played()
    first, again = copy_of(table, 0), copy_of(table, 0)
    peers = {"a": first, "b": table.peers[1], "c": table.peers[2], "again": again}
    wires = Wires(table, dict(peers), [("a", "b"), ("again", "c")])
    wires.run()
    wires.tick(SETTLE)
    assert (why_mute(first), why_mute(again)) == ("", "")
    assert first.chat("first") is None
    if spoken:
        assert again.chat("again") is None
    wires.said("a")
    wires.said("again")
    wires.run()
    wires.join("b", "c")
    wires.run()
    wires.tick(HAVE_EVERY + 1)
    wires.tick(1.0)
    convicted = [name for name, peer in peers.items() if table.keys[0].key.public in peer.faults]
    assert convicted == (["b", "c"] if spoken else [])
    assert spoken or again.own_end() == first.own_end()
