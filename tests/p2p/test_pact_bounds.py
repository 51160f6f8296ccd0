"""What no vote can be used for: false ends, floods and proposals without end make nobody silent or busy."""

from __future__ import annotations

import pytest
from test_pact_freezes import at_together, code, key, out, vote_on

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import MAX_PROPOSALS, MAX_REPAIRS, FeedEnd, Pact
from p2p.lockstep.votes import judge_pact
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, chat_hash


@pytest.mark.parametrize("lie", ["over", "end"])
def test_a_vote_that_names_what_nobody_holds_makes_nobody_silent(lie: str) -> None:
    """Each would leave out the others, because they say neither yes nor no to it."""
    table = at_together(5)
    hostile, position = table.peers[4], table.peers[4].position
    true = FeedEnd(key(table, 3), *hostile.feeds.end(key(table, 3)))
    end, over = (true, (bytes([1]) * 32,)) if lie == "over" else (FeedEnd(true.author, true.seq + 500, bytes(32)), ())
    hostile.signing.say("pact", Pact("absent", position.height, position.head, (end,), None, 0, over).body())
    hostile.signing.say("pact", Pact("end", position.height, position.head, (), "agreed").body())
    table.settle()
    (agreed,) = [pact.id for pact in table.peers[0].ballots.pacts.values() if pact.kind == "end"]
    for number in range(4):
        silent = {(member, pact) for member, pact in table.peers[number].voting.wordless() if pact != agreed}
        assert not silent
    assert {member for member, _ in table.peers[0].voting.wordless()} == {*out(table, 0, 1, 2, 3)}


FLOODS: dict[str, Plain] = {
    "chat": [chat_hash(bytes(16), "and so on")],
    "clock": [bytes(32)],
    "fault": [bytes(32), "entry/forked", [bytes(32)]],
    "result": ["unanswered", bytes(32), "answer"],
    "refuse": [bytes(32), "no", []],
    "sign": [bytes(32)],
}


def flooded(peer: Lockstep, kind: str) -> None:
    peer.signing.say(kind, FLOODS[kind])


@pytest.mark.parametrize("kind", FLOODS)
def test_what_fills_no_slot_ends_no_vote_on_its_author(kind: str) -> None:
    table = at_together(3)
    for number in (0, 1):
        table.peers[number].answer(number, [1])
    table.settle()
    assert table.peers[0].propose("absent", out(table, 2)) is None
    flooded(table.peers[2], kind)
    table.settle()
    (vote,) = table.peers[1].votes()
    assert vote.advice is None
    flooded(table.peers[2], kind)
    table.settle()
    assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    assert key(table, 2) not in table.peers[0].position.members


def test_an_answer_for_another_seat_or_history_ends_no_vote_on_its_author() -> None:
    table = at_together(3)
    table.peers[0].answer(0, [1])
    table.settle()
    assert table.peers[0].propose("absent", out(table, 2)) is None
    hostile = table.peers[2]
    for seat in (0, 7, 8, 9):
        hostile.signing.say("answer", [seat, [1]])
    table.settle()
    (vote,) = table.peers[1].votes()
    assert vote.advice is None


def test_who_proposes_without_end_makes_nobody_refuse_without_end() -> None:
    table = at_together(3)
    hostile, height, head = table.peers[2], table.peers[2].position.height, table.peers[2].position.head
    for number in range(3 * MAX_PROPOSALS):
        hostile.signing.say("pact", Pact("takeback", height - 2, bytes(32), (), [1, False], number).body())
        hostile.signing.say("pact", Pact("end", height, head, (), "agreed", number).body())
    table.settle()
    for number in (0, 1):
        mine = [entry for entry in table.log_of("refuse") if entry.author == key(table, number)]
        assert len(mine) <= 2 * MAX_PROPOSALS
        assert len(table.peers[number].votes()) == MAX_PROPOSALS


def test_who_asks_to_read_on_without_end_makes_nobody_refuse_without_end() -> None:
    table = at_together(3)
    hostile, past = table.peers[2], table.peers[0].position.past
    for number in range(MAX_REPAIRS + 8):
        at = number % len(past)
        ends: list[Value] = [[author, *hostile.feeds.end(author)] for author in out(table, 0, 1, 2)]
        hostile.signing.say("pact", Pact("repair", at, past[at].head, (), [bytes(16), ends, 99 + number]).body())
    assert len(hostile.ballots.pacts) == MAX_REPAIRS
    table.settle()
    for number in (0, 1):
        mine = [entry for entry in table.log_of("refuse") if entry.author == key(table, number)]
        assert len(mine) <= MAX_REPAIRS
    assert code(hostile.repair(table.peers[0].position.height)) == "pact/too-many"
    assert code(table.peers[0].repair(table.peers[0].position.height)) == "pact/no-difference"


@pytest.mark.parametrize(
    ("kind", "terms"), [("end", "agreed"), ("takeback", [1, True]), ("back", [bytes(32), 3]), ("gone", None)]
)
def test_where_the_game_is_over_nobody_votes_on_what_could_not_take_effect(kind: str, terms: Value) -> None:
    table = at_together(3)
    table.play()
    first, second = table.peers[0], table.peers[1]
    place = first.position.height, first.position.head
    ends = (FeedEnd(key(table, 2), -1, NO_PREV),) if kind == "gone" else ()
    pact = Pact(kind, *place, ends, terms)
    assert code(judge_pact(first.reading, pact, first.position.members)) == "pact/over"
    assert code(first.propose(kind, out(table, 2) if ends else (), terms)) == "pact/over"
    second.signing.say("pact", pact.body())
    table.settle()
    assert (first.position.height, first.position.head) == place


def test_a_member_may_propose_no_more_than_counts() -> None:
    table = at_together(3)
    table.cut_off = {2}
    for _ in range(MAX_PROPOSALS):
        assert table.peers[0].propose("absent", out(table, 2)) is None
        table.settle()
        (vote,) = table.peers[1].votes()
        assert table.peers[1].refuse(vote.pact.id, "no") is None
        table.settle()
    assert code(table.peers[0].propose("absent", out(table, 2))) == "pact/too-many"
    vote_on(table, "absent", out(table, 2), (1, 0))
