"""A member that holds the other branch of a forked feed reads the branch that the others have decided on, and gets the
end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from test_pact_freezes import at_together, key, out, vote_on

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import MAX_PROPOSALS, FeedEnd, Pact
from p2p.lockstep.signing import maker
from p2p.lockstep.unreachable import MOST
from p2p.log.feeds import Feeds
from p2p.sync.exchange import Exchange
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry

CHEAT, SLEEPER = 3, 4


def branches(table: DirectTable, length: int = 1, values: Sequence[int] = (1, 2)) -> list[list[Entry]]:
    """Answers of the cheat to one question, each followed by votes."""
    position, feeds = table.peers[CHEAT].position, table.peers[CHEAT].feeds
    make, found = maker(table.keys[CHEAT].key), []
    for value in values:
        seq, last = feeds.end(key(table, CHEAT))
        branch: list[Entry] = []
        for number in range(length):
            kind, body = ("answer", [CHEAT, [value]]) if number == 0 else ("clock", [bytes([value]) * 32])
            fields: dict[str, Any] = {"kind": kind, "body": body, "seq": seq + 1 + number, "prev": last}
            fields |= {"height": position.height, "head": position.head, "state": position.state, "epoch": 0}
            branch.append(make(table=table.genesis.table, **fields))
            last = branch[-1].id
        found.append(branch)
    return found


def decided(length: int, beside: int = 0) -> tuple[DirectTable, list[Entry], list[Entry]]:
    """The others have left out the cheat and the sleeper, without knowing of the branch that the sleeper holds, so that
    the cheat's answer to them counts. beside: the length of that branch, 0 for the same."""
    table = at_together(5)
    mine, other = branches(table, length)
    del other[beside or length :]
    table.cut_off = {CHEAT, SLEEPER}
    for number in (0, 1, 2):
        for entry in mine:
            table.peers[number].feed(entry)
    for entry in other:
        table.peers[SLEEPER].feed(entry)
    table.settle()
    first = table.peers[0]
    ends = [
        FeedEnd(key(table, CHEAT), mine[-1].seq, mine[-1].id),
        FeedEnd(key(table, SLEEPER), *first.feeds.end(key(table, 4))),
    ]
    pact = Pact("absent", first.position.height, first.position.head, tuple(sorted(ends)), None)
    for number in (0, 1, 2):
        table.peers[number].signing.say("pact", pact.body())
        table.peers[number].advance()
        table.settle()
    for number in (0, 1, 2):
        table.peers[number].answer(number, [1])
    table.settle()
    assert first.position.height > pact.at
    table.play()
    return table, mine, other


def catch_up(table: DirectTable, late: Lockstep) -> None:
    for entry, attachment in table.log:
        late.feed(entry, attachment)
        late.settled()


def test_who_holds_the_other_branch_reads_the_one_that_counts_and_gets_the_end() -> None:
    table, mine, _ = decided(1)
    late = table.peers[SLEEPER]
    catch_up(table, late)
    assert late.position.height < table.peers[0].position.height
    late.feed(mine[0])
    catch_up(table, late)
    assert late.position.over
    assert late.position.head == table.peers[0].position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("beside", [1, 2, 3])
def test_it_finds_a_longer_branch_in_any_order_and_again_after_a_restart(beside: int) -> None:
    table, mine, _ = decided(3, beside)
    late = table.peers[SLEEPER]
    for entry in mine[::-1]:
        late.feed(entry)
    catch_up(table, late)
    assert late.position.over
    again = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
    again.restore([(entry, None) for entry in late.feeds.entries])
    assert again.position.head == late.position.head == table.peers[0].position.head


