"""Which entries count, word for word: held, void, at fault, divergent; and what a member may say."""

from __future__ import annotations

from typing import Any

import pytest
from openheights import entry, found, started

from p2p.identity.keys import SigningKey
from p2p.lockstep.allowance import of_member
from p2p.lockstep.effects import Compare, Convicted, Diverged, Keep, Refused, Said, Split
from p2p.lockstep.follower import HELD, Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import Pact
from p2p.lockstep.report import Differing, answer, differing, digests, report
from p2p.lockstep.signing import maker
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis
from p2p.wire.codec import Plain
from p2p.wire.entry import NO_PREV, make_entry


def fault_code(peer: Lockstep, author: bytes) -> list[str]:
    return [fault.code for fault in peer.faults.get(author, [])]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"body": [0, [99]]}, "answer/illegal"),
        ({"body": [0, []]}, "answer/shape"),
        ({"body": "text"}, "entry/not-asked"),
        ({"body": [1, [1]]}, "entry/not-asked"),
        ({"kind": "open", "body": [0, bytes(32), bytes(32)]}, "entry/kind"),
        ({"epoch": 5}, "entry/epoch"),
        ({"body": [0, [1, 99]]}, "answer/illegal"),
        ({"body": [0, [1, 1, 1, 1, 1]]}, "answer/illegal"),
    ],
)
def test_a_signed_entry_that_cannot_be_right_convicts_its_author_and_is_void(
    changes: dict[str, Any], code: str
) -> None:
    table = started()
    other = table.peers[1]
    height = other.position.height
    other.feed(entry(table, 0, **changes))
    assert fault_code(other, table.keys[0].key.public) == [code]
    assert found(other.effects(), Convicted)
    assert other.position.height == height


def test_nobody_answers_for_a_seat_of_somebody_else() -> None:
    table = started()
    table.peers[1].feed(entry(table, 2, body=[0, [1]]))
    assert fault_code(table.peers[1], table.keys[2].key.public) == ["entry/not-yours"]


def test_an_entry_of_a_greater_height_is_held_until_its_height_opens() -> None:
    table = started(until="together")
    ahead = table.peers[0]
    table.cut_off = {2}
    votes = [(number, entry(table, number)) for number in (0, 1, 2)]
    for _, vote in votes:
        ahead.feed(vote) if vote.author != ahead.me else ahead.answer(0, [1])
    assert ahead.position.step.kind == "roll"
    opening = [e.entry for e in ahead.settled() if isinstance(e, Keep) and e.is_own and e.entry.kind == "open"]
    late = table.peers[1]
    own = [e for e in ahead.feeds.feed(ahead.me or b"") if e.kind == "answer"][-1]
    late.feed(own)
    late.feed(opening[0])
    assert late.reading.held(ahead.me or b"") == opening[0]
    late.answer(1, [1])
    late.feed(votes[2][1])
    late.settled()
    assert late.position.step.kind == "roll"
    assert late.reading.held(ahead.me or b"") is None


def test_an_entry_of_a_smaller_height_is_void_kept_and_forwarded() -> None:
    table = started(until="together")
    other = table.peers[1]
    old = entry(table, 0, height=2, head=other.position.past[2].head, kind="answer")
    other.feed(old)
    effects = other.effects()
    assert [keep.entry.id for keep in found(effects, Keep)] == [old.id]
    assert not other.faults
    assert other.position.step.filled == {}


def test_another_state_under_the_same_head_is_a_divergence_and_never_a_fault() -> None:
    table = started()
    other = table.peers[1]
    other.feed(entry(table, 0, state=bytes(16)))
    diverged = found(other.effects(), Diverged)
    assert [effect.mine for effect in diverged] == [other.position.state]
    assert not other.faults
    assert other.reading.held(table.keys[0].key.public) is not None


def test_another_head_asks_to_compare_and_is_a_split_when_nothing_is_missing() -> None:
    table = started()
    other = table.peers[1]
    strange = entry(table, 0, head=bytes(range(32)))
    other.feed(strange)
    assert [effect.author for effect in found(other.effects(), Compare)] == [strange.author]
    other.compared()
    (split,) = found(other.effects(), Split)
    assert (strange.author, strange.head) in split.heads
    assert (other.me, other.position.head) in split.heads


def test_two_entries_for_one_slot_convict_their_author_and_the_first_counts() -> None:
    table = started(until="together")
    other, author = table.peers[1], table.keys[0]
    first = entry(table, 0, body=[0, [1]])
    other.feed(first)
    position = other.position
    second = make_entry(
        author.key.private, table=table.genesis.table, seq=first.seq + 1, prev=first.id, epoch=position.epoch,
        height=position.height, head=position.head, state=position.state, kind="answer", body=[0, [2]],
    )  # fmt: skip
    other.feed(second)
    assert fault_code(other, author.key.public) == ["entry/twice"]
    assert position.step.said[1, 0] == 1


