"""Whoever is bound by a vote at a height that others have passed is freed by t members; nothing is undone by that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from test_pact_freezes import at_together, code, ends_alike, key, out, returns, vote_on
from volume import gated, seeds

from p2p.lockstep.audit import audit
from p2p.lockstep.ballots import Ballots
from p2p.lockstep.consent import Consent
from p2p.lockstep.cuts import end_here
from p2p.lockstep.pacts import FeedEnd, Pact, read_pact
from p2p.testing.hostile_voters import VOTERS
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import simulate
from p2p.testing.tables import DirectTable
from p2p.wire.codec import WireError, decode, encode
from p2p.wire.entry import MAX_NUMBER, NO_PREV


def bound_behind(*, told: bool = False) -> tuple[DirectTable, Pact]:
    """Of three, the first wants to go on without the third and waits for the word of the second, which has vanished;
    the third has passed the height, since it holds all answers. told: the second has signed and gone on, unheard."""
    table = at_together(3)
    first, second, third = table.peers
    for number in (0, 1):
        assert table.peers[number].answer(number, [1]) is None
        table.settle()
    table.cut_off = {0, 1}
    assert first.propose("absent", out(table, 2)) is None
    (bound,) = (pact for pact in first.ballots.pacts.values() if pact.kind == "absent")
    table.settle()
    if told:
        second.feed(first.feeds.feed(key(table, 0))[-1])
        assert second.sign(bound.id) is None
        table.settle()
        assert second.position.height > bound.at
    assert third.answer(2, [1]) is None
    table.settle()
    assert third.position.height > first.position.height == bound.at
    table.cut_off = {1}
    returns(table, 0, 2)
    return table, bound


def freeing(bound: Pact, silent: bytes) -> Pact:
    """The pact that nobody is bound by another one, which waits for a silent member."""
    return Pact("free", bound.at, bound.head, (FeedEnd(silent, -1, NO_PREV),), None, over=(bound.id,))


def test_who_is_bound_by_what_others_sign_only_after_the_end_comes_to_that_end() -> None:
    """Two of five were left out. One of them had signed to go on without others, and a `free` from that. Those who
    have ended sign this too late: no vote counts after an end."""
    table = at_together(5)
    table.cut_off = {3, 4}
    for number in (0, 1, 2):
        assert table.peers[number].answer(number, [1]) is None
        table.settle()
    late, at, head = table.peers[4], table.peers[4].position.height, table.peers[4].position.head
    ends = tuple(end_here(late.reading, each) for each in out(table, 2, 3))
    bound = Pact("absent", at, head, ends, None)
    free = freeing(bound, key(table, 0))
    for pact in (bound, free):
        late.signing.say("pact", pact.body())
    table.settle()
    vote_on(table, "absent", out(table, 3, 4), (0, 1, 2))
    table.play()
    assert table.peers[0].reading.final
    for number in (1, 2):
        peer = table.peers[number]
        for entry in late.feeds.feed(key(table, 4)):
            peer.feed(entry)
        peer.signing.say("sign", [free.id])
        peer.advance()
    table.settle()
    for number in (0, 1, 2):
        for entry in table.peers[number].feeds.entries:
            late.feed(entry)
            late.settled()
    late.compared()
    late.settled()
    assert late.position.over
    assert late.position.head == table.peers[0].position.head


def freed(table: DirectTable) -> Pact:
    """The first proposes, back with the third, to go on without the second."""
    first, third = table.peers[0], table.peers[2]
    assert first.propose("absent", out(table, 1)) is None
    table.settle()
    free = next(pact for pact in third.ballots.pacts.values() if pact.kind == "free")
    assert free.named == {key(table, 1)}
    assert third.sign(free.id) is None
    table.settle()
    return free


def test_who_is_bound_at_a_height_that_the_rest_has_passed_is_freed_and_all_go_on() -> None:
    table, bound = bound_behind()
    heads = dict(table.peers[2].position.past)
    freed(table)
    first, third = table.peers[0], table.peers[2]
    assert not first.voting.locks()
    assert (first.position.height, first.position.head) == (third.position.height, third.position.head)
    assert {height: third.position.past[height] for height in heads} == heads, "nothing was undone"
    table.play()
    vote_on(table, "absent", out(table, 1), (0, 2))
    ends_alike(table, 0, 2)
    assert bound.id not in {pact.id for height in first.position.past for pact in first.reading.effected(height)}
    judged = audit(table.peers[0].hearing.log, lambda genesis: TestMachine(genesis.seats, 2))
    assert judged.ok


def test_a_free_that_is_complete_stands_above_a_late_word_and_its_author_comes_back() -> None:
    """The second had gone on alone by the vote of which it had the last word."""
    table, bound = bound_behind(told=True)
    second = table.peers[1]
    assert key(table, 2) in second.position.cut
    freed(table)
    returns(table, 1)
    members = second.position.past[bound.at].members
    assert all(peer.ballots.dead(bound, members) and not peer.faults for peer in table.peers)
    assert second.position.past[bound.at + 1].head == table.peers[2].position.past[bound.at + 1].head


def test_the_account_lists_what_somebody_had_said_by_a_vote_from_which_others_free() -> None:
    table, bound = gone_on_alone()
    judged = audit(table.peers[4].hearing.log, lambda genesis: TestMachine(genesis.seats, 1))
    assert [(each.by, each.at, each.said.who, each.said.value) for each in judged.undone] == [
        ("free", bound.at, key(table, 4), 1)
    ]
    assert {each.voters for each in judged.undone} == {tuple(key(table, number) for number in (1, 2, 3))}


def gone_on_alone() -> tuple[DirectTable, Pact]:
    """Four of five want to go on without the first, whose turn it is. The fifth has gone on by that, unheard, and the
    three who wait for its word free themselves. Then it is back."""
    table = DirectTable([[number] for number in range(5)], rounds=1)
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    table.cut_off = {0, 4}
    bound = vote_on(table, "absent", out(table, 0), (1, 2, 3))
    for number in (1, 2, 3):
        table.peers[4].feed(table.peers[number].feeds.feed(key(table, number))[-1])
    assert table.peers[4].sign(bound.id) is None
    assert table.peers[4].answer(4, [1]) is None
    free = freeing(bound, key(table, 4))
    for number in (1, 2, 3):
        table.peers[number].signing.say("pact", free.body())
        table.settle()
    returns(table, 4)
    return table, bound


def test_who_has_gone_on_by_a_vote_that_others_have_freed_from_votes_again_where_they_are() -> None:
    """Its votes came too late for what it had said beyond, and without them the others were too few."""
    table, bound = gone_on_alone()
    assert all(peer.ballots.dead(bound, peer.position.members) for peer in table.peers[1:])
    assert {peer.position.height for peer in table.peers[1:]} == {bound.at}
    again = vote_on(table, "absent", out(table, 0), (1, 2, 3, 4))
    assert again.id != bound.id
    assert not any(peer.faults for peer in table.peers)
    ends_alike(table, 1, 2, 3, 4)
    judged = audit(table.peers[4].hearing.log, lambda genesis: TestMachine(genesis.seats, 1))
    assert judged.ok


def test_only_what_stands_behind_a_vote_that_all_its_signers_have_signed_is_passed_over() -> None:
    """Else who has passed a position could vote there again, and a majority undo what was said since."""
    table, bound = gone_on_alone()
    ballots, members = table.peers[1].ballots, table.peers[1].position.members
    assert ballots.passed(key(table, 4), bound.at - 1, bytes(32))
    assert not ballots.passed(key(table, 4), bound.at, bound.head)
    signed = ballots._yes[bound.id]
    seq = signed[key(table, 4)]
    assert ballots.away(key(table, 4), bound.at, bound.head) == (seq, MAX_NUMBER)
    for author, instead in ((key(table, 4), MAX_NUMBER), (key(table, 2), None)):
        held = signed.pop(author)
        if instead is not None:
            signed[author] = instead
        ballots.recount()
        assert ballots.complete(freeing(bound, key(table, 4)), members)
        assert ballots.passed(key(table, 4), bound.at, bound.head)
        signed[author] = held


def test_who_is_back_and_goes_on_again_with_the_others_votes_there_no_more() -> None:
    table, bound = gone_on_alone()
    vote_on(table, "absent", out(table, 0), (1, 2, 3, 4))
    ballots, there = table.peers[1].ballots, (key(table, 4), bound.at, bound.head)
    gone, back = ballots.away(*there)
    assert gone < back < MAX_NUMBER
    while not ballots.passed(*there):
        assert table.step()
    assert table.peers[1].position.height > bound.at
    assert not ballots.passed(*there, before=back)


def test_nobody_frees_from_a_vote_that_is_complete_or_without_naming_whose_word_is_missing() -> None:
    table = at_together(3)
    table.cut_off = {2}
    pact = vote_on(table, "absent", out(table, 2), (0, 1))
    first = table.peers[0]
    over = Pact("free", pact.at, pact.head, (FeedEnd(key(table, 1), -1, NO_PREV),), None, over=(pact.id,))
    assert code(first.proposals.freeing(out(table, 1))) == "pact/owes-nothing"
    assert code(first.voting.advice(over, first.position.past[pact.at].members)) == "pact/overtaken"
    table, bound = bound_behind()
    third = table.peers[2]
    idle = Pact("free", bound.at, bound.head, (FeedEnd(key(table, 2), -1, NO_PREV),), None, over=(bound.id,))
    assert code(table.peers[0].voting.advice(idle, third.position.past[bound.at].members)) == "pact/owes-nothing"


def test_a_free_that_leaves_fewer_than_t_signers_is_refused() -> None:
    table, _ = bound_behind()
    assert code(table.peers[0].proposals.freeing(out(table, 1, 2))) == "pact/too-few"


@pytest.mark.parametrize("refused", [False, True])
def test_a_free_does_not_name_who_has_only_refused_to_go_on(refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is named cannot sign it: of three who are bound beside a silent one each named another, and nobody was
    free (paired 95,000,192). Who vanishes is named, so that its word keeps nobody bound (doubletalk 95,000,303)."""
    table = at_together(5)
    table.cut_off = {1, 2, 3, 4}
    first = table.peers[0]
    assert first.propose("absent", out(table, 4)) is None
    monkeypatch.setattr(first.voting, "obstructing", lambda: {*out(table, 4)} if refused else set())
    free = first.proposals.freeing(out(table, 1, 4))
    assert isinstance(free, Pact)
    assert free.named == {*out(table, *([1] if refused else [1, 4]))}


