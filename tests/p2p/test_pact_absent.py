"""Leaving somebody out: how many it takes, what binds those who have signed, and how one comes back."""

from __future__ import annotations

import pytest
from pacttables import agreed, at, code, everybody_signs, leave_out_last, places

from p2p.lockstep.effects import Happened, Refused, Rewound
from p2p.testing.machine import TestMachine
from p2p.testing.tables import member


@pytest.mark.parametrize(("members", "enough"), [(3, 2), (4, 3), (5, 3), (6, 4)])
def test_more_than_half_must_agree_to_leave_somebody_out(members: int, enough: int) -> None:
    table = at("together", members)
    table.cut_off = {*range(enough, members)}
    table.play()
    silent = [keys.key.public for keys in table.keys[enough:]]
    others = [keys.key.public for keys in table.keys[enough - 1 :]]
    assert code(table.peers[0].propose("absent", others)) == "pact/too-few"
    assert table.peers[0].propose("absent", silent) is None
    table.settle()
    for number in range(1, enough):
        assert not any(peer.position.cut for peer in table.peers[:enough]), "the word of one is missing"
        (vote,) = table.peers[number].votes()
        assert table.peers[number].sign(vote.pact.id) is None
        table.settle()
    assert all({*peer.position.cut} == {*silent} for peer in table.peers[:enough])


def test_the_caretaker_plays_for_an_absent_member_and_the_game_ends_alike() -> None:
    table = at("together")
    leave_out_last(table)
    table.play()
    assert len(places(table)) == 1
    assert table.peers[0].position.over
    assert agreed(table) == ["absent"]
    assert table.peers[0].position.epoch == 1


def test_between_two_nobody_is_left_out() -> None:
    table = at("together", members=2)
    assert code(table.peers[0].propose("absent", [table.keys[1].key.public])) == "pact/too-few"


def test_nobody_is_left_out_who_owes_nothing() -> None:
    table = at("choose")
    assert code(table.peers[0].propose("absent", [table.keys[2].key.public])) == "pact/owes-nothing"


def test_who_has_signed_gives_no_answers_until_the_vote_is_over() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    assert code(table.peers[0].answer(0, [1])) == "lockstep/voting"
    table.settle()
    (vote,) = table.peers[1].votes()
    assert table.peers[1].refuse(vote.pact.id, "she is just slow") is None
    table.settle()
    assert [e.reason for e in table.seen[0] if isinstance(e, Refused)] == ["she is just slow"]
    assert table.peers[0].answer(0, [1]) is None


def test_a_lock_survives_a_restart() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    stored = [(entry, None) for entry in table.peers[0].feeds.entries]
    again = member(table.genesis, table.keys[0], TestMachine(3, 2))
    again.restore(stored)
    again.start(new=True)
    assert [lock.kind for lock in again.voting.locks()] == ["absent"]
    assert code(again.answer(0, [1])) == "lockstep/voting"


def test_what_was_refused_can_be_proposed_again() -> None:
    table = at("together")
    table.cut_off = {2}
    for attempt in range(2):
        assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
        table.settle()
        (vote,) = table.peers[1].votes()
        assert vote.pact.attempt == attempt
        table.peers[1].refuse(vote.pact.id, "no")
        table.settle()


def test_signing_what_one_has_refused_convicts() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    table.settle()
    (vote,) = table.peers[1].votes()
    table.peers[1].refuse(vote.pact.id, "no")
    table.settle()
    table.peers[1].signing.say("sign", [vote.pact.id])
    table.settle()
    faults = table.peers[0].faults[table.keys[1].key.public]
    assert [fault.code for fault in faults] == ["pact/sign-after-refuse"]


def test_n62_the_answer_beats_the_vote() -> None:
    table = at("together")
    table.cut_off = {0}
    table.peers[2].answer(2, [3])
    table.settle()
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    table.settle()
    assert [e.reason for e in table.seen[0] if isinstance(e, Refused)] == ["pact/more"]
    assert table.peers[1].position.step.said[1, 2] == 3


