# SPDX-License-Identifier: GPL-3.0-or-later
"""The account lists what votes have undone, with values and voters, also what other votes have undone in turn."""

from __future__ import annotations

from typing import Any

import pytest
from test_undoing import LOSER, until
from volume import GATE, VOLUME

from p2p.lockstep.audit import audit
from p2p.lockstep.cuts import end_here
from p2p.lockstep.machine import GivenAnswer
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.undone import undone
from p2p.lockstep.votes import judge_pact
from p2p.testing.hostile import STRATEGIES
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import make_entry


def test_the_account_lists_what_a_take_back_has_undone_with_values_and_voters() -> None:
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "choose")
    to = table.peers[0].position.height
    until(table, "seal")
    (rolled,) = (each for each in table.peers[0].position.chance.rolls if each.kind == "roll")
    given = [step.given for step in table.peers[0].position.history.steps() if step.height >= to]
    choices = [answer.value for answer in given if isinstance(answer, GivenAnswer)]
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    for peer in table.peers[1:]:
        assert peer.sign(peer.votes()[0].pact.id) is None
    table.settle()
    table.play()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert [each.said.value for each in found.undone if each.said.what == "choice"] == choices
    assert [each.said.value for each in found.undone if each.said.what == "roll"] == [list(rolled.faces)]
    assert {each.by for each in found.undone} == {"takeback"}
    assert {each.voters for each in found.undone} == {tuple(keys.key.public for keys in table.keys)}
    assert undone(table.peers[1]) == found.undone, "live and from the log alike"


def test_the_account_lists_what_had_been_said_at_the_height_that_a_take_back_ends() -> None:
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "together")
    at = table.peers[0].position.height
    for number, value in ((0, 3), (1, 4)):
        assert table.peers[number].answer(number, [value]) is None
        table.settle()
    taken_back(table, at - 1)
    table.play()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    here = [each.said for each in found.undone if each.said.height == at]
    assert [(each.what, each.who, each.value) for each in here] == [
        ("choice", table.keys[number].key.public, value) for number, value in ((0, 3), (1, 4))
    ]
    assert undone(table.peers[1]) == found.undone


def test_the_account_lists_the_open_decks_that_a_take_back_mixes_again() -> None:
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "choose")
    (mixed,) = table.peers[0].position.chance.rolls
    assert mixed.kind == "shuffle"
    taken_back(table, mixed.roll.height)
    table.play()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert [(each.said.height, each.said.what, each.said.value) for each in found.undone] == [
        (mixed.roll.height, "shuffle", "bag")
    ]
    assert undone(table.peers[1]) == found.undone


def taken_back(table: DirectTable, to: int) -> None:
    """All go back to a height."""
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    for peer in table.peers[1:]:
        assert peer.sign(peer.votes()[0].pact.id) is None
    table.settle()


@pytest.mark.parametrize("again", [False, True])
def test_the_account_lists_what_votes_had_undone_that_another_vote_has_undone(again: bool) -> None:
    """All take a roll back; then two of three undo that vote with all that has been said since. again: and so they do
    once more, from further below."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "together")
    below = table.peers[0].position.height
    until(table, "seal")
    taken_back(table, below)
    until(table, "seal")
    first, second = dice(table)
    without(table, below + 1)
    third: list[Value] = []
    if again:
        table.cut_off = {LOSER}
        table.step()
        third = dice(table)
        without(table, below - 1)
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert [each.kind for each in found.pacts] == ["without"]
    assert [(each.by, each.said.value) for each in found.undone if each.said.what == "roll"] == [
        ("takeback", first), ("without", second), *(("without", each) for each in third)
    ]  # fmt: skip
    assert undone(table.peers[0]) == found.undone


def dice(table: DirectTable) -> list[Value]:
    """The faces of all rolls of dice in the present history."""
    return [list(each.faces) for each in table.peers[0].position.chance.rolls if each.kind == "roll"]


def without(table: DirectTable, at: int) -> None:
    """Two of three say that the third has signed two histories, whatever their programs advise."""
    peer, victim = table.peers[0], table.keys[LOSER].key.public
    last = next(entry for entry in reversed(peer.feeds.feed(victim)) if entry.height < at)
    terms: Value = [victim, [last.id], False, peer.position.height + 8, peer.position.epoch + 2]
    pact = Pact("without", at, peer.position.past[at].head, (FeedEnd(victim, last.seq, last.id),), terms)
    for each in table.peers[:2]:
        each.signing.say("pact", pact.body())
        each.advance()
    table.settle()


def test_the_account_lists_what_somebody_had_said_at_the_height_at_which_it_is_left_out() -> None:
    """More than half may leave it out as if that had come too late, and read it before."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "together")
    position, victim = table.peers[0].position, table.keys[LOSER].key.public
    at, end = position.height, end_here(table.peers[0].reading, victim)
    assert table.peers[LOSER].answer(LOSER, [5]) is None
    table.settle()
    pact = Pact("absent", at, position.head, (end,), None)
    for peer in table.peers[:2]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert [(each.by, each.at, each.said.who, each.said.value) for each in found.undone] == [("absent", at, victim, 5)]
    assert {each.voters for each in found.undone} == {tuple(keys.key.public for keys in table.keys[:2])}
    assert undone(table.peers[0]) == found.undone
    assert "last-words" in found.does_not_prove
    shorter = [entry for entry, _ in table.log if entry.author != victim or entry.seq <= end.seq]
    without = audit(shorter, lambda genesis: TestMachine(genesis.seats, 2))
    assert (without.problems, without.undone) == ((), ()), "who saves the log can leave its last word out"
    assert "last-words" in without.does_not_prove