def test_any_t_free_and_it_takes_more_than_the_rest_to_prevent_that() -> None:
    """So that neither silence nor a refusal of a few holds up those who have signed it."""
    ballots, members = Ballots(), tuple(bytes([number]) * 32 for number in range(5))
    bound = Pact("absent", 3, bytes(32), (FeedEnd(members[4], -1, NO_PREV),), None)
    free = Pact("free", 3, bytes(32), (FeedEnd(members[3], -1, NO_PREV),), None, over=(bound.id,))
    ballots.pacts = {pact.id: pact for pact in (bound, free)}
    ballots._at = {(3, bytes(32)): [bound, free]}
    for signer in (0, 1):
        ballots.sign(bound.id, members[signer], 0)
        ballots.sign(free.id, members[signer], 1)
    ballots.refuse(free.id, members[2], "no")
    assert not ballots.complete(free, members)
    assert not ballots.dead(free, members)
    assert list(ballots.locks(members[0], 3, bytes(32), members)) == [bound]
    ballots.sign(free.id, members[4], 1)
    assert ballots.complete(free, members)
    assert ballots.dead(bound, members)
    assert not list(ballots.locks(members[0], 3, bytes(32), members))
    other = Pact("free", 3, bytes(32), (FeedEnd(members[3], -1, NO_PREV),), None, 1, (bound.id,))
    for member in (0, 2):
        ballots.refuse(other.id, members[member], "no")
    assert ballots.dead(other, members)