def test_who_was_left_out_drops_what_it_had_and_comes_back_with_consent() -> None:
    table = at("together")
    absent = leave_out_last(table)
    late = table.peers[2]
    late.answer(2, [1])
    table.cut_off.clear()
    for entry in [*table.peers[0].feeds.entries, *table.peers[1].feeds.entries]:
        late.feed(entry)
    table.settle()
    assert late.me in late.position.cut
    assert code(late.answer(2, [1])) in ("lockstep/left-out", "answer/not-asked")
    assert late.propose("back") is None
    table.settle()
    for peer in table.peers[:2]:
        assert absent not in table.peers[0].position.members, "not before so many have agreed"
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    while absent not in table.peers[0].position.members:
        assert table.step()
    table.play()
    assert len(places(table)) == 1
    assert table.peers[2].position.over


def test_what_was_told_and_did_not_happen_is_taken_back_before_what_did_is_told() -> None:
    table = at("together")
    leave_out_last(table)
    late = table.peers[2]
    voted = late.position.height
    for number in (0, 1):
        author = table.keys[number].key.public
        vote = next(entry for entry in table.log_of("answer") if (entry.author, entry.height) == (author, voted))
        late.feed(vote)
    late.settled()
    late.answer(2, [1])
    told = {e.height: e.events for e in [*table.seen[2], *late.settled()] if isinstance(e, Happened)}
    rewound = []
    for entry in [*table.peers[0].feeds.entries, *table.peers[1].feeds.entries]:
        late.feed(entry)
        for effect in late.settled():
            if isinstance(effect, Rewound):
                rewound.append(effect.height)
                told = {height: events for height, events in told.items() if height < effect.height}
            elif isinstance(effect, Happened):
                assert effect.height not in told
                told[effect.height] = effect.events
    assert rewound == [voted]
    assert sorted(told) == list(range(late.position.height))


def test_who_says_nothing_about_a_pact_that_binds_the_others_can_be_left_out() -> None:
    """A vote of all that one never answers would hold up the table for ever, though he owes the game nothing."""
    table = at("choose", members=4)
    chooser = next(number for number, peer in enumerate(table.peers) if peer.owing().get(peer.me or b""))
    silent = (chooser + 1) % 4
    table.cut_off = {silent}
    others = [peer for number, peer in enumerate(table.peers) if number != silent]
    assert others[0].propose("takeback", (), [table.peers[0].position.height - 1, True]) is None
    table.settle()
    for peer in others[1:]:
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    silent_key = table.keys[silent].key.public
    assert all(peer.voting.awaited() == {silent_key} and silent_key not in peer.owing() for peer in others)
    assert others[0].propose("absent", [silent_key]) is None
    table.settle()
    for peer in others[1:]:
        (vote,) = [vote for vote in peer.votes() if vote.pact.kind == "absent"]
        assert peer.sign(vote.pact.id) is None
    table.settle()
    assert all(not peer.voting.awaited() and silent_key in peer.position.cut for peer in others)
    table.play()
    assert len(places(table)) == 1
    assert others[0].position.over


def test_who_signs_a_vote_that_the_others_have_left_it_out_of_follows_them() -> None:
    """It has slept, and hears of the first vote before it hears of the second."""
    table = at("choose", members=5)
    chooser = next(number for number, peer in enumerate(table.peers) if peer.owing().get(peer.me or b""))
    sleeper, gone = [number for number in range(5) if number != chooser][:2]
    table.cut_off = {sleeper, gone}
    others = [peer for number, peer in enumerate(table.peers) if number not in table.cut_off]
    assert others[0].propose("takeback", (), [others[0].position.height - 1, True]) is None
    table.settle()
    everybody_signs(table)
    heard = len(table.log)
    assert others[0].propose("absent", sorted(table.keys[number].key.public for number in table.cut_off)) is None
    table.settle()
    everybody_signs(table)
    assert not any(peer.voting.locks() for peer in others)
    table.play()
    late = table.peers[sleeper]
    for entry, attachment in table.log[:heard]:
        late.feed(entry, attachment)
    table.settle()
    (vote,) = late.votes()
    assert late.sign(vote.pact.id) is None
    assert late.voting.awaited() == {table.keys[gone].key.public}
    for entry, attachment in table.log[heard:]:
        late.feed(entry, attachment)
    table.settle()
    assert late.position.head == others[0].position.head
    assert late.position.over
