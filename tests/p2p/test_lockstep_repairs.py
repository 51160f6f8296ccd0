# SPDX-License-Identifier: GPL-3.0-or-later
"""Members whose engines differed read on once they agree: what fits stays, what does not is void, and nobody
is convicted."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest
from repairtables import counted, ended_alike, everybody_repairs, lied, rolls, said, verdict
from volume import gated

from p2p.lockstep.audit import audit
from p2p.lockstep.effects import Agreed
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import Given, TableRefusal
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.repairing import Repairs
from p2p.lockstep.step import SHARED
from p2p.testing.drifting import drifted, finders, mended, repaired
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry

PICKED, CHOSEN, VOTED, ROLLED = STEPS = 3, 4, 5, 6
"""How many steps after the seats' draws a round stands after the first pick, the second, the vote and the dice."""


def test_only_who_has_a_vote_is_offered_a_repair_of_the_height_where_states_differ() -> None:
    table = DirectTable([[0], [1]])
    table.start()
    assert [peer.repairable(3) for peer in table.peers] == [3, 3]
    assert Follower(table.genesis, TestMachine(2, 1)).repairable(3) is None


@pytest.mark.parametrize(
    ("seats", "drifter", "finds", "step", "draws"),
    gated(
        [
            *((2, 0, True, PICKED, "sealed"), (3, 2, False, CHOSEN, "open")),
            *product((2, 3), (0, 1), (False, True), STEPS, ("open", "sealed")),
        ],
        2,
    ),
)
def test_members_whose_engines_differed_read_on_and_every_word_counts(
    seats: int, drifter: int, finds: bool, step: int, draws: str
) -> None:
    table, drift = drifted(seats, drifter, step, draws=draws)
    before = said(table)
    mended(table, drift, drifter)
    found = [peer for peer in table.peers if (peer in finders(table)) is finds]
    at = repaired(table, (found or table.peers)[0])
    assert all(before <= counted(table, peer) for peer in table.peers)
    assert ended_alike(table)
    judged = verdict(table)
    assert judged.problems == ()
    assert judged.complete
    assert [(each.kind, each.height) for each in judged.pacts] == ([] if at is None else [("repair", at)])
    assert judged.head == table.peers[0].position.head
    assert ("programs-differed" in judged.does_not_prove) is (at is not None)
    assert ("same-states" in judged.proves) is (at is None)


@pytest.mark.parametrize(
    ("filling", "held", "kind", "broken"),
    [
        (("b", 3), ("a", 5), "answer", True),
        (("b", 2), ("a", 5), "answer", False),  # one of the repair fills the height
        (("b", 3), ("a", 6), "answer", False),  # what is unread lies beyond it too
        (("b", 3), ("a", 5), "chat", False),  # and has no slot
    ],
)
def test_a_word_from_beyond_a_repair_that_fills_a_height_below_unread_ones_ends_it(
    filling: tuple[str, int], held: tuple[str, int], kind: str, broken: bool
) -> None:
    ends = FeedEnd(b"a", 5, b""), FeedEnd(b"b", 2, b"")
    pact: Any = SimpleNamespace(id=b"pact", repaired=(b"state", ends, 0))
    filled, unread = (SimpleNamespace(author=who.encode(), seq=seq, kind=kind) for who, seq in (filling, held))
    repairs = Repairs()
    repairs.begin([pact])
    step: Any = SimpleNamespace(filled={("answer", 0): filled, (SHARED, 0): SimpleNamespace(author=b"c", seq=9)})
    repairs.leave(step, [cast("Entry", unread)])
    assert (repairs.due is pact) is broken


def test_each_height_that_ends_by_its_words_while_a_repair_is_open_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(Repairs, "leave", lambda repairs, _step, _held: looked.append(repairs.open))
    table, drift = drifted(2, 0, PICKED)
    assert not looked
    mended(table, drift, 0)
    repaired(table, finders(table)[0])
    assert ended_alike(table)
    assert looked
    assert all(looked)


def test_a_difference_that_nobody_repairs_stays_a_problem() -> None:
    table, _drift = drifted(2, 0, PICKED)
    assert [problem.code for problem in verdict(table).problems] == ["entry/other-state"]


