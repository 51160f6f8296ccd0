"""Nothing is signed before another member confirms the end of the own feed; newer own entries come back first."""

from __future__ import annotations

import pytest
from movedtables import NEW, machine_of, move
from movedtables import table as moving_table
from restarted import Asked, copy_of, ends, why_mute
from wires import Wires, played

from p2p.lockstep.follower import HELD
from p2p.lockstep.machine import TableRefusal
from p2p.sync.exchange import Exchange
from p2p.sync.ownfeed import ASK_AGAIN, PATIENCE, SETTLE
from p2p.testing.tables import DirectTable, member
from p2p.wire.messages import Feed, Have, Push, Sent


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
    again, behind = copy_of(table, 0, 2), copy_of(table, 1, 2, lost_by=0)
    asked = Asked(table, again, 1, 2)
    question = asked.questions()["1"]
    asked.says(1, behind, question, 0.0)
    asked.end.tick(SETTLE + 1)
    assert why_mute(again) == "lockstep/unconfirmed", "c has not spoken"
    newest = table.peers[2].feeds.feed(asked.me)[-1]
    asked.end.received("2", Push((Sent(newest.raw),)), 4.0)
    asked.says(2, table.peers[2], question, 4.0)
    asked.end.tick(10 * PATIENCE)
    assert why_mute(again) == "lockstep/older-copy", "only I can have signed what c shows"


def test_who_names_newer_entries_and_shows_none_silences_nobody() -> None:
    table = played()
    again = copy_of(table, 0)
    asked = Asked(table, again, 1, 2)
    lie = Feed(asked.me, ends(again)[0] + 5, bytes(32))
    for second in range(int(PATIENCE) + 1):
        now = float(second)
        for link, question in asked.questions().items():
            asked.says(int(link), lie if link == "1" else table.peers[2], question, now)
        if second == 5:
            asked.end.closed("1")  # who returns is not waited for anew
            asked.open(1)
        asked.end.tick(now)
        assert why_mute(again) == ("" if now >= PATIENCE else "lockstep/unconfirmed")


def test_what_is_shown_of_me_counts_however_much_of_my_feed_waits_to_be_read() -> None:
    """One gives me all but the last of what an old backup has lost, nothing of the others, and says that there is no
    more. Another one shows the newest all the time."""
    table = played(11)
    me = table.keys[0].key.public
    lost = table.peers[0].feeds.feed(me)[5:]
    for left in (1, 2):
        assert len(lost) - left > HELD + 2
        again = copy_of(table, 0, len(lost))
        asked = Asked(table, again, 1, 2)
        asked.end.received("1", Push(tuple(Sent(entry.raw) for entry in lost[:-left])), 0.0)
        for second in range(2 * int(PATIENCE)):
            now = float(second)
            for link, question in asked.questions().items():
                if link == "2":
                    asked.end.received("2", Push((Sent(lost[-1].raw),)), now)
                asked.says(int(link), Feed(me, *ends(again)) if link == "1" else table.peers[2], question, now)
            asked.end.tick(now)
        assert why_mute(again) == "lockstep/older-copy" or ends(again) == ends(table.peers[0])


def test_what_is_shown_of_a_new_key_counts_before_its_old_backup_knows_of_the_vote_that_lets_it_in() -> None:
    """One says that it holds nothing of that key, another one shows what it has said last."""
    made = moving_table("choose")
    before = [(entry, None) for entry in made.peers[0].feeds.entries]
    move(made)
    made.play()
    newest = made.peers[1].feeds.feed(NEW.key.public)[-1]
    again = member(made.genesis, NEW, machine_of(made.genesis))
    again.restore(before)
    again.settled()
    again.start(new=False)
    asked = Asked(made, again, 0, 1)
    for second in range(2 * int(PATIENCE)):
        now = float(second)
        for link, question in asked.questions().items():
            if link == "0":
                nothing = Have(made.genesis.table, made.keys[0].key.public, (), (), b"", question)
                asked.end.received("0", nothing, now)
            else:
                asked.end.received("1", Push((Sent(newest.raw),)), now)
                asked.says(1, made.peers[1], question, now)
        asked.end.tick(now)
    assert again.unconfirmed