def test_who_reads_another_branch_counts_the_proposals_on_that_one_alone() -> None:
    """As after a restart, and like those who have read that one from the beginning."""
    table = at_together(5)
    position, (seq, last) = table.peers[CHEAT].position, table.peers[CHEAT].feeds.end(key(table, CHEAT))
    make = maker(table.keys[CHEAT].key)
    place = {"epoch": 0, "height": position.height, "head": position.head, "state": position.state}

    def proposing(terms: Sequence[int]) -> list[Entry]:
        made, prev = list[Entry](), last
        for number, to in enumerate(terms, seq + 1):
            body = Pact("takeback", position.height, position.head, (), [to, False]).body()
            fields: dict[str, Any] = {**place, "seq": number, "prev": prev, "kind": "pact", "body": body}
            made.append(make(table=table.genesis.table, **fields))
            prev = made[-1].id
        return made

    other, mine = proposing(range(MAX_PROPOSALS)), proposing([MAX_PROPOSALS])
    late = table.peers[SLEEPER]
    for entry in (*other, *mine):
        late.feed(entry)
    assert late.feeds.last(key(table, CHEAT)) == other[-1]
    late.hearing.choose(FeedEnd(key(table, CHEAT), mine[-1].seq, mine[-1].id))
    again = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
    again.restore([(entry, None) for entry in late.feeds.entries])
    for peer in (late, again):
        assert peer.feeds.last(key(table, CHEAT)) == mine[-1]
        (pact,) = (pact for pact in peer.ballots.pacts.values() if pact.terms == [MAX_PROPOSALS, False])
        assert peer.ballots.voted(pact, key(table, CHEAT))


def synced(table: DirectTable, *numbers: int, seconds: int = 100) -> None:
    """Let two members exchange what they hold over a link, for so many seconds."""
    ends = [Exchange(table.peers[number]) for number in numbers]
    for end, number in zip(ends, reversed(numbers), strict=True):
        end.opened("a link", table.genesis.members[number].certificate.identity)
    for second in range(seconds):
        for end, there in (ends, ends[::-1]):
            end.tick(float(second))
            for _, message in end.outgoing():
                there.received("a link", message, float(second))
                for number in numbers:
                    table.seen[number] += table.peers[number].settled()


@pytest.mark.parametrize(("length", "beside"), [(2, 2), (2, 1), (3, 1), (5, 4), (100, 1), (100, 100)])
def test_sync_asks_for_the_branch_that_counts_however_long_it_is(length: int, beside: int) -> None:
    table, _, other_branch = decided(length, beside)
    late, other = table.peers[SLEEPER], table.peers[0]
    catch_up(table, late)
    assert late.feeds.last(key(table, CHEAT)) == other_branch[-1]
    assert late.position.height < other.position.height
    synced(table, SLEEPER, 0)
    assert not late.feeds.sought
    assert late.position.head == other.position.head


def test_a_vote_on_a_known_forger_ends_its_feed_before_the_histories_part() -> None:
    table = at_together(5)
    mine, other = branches(table)
    for number in (0, 1, 2):
        for entry in (*mine, *other):
            table.peers[number].feed(entry)
    for entry in (*other, *mine):
        table.peers[SLEEPER].feed(entry)
    table.cut_off = {CHEAT}
    table.settle()
    pact = vote_on(table, "absent", out(table, CHEAT), (0, 1, 2, SLEEPER))
    assert pact.out[0].seq == mine[0].seq - 1
    ends_alike_but_faults(table)


def ends_alike_but_faults(table: DirectTable) -> None:
    table.play()
    peers = [table.peers[number] for number in (0, 1, 2, SLEEPER)]
    assert all(peer.position.over for peer in peers)
    assert len({peer.position.head for peer in peers}) == 1


def test_no_minority_chooses_a_branch() -> None:
    """A pact that too few have signed makes nobody read another branch."""
    table = at_together(5)
    mine, other = branches(table)
    late = table.peers[SLEEPER]
    for entry in (*other, *mine):
        late.feed(entry)
    place = late.position.height, late.position.head
    pact = Pact("absent", *place, (FeedEnd(key(table, CHEAT), mine[0].seq, mine[0].id),), None)
    for number in (0, 1):
        table.peers[number].signing.say("pact", pact.body())
    table.settle()
    assert late.feeds.last(key(table, CHEAT)) == other[0]
    assert not late.feeds.sought


def elsewhere(table: DirectTable, number: int) -> set[int]:
    """The members of which this one knows that they hold another branch."""
    voting = table.peers[number].voting
    return {other for other in range(5) if voting.on_another_branch(key(table, other))}


def told_of_both() -> tuple[DirectTable, list[Entry]]:
    """A table where all know both histories of the cheat, of which the sleeper holds the second one: that one."""
    table = at_together(5)
    mine, other = branches(table)
    for number in range(5):
        for entry in (*other, *mine) if number == SLEEPER else (*mine, *other):
            table.peers[number].feed(entry)
    table.settle()
    return table, other