def test_two_entries_for_one_slot_convict_their_author_whenever_they_are_read() -> None:
    """A pair stands alone: whoever reads the second one when the table has gone on convicts as well."""
    table = started(until="together")
    position, author = table.peers[0].position, table.keys[0]
    first = entry(table, 0, body=[0, [1]])
    second = make_entry(
        author.key.private, table=table.genesis.table, seq=first.seq + 1, prev=first.id, epoch=position.epoch,
        height=position.height, head=position.head, state=position.state, kind="answer", body=[0, [2]],
    )  # fmt: skip
    height = position.height
    for peer in table.peers[1:]:
        peer.feed(first)
    table.cut_off = {0}
    table.play()
    for late in table.peers[1:]:
        assert late.position.height > height
        late.feed(second)
        assert fault_code(late, author.key.public) == ["entry/twice"]


def test_two_entries_for_one_seq_convict_their_author() -> None:
    table = started()
    other = table.peers[1]
    one, two = entry(table, 0, body=[0, [1]]), entry(table, 0, body=[0, [2]])
    other.feed(one)
    other.feed(two)
    (effect,) = found(other.effects(), Convicted)
    assert effect.fault.code == "entry/forked"
    assert set(effect.fault.entries) == {one.id, two.id}


def test_a_batch_resolves_its_heights_at_once_and_fills_the_slot_of_each() -> None:
    table = started()
    height = table.peers[0].position.height
    assert table.peers[0].answer(0, [3, 4]) is None
    table.settle()
    for peer in table.peers:
        assert peer.position.height == height + 2
        assert peer.position.step.kind == "together"


def test_a_batch_that_is_empty_or_goes_past_what_others_say_is_refused_and_changes_nothing() -> None:
    table = started()
    peer, height = table.peers[0], table.peers[0].position.height
    held = len(peer.feeds.feed(table.keys[0].key.public))
    assert peer.answer(0, []) == TableRefusal("batch/empty")
    assert peer.answer(0, [3, 4, 5]) == TableRefusal("batch/too-long", "2")
    assert (peer.position.height, len(peer.feeds.feed(table.keys[0].key.public))) == (height, held)
    assert peer.answer(0, [3, 4]) is None
    table.settle()
    assert peer.position.step.kind == "together"
    assert peer.answer(0, []) == TableRefusal("batch/empty")
    assert peer.answer(0, [1, 2]) == TableRefusal("batch/too-long", "1")
    assert peer.answer(0, [1]) is None


@pytest.mark.parametrize("forged", [False, True])
def test_unread_entries_of_an_author_are_bounded(forged: bool) -> None:
    """forged: somebody else has signed two histories. Who holds the wrong one stays where it is until it has the words
    by which the others have decided, and these may come behind what their author floods."""
    table = started()
    other = table.peers[1]
    key = table.keys[0]
    for height in (1_000, 1_001) if forged else ():
        other.feed(entry(table, 2, height=height))
    last = other.feeds.last(key.key.public)
    assert last is not None
    prev, seq = last.id, last.seq
    for _ in range(of_member(other.position).others + 20):
        seq += 1
        held = make_entry(
            key.key.private, table=table.genesis.table, seq=seq, prev=prev, epoch=0, height=1000 + seq, head=bytes(32),
            state=bytes(16), kind="answer", body=[0, [1]],
        )  # fmt: skip
        prev = held.id
        other.feed(held)
    assert other.room(key.key.public) == 0
    kept = len(other.feeds.feed(key.key.public))
    assert kept == (of_member(other.position).others if forged else last.seq + 1 + HELD)


def test_strangers_may_chat_and_nothing_else_and_not_too_many_of_them() -> None:
    table = started()
    peer = table.peers[0]
    position = peer.position

    def say(number: int, kind: str) -> None:
        key = SigningKey.from_seed(bytes([number]) * 32)
        body: Plain = [bytes(32)] if kind == "chat" else [0, [1]]
        place: dict[str, Any] = {"epoch": 0, "height": position.height, "head": position.head, "state": position.state}
        peer.feed(maker(key)(table=table.genesis.table, seq=0, prev=NO_PREV, kind=kind, body=body, **place))

    say(1, "answer")
    assert not found(peer.effects(), Keep)
    for number in range(1, 30):
        say(number, "chat")
    assert len(found(peer.effects(), Said)) == 16