def test_a_free_binds_its_signers_once_what_it_lists_is_complete() -> None:
    """Till then there is nothing by which they must not go on. Each free that one proposed for what nobody else had
    signed bound whoever signed it, for ever where one of the others fell silent (paired 86,000,110)."""
    members = tuple(bytes([number]) * 32 for number in range(5))
    bound = vote("absent", members[4])
    free = vote("free", members[3], over=(bound.id,))
    ballots = counted(bound, free)
    for signer in (0, 2):
        ballots.sign(free.id, members[signer], 1)
    for signer in (0, 1, 2):
        ballots.sign(bound.id, members[signer], 2)
    assert list(ballots.locks(members[0], 3, bytes(32), members)) == [bound]
    ballots.sign(bound.id, members[3], 2)
    assert list(ballots.locks(members[0], 3, bytes(32), members)) == [free], "it reads on by no listed vote"
    assert not ballots.locks(members[1], 3, bytes(32), members)


def vote(kind: str, named: bytes, attempt: int = 0, over: tuple[bytes, ...] = ()) -> Pact:
    """A vote at height 3 of a table of its own."""
    return Pact(kind, 3, bytes(32), (FeedEnd(named, -1, NO_PREV),), None, attempt, over)


def counted(*pacts: Pact) -> Ballots:
    """The votes of one position, without any signature."""
    ballots = Ballots()
    ballots.pacts = {pact.id: pact for pact in pacts}
    ballots._at = {(3, bytes(32)): [*pacts]}
    return ballots


