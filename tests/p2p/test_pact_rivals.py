"""Two votes at one position of which neither covers the other: somebody has signed both against the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from test_pact_freezes import at_together, ends_alike, key, out, returns

from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.signing import maker
from p2p.testing.hostile_votes import Unbound
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value


def voted(table: DirectTable, part: Sequence[int], without: Sequence[int]) -> Pact:
    """Two who hear nothing of the others sign to go on without two of these."""
    first, second = (table.peers[number] for number in part)
    assert first.propose("absent", out(table, *without)) is None
    (pact,) = first.ballots.pacts.values()
    table.settle()
    second.feed(first.feeds.feed(key(table, part[0]))[-1])
    assert second.sign(pact.id) is None
    table.settle()
    return pact


def rivals(later: int) -> tuple[DirectTable, Pact]:
    """A table where one of five has signed the vote of each part to go on without the other one, and the first of the
    two by id. later: which one it signs first."""
    table = at_together(5)
    liar, table.cut_off = table.peers[4], {0, 1, 2, 3}
    liar.voting.__class__ = Unbound
    parts = ((0, 1), (2, 3))
    pacts = [voted(table, part, other) for part, other in (parts, parts[::-1])]
    for pact in (pacts[later], pacts[1 - later]):
        liar.signing.say("sign", [pact.id])
    table.cut_off = set()
    returns(table, 0, 1, 2, 3)
    return table, min(pacts, key=lambda pact: pact.id)


@pytest.mark.parametrize("later", [0, 1])
def test_of_two_votes_that_one_has_signed_for_two_parts_of_a_table_the_first_by_id_counts(later: int) -> None:
    """Both counted: they named all who were honest, so that the one that had signed both was left alone."""
    table, first = rivals(later)
    assert all(peer.reading.applied(first.at) == (first,) for peer in table.peers)
    ends_alike(table, 0, 1, 2, 3)


def test_two_votes_to_read_on_to_ends_on_two_branches_do_not_change_the_branch_without_end() -> None:
    """Four of five sign them, one in two histories: the fifth read the one branch and the other in turn."""
    table = at_together(5)
    late, forger = table.peers[0], table.keys[4]
    position, (seq, last) = late.position, late.feeds.end(forger.key.public)
    fields: dict[str, Any] = {name: getattr(position, name) for name in ("epoch", "height", "head", "state")}
    fields |= {"table": table.genesis.table}
    answers = [maker(forger.key)(kind="answer", body=[4, [n]], seq=seq + 1, prev=last, **fields) for n in (1, 2)]
    ends = tuple(FeedEnd(each, *late.feeds.end(each)) for each in out(table, 0, 4))
    terms: list[Value] = [
        [position.state, [[forger.key.public, each.seq, each.id]], position.epoch + 1] for each in answers
    ]
    repairs = [Pact("repair", position.height, position.head, ends, each) for each in terms]
    for answer in answers:
        late.feed(answer)
    for number in (1, 2, 3):
        seq, last = late.feeds.end(key(table, number))
        for repair in repairs:
            said = maker(table.keys[number].key)(kind="pact", body=repair.body(), seq=seq + 1, prev=last, **fields)
            late.feed(said)
            late.settled()
            seq, last = said.seq, said.id
    assert late.faults.keys() == {forger.key.public}
    assert late.feeds.last(forger.key.public) in answers
