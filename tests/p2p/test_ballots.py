# SPDX-License-Identifier: GPL-3.0-or-later
"""How proposed pacts are found again by the position and the feeds that they are about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from logkit import entry

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.pacts import End, Pact
from p2p.wire.entry import Entry

MEMBERS = [fixed_keys(number, 1) for number in range(3)]


def proposed(heights: list[tuple[int, int]]) -> Ballots:
    """Ballots with a pact for each pair of a height and the author whose feed it ends."""
    ballots = Ballots()
    last: Entry | None = None
    for seq, (height, author) in enumerate(heights):
        pact = Pact("absent", height, bytes(32), (End(MEMBERS[author].key.public, seq, bytes(32)),), None, 0, ())
        last = entry(MEMBERS[0], last, kind="pact", body=pact.body())
        ballots.propose(pact, last)
    return ballots


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 7, 2**50]), st.integers(0, 2)), max_size=12), st.integers(0, 9))
def test_only_pacts_up_to_a_height_or_about_a_feed_are_looked_through(heights: list[tuple[int, int]], to: int) -> None:
    """A member may propose thousands of pacts for heights that nobody reaches; no look at the votes passes them."""
    ballots = proposed(heights)
    known = set(ballots.pacts.values())
    assert set(ballots.until(to)) == {pact for pact in known if pact.at <= to}
    assert set(ballots.naming([MEMBERS[0].key.public])) == {
        pact for pact in known if MEMBERS[0].key.public in pact.named
    }
