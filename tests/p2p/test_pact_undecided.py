"""Nobody is left out, and nothing is rolled, where t of the members of an earlier height may still go another way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from test_pact_freezes import at_together, code, key, out, returns, vote_on

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.ballots import Ballots
from p2p.lockstep.cuts import end_here
from p2p.lockstep.pacts import MAX_PROPOSALS, Pact, threshold
from p2p.log.feeds import Feeds
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry

A, B, C, Y, Z = range(5)


def gone_on_by_two() -> DirectTable:
    """Three of five leave out two. Two of the three have gone on by that; the third has signed it, misses the word of
    one of them, and then their links are parted."""
    table = at_together(5)
    for number in (A, B, C):
        assert table.peers[number].answer(number, [1]) is None
        table.settle()
    table.cut_off = {C, Y, Z}
    pact = vote_on(table, "absent", out(table, Y, Z), (B, A))
    table.cut_off = {A, Y, Z}
    returns(table, C)
    assert table.peers[C].sign(pact.id) is None
    table.settle()
    assert [peer.position.height - pact.at for peer in table.peers] == [0, 1, 1, 0, 0]
    return table


def without_two(table: DirectTable) -> Pact:
    """The third goes on with the two who were left out, and without those who have gone on."""
    for number in (Y, Z):
        for entry in table.peers[A].feeds.entries:
            table.peers[number].feed(entry)
    table.cut_off = {B, C}
    return vote_on(table, "absent", out(table, B, C), (A, Y, Z))


def judged(table: DirectTable) -> Audit:
    log = {entry.id: entry for peer in table.peers for entry in peer.feeds.entries}
    return audit([*log.values()], lambda genesis: TestMachine(genesis.seats, 2))


def test_two_of_five_leave_out_nobody_who_may_go_on_with_the_other_two() -> None:
    """The two and the three came to two ends, each final for ever."""
    table = gone_on_by_two()
    assert code(table.peers[B].propose("absent", out(table, A))) == "pact/undecided"
    table.play()
    assert not table.peers[B].position.chance.rolls[1:], "only the shuffle of before"
    without_two(table)
    table.play()
    assert table.peers[A].reading.final
    returns(table, B, C)
    assert {peer.position.head for peer in table.peers} == {judged(table).head}


def back_to_vote() -> DirectTable:
    """One of the two who were left out asks to come back, so that those who have gone on leave out the third and play.
    Then it signs with the others to go on without those from the earlier height."""
    table = gone_on_by_two()
    height, head = table.peers[A].position.height, table.peers[A].position.head
    returns(table, Y)
    assert table.peers[Y].propose("back") is None
    table.settle()
    vote_on(table, "absent", out(table, A), (B, C))
    table.cut_off |= {Y}
    table.play()
    assert [peer.reading.final for peer in table.peers[B : Y + 1]] == [True, True, False]
    ends = tuple(end_here(table.peers[A].reading, each) for each in out(table, B, C))
    listed = tuple(sorted(pact.id for pact in table.peers[A].ballots.at(height, head)))
    pact = Pact("absent", height, head, ends, None, over=listed)
    for number in (A, Y, Z):
        table.peers[number].signing.say("pact", pact.body())
    returns(table, A, Y, Z)
    return table


def test_once_one_of_those_asks_to_come_back_they_go_on_and_it_votes_there_no_more() -> None:
    table = back_to_vote()
    assert {table.peers[number].position.head for number in (B, C, Y)} == {judged(table).head}
    assert len(table.peers[B].position.members) == 2


def left_out_at_the_open_height() -> tuple[DirectTable, Pact]:
    """Three leave out two, and the third of them says nothing any more. One of the two is back."""
    table = DirectTable([[number] for number in range(5)], rounds=2)
    table.start()
    assert table.peers[A].position.step.kind == "choose"
    table.peers[B].propose("absent", out(table, A, Z))
    table.settle()
    (refused,) = table.peers[C].votes()
    assert table.peers[C].refuse(refused.pact.id, "pact/declined") is None
    while table.peers[A].position.step.kind != "together":
        assert table.step()
    table.cut_off = {Y, Z}
    vote = vote_on(table, "absent", out(table, Y, Z), (A, B, C))
    for number in (A, B):
        assert table.peers[number].answer(number, [1]) is None
    table.cut_off = {C, Z}
    returns(table, Y)
    return table, vote


def test_who_is_left_out_at_the_open_height_asks_at_once_so_that_the_others_go_on() -> None:
    """They go on with it only after it has asked to come back, and it did not ask before the height was over, which
    waited for the silent one."""
    table, vote = left_out_at_the_open_height()
    assert {*table.peers[A].owing()} == {key(table, C)}
    assert code(table.peers[A].propose("absent", out(table, C, Z))) == "pact/undecided"
    assert table.peers[Y].propose("back") is None
    table.settle()
    assert vote_on(table, "absent", out(table, C, Z), (A, B, Y)).over == (vote.id,)
    table.play()
    ends = {(peer.position.over, peer.position.head) for peer in (table.peers[number] for number in (A, B, Y))}
    assert ends == {(True, judged(table).head)}


def test_who_has_voted_over_that_does_not_ask_there_to_come_back() -> None:
    """It is no longer left out once its vote is complete, and bound until then."""
    table, _ = left_out_at_the_open_height()
    assert table.peers[Y].propose("back") is None
    table.settle()
    over = vote_on(table, "absent", out(table, C, Z), (A, Y))
    late = table.peers[Y]
    assert late.voting.left_out
    assert late.voting.locks() == [over]
    assert code(late.propose("back")) == "pact/overtaken"


def pledged(members: int, *, shown: bool) -> tuple[DirectTable, Pact]:
    """As many as may decide, but for one who says nothing, sign before they answer that the others are left out. shown:
    they have proposed that themselves; else they have signed what only the silent one holds."""
    table = DirectTable([[number] for number in range(members)], 6, 2)
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    silent, honest = members - 1, members - threshold(members)
    position = table.peers[0].position
    ends = tuple(end_here(table.peers[0].reading, each) for each in out(table, *range(honest)))
    pact = Pact("absent", position.height, position.head, ends, None)
    table.cut_off = {silent}
    for number in range(honest, silent):
        peer = table.peers[number]
        peer.voting.__class__ = type("Loose", (type(peer.voting),), {"bound": False})
        peer.signing.say("pact" if shown else "sign", pact.body() if shown else [pact.id])
        peer.advance()
    table.settle()
    table.play()
    return table, pact


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("members", [3, 5])
def test_nobody_rolls_with_those_who_have_signed_what_the_silent_one_may_complete(members: int, shown: bool) -> None:
    """They left it out, and if they disliked the roll, it completed the vote of before that."""
    table, pact = pledged(members, shown=shown)
    silent = members - 1
    for number in range(silent):
        peer = table.peers[number]
        ends = tuple(end_here(peer.reading, each) for each in out(table, silent))
        leaving = Pact("absent", pact.at, pact.head, ends, None)
        peer.signing.say("pact", leaving.body())
        peer.advance()
    table.settle()
    table.play()
    assert all(peer.position.height > pact.at for peer in table.peers[:silent])
    rolls = {rolled.kind for rolled in table.peers[0].position.chance.rolls}
    assert "roll" not in rolls
    if shown:
        table.peers[silent].signing.say("refuse", [pact.id, "no", []])
        returns(table, silent)
        table.play()
        assert "roll" in {rolled.kind for rolled in table.peers[0].position.chance.rolls}


def test_nor_leaves_them_the_silent_one_out_later() -> None:
    """They have answered the height of their vote, and gone on."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    position, leader = table.peers[0].position, table.peers[1]
    pact = Pact("absent", position.height, position.head, (end_here(table.peers[1].reading, key(table, 0)),), None)
    table.cut_off = {2}
    leader.voting.__class__ = type("Loose", (type(leader.voting),), {"bound": False})
    leader.signing.say("pact", pact.body())
    leader.advance()
    table.settle()
    table.play()
    assert table.peers[0].position.height > pact.at
    assert code(table.peers[0].propose("absent", out(table, 2))) == "pact/undecided"
    returns(table, 2)
    assert table.peers[2].ballots.refused(pact, key(table, 2)) == "pact/passed"
    table.cut_off = {2}
    assert code(table.peers[0].propose("absent", out(table, 2))) == ""