def test_who_waits_for_a_silent_member_to_free_others_is_freed_from_that_too() -> None:
    """Two of five were bound for ever by a `free` that only they had signed, though t had freed them from it."""
    members = tuple(bytes([number]) * 32 for number in range(5))
    bound = vote("absent", members[4])
    first = vote("free", members[2], over=(bound.id,))
    second = vote("free", members[3], over=(first.id,))
    ballots = counted(bound, first, second)
    for signer in (0, 1, 3):
        ballots.sign(bound.id, members[signer], 0)
    for signer in (0, 1):
        ballots.sign(first.id, members[signer], 1)
    for signer in (0, 1, 2):
        ballots.sign(second.id, members[signer], 2)
    assert ballots.dead(first, members)
    assert list(ballots.locks(members[0], 3, bytes(32), members)) == [bound], "that vote may still carry"
    ballots.sign(first.id, members[4], 3)
    ballots.sign(bound.id, members[2], 3)
    assert not ballots.complete(first, members), "a third word comes too late"
    assert ballots.effective(3, bytes(32), members) == (bound,)


def test_who_freed_others_and_waits_for_a_word_that_counts_no_more_is_freed_by_those_who_are_there() -> None:
    """They had gone on without the fifth of five when one of them signed what a second one asked for that height, and
    waited for the word of the fifth."""
    table = at_together(5)
    table.cut_off = {4}
    for number in range(4):
        assert table.peers[number].answer(number, [1]) is None
    end = FeedEnd(key(table, 4), *table.peers[0].feeds.end(key(table, 4)))
    left = vote_on(table, "absent", out(table, 4), (0, 1, 2, 3))
    assert all(table.peers[number].position.height > left.at for number in range(4))
    bait = Pact("absent", left.at, left.head, (end,), None, 7)
    free = freeing(bait, key(table, 3))
    again = freeing(free, key(table, 1))
    for pact in (bait, free, again):
        table.peers[0].signing.say("pact", pact.body())
    table.settle()
    assert table.peers[3].refuse(again.id, "pact/present") is None
    assert table.peers[2].sign(again.id) is None
    assert not table.peers[2].voting.bound
    for number in (1, 2):
        assert table.peers[number].sign(free.id) is None
    table.settle()
    asked = {vote.pact.id: vote.pact for number in (1, 3) for vote in table.peers[number].votes()}
    ((id, pact),) = ((id, pact) for id, pact in asked.items() if id != again.id)
    assert (pact.kind, *pact.named, *pact.over) == ("free", key(table, 4), again.id)
    for number in (1, 3):
        assert table.peers[number].sign(id) is None
    table.settle()
    ends_alike(table, 0, 1, 2, 3)