def test_a_stranger_that_says_two_things_at_once_is_no_case_for_the_table() -> None:
    table = started()
    peer, position = table.peers[0], table.peers[0].position
    place: dict[str, Any] = {"epoch": 0, "height": position.height, "head": position.head, "state": position.state}
    for text in (bytes(32), b"x" * 32):
        make = maker(SigningKey.from_seed(b"s" * 32))
        peer.feed(make(table=table.genesis.table, seq=0, prev=NO_PREV, kind="chat", body=[text], **place))
    assert peer.feeds.forks
    assert not peer.faults
    assert not found(peer.effects(), Convicted)


def test_chat_reaches_everybody_with_its_text_and_changes_nothing() -> None:
    table = started()
    head = table.peers[0].position.head
    assert table.peers[0].chat("a deal?") is None
    table.settle()
    for seen in table.seen:
        assert [effect.text for effect in found(seen, Said)] == ["a deal?"]
    assert {peer.position.head for peer in table.peers} == {head}
    refusal = table.peers[0].chat("x" * 501)
    assert refusal is not None
    assert refusal.code == "chat/length"


def test_a_machine_with_other_rules_does_not_sit_down() -> None:
    genesis, _ = fixed_genesis([[0], [1]], 1, TestMachine(2))
    other = Genesis(genesis.game, {}, "test/2", genesis.content, genesis.members, test=True)
    with pytest.raises(ValueError, match="test/2"):
        Follower(other, TestMachine(2))


def test_the_divergence_report_names_the_fields_that_differ() -> None:
    table = started()
    mine, theirs = table.peers[0], table.peers[1]
    height, head = mine.position.height, mine.position.head
    theirs.position.step.state = bytes(16)
    skewed = theirs.position.history.machine_at(height)
    assert isinstance(skewed, TestMachine)
    skewed.state["scores"][1] += 7
    theirs.position.history.machine_at = lambda at: skewed  # type: ignore[method-assign,assignment]
    shown = digests(theirs, height, head)
    names = differing(digests(mine, height, head), shown)
    assert names == ("scores",)
    wrong = entry(table, 1, state=skewed.digest(), height=height, head=head)
    where = Differing(wrong.author, height, head, wrong.state)
    told = report(mine, where, shown, answer(theirs, [height, head, list(names)]))
    assert told is not None
    (difference,) = told.fields
    assert difference.path == "scores.1"
    assert told.entries[-1].height < height
    assert answer(theirs, [height, bytes(32), ["scores"]]) is None
    assert answer(theirs, "nonsense") is None


def test_entries_are_made_by_the_table_key_alone() -> None:
    key = SigningKey.from_seed(bytes(32))
    make = maker(key)
    made = make(
        table=bytes(32), seq=0, prev=NO_PREV, epoch=0, height=0, head=bytes(32), state=bytes(16), kind="join", body=None
    )
    assert made.author == key.public


def test_all_that_came_too_late_is_refused_at_once() -> None:
    table = started()
    height, head = table.peers[0].position.height, table.peers[0].position.head
    assert table.peers[0].answer(0, [3, 4]) is None
    table.settle()
    peer, late = table.peers[0], [Pact("end", height, head, (), terms) for terms in ("one", "two")]
    first = entry(table, 2, kind="pact", body=late[0].body())
    second = entry(table, 2, kind="pact", body=late[1].body(), seq=first.seq + 1, prev=first.id)
    peer.effects()
    peer.feed(second)
    assert found(peer.effects(), Refused) == []
    peer.feed(first)  # both are read now
    told = found(peer.effects(), Refused)
    assert [(refused.pact.id, refused.author, refused.reason) for refused in told] == [
        (pact.id, peer.me, "pact/passed") for pact in late
    ]


def test_all_refusals_that_come_due_when_a_height_ends_are_said_at_once() -> None:
    table = started()
    peer, here = table.peers[0], table.peers[0].position
    pacts = [Pact("end", here.height, here.head, (), terms) for terms in ("one", "two")]
    first = entry(table, 2, kind="pact", body=pacts[0].body())
    peer.feed(first)
    peer.feed(entry(table, 2, kind="pact", body=pacts[1].body(), seq=first.seq + 1, prev=first.id))
    peer.effects()
    assert peer.answer(0, [3]) is None
    effects = peer.settled()
    assert [one.entry.kind for one in found(effects, Keep)] == ["answer", "refuse", "refuse"]
    assert [(one.pact.id, one.reason) for one in found(effects, Refused)] == [
        (pact.id, "pact/passed") for pact in pacts
    ]