def test_a_member_that_never_answers_silences_nobody() -> None:
    table = played()
    again = copy_of(table, 0)
    asked = Asked(table, again, 1, 2)
    asked.says(2, table.peers[2], asked.questions()["2"], 0.0)
    asked.end.tick(PATIENCE - 1)
    assert why_mute(again) == "lockstep/unconfirmed"
    asked.end.tick(PATIENCE + 1)
    assert why_mute(again) == ""


@pytest.mark.parametrize("liars", [1, 2, 5])
def test_members_who_come_and_answer_falsely_one_after_another_are_waited_for_no_longer_than_one(liars: int) -> None:
    """Each links when the one before is about to answer, and answers at the last moment that my key is in use."""
    table = DirectTable([[number] for number in range(liars + 2)])
    table.start()
    again, honest, late = copy_of(table, 0), liars + 1, int(PATIENCE) - 1
    asked = Asked(table, again, honest)
    known: dict[str, bytes] = {}
    for second in range(int(PATIENCE) + 1):
        now, liar = float(second), second // late + 1
        if second % late == 0 and liar <= liars:
            asked.open(liar)
        new = asked.questions()
        known |= new
        for number in range(1, liar):
            if number <= liars:
                asked.says(number, table.peers[number], known[str(number)], now, asked.me)
        if str(honest) in new:
            asked.says(honest, table.peers[honest], known[str(honest)], now)
        asked.end.tick(now)
        assert why_mute(again) == ("" if now >= PATIENCE else "lockstep/unconfirmed")


def test_what_was_said_before_the_question_confirms_nothing() -> None:
    """A have that waited in a buffer while this computer slept names the end of the feed of that time."""
    table = played()
    again = copy_of(table, 0)
    asked = Asked(table, again, 1, 2)
    old = asked.questions()["1"]
    asked.says(1, table.peers[1], old, 0.0)
    asked.says(2, table.peers[2], old, 0.0)
    assert why_mute(again) == ""
    again.lapse()
    for answer in (b"", old, bytes(len(old))):
        for number in (1, 2):
            asked.says(number, table.peers[number], answer, 1.0)
        asked.end.tick(1.0 + SETTLE)
        assert why_mute(again) == "lockstep/unconfirmed"
    new = asked.questions()["1"]
    assert new != old
    for number in (1, 2):
        asked.says(number, table.peers[number], new, 9.0)
    assert why_mute(again) == ""


def test_the_right_to_sign_ends_with_the_last_link() -> None:
    table = played()
    again = copy_of(table, 0)
    peers = {"a": again, "b": table.peers[1], "c": table.peers[2]}
    wires = Wires(table, dict(peers), [("a", "b"), ("a", "c"), ("b", "c")])
    wires.run()
    assert why_mute(again) == ""
    wires.ends["a"].closed("b")
    assert why_mute(again) == ""
    wires.ends["a"].closed("c")
    assert why_mute(again) == "lockstep/unconfirmed"
    for other in "bc":
        wires.ends[other].closed("a")
        wires.join("a", other)
    wires.run()
    assert why_mute(again) == ""


def test_the_right_to_sign_ends_with_a_sleep_and_what_was_under_way_does_not_bring_it_back() -> None:
    """All links outlast the sleep, and an answer to a question from before it waits in a buffer."""
    table = played()
    again = copy_of(table, 0)
    naps = 0
    again.signing.naps = lambda: naps
    asked = Asked(table, again, 1, 2)
    old = asked.questions()["1"]
    for number in (1, 2):
        asked.says(number, table.peers[number], old, 0.0)
    assert why_mute(again) == ""
    naps += 1
    assert why_mute(again) == "lockstep/unconfirmed", "without a message or a second in between"
    for number in (1, 2):
        asked.says(number, table.peers[number], old, 1.0)
    assert why_mute(again) == "lockstep/unconfirmed"
    asked.end.tick(1.0)
    new = asked.questions()["1"]
    for number in (1, 2):
        asked.says(number, table.peers[number], new, 2.0)
    assert why_mute(again) == ""


