"""Votes that once bound members for ever: whoever falls silent and whoever returns, t of the members go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2p.lockstep.consent import Consent
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import MAX_PROPOSALS, MAX_REPAIRS, FeedEnd, Pact
from p2p.lockstep.votes import judge_pact
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, chat_hash


def at_together(members: int, patience: str = "5m", rounds: int = 2) -> DirectTable:
    """A table where all owe an answer."""
    table = DirectTable([[number] for number in range(members)], rounds=rounds, options={"patience": patience})
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    return table


def key(table: DirectTable, number: int) -> bytes:
    return table.keys[number].key.public


def out(table: DirectTable, *numbers: int) -> list[bytes]:
    return sorted(key(table, number) for number in numbers)


def code(refusal: Any) -> str:
    return "" if refusal is None else str(refusal.code)


def vote_on(table: DirectTable, kind: str, named: Sequence[bytes], voters: Sequence[int]) -> Pact:
    """The first voter proposes, the others sign."""
    first, *others = voters
    assert table.peers[first].propose(kind, named) is None
    table.settle()
    pact = [*table.peers[first].ballots.pacts.values()][-1]
    for number in others:
        assert table.peers[number].sign(pact.id) is None
    table.settle()
    return pact


def returns(table: DirectTable, *numbers: int) -> None:
    """Bring members that were away all that was said, and the others what these said."""
    table.cut_off -= {*numbers}
    for number in numbers:
        for entry, attachment in table.log:
            table.peers[number].feed(entry, attachment)
        for entry in table.peers[number].feeds.feed(key(table, number)):
            for peer in table.peers:
                peer.feed(entry)
    table.settle()


def ends_alike(table: DirectTable, *numbers: int) -> None:
    table.play()
    peers = [table.peers[number] for number in numbers]
    assert all(peer.position.over and not peer.faults for peer in peers)
    assert len({peer.position.head for peer in peers}) == 1


def test_who_has_signed_the_same_vote_is_spared_until_it_refuses_twice_to_go_on_over_it() -> None:
    table = at_together(5)
    table.cut_off = {2, 3, 4}
    lock = vote_on(table, "absent", out(table, 4), (0, 1))
    first, other = table.peers[0], table.peers[1]
    assert first.voting.bound_alike() == {key(table, 0), key(table, 1)}
    for further, spared in ((3, True), (2, False)):
        ends = tuple(first.voting.end(author) for author in out(table, 4, further))
        way = Pact("absent", lock.at, lock.head, ends, None, over=(lock.id,))
        first.signing.say("pact", way.body())
        first.advance()
        table.settle()
        assert key(table, 1) in first.voting.bound_alike()
        assert other.refuse(way.id, "pact/declined") is None
        table.settle()
        assert (key(table, 1) in first.voting.bound_alike()) is spared
    assert first.voting.bound_alike() == {key(table, 0)}


def test_who_is_bound_by_a_vote_on_one_that_returns_leaves_out_whose_word_is_missing() -> None:
    """Of five, three want to go on without the fifth and wait for the word of the third, which has vanished; then the
    fifth is back, and the vote that it may sign does not cover theirs by its signers."""
    table = at_together(5)
    table.cut_off = {4}
    bound = vote_on(table, "absent", out(table, 4), (0, 1, 3))
    table.cut_off = {2}
    returns(table, 4)
    assert all(table.peers[number].voting.awaited() == {key(table, 2)} for number in (0, 1, 3))
    pact = vote_on(table, "absent", out(table, 2), (0, 1, 3, 4))
    assert pact.over == (bound.id,)
    assert not any(table.peers[number].voting.locks() for number in (0, 1, 3, 4))
    assert key(table, 4) not in table.peers[0].position.cut
    ends_alike(table, 0, 1, 3, 4)


def test_of_four_the_two_that_wait_for_a_word_go_on_with_the_one_that_they_would_leave_out() -> None:
    table = at_together(4)
    table.cut_off = {3}
    bound = vote_on(table, "absent", out(table, 3), (0, 1))
    table.cut_off = {2}
    returns(table, 3)
    assert code(table.peers[0].answer(0, [1])) == "lockstep/voting"
    assert code(table.peers[0].propose("absent", out(table, 2, 3))) == "pact/too-few"
    vote_on(table, "absent", out(table, 2), (0, 1, 3))
    late = table.peers[2]
    for entry in table.peers[0].feeds.entries:
        late.feed(entry)
    late.settled()
    assert code(late.sign(bound.id)) in ("pact/not-open", "pact/overtaken", "pact/passed")
    ends_alike(table, 0, 1, 3)


@pytest.mark.parametrize("turn", [0, 2, 4])
def test_who_proposes_a_vote_over_one_that_waits_for_its_word_refuses_that_one_first(turn: int) -> None:
    """It could not sign that one any more, and those who were bound by it refused each vote over it, until nobody had
    a proposal left and four of five stood still. Which of two votes has the lower id differs with the turn."""
    zero, one, two, three, four = ((number + turn) % 5 for number in range(5))
    table = at_together(5)
    table.cut_off = {three, four}
    bound = vote_on(table, "absent", out(table, three, four), (zero, one))
    returns(table, three)
    assert table.peers[two].propose("absent", out(table, four)) is None
    table.settle()
    ballots = table.peers[zero].ballots
    pact = [*ballots.pacts.values()][-1]
    assert pact.over == (bound.id,)
    assert ballots.refused(bound, key(table, two)) == "pact/rival"
    assert [code(table.peers[number].sign(pact.id)) for number in (zero, one, three)] == ["", "", ""]
    table.settle()
    ends_alike(table, zero, one, two, three)


def test_a_vote_that_is_completed_after_one_over_it_counts_for_nobody() -> None:
    """The last signer has gone on alone by then, and follows the others."""
    table = at_together(4)
    table.cut_off = {3}
    bound = vote_on(table, "absent", out(table, 3), (0, 1))
    table.cut_off = {2}
    heard = len(table.log)
    returns(table, 3)
    vote_on(table, "absent", out(table, 2), (0, 1, 3))
    late = table.peers[2]
    for entry, attachment in table.log[:heard]:
        late.feed(entry, attachment)
    late.settled()
    assert late.sign(bound.id) is None
    assert key(table, 3) in late.position.cut
    for entry in [*late.feeds.feed(key(table, 2))]:
        for number in (0, 1, 3):
            table.peers[number].feed(entry)
    returns(table, 2)
    for peer in table.peers:
        assert peer.position.cut.keys() == {key(table, 2)}
    ends_alike(table, 0, 1, 3)


def test_who_is_bound_and_reads_all_feeds_again_still_refuses_a_rival() -> None:
    """It had answered before it signed; bound, it does not read that answer again, and said no word any more: whom the
    rival bound waited for it, and it for them."""
    table = at_together(5)
    votes = []
    for number, silent in ((0, 3), (1, 4)):
        table.cut_off = {*range(5)} - {number}
        assert table.peers[number].answer(number, [1]) is None
        assert table.peers[number].propose("absent", out(table, silent)) is None
        table.settle()
        votes.append([*table.peers[number].ballots.pacts.values()][-1])
    lower = min((0, 1), key=lambda number: votes[number].id)
    first = table.peers[lower]
    first.reading._rebuild()
    first.settled()
    assert first.reading.waiting(key(table, lower))
    for entry in table.peers[1 - lower].feeds.feed(key(table, 1 - lower)):
        first.feed(entry)
    first.settled()
    assert first.ballots.refused(votes[1 - lower], key(table, lower)) == "pact/rival"


def test_where_one_of_the_rest_dies_before_the_height_ends_who_was_left_out_there_counts_again() -> None:
    """Two of five are left out, then a third dies: t stays that of the five, and one of the two is back."""
    table = at_together(5)
    table.cut_off = {3, 4}
    first = vote_on(table, "absent", out(table, 3, 4), (0, 1, 2))
    assert table.peers[0].position.cut.keys() == {*out(table, 3, 4)}
    table.cut_off |= {2}
    assert code(table.peers[0].propose("absent", out(table, 2, 4))) == ""
    table.settle()
    returns(table, 3)
    pact = [*table.peers[0].ballots.pacts.values()][-1]
    assert pact.over == (first.id,)
    assert table.peers[1].sign(pact.id) is None
    table.settle()
    assert table.peers[0].position.cut.keys() == {*out(table, 3, 4)}, "two of five are too few"
    assert table.peers[3].sign(pact.id) is None
    table.settle()
    assert table.peers[0].position.cut.keys() == {*out(table, 2, 4)}
    assert key(table, 3) in table.peers[0].owing()
    ends_alike(table, 0, 1, 3)


@pytest.mark.parametrize("agrees", [True, False])
def test_with_too_few_the_table_names_whose_word_on_a_vote_is_missing_and_any_word_of_it_ends_the_pause(
    agrees: bool,
) -> None:
    table = at_together(4)
    table.cut_off = {3}
    pact = vote_on(table, "absent", out(table, 3), (0, 1))
    table.cut_off |= {2}
    for peer in table.peers[:2]:
        assert peer.voting.awaited() == {key(table, 2)}
        assert key(table, 2) in peer.owing()
        assert code(peer.propose("absent", out(table, 2, 3))) == "pact/too-few"
    returns(table, 2)
    late = table.peers[2]
    assert (late.sign(pact.id) if agrees else late.refuse(pact.id, "she comes back")) is None
    table.settle()
    assert not any(peer.voting.locks() for peer in table.peers[:3])
    if not agrees:
        returns(table, 3)
    ends_alike(table, 0, 1, 2)


def test_two_of_five_go_on_with_nobody() -> None:
    """A and B without D, E, and then without C; C, D and E without A: t of those who are left would make two ends."""
    table = at_together(5)
    table.cut_off = {3, 4}
    vote_on(table, "absent", out(table, 3, 4), (0, 1, 2))
    table.cut_off |= {2}
    assert code(table.peers[0].propose("absent", out(table, 2, 3, 4))) == "pact/too-few"


class Linked:
    """All members but these are in reach."""

    def __init__(self, away: Sequence[bytes]) -> None:
        self.away = away

    def linked(self, key: bytes) -> bool:
        return key not in self.away

    reached = linked


def test_programs_leave_out_again_whose_word_is_missing_though_it_is_left_out_here() -> None:
    """Of four, one is left out at this height, and two are bound by a vote that lets it count again: it never says its
    word on that."""
    table = at_together(4)
    table.cut_off = {1}
    vote_on(table, "absent", out(table, 1), (0, 2, 3))
    vote_on(table, "absent", out(table, 0), (2, 3))
    assert all(table.peers[number].voting.awaited() == {key(table, 1)} for number in (2, 3))
    live = [table.peers[number] for number in (0, 2, 3)]
    voices = [Consent(peer, Linked(out(table, 1)), lambda *_, **__: None) for peer in live]
    for second in range(30):
        for voice in voices:
            voice.tick(float(second))
            table.settle()
    assert not any(peer.voting.locks() for peer in live)
    assert all(peer.position.cut.keys() == {key(table, 1)} for peer in live)
    ends_alike(table, 0, 2, 3)


def test_who_binds_all_to_a_vote_and_refuses_every_way_out_of_it_is_left_out_too() -> None:
    """Of five, one says no word on the end that all others have signed, and another one of these will not go on without
    it: it owed nothing as long as it was bound as they were."""
    table = at_together(5, "1m")
    live, (silent, obstinate) = table.peers[:3], table.peers[3:]
    assert obstinate.propose("end", (), "agreed") is None
    table.settle()
    for peer in live:
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    voices = [Consent(peer, Linked(()), lambda *_, **__: None) for peer in live]
    for second in range(900):
        for voice in voices:
            voice.tick(float(second))
        table.settle()
        for vote in obstinate.votes():
            obstinate.refuse(vote.pact.id, "no")
        table.settle()
        if all(peer.position.cut.keys() == {*out(table, 3, 4)} for peer in live):
            break
    assert not silent.voting.locks()
    assert not any(peer.voting.locks() for peer in live)
    assert all(peer.position.cut.keys() == {*out(table, 3, 4)} for peer in live)


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


def test_who_is_left_out_asks_to_come_back_at_the_open_height_and_is_never_bound_by_that() -> None:
    """Where those who had voted stood there for good, since one of them said nothing more, it never could. The vote
    that leaves it out covers what it asks there, and the others answer at a later height."""
    table = at_together(5)
    table.cut_off, late = {4}, table.peers[4]
    vote_on(table, "absent", out(table, 4), (0, 1, 2, 3))
    for entry, attachment in table.log:
        late.feed(entry, attachment)
    assert late.position.height == table.peers[0].position.height
    assert late.me in late.position.cut
    assert late.propose("back") is None
    late.settled()
    assert not late.voting.bound
    assert code(late.propose("back")) == "pact/proposed-already"
    returns(table, 4)
    while table.peers[0].position.height == late.position.height and late.me in table.peers[0].position.members:
        assert table.step()
    (terms,) = table.peers[0].voting.asking()
    assert table.peers[0].propose("back", terms=terms) is None
    table.settle()
    back = [*table.peers[0].ballots.pacts.values()][-1]
    for number in (1, 2, 3):
        assert table.peers[number].sign(back.id) is None
    table.settle()
    ends_alike(table, *range(5))
    assert late.me in late.position.members


def test_nobody_votes_again_on_whom_a_complete_vote_of_this_height_lets_back() -> None:
    """Else who has signed twice waits there for a word on what changes nothing."""
    table = at_together(3)
    table.cut_off, late = {2}, table.peers[2]
    vote_on(table, "absent", out(table, 2), (0, 1))
    returns(table, 2)
    while table.peers[0].position.step.kind != "together" or late.me in table.peers[0].position.members:
        assert table.step()
    assert late.propose("back") is None
    table.settle()
    asked = table.peers[0].voting.asking()
    assert table.peers[0].propose("back", terms=asked[0]) is None
    again = Pact("back", late.position.height, late.position.head, (), [late.me, 99])
    assert table.peers[1].sign([*table.peers[1].ballots.pacts][-1]) is None
    table.settle()
    assert late.me in late.position.returning
    assert code(judge_pact(table.peers[0].reading, again, table.peers[0].position.members)) == "pact/next-height"
    assert code(late.propose("back")) == "pact/next-height"
    assert not any(peer.voting.bound for peer in table.peers)
    ends_alike(table, 0, 1, 2)


def test_who_is_let_back_has_a_word_at_the_next_height_on_whom_else_the_others_let_back() -> None:
    """Of four, two who are left let the third back. A vote on the fourth at that height bound one of them to wait for
    the other for ever, while two of three could go on from the next height."""
    table = at_together(4, rounds=4)
    for late, voters in ((3, (0, 1, 2)), (2, (0, 1))):
        table.cut_off.add(late)
        vote_on(table, "absent", out(table, late), voters)
        while key(table, late) in table.peers[0].position.members or table.peers[0].position.step.kind != "together":
            assert table.step()
    returns(table, 2, 3)
    assert table.peers[1].answer(1, [1]) is None
    third, fourth = (table.peers[number].propose("back") for number in (2, 3))
    assert (third, fourth) == (None, None)
    table.settle()
    ballots = table.peers[0].ballots
    asked = {pact.about[0]: pact.id for pact in ballots.pacts.values() if pact.kind == "back"}
    assert [table.peers[number].sign(asked[key(table, 2)]) for number in (0, 1)] == [None, None]
    table.settle()
    assert code(table.peers[0].sign(asked[key(table, 3)])) == "pact/next-height"
    table.cut_off.add(1)
    assert table.peers[0].answer(0, [1]) is None
    table.settle()
    while table.step():
        pass
    vote_on(table, "absent", out(table, 1), (0, 2))
    ends_alike(table, 0, 2)