def test_programs_free_whom_a_vote_has_left_out_at_a_height_that_they_have_passed() -> None:
    """Two of five were left out at a height where their own vote binds them, which waits for the word of one that says
    nothing to it. The others are no members with them any more, and refused to free them, since that one is there."""
    table = at_together(5)
    late, table.cut_off = table.peers[2:4], {2, 3}
    assert late[0].propose("absent", out(table, 0, 1)) is None
    table.settle()
    (bound,) = late[0].ballots.pacts.values()
    late[1].feed(late[0].feeds.feed(key(table, 2))[-1])
    assert late[1].sign(bound.id) is None
    for number in (0, 1, 4):
        assert table.peers[number].answer(number, [1]) is None
        table.settle()
    vote_on(table, "absent", out(table, 2, 3), (0, 1, 4))
    assert table.peers[0].position.height > late[0].position.height == bound.at
    table.cut_off = {4}
    returns(table, 2, 3)
    late[0].signing.say("pact", freeing(bound, key(table, 4)).body())
    table.settle()
    (free,) = (vote.pact for vote in late[1].votes() if vote.pact.kind == "free")
    assert late[1].sign(free.id) is None
    table.settle()
    reach: Any = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)
    Consent(table.peers[0], reach, lambda *_, **__: None).tick(0.0)
    table.settle()
    assert {peer.position.height for peer in table.peers[:4]} == {table.peers[0].position.height}


def test_members_that_free_each_other_without_end_keep_no_judge_busy() -> None:
    """Each is over all before it, so that asking each of them anew would double the work with every one."""
    members = tuple(bytes([number]) * 32 for number in range(5))
    bound = vote("absent", members[4])
    frees = list[Pact]()
    for number in range(40):
        frees.append(vote("free", members[4], number, tuple(sorted(each.id for each in (bound, *frees)))))
    ballots = counted(bound, *frees)
    for pact in (bound, *frees):
        for signer in range(4):
            ballots.sign(pact.id, members[signer], 0)
    assert [free for free in frees if ballots.complete(free, members)] == frees[-1:]
    assert ballots.effective(3, bytes(32), members) == ()


def test_a_free_lists_votes_and_names_somebody() -> None:
    someone = FeedEnd(bytes(range(32)), -1, NO_PREV)
    free = Pact("free", 3, bytes(32), (someone,), None, over=(bytes(32),))
    assert read_pact(decode(encode(free.body()))) == free
    for ends, over in (((someone,), ()), ((), (bytes(32),))):
        with pytest.raises(WireError):
            read_pact(decode(encode(Pact("free", 3, bytes(32), ends, None, over=over).body())))


@pytest.mark.parametrize("members", gated([4, 3, 5], 1))
def test_who_frees_everybody_from_everything_stops_nobody_and_undoes_nothing(members: int) -> None:
    for seed in seeds(1):
        seats = tuple((number,) for number in range(members))
        plan = FaultPlan(seats, delay=0.3, rounds=2, hostile={seed % members: "Freer"})
        if members == 5:
            plan = FaultPlan(seats, delay=0.3, rounds=2, hostile={0: "Freer", 3: "Silent"})
        simulation = simulate(seed, plan, {**VOTERS})
        assert any(getattr(peer, "played", False) for peer in simulation.peers)


def test_whom_t_have_freed_themselves_from_counts_as_silent_until_it_says_a_word() -> None:
    """So that no more votes wait for it at that position. Fewer than t make nobody silent."""
    table = at_together(5)
    first, silent = table.peers[0], key(table, 1)
    table.cut_off = {1}
    assert first.propose("absent", out(table, 4)) is None
    (bound,) = (pact for pact in first.ballots.pacts.values() if pact.kind == "absent")
    free = freeing(bound, silent)
    for number in (0, 2, 3):
        assert first.voting.silent() == set()
        table.peers[number].signing.say("pact" if number == 0 else "sign", free.body() if number == 0 else [free.id])
        table.settle()
    assert first.voting.silent() == {silent}
    first.ballots.refuse(bound.id, silent, "no")
    assert first.voting.silent() == set()
