"""A member that the others have left out gets their branch of a forger's feed over its links."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from forgedtables import answered_otherwise, beside, gone_on, owed_beside, play_without_the_sleeper
from test_pact_branches import CHEAT, SLEEPER, branches, synced
from test_pact_freezes import at_together, key, out, vote_on

from p2p.lockstep.pacts import Pact
from p2p.lockstep.signing import maker
from p2p.sync.exchange import HAVE_EVERY, Exchange
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry
from p2p.wire.messages import Want


@pytest.mark.parametrize("forged", [answered_otherwise, owed_beside])
def test_it_gets_the_rest_of_their_history_of_a_forger_that_has_gone_on_there(
    forged: Callable[[], tuple[DirectTable, Entry]],
) -> None:
    """Also where its own history has nothing false, and only lacks what the forger owes there."""
    table = gone_on(forged)
    synced(table, SLEEPER, 0)
    late, first = table.peers[SLEEPER], table.peers[0]
    assert late.position.over
    assert late.position.head == first.position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("word", ["false", "refuse", "leave"])
@pytest.mark.parametrize("answered", [True, False])
def test_whom_they_have_left_out_by_a_forgers_vote_reads_the_branch_on_which_it_is(word: str, answered: bool) -> None:
    """It did not where it held something false of the forger from a height before, which fills no slot of it, or where
    the forger has refused that vote there, or has left. answered: it owes nothing itself in its own history."""
    table = DirectTable([[number] for number in range(5)], rounds=2, options={"patience": "5m"})
    table.start()
    first, late = table.peers[0], table.peers[SLEEPER]
    other = beside(table, CHEAT, "leave")
    while first.position.step.kind != "together":
        if word == "false" and first.position.step.kind == "choose":
            other = beside(table, CHEAT, "answer", [CHEAT, [1]])
            late.feed(other)
        assert first.answer(0, [1]) is None
        table.settle()
    table.cut_off = {SLEEPER}
    for number in (0, 1, 2):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    apart = first.proposals.proposal("absent", out(table, SLEEPER))
    assert isinstance(apart, Pact)
    if word != "false":
        other = beside(table, CHEAT, word, [apart.id, "no", []] if word == "refuse" else None)
    if answered:
        assert late.answer(SLEEPER, [1]) is None
    if word != "false":
        late.feed(other)
    late.settled()
    assert table.peers[CHEAT].answer(CHEAT, [1]) is None
    table.settle()
    assert vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2, CHEAT)).id == apart.id
    for _ in range(2):
        assert table.step()
    for number in (0, 1, 2):
        table.peers[number].feed(other)
    table.cut_off |= {CHEAT}
    vote_on(table, "absent", out(table, CHEAT), (0, 1, 2))
    table.play()
    synced(table, SLEEPER, 0)
    assert late.position.over
    assert late.position.head == first.position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("unfillable", [0, 1, 4])
@pytest.mark.parametrize(("before", "behind"), [(0, 0), (40, 0), (0, 100), (100, 0), (200, 100)])
def test_who_holds_the_leave_of_a_forger_gets_all_that_it_has_said_to_the_others(
    before: int, behind: int, unfillable: int
) -> None:
    """Behind a `leave` nothing is taken of a feed: of the others' branch the first entry came, and no more. before,
    behind: the number of its other words to them around its answer. unfillable: entries of it that follow none."""
    table = at_together(5)
    late, cheat = table.peers[SLEEPER], table.peers[CHEAT]
    leave = beside(table, CHEAT, "leave")
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {SLEEPER}
    late.feed(leave)
    late.settled()
    for words, answers in ((before, True), (behind, False)):
        for _ in range(words):
            cheat.signing.say("clock", [key(table, SLEEPER)])
        cheat.advance()
        assert not answers or cheat.answer(CHEAT, [1]) is None
        table.settle()
    play_without_the_sleeper(table, leave)
    for number in range(unfillable):
        late.feed(beside(table, CHEAT, "clock", seq=leave.seq - number, prev=bytes([1 + number]) * 32))
    synced(table, SLEEPER, 0, seconds=1_000)
    assert late.position.over
    assert late.position.head == table.peers[0].position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("length", [1, 100])
def test_whom_a_vote_binds_gets_the_signature_of_a_forger_however_much_that_one_says_before_it(length: int) -> None:
    """It held the beginning of the others' branch, on which nothing showed that the vote is complete there."""
    table = at_together(5)
    late, first, cheat = table.peers[SLEEPER], table.peers[0], table.peers[CHEAT]
    other = beside(table, CHEAT, "clock")
    assert first.propose("end", (), "agreed") is None
    table.settle()
    (end,) = first.ballots.pacts.values()
    for number in (1, 2, SLEEPER):
        assert table.peers[number].sign(end.id) is None
    table.settle()
    table.cut_off = {SLEEPER}
    late.feed(other)
    for _ in range(length):
        cheat.signing.say("clock", [key(table, SLEEPER)])
    assert cheat.sign(end.id) is None
    table.settle()
    assert first.position.over
    synced(table, SLEEPER, 0, seconds=300)
    assert late.position.over
    assert late.position.head == first.position.head


@pytest.mark.parametrize("unfillable", [False, True])
def test_what_got_lost_of_another_branch_is_requested_again(unfillable: bool) -> None:
    """The others' branch was requested once, so that a lost entry kept who was left out from them for ever (doubletalk
    86,000,028). unfillable: the forger shows an entry before it that follows none."""
    table, other = answered_otherwise()
    late = table.peers[SLEEPER]
    ((first,),) = branches(table, values=[1])
    fields = {name: getattr(first, name) for name in ("epoch", "height", "head", "state", "table")}
    make, theirs = maker(table.keys[CHEAT].key), [first]
    for _ in range(3):
        last = theirs[-1]
        theirs.append(make(kind="clock", body=[bytes(32)], seq=last.seq + 1, prev=last.id, **fields))
    aside = make(kind="clock", body=[bytes(32)], seq=first.seq + 1, prev=bytes(31) + b"1", **fields)
    for entry in (theirs[0], theirs[1], theirs[3], *([aside] if unfillable else ())):
        late.feed(entry)
    assert key(table, CHEAT) in late.feeds.forks
    end = Exchange(late)
    end.opened("a link", table.genesis.members[0].certificate.identity)
    asked = list[Want]()
    for second in range(10 * int(HAVE_EVERY)):
        end.tick(float(second))
        asked += [message for _, message in end.outgoing() if isinstance(message, Want)]
    missing = [want for want in asked if want.author == key(table, CHEAT)]
    assert any(want.first <= theirs[2].seq < want.first + want.count for want in missing)
    assert other.seq == first.seq
