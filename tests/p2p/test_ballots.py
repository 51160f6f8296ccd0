# SPDX-License-Identifier: GPL-3.0-or-later
"""How proposed pacts are found again by the position and the feeds that they are about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from logkit import entry

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.wire.entry import Entry

MEMBERS = [fixed_keys(number, 1) for number in range(3)]


def proposed(heights: list[tuple[int, int]]) -> Ballots:
    """Ballots with a pact for each pair of a height and the author whose feed it ends."""
    ballots = Ballots()
    last: Entry | None = None
    for seq, (height, author) in enumerate(heights):
        pact = Pact("absent", height, bytes(32), (FeedEnd(MEMBERS[author].key.public, seq, bytes(32)),), None, 0, ())
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


# What was counted is kept --------------------------------------------------------------------------------------------

HEAD = bytes(32)
KEYS = tuple(member.key.public for member in MEMBERS)
LAST = [entry(member, height=0) for member in MEMBERS]


def votes() -> list[Pact]:
    """Two votes that each leave one out, one over the first of them, and one that frees from the others."""
    ends = [FeedEnd(last.author, last.seq, last.id) for last in LAST]
    first, second = (Pact("absent", 1, HEAD, (end,), None, attempt) for attempt, end in enumerate(ends[:2]))
    over = Pact("absent", 1, HEAD, tuple(sorted(ends[:2])), None, 2, (first.id,))
    return [first, second, over, Pact("free", 1, HEAD, (), None, 3, tuple(sorted(each.id for each in (first, second))))]


PACTS = votes()


def counted(ballots: Ballots) -> list[object]:
    """All that is asked about these votes."""
    each = [
        (ballots.signed(pact, key), ballots.complete(pact, KEYS), ballots.dead(pact, KEYS), ballots.refused(pact, key))
        for pact in PACTS
        for key in KEYS
    ]
    return [ballots.effective(1, HEAD, KEYS), each, [list(ballots.locks(key, 1, HEAD, KEYS)) for key in KEYS]]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["propose", "sign", "all sign", "refuse", "speak", "take back", "leave", "ignore", "return"]
            ),
            st.integers(0, 2),
            st.integers(0, len(PACTS) - 1),
        ),
        max_size=24,
    ),
    st.integers(0, len(PACTS)),
    st.booleans(),
)
def test_what_is_kept_of_votes_is_what_is_counted_anew(
    said: list[tuple[str, int, int]], there: int, signed: bool
) -> None:
    """there: how many of the votes are proposed already; signed: by all."""
    ballots, feeds, spoken = Ballots(), list(LAST), dict[int, Entry]()
    for number, pact in enumerate(PACTS[:there]):
        feeds[number % 3] = entry(MEMBERS[number % 3], feeds[number % 3], height=1, kind="pact", body=pact.body())
        ballots.propose(pact, feeds[number % 3])
        for key in KEYS[: 3 * signed]:
            ballots.sign(pact.id, key, feeds[number % 3].seq)
    for what, number, chosen in said:
        pact, key = PACTS[chosen], KEYS[number]
        fields = {"height": 2} if what == "speak" else {"height": 1, "kind": "pact", "body": pact.body()}
        feeds[number] = last = entry(MEMBERS[number], feeds[number], **fields)
        counted(ballots)
        match what:
            case "propose":
                ballots.propose(pact, last)
            case "sign":
                ballots.sign(pact.id, key, last.seq)
            case "all sign":
                for each in KEYS:
                    ballots.sign(pact.id, each, last.seq)
            case "refuse":
                ballots.refuse(pact.id, key, "pact/present")
            case "speak":
                ballots.spoken.note(last)
                spoken[number] = last
            case "take back" if number in spoken:
                ballots.spoken.forget(spoken.pop(number))
            case "leave":
                ballots.parted((), [key])
            case "ignore":
                ballots.ignore(pact.id)
        kept = counted(ballots)
        ballots.recount()
        assert kept == counted(ballots)
