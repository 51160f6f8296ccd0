"""Votes that once bound members for ever: whoever falls silent and whoever returns, t of the members go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from p2p.lockstep.consent import Consent
from p2p.lockstep.pacts import Pact
from p2p.testing.tables import DirectTable


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