@pytest.mark.parametrize("named", ["a word of its own", "words that nobody holds"])
def test_a_log_cannot_show_that_who_was_named_a_forger_is_one_and_says_so(named: str) -> None:
    """Two of three say that the third, who is honest, has signed two histories, and go on from before a finished roll.
    No program of theirs would sign that. A log holds one history of each feed and the ids of both entries, so it looks
    like one in which the third did: where its histories part, and so how far back the vote may lead, the second entry
    alone would show. What is undone is listed with its voters, and the verdict claims nothing of the roll."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "seal")
    position, innocent = table.peers[0].position, table.keys[LOSER].key.public
    (first,) = (each for each in position.chance.rolls if each.kind == "roll")
    at, feed = first.roll.height - 1, table.peers[0].feeds.feed(innocent)
    last = next(entry for entry in reversed(feed) if entry.height < at)
    ids: list[Value] = [feed[-1].id] if named == "a word of its own" else [bytes(32), bytes([1] * 32)]
    terms: Value = [innocent, ids, False, position.height + 8, position.epoch + 2]
    pact = Pact("without", at, position.past[at].head, (FeedEnd(innocent, last.seq, last.id),), terms)
    refusal = judge_pact(table.peers[0].reading, pact, position.members)
    assert refusal is not None
    assert refusal.code in ("pact/evidence-missing", "pact/too-far-back")
    for peer in table.peers[:2]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert [each.kind for each in found.pacts] == ["without"]
    assert found.problems == ()
    assert "parted-histories" in found.does_not_prove
    undone_rolls = [each for each in found.undone if each.said.what == "roll"]
    assert [each.said.value for each in undone_rolls] == [list(first.faces)]
    assert {each.voters for each in undone_rolls} == {tuple(keys.key.public for keys in table.keys[:2])}


def test_going_on_without_a_forger_undoes_nothing_below_its_fork_and_the_account_lists_the_rest() -> None:
    plan = FaultPlan(tuple((number,) for number in range(4)), hostile={1: "Equivocator"})
    undone_in = 0
    for seed in range(8):
        table = Simulation(seed, plan, STRATEGIES)
        table.run()
        table.check_end()
        (first, *_) = [peer for peer in table.peers if peer.honest]
        found = audit(first.lockstep.hearing.log, lambda genesis: TestMachine(genesis.seats, 1))
        withouts = [each for each in found.pacts if each.kind == "without"]
        assert {each.by for each in found.undone} <= {each.kind for each in found.pacts}
        undone_in += bool(withouts and found.undone)
        for each in withouts:
            forks = [fork for fork in map(first.lockstep.feeds.forks.get, each.members) if fork is not None]
            branches = [min(fork.first.height, fork.second.height) for fork in forks]
            assert min(branches) <= each.height, "nothing from below the forked entry is undone"
        if undone_in and VOLUME == GATE:
            break
    assert undone_in


def left_out_again_and_again(times: int) -> DirectTable:
    """One of three claims each time before it is left out that it had gone on, and is let back."""
    table = DirectTable([[0], [1], [2]], 6, 9, options={"draws": "open"})
    table.start()
    assert table.step()
    table.cut_off = {LOSER}
    first, author = table.peers[0], table.keys[LOSER]

    def say(kind: str, body: Plain, **place: Value) -> None:
        at, last = first.position, first.feeds.feed(author.key.public)[-1]
        where: Any = {"epoch": at.epoch, "height": at.height, "head": at.head, "state": at.state} | place
        entry = make_entry(
            author.key.private, table=last.table, seq=last.seq + 1, prev=last.id, kind=kind, body=body, **where
        )
        table.log.append((entry, None))
        for peer in table.peers[:2]:
            peer.feed(entry)
        table.settle()

    for _ in range(times):
        end = end_here(first.reading, author.key.public)
        say("answer", [LOSER, [1]], height=first.position.height + 50, head=bytes(32))
        for peer in table.peers[:2]:
            pact = Pact("absent", first.position.height, first.position.head, (end,), None)
            peer.signing.say("pact", pact.body())
            peer.advance()
        table.settle()
        while author.key.public in first.position.members:
            assert table.step()
        at, seq = first.position, first.feeds.feed(author.key.public)[-1].seq + 1
        say("pact", Pact("back", at.height, at.head, (), [author.key.public, seq]).body())
        for peer in table.peers[:2]:
            for vote in peer.votes():
                assert peer.sign(vote.pact.id) is None
        table.settle()
        while author.key.public not in first.position.members:
            assert table.step()
    return table


@pytest.mark.parametrize(("most", "listed"), [(200_000, 0), (2_000, 3)])
def test_a_log_of_votes_without_end_is_read_once_more_a_few_times_and_the_account_says_so(
    most: int, listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each such vote had the whole log read again, as often as its members liked."""
    log = [entry for entry, _ in left_out_again_and_again(6).log]
    monkeypatch.setattr("p2p.lockstep.undone.MOST_READ", most)
    found = audit(log, lambda genesis: TestMachine(genesis.seats, 9))
    assert found.problems == ()
    assert [pact.kind for pact in found.pacts] == ["absent", "back"] * 6
    assert [each.said.what for each in found.undone] == ["more"] * listed
    assert {each.by for each in found.undone} <= {"absent"}