def test_nobody_signs_a_repair_whose_program_still_differs() -> None:
    table, _drift = drifted(2, 0, PICKED)
    (finder, *_) = finders(table)
    other = next(peer for peer in table.peers if peer is not finder)
    at = finder.position.height
    assert finder.repair(at) is None
    table.settle()
    assert other.votes() == [], "it has refused"
    assert finder.voting.locks() == []
    (pact,) = finder.ballots.pacts.values()
    assert finder.ballots.refused(pact, other.me or b"") == "pact/other-state"


def test_a_repair_needs_a_difference() -> None:
    table = DirectTable([[0], [1], [2]], 3)
    table.start()
    assert table.peers[0].repair(table.peers[0].position.height) == TableRefusal("pact/no-difference")


def test_who_has_signed_a_repair_signs_no_other_one_of_the_same_height() -> None:
    """Two of one height, of which neither covers the other, would go on at two heights or with other ends of feeds."""
    table, drift = drifted(3, 0, CHOSEN)
    mended(table, drift, 0)
    (at,) = {peer.position.height for peer in finders(table)}
    one, other, third = table.peers
    other.signing.say("chat", [bytes(32)])  # the repair of the other ends at this entry, which the first does not know
    assert one.repair(at) is None
    assert other.repair(at) is None
    table.settle()
    stays, dies = sorted(third.ballots.pacts.values(), key=lambda pact: pact.id)
    (refused,) = (peer.me for peer in table.peers if third.ballots.refused(dies, peer.me or b"") == "pact/rival")
    assert third.ballots.signed(stays, refused or b"")
    assert not any(third.ballots.refused(stays, peer.me or b"") for peer in table.peers)
    for peer in table.peers:
        assert [vote.pact for vote in peer.votes()] == ([] if peer.me == refused else [stays])
        assert peer.me == refused or peer.sign(stays.id) is None
        table.settle()
    assert ended_alike(table)


def test_who_has_signed_nothing_over_another_state_needs_no_vote_to_read_on() -> None:
    """So slots, votes and results are all the evidence that a repair needs: where none of them names another state, the
    mended program reads the words of the others as they are."""
    table, drift = drifted(3, 2, PICKED)
    assert [table.peers.index(peer) for peer in finders(table)] == [2], "it holds words of others over their state"
    assert not {entry.state for entry in table.peers[2].feeds.feed(table.keys[2].key.public)} - {
        entry.state for peer in table.peers[:2] for author in peer.feeds.authors for entry in peer.feeds.feed(author)
        if author != table.keys[2].key.public
    }  # fmt: skip
    mended(table, drift, 2)
    assert finders(table) == []
    assert ended_alike(table)
    judged = verdict(table)
    assert (judged.problems, judged.pacts, judged.complete) == ((), (), True)


@pytest.mark.parametrize("kind", ["chat", "clock", "fault"])
def test_what_fills_no_slot_and_is_no_vote_shows_no_difference(kind: str) -> None:
    """Whoever may say such a word about any state would have a repair for the asking."""
    table = DirectTable([[0], [1], [2]], 3)
    table.start()
    at, someone = table.peers[0].position.height, table.keys[0].key.public
    bodies: dict[str, object] = {"chat": [bytes(32)], "clock": [someone], "fault": [someone, "x", [bytes(32)]]}
    lied(table, 2, {"kind": kind, "body": bodies[kind]})
    for peer in table.peers:
        assert peer.repair(at) == TableRefusal("pact/no-difference")


@pytest.mark.parametrize("drifter", [0, 1])
def test_who_was_mended_and_cannot_read_its_own_feed_reads_on_with_the_others(drifter: int) -> None:
    table, drift = drifted(2, drifter, PICKED)
    table.step()
    mended(table, drift, drifter)
    again = table.peers[drifter]
    if again.voting.estranged:
        repaired(table, again)
    assert ended_alike(table)
    assert verdict(table).problems == ()


def test_who_has_signed_goes_no_further_until_all_have_or_one_refuses() -> None:
    table, drift = drifted(2, 0, PICKED)
    mended(table, drift, 0)
    (at,) = {peer.position.height for peer in finders(table)}
    ahead, finder = table.peers
    assert ahead.repair(at) is None
    table.settle()
    assert ahead.voting.locks()
    assert ahead.answer(0, [1]) == TableRefusal("lockstep/voting")
    (vote,) = finder.votes()
    assert finder.refuse(vote.pact.id, "pact/declined") is None
    table.settle()
    assert ahead.voting.locks() == []
    assert finder.repair(at) is None
    table.settle()
    (vote,) = ahead.votes()
    assert vote.advice is None
    assert ahead.sign(vote.pact.id) is None
    table.settle()
    assert ended_alike(table)