def answer(table: DirectTable) -> None:
    """Let all but the cheat answer, each in its own history."""
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()


def test_who_answers_in_another_history_shows_that_it_holds_another_branch() -> None:
    table, _ = told_of_both()
    assert not any(elsewhere(table, number) for number in range(5)), "so far nobody has shown a history"
    answer(table)
    for number in (0, 1, 2, SLEEPER):
        table.peers[number].clock(key(table, CHEAT))
    table.settle()
    assert elsewhere(table, 0) - {CHEAT} == elsewhere(table, 1) - {CHEAT} == {SLEEPER}
    assert elsewhere(table, SLEEPER) - {CHEAT} == {0, 1, 2}


def test_who_says_no_word_on_going_on_from_an_earlier_height_is_silent() -> None:
    """It owed nothing that it could send, and nobody missed its word, which was asked for at a height before."""
    table, _ = told_of_both()
    answer(table)
    first = table.peers[0]
    assert first.part(key(table, CHEAT)) is None
    table.settle()
    (pact,) = first.voting.locks()
    assert pact.at < first.position.height
    assert {(key(table, number), pact.id) for number in (1, 2, SLEEPER)} == {*first.voting.wordless()}
    for number in (1, 2):
        assert table.peers[number].sign(pact.id) is None
    table.settle()
    assert first.voting.wordless() == [(key(table, SLEEPER), pact.id)]


def test_who_refuses_an_end_that_it_cannot_read_shows_that_it_holds_another_branch() -> None:
    table = at_together(5)
    mine, other = branches(table)
    for number in (0, 1, 2):
        for entry in mine:
            table.peers[number].feed(entry)
    first, late = table.peers[0], table.peers[SLEEPER]
    for entry in (*other, *mine):
        late.feed(entry)
    end = FeedEnd(key(table, CHEAT), mine[-1].seq, mine[-1].id)
    first.signing.say("pact", Pact("absent", first.position.height, first.position.head, (end,), None).body())
    table.settle()
    assert elsewhere(table, 0) == set()
    for entry in other:
        first.feed(entry)
    table.settle()
    assert elsewhere(table, 0) - {CHEAT} == {SLEEPER}


def test_a_chosen_branch_takes_the_place_of_the_first_one() -> None:
    table = at_together(5)
    mine, other = branches(table, 3)
    feeds = Feeds(table.genesis.table)
    for entry in (*table.peers[0].feeds.feed(key(table, CHEAT)), *other):
        feeds.add(entry)
    for entry in mine[:2]:
        assert not feeds.add(entry).readable
    assert not feeds.choose(key(table, CHEAT), mine[2].seq, mine[2].id).readable
    assert feeds.sought == {key(table, CHEAT): (mine[2].seq, mine[2].id)}
    added = feeds.add(mine[2])
    assert (list(added.readable), list(added.dropped)) == (mine, other)
    assert list(feeds.feed(key(table, CHEAT)))[-3:] == mine
    assert not {entry.id for entry in other} & {entry.id for entry in feeds.entries}
    assert feeds.get(other[0].id) is None
    assert not feeds.sought


def test_a_flood_of_votes_for_later_heights_makes_nobody_refuse_more_than_a_few() -> None:
    """One without a fork votes at places where nobody is, and each time says that it is there."""
    table, other = told_of_both()
    answer(table)
    make, first = maker(table.keys[2].key), table.peers[0]
    end = FeedEnd(key(table, 1), *first.feeds.end(key(table, 1)))
    assert first.voting.parted(key(table, CHEAT))
    for beyond in range(100):
        position, (seq, prev) = first.position, first.feeds.end(key(table, 2))
        ends = (FeedEnd(key(table, CHEAT), other[0].seq, other[0].id),) if beyond % 2 else (end,)
        pact = Pact("absent", position.height + 1 + beyond, bytes([beyond]) * 32, ends, None)
        said = make(
            table=table.genesis.table, seq=seq + 1, prev=prev, epoch=0, height=pact.at, head=pact.head,
            state=position.state, kind="pact", body=pact.body(),
        )  # fmt: skip
        for number in range(5):
            table.peers[number].feed(said)
        table.settle()
    for number in (0, 1, SLEEPER):
        refused = [entry for entry in first.feeds.feed(key(table, number)) if entry.kind == "refuse"]
        assert len(refused) <= MOST
