"""Votes at a height at which a later value of an answer stands."""

from __future__ import annotations

from itertools import pairwise

import pytest

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.account import steps
from p2p.lockstep.machine import GivenAnswer
from p2p.lockstep.pacts import FeedEnd, Pact, moving_lobby
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import make_entry
from seeds.hashing import H


def ended_before_its_batch(kind: str) -> DirectTable:
    """The first of three makes both its picks by one answer. Then the others vote, where the second pick stands, to end
    its feed before that answer."""
    made = DirectTable([[0], [1], [2]], 5, 2, options={"draws": "sealed"})
    made.start()
    while made.peers[0].position.step.kind != "choose":
        assert made.step()
    first = made.peers[0]
    end = FeedEnd(made.keys[0].key.public, *first.own_end())
    assert first.answer(0, [1, 5]) is None
    made.settle()
    at = first.position.height - 1
    there = first.position.past[at]
    pact = Pact(kind, at, there.head, (end,), terms(made, kind, end))
    for peer, keys in zip(made.peers[1:], made.keys[1:], strict=True):
        seq, prev = peer.own_end()
        vote = make_entry(
            keys.key.private, table=made.genesis.table, seq=seq + 1, prev=prev, epoch=there.epoch, height=at,
            head=there.head, state=bytes(16), kind="pact", body=pact.body(),
        )  # fmt: skip
        peer.signing.record(vote)
        peer.advance()
    made.settle()
    return made


def terms(made: DirectTable, kind: str, end: FeedEnd) -> Value:
    if kind == "without":
        return [end.author, [end.id], True, made.peers[0].position.height + 1, 9]
    if kind == "moved":
        new = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32).key.public
        owner = SigningKey.from_seed(H("test identity", 5, 0))
        lobby = moving_lobby(made.genesis.table, end.author)
        return decode(encode([certify(owner, new, lobby, "new").fields(), False]))
    return None


@pytest.mark.parametrize("kind", ["absent", "without", "moved"])
def test_a_vote_may_end_a_feed_before_an_answer_of_which_a_later_value_stands_at_its_height(kind: str) -> None:
    """Nobody honest signs that. The answer counts at the height that it names, and no later vote undoes that."""
    made = ended_before_its_batch(kind)
    (pact,) = made.peers[1].ballots.pacts.values()
    for peer in made.peers:
        assert peer.effected(pact.at) == (pact,)
        assert peer.position.height > pact.at
        answers = [given for _, given in peer.position.history.since(pact.at - 1) if isinstance(given, GivenAnswer)]
        second = 0 if kind == "without" else 5  # which ends the height, and leaves it to the caretaker
        assert answers == [GivenAnswer(0, 1), GivenAnswer(0, second)]
    assert len({peer.position.head for peer in made.peers}) == 1


def test_the_account_of_steps_goes_on_behind_the_heights_that_going_on_without_somebody_leaves_out() -> None:
    position = (peer := ended_before_its_batch("without").peers[1]).position
    found = steps(peer, 0)
    assert [*found] == sorted({*position.past} - {position.height})
    assert len(found) < position.height
    heads = [position.past[height].head for height in sorted(position.past)]
    assert [(each.before, each.after) for each in found.values()] == [*pairwise(heads)]
