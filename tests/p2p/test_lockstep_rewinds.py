# SPDX-License-Identifier: GPL-3.0-or-later
"""Members whose engines differ play again from where they agreed: nobody is convicted, and the log agrees."""

from __future__ import annotations

from itertools import product

import pytest
from volume import gated

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.effects import Convicted, Split
from p2p.lockstep.machine import Refusal
from p2p.lockstep.pacts import Pact
from p2p.testing.drifting import agreed, drifted, finders, rewound
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member

PICKED, CHOSEN, VOTED, ROLLED = STEPS = 3, 4, 5, 6
"""How many steps after the seats' draws a round stands after the first pick, the second, the vote and the dice."""


def verdict(table: DirectTable) -> Audit:
    return audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 1))


def blameless(table: DirectTable) -> bool:
    told = [effect for seen in table.seen for effect in seen]
    return not any(isinstance(effect, Convicted | Split) for effect in told)


def ended_alike(table: DirectTable) -> bool:
    """All have played to the same end, and nobody is accused."""
    table.play()
    ends = {(peer.position.head, peer.position.state, peer.position.over) for peer in table.peers}
    return len(ends) == 1 and table.peers[0].position.over and blameless(table)


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
def test_members_whose_engines_differ_play_again_from_where_they_agreed(
    seats: int, drifter: int, finds: bool, step: int, draws: str
) -> None:
    table, drift = drifted(seats, drifter, step, draws=draws)
    found = [peer for peer in table.peers if (peer in finders(table)) is finds]
    to = rewound(table, (found or table.peers)[0])
    drift.mended = True
    assert ended_alike(table)
    judged = verdict(table)
    assert judged.problems == ()
    assert judged.complete
    assert [(each.kind, each.to) for each in judged.pacts] == [("rewind", to)]
    assert judged.head == table.peers[0].position.head
    assert "programs-differed" in judged.does_not_prove


def test_a_difference_that_nobody_goes_back_over_stays_a_problem() -> None:
    table, _drift = drifted(2, 0, PICKED)
    assert [problem.code for problem in verdict(table).problems] == ["entry/other-state"]


@pytest.mark.parametrize("drifter", [0, 1])
def test_who_was_mended_and_cannot_read_its_own_feed_goes_back_with_the_others(drifter: int) -> None:
    table, drift = drifted(2, drifter, PICKED)
    table.step()
    drift.mended = True
    again = member(table.genesis, table.keys[drifter], TestMachine(2, 1))
    again.restore((entry, None) for entry in table.peers[drifter].feeds.entries)
    again.start(new=True)
    table.peers[drifter] = again
    table.settle()
    if again.voting.estranged:
        rewound(table, again)
    assert ended_alike(table)
    assert verdict(table).problems == ()


def test_only_the_open_height_is_played_again_if_who_differed_there_has_been_mended() -> None:
    table, drift = drifted(3, 1, CHOSEN)
    finder, where = table.peers[0], table.peers[0].position.height
    table.cut_off = {2}
    assert table.peers[1].answer(1, [1]) is None
    table.settle()
    assert finder.rewind(where) == Refusal("pact/states-differ")
    before = finder.voting.agreed(where)
    assert before is not None
    assert before < where
    drift.mended = True
    again = member(table.genesis, table.keys[1], TestMachine(3, 1))
    again.restore((entry, None) for entry in table.peers[1].feeds.entries)
    again.start(new=True)
    table.peers[1], table.cut_off = again, set()
    assert again.voting.estranged
    assert again.position.height == again.voting.agreed(where) == where
    assert again.clock(table.keys[0].key.public) is None
    table.settle()
    assert finder.voting.agreed(where) == where
    for entry, attachment in table.log:
        table.peers[2].feed(entry, attachment)
    assert rewound(table, again) == where
    assert [pact.kind for pact in finder.applied(where)] == ["rewind"]
    assert ended_alike(table)
    assert verdict(table).problems == ()