# One who is away -----------------------------------------------------------------------------------------------------


AWAY = 3


@pytest.mark.parametrize("again", [False, True])
def test_a_repair_counts_beside_the_votes_that_leave_out_who_is_away(again: bool) -> None:
    """again: they leave it out once more, over the repair, whatever their programs advise."""
    table, drift = drifted(4, 0, CHOSEN)
    table.cut_off = {AWAY}
    mended(table, drift, 0)
    (at,) = {peer.position.height for peer in finders(table)}
    there, out = table.peers[:AWAY], table.keys[AWAY].key.public
    assert there[0].propose("absent", [out]) is None
    table.settle()
    for peer in there[1:]:
        assert peer.sign(there[0].ballots.at(at, there[0].position.head)[0].id) is None
    table.settle()
    for peer in there:
        assert peer.repair(at) is None
        table.settle()
    if again:
        known = sorted(there[0].ballots.pacts)
        pact = Pact("absent", at, there[0].position.past[at].head, (there[0].voting.end(out),), None, 0, tuple(known))
        for peer in there:
            peer.signing.say("pact", pact.body())
        table.settle()
    table.play()
    assert {peer.position.head for peer in there} == {there[0].position.head}
    assert there[0].position.over
    judged = verdict(table)
    assert judged.problems == ()
    assert sorted((each.kind, each.height) for each in judged.pacts) == [("absent", at), ("repair", at)]
    assert judged.head == there[0].position.head


# Words that do not fit -----------------------------------------------------------------------------------------------


class Lenient(TestMachine):
    """A game that took a pick of 6 until its rules were mended."""

    wrong = True

    def check(self, given: Given) -> TableRefusal | None:
        refusal = super().check(given)
        pick = self.step_name() == "pick" and getattr(given, "value", None) == 6
        return None if pick and type(self).wrong else refusal

    def digest(self) -> bytes:
        return super().digest() if not type(self).wrong else super().digest()[::-1]


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_what_does_not_fit_is_void_with_all_that_rests_on_it_and_play_goes_on_with_new_keys(draws: str) -> None:
    Lenient.wrong = True
    table = DirectTable([[0], [1], [2]], 6, machine=Lenient(3, 2), options={"draws": draws})
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    at, kept = table.peers[0].position.height, table.peers[0].position.chance
    hands = [[look.cards for look in peer.position.chance.looks] for peer in table.peers]
    generation = kept.ring.generation if kept.ring is not None else -1
    leader = next(peer for peer in table.peers if peer.owing().get(peer.me or b""))
    assert leader.answer(0, [6]) is None
    table.settle()
    while table.peers[0].position.chance.reveals == 0 or table.peers[0].position.step.kind != "choose":
        assert table.step()
    abandoned = rolls(table.peers[0])
    Lenient.wrong = False
    for number, keys in enumerate(table.keys):
        again = member(table.genesis, keys, Lenient(3, 2), table.peers[number].member_secrets.choices)
        again.restore((entry, None) for entry, _ in table.log)
        again.start(new=True)
        table.peers[number] = again
    assert {peer.position.height for peer in table.peers} == {0}
    everybody_repairs(table, 0)
    position = table.peers[0].position
    assert {peer.position.height for peer in table.peers} == {at}, "the pick is asked again, and nothing else"
    assert table.step()
    assert not position.repairing.open, "it has come to its end"
    assert position.epoch > 1
    assert [[look.cards for look in peer.position.chance.looks] for peer in table.peers] == hands
    assert {peer.position.height for peer in table.peers} == {at + 1}
    if position.chance.ring is not None:
        assert position.chance.ring.generation == generation + 1
    assert ended_alike(table)
    new = rolls(table.peers[0])
    assert new != abandoned
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert found.head == table.peers[0].position.head
    assert [effect.pact.kind for effect in table.seen[0] if isinstance(effect, Agreed)]
