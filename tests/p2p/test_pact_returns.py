"""Votes to let back: who was left out asks for them, and nobody is bound by more of them than are needed."""

from __future__ import annotations

from test_pact_freezes import at_together, code, ends_alike, key, out, returns, vote_on

from p2p.lockstep.pacts import Pact
from p2p.lockstep.votes import judge_pact


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