def test_nobody_waits_for_a_vote_that_one_has_gone_on_from_without_its_signature() -> None:
    """It counts for nobody any more, and one that knew of no refusal waited for its signers (doubletalk 86,000,184)."""
    table = at_together(5)
    position = table.peers[0].position
    ends = (end_here(table.peers[0].reading, key(table, 0)),)
    pact = Pact("absent", position.height, position.head, ends, None)
    silent = table.peers[4].voting
    silent.too_late, silent.undecided = lambda: None, lambda out=(): set()  # type: ignore[method-assign]
    table.cut_off = {4}
    for number in (1, 2, 3):
        peer = table.peers[number]
        peer.voting.__class__ = type("Loose", (type(peer.voting),), {"bound": False})
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    for number in range(4):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    first = table.peers[0]
    returns(table, 4)
    assert table.peers[4].answer(4, [1]) is None
    table.settle()
    assert first.position.height > pact.at
    assert not first.ballots.dead(pact, first.position.members)
    assert first.voting.undecided() == set()
    table.play()
    assert {peer.position.over for peer in table.peers} == {True}


def test_a_flood_of_signatures_of_what_nobody_knows_makes_nobody_read_its_feed_again_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A member was asked before each roll, and read a feed of many such signatures once for each of them."""
    table = at_together(3)
    flooding, honest = table.peers[2], table.peers[0]
    for number in range(200):
        flooding.signing.say("sign", [bytes([number]) * 32])
    table.settle()
    table.play()
    read, feed = 0, Feeds.feed

    def counted(self: Feeds, author: bytes) -> Sequence[Entry]:
        nonlocal read
        read += 1
        return feed(self, author)

    monkeypatch.setattr(Feeds, "feed", counted)
    assert len(honest.ballots.unshown[key(table, 2)]) == 200
    assert not honest.voting.undecided()
    assert read <= 1


def test_votes_that_somebody_has_refused_are_weighed_no_more_at_later_heights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was weighed again before each entry, by all whom it had asked, so that the time grew with their number."""
    table = at_together(3)
    flooding, honest = table.peers[2], table.peers[0]
    flooding.voting.__class__ = type("Loose", (type(flooding.voting),), {"bound": False})
    height, head = honest.position.height, honest.position.head
    for attempt in range(MAX_PROPOSALS):
        flooding.signing.say("pact", Pact("takeback", height, head, (), [height - 1, True], attempt).body())
    flooding.advance()
    table.settle()
    for pact in [*honest.ballots.pacts.values()]:
        assert honest.refuse(pact.id, "no") is None
    table.settle()
    weighed, signed = list[Pact](), Ballots.signed

    def counted(self: Ballots, pact: Pact, author: bytes) -> bool:
        weighed.append(pact)
        return signed(self, pact, author)

    table.play()
    monkeypatch.setattr(Ballots, "signed", counted)
    for peer in table.peers[:2]:
        assert not peer.voting.undecided()
        assert peer.voting.too_late() is None
        assert not peer.voting.locks()
    assert not weighed