def test_who_has_signed_goes_no_further_until_all_have_or_one_refuses() -> None:
    table, drift = drifted(2, 0, PICKED)
    ahead, finder = table.peers
    to = agreed(table)
    assert ahead.position.height > finder.position.height
    assert ahead.rewind(to) is None
    table.settle()
    assert ahead.voting.locks()
    assert ahead.answer(0, [1]) == Refusal("lockstep/voting")
    (vote,) = finder.votes()
    assert finder.refuse(vote.pact.id, "pact/declined") is None
    table.settle()
    assert ahead.voting.locks() == []
    assert finder.rewind(to) is None
    table.settle()
    (vote,) = ahead.votes()
    assert vote.advice is None
    assert ahead.sign(vote.pact.id) is None
    drift.mended = True
    table.settle()
    assert ended_alike(table)


@pytest.mark.parametrize("apart", [0, 1])
def test_of_proposals_that_cross_all_agree_on_one(apart: int) -> None:
    """apart: by how many choices the second goes back further, as long as it can."""
    table, drift = drifted(3, 1, CHOSEN)
    to = agreed(table)
    back = table.peers[0].voting.last_choice(to) if apart else to
    assert back is not None
    for number, peer in enumerate(table.peers):
        assert peer.rewind(back if number == 1 else to) is None
    for _ in range(3):
        table.settle()
        for peer in table.peers:
            for vote in peer.votes():
                if vote.advice is None:
                    assert peer.sign(vote.pact.id) is None
    table.settle()
    drift.mended = True
    (pact,) = table.peers[0].applied(back)
    assert pact.kind == "rewind"
    assert ended_alike(table)


def test_nobody_goes_back_over_another_pact_or_to_where_nobody_has_room() -> None:
    table, _drift = drifted(3, 1, PICKED)
    peer, to = table.peers[0], agreed(table)
    past, members = peer.position.past[to], peer.position.members
    refused = {}
    for terms in ([peer.position.height, 9], [peer.position.height + 9, peer.position.epoch], [1 << 40, 9]):
        pact = Pact("rewind", to, past.head, (), list(terms))
        table.peers[1].signing.say("pact", pact.body())
        table.settle()
        refused[str(terms)] = peer.ballots.refused(pact, members[0])
    assert [*refused.values()] == ["pact/would-go-back", "pact/would-go-back", "pact/no-such-height"]
    rewound(table)
    pact = Pact("rewind", to, past.head, (), [peer.position.height + 9, 99])
    table.peers[1].signing.say("pact", pact.body())
    table.settle()
    assert peer.ballots.refused(pact, members[0]) == "pact/overtaken"


def test_nobody_is_left_out_of_it_who_can_still_vote_on_it() -> None:
    """A rewind that names a member whom nothing waits for would undo its moves without its consent."""
    table, _drift = drifted(4, 1, PICKED)
    peer, to = table.peers[0], agreed(table)
    named = peer.voting.rewinding(to, [table.keys[3].key.public])
    assert named == Refusal("pact/owes-nothing")


def test_who_stays_silent_on_it_is_left_out_and_comes_back() -> None:
    table, drift = drifted(4, 1, PICKED)
    to, silent = agreed(table), table.keys[3].key.public
    table.cut_off = {3}
    for peer in table.peers[:3]:
        assert peer.rewind(to) is None
        table.settle()
    assert all(peer.voting.bound for peer in table.peers[:3])
    for peer in table.peers[:3]:
        assert peer.propose("absent", [silent]) is None
        table.settle()
    assert {peer.position.height for peer in table.peers[:3]} == {table.peers[0].position.height}
    assert table.peers[0].position.members == tuple(keys.key.public for keys in table.keys[:3])
    drift.mended, table.cut_off = True, set()
    for entry, attachment in table.log:
        table.peers[3].feed(entry, attachment)
    table.settle()
    assert table.peers[3].propose("back") is None
    table.settle()
    for peer in table.peers[:3]:
        (terms,) = peer.voting.asking()
        assert peer.propose("back", terms=terms) is None or peer.votes() == []
        table.settle()
    assert ended_alike(table)
    assert verdict(table).problems == ()


def test_a_log_that_mixes_the_epochs_before_and_after_is_refused() -> None:
    table, drift = drifted(2, 0, PICKED)
    rewound(table)
    drift.mended = True
    stale = table.peers[0].position.epoch - 1
    honest, said = table.peers[0], table.peers[0].signing.make
    honest.signing.make = lambda **fields: said(**{**fields, "epoch": stale})
    while honest.me not in honest.faults and table.step():
        pass
    codes = {problem.code for problem in verdict(table).problems}
    assert codes == {"entry/epoch"}
