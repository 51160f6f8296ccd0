"""Members that sleep, persons who do what they like, and liars: no table freezes, and nobody honest is convicted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ends import heads
from volume import gated, seeds

from p2p.lockstep import follower
from p2p.lockstep.consent import Consent
from p2p.lockstep.signing import Signing
from p2p.lockstep.voting import Voting
from p2p.testing import trials_honest
from p2p.testing.hostile import STRATEGIES, Hostile
from p2p.testing.persons import PERSONS
from p2p.testing.plans import FaultPlan, Violation, sleepy_plan
from p2p.testing.simulator import Simulation, simulate

KINDS = {**STRATEGIES, **PERSONS}


@pytest.mark.parametrize("seed", gated(seeds(3), 1))
def test_whoever_sleeps_and_whatever_persons_type_honest_members_end_alike(seed: int) -> None:
    honest = [peer for peer in simulate(seed, sleepy_plan(seed), KINDS).peers if peer.honest]
    assert len({peer.lockstep.position.head for peer in honest}) == 1


LAGGING = 7
"""A table where somebody lags far behind; others are tried when it no longer does."""


@pytest.mark.soak
def test_the_plans_let_members_wake_behind_a_full_window() -> None:
    """The tables above mean something only if somebody lags so far."""
    furthest = 0

    class Watched(Simulation):
        def wake(self, peer: object) -> None:
            nonlocal furthest
            lengths = {other.me: len(other.lockstep.feeds.feed(other.me)) for other in self.peers if other.alive}
            sleeper = next(other for other in self.peers if other is peer)
            furthest = max(furthest, *(n - len(sleeper.lockstep.feeds.feed(me)) for me, n in lengths.items()))
            super().wake(sleeper)

    for seed in (LAGGING, *range(40)):
        Watched(seed, sleepy_plan(seed), KINDS).run()
        if furthest > follower.HELD:
            break
    assert furthest > follower.HELD


ASLEEP_THEN_LOCKED = 50
"""A table where somebody wakes behind a window, signs at once, and would be locked for good."""


def without_the_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that reads no words beyond the window, votes at positions that others have left, and after a sleep signs
    before others have confirmed its feed, and takes everybody for gone."""
    monkeypatch.setattr(follower, "HELD_LOCKED", follower.HELD)
    monkeypatch.setattr(Voting, "ahead", lambda *_: [])
    monkeypatch.setattr(Signing, "lapse", lambda _signing: None)
    monkeypatch.setattr("p2p.lockstep.consent.NAP", float("inf"))


def sleepy(seed: int) -> Simulation:
    return simulate(seed, replace(sleepy_plan(seed), limit=900.0), KINDS)


@pytest.mark.soak
def test_a_build_without_the_guards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    sleepy(ASLEEP_THEN_LOCKED)
    without_the_guards(monkeypatch)
    with pytest.raises(Violation, match=r"not finished: .* locks \['absent'"):
        sleepy(ASLEEP_THEN_LOCKED)


@pytest.mark.soak
def test_a_build_without_the_guards_is_caught_at_more_than_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the tables that catch it plays well with the guards."""
    caught = {}
    for seed in seeds(40):
        with monkeypatch.context() as patch:
            without_the_guards(patch)
            try:
                sleepy(seed)
            except Violation as violation:
                caught[seed] = str(violation)
    assert any("locks ['absent'" in said for said in caught.values())
    assert len(caught) > 1
    for seed in caught:
        sleepy(seed)


@pytest.mark.soak
def test_pairs_that_leave_out_each_other_agree_in_the_end_to_go_on_without_the_one_who_says_nothing() -> None:
    """Each pair refused what the other one proposed, since its own vote still waited for a word of that other pair."""
    assert heads(trials_honest.sleepy(67_000_094)) == 1


@pytest.mark.soak
def test_of_five_who_slept_until_it_was_left_out_waits_with_two_for_two_who_have_died() -> None:
    """Two of the four who had left it out cannot let it back."""
    table = trials_honest.sleepy(68_000_442)
    assert table.lacking
    assert all(table.peers[number].me in table.peers[0].lockstep.owing() for number in (1, 2))


def test_whom_a_vote_binds_is_not_taken_for_silent_while_another_withholds_its_word() -> None:
    """One signs two histories, one says nothing any more: those who have signed to go on without the first from where
    their histories part owe answers there that they cannot give, and took one another for silent."""
    for seed in seeds(1):
        culprits = {0: "Equivocator", 2: "Silent"}
        plan = FaultPlan(tuple((number,) for number in range(5)), rounds=2, delay=0.3, calm=30.0, hostile=culprits)
        honest = [peer for peer in simulate(5 * seed, plan, STRATEGIES).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1


@pytest.mark.parametrize("name", ["Boaster", "Herald", "Flooder"])
def test_one_liar_does_not_keep_a_dead_member_alive(name: str) -> None:
    for seed in seeds(1):
        hostile = {seed % 5: "Mortal", (seed + 2) % 5: name}
        plan = replace(sleepy_plan(seed), holdings=tuple((n,) for n in range(5)), sleeps=0, hostile=hostile, rounds=2)
        simulation = simulate(seed, plan, KINDS)
        liar = simulation.peers[(seed + 2) % 5]
        assert isinstance(liar, Hostile)
        assert liar.played or name == "Flooder"


def test_consent_is_the_rule_of_the_client_too() -> None:
    from client.table import responder

    assert vars(responder)["Consent"] is Consent