def test_at_a_table_of_one_and_where_the_person_has_given_its_word_for_the_run_it_ends_with_nothing() -> None:
    alone = DirectTable([[0, 1]])
    alone.start()
    alone.peers[0].lapse()
    assert why_mute(alone.peers[0]) == ""
    again = copy_of(played(), 0)
    assert again.vouch(for_run=True) is None
    again.lapse()
    assert why_mute(again) == ""


def test_who_alone_is_left_keeps_the_right_to_sign_when_the_last_of_the_others_has_gone() -> None:
    table = DirectTable([[0], [1]], 3)
    table.start()
    assert table.peers[0].leave() is None
    table.settle()
    alone = table.peers[1]
    alone.lapse()
    assert why_mute(alone) == ""
    table.settle()
    assert alone.position.membership.gone == {table.keys[0].key.public}


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


def test_who_holds_what_i_said_behind_a_gap_lets_nothing_be_signed_before_somebody_fills_it() -> None:
    """The other has heard what came after two lost messages, and my disk has lost all three."""
    table = played()
    again, other = copy_of(table, 0, 3), copy_of(table, 1, 3, lost_by=0)
    other.feed(table.peers[0].feeds.feed(again.me or b"")[-1])
    wires = Wires(table, {"a": again, "b": other, "c": table.peers[2]}, [("a", "b")])
    wires.run()
    for _ in range(100):
        wires.tick(ASK_AGAIN)
    assert why_mute(again) == "lockstep/older-copy"
    wires.join("a", "c")
    wires.run()
    wires.tick(SETTLE)
    assert (why_mute(again), ends(again)) == ("", ends(table.peers[0]))
    assert not other.faults


def test_where_one_is_missing_the_same_words_again_fill_it() -> None:
    table = played()
    again, other = copy_of(table, 0, 2), copy_of(table, 1, 2, lost_by=0)
    other.feed(table.peers[0].feeds.feed(again.me or b"")[-1])
    wires = Wires(table, {"a": again, "b": other}, [("a", "b")])
    wires.run()
    wires.tick(SETTLE)
    assert (why_mute(again), ends(again)) == ("", ends(table.peers[0])), "what follows from the secrets is said again"
    assert not other.faults


def test_what_a_person_said_before_is_taken_again_and_nothing_else() -> None:
    """Others hold what followed on a lost chat and not the chat: each other text would be a fork of an honest home."""
    table = played()
    first = table.peers[0]
    for text in ("one", "two"):
        assert first.chat(text) is None
    table.settle()
    again, other = copy_of(table, 0, 2), copy_of(table, 1, 2, lost_by=0)
    other.feed(first.feeds.feed(again.me or b"")[-1], (first.texts[first.feeds.feed(again.me or b"")[-1].id]))
    wires = Wires(table, {"a": again, "b": other}, [("a", "b")])
    wires.run()
    wires.tick(SETTLE)
    end = ends(again)
    for text in ("eins", "two", "one "):
        assert again.chat(text) == TableRefusal("lockstep/said-otherwise")
    assert ends(again) == end
    assert again.chat("one") is None
    assert ends(again) == ends(first)
    wires.said("a")
    wires.run()
    assert not other.faults


def test_who_only_follows_does_not_confirm() -> None:
    table = played()
    again = copy_of(table, 0)
    end = Exchange(again)
    end.opened("x", bytes(32))
    seq, last = again.own_end()
    end.received("x", Have(table.genesis.table, None, (Feed(again.me or b"", seq, last),)), 0.0)
    end.tick(PATIENCE)
    assert why_mute(again) == "lockstep/unconfirmed"
