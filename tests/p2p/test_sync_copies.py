"""Copies of one home: two sign nothing side by side, and nobody silences a home by speaking of a copy."""

from __future__ import annotations

import pytest
from restarted import Asked, copy_of, why_mute
from wires import Wires, played

from p2p.lockstep.lockstep import elsewhere_digest
from p2p.sync.exchange import HAVE_EVERY, Exchange
from p2p.sync.ownfeed import PATIENCE, SETTLE
from p2p.testing.tables import DirectTable
from p2p.wire.messages import QUESTION, Feed, Have, Twin


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


def test_a_copy_answers_the_question_of_another_one_and_never_its_answer() -> None:
    """Two copies would else answer each other without end."""
    table = DirectTable([[number] for number in range(3)])
    table.start()
    asked = Asked(table, copy_of(table, 0), 1, 2)
    for link, question in asked.questions().items():
        asked.says(int(link), table.peers[int(link)], question, 0.0)
    asked.end.outgoing()
    for signature, answers in ((b"", 1), (b"s" * 64, 0)):
        asked.end.received("1", Twin(table.genesis.table, b"q" * QUESTION, signature), 0.0)
        said = [message for _link, message in asked.end.outgoing() if isinstance(message, Twin)]
        assert len(said) == answers


@pytest.mark.parametrize("liars", [1, 2, 3])
def test_no_number_of_members_keeps_somebody_silent_by_saying_that_it_plays_elsewhere(liars: int) -> None:
    table = DirectTable([[number] for number in range(4)])
    table.start()
    again = copy_of(table, 0)
    asked = Asked(table, again, 1, 2, 3)
    for second in range(int(PATIENCE) + 1):
        for link, question in asked.questions().items():
            linked = (asked.me,) if int(link) <= liars else ()
            asked.says(int(link), table.peers[int(link)], question, float(second), *linked)
        asked.end.tick(float(second))
    assert why_mute(again) == ""


def test_one_honest_report_of_a_second_copy_is_enough() -> None:
    table = DirectTable([[number] for number in range(4)])
    table.start()
    again = copy_of(table, 0)
    asked = Asked(table, again, 1, 2, 3)
    for second in range(2 * int(PATIENCE)):
        now = float(second)
        for link, question in asked.questions().items():
            asked.says(int(link), table.peers[int(link)], question, now, *((asked.me,) if link == "1" else ()))
            word = table.keys[0].key.sign(elsewhere_digest(table.genesis.table, question))
            if link == "1":
                asked.end.received("1", Twin(table.genesis.table, question, word), now)
        asked.end.tick(now)
        assert why_mute(again) in ("lockstep/unconfirmed", "lockstep/elsewhere")
    assert why_mute(again) == "lockstep/elsewhere"


def test_nobody_signs_its_own_question_and_no_old_word_counts() -> None:
    """A liar sends my question back to me, and the word of a copy for a question of another run."""
    table = DirectTable([[number] for number in range(4)])
    table.start()
    again, before = copy_of(table, 0), copy_of(table, 0)
    asked, earlier = Asked(table, again, 1, 2, 3), Asked(table, before, 1)
    old = earlier.questions()["1"]
    word = table.keys[0].key.sign(elsewhere_digest(table.genesis.table, old))
    for second in range(int(PATIENCE) + 1):
        now = float(second)
        for link, question in asked.questions().items():
            asked.says(int(link), table.peers[int(link)], question, now, *((asked.me,) if link == "1" else ()))
            asked.end.received("1", Twin(table.genesis.table, question), now)
            sent = asked.end.outgoing()
            assert not [message for _, message in sent if isinstance(message, Twin)]
            asked.end.received("1", Twin(table.genesis.table, old, word), now)
            asked.end.received("1", Twin(table.genesis.table, question, word), now)
        asked.end.tick(now)
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


def test_the_have_of_another_member_confirms_my_feed_and_my_own_key_elsewhere_stops_me() -> None:
    table = played()
    again = copy_of(table, 0)
    assert why_mute(again) == "lockstep/unconfirmed"
    wires = Wires(table, {"a": again, "b": table.peers[1]}, [("a", "b")])
    wires.run()
    wires.tick(SETTLE)
    assert why_mute(again) == ""
    twin = Exchange(again)
    twin.opened("b", table.genesis.members[0].certificate.identity)
    twin.received("b", Have(table.genesis.table, again.me, ()), 0.0)
    assert why_mute(again) == "lockstep/twin"


def test_a_foreign_identity_neither_confirms_nor_stops_anybody() -> None:
    table = played()
    again = copy_of(table, 0)
    seq, last = again.feeds.have()[again.me or b""]
    end = Exchange(again)
    end.opened("x", bytes(32))
    feeds = (Feed(again.me or b"", seq, last),)
    end.received("x", Have(table.genesis.table, table.keys[1].key.public, feeds), 0.0)
    end.received("x", Have(table.genesis.table, again.me, feeds), 0.0)
    assert again.mute is not None
    assert again.mute.code == "lockstep/unconfirmed"
