# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of five with two hostile members: none stands still, and nobody honest is convicted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from ends import heads
from volume import gated, seeds

from p2p.lockstep.consent import OUT_OF_REACH, STEADY
from p2p.testing.hostile_voters import VOTERS
from p2p.testing.kinds import KINDS
from p2p.testing.plans import FaultPlan, paired_plan
from p2p.testing.simulator import Simulation, simulate
from p2p.testing.trials_hostile import divided, doubletalk, foretold, hesitant, paired, rambling, resumed, tricked


@pytest.mark.parametrize("seed", gated(seeds(2, 77_900_000), 1))
def test_two_hostile_of_five_stop_nobody_and_get_nobody_honest_convicted(seed: int) -> None:
    assert heads(simulate(seed, paired_plan(seed, sorted(KINDS)), KINDS)) == 1


@pytest.mark.parametrize(
    ("seed", "first", "second"),
    [
        pytest.param(
            78_000_017,
            "Withholding_commit",
            "Proposer",
            id="votes over unknown ones make all seem silent",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            78_000_020,
            "Proposer",
            "Murmurer",
            id="one refuses to go on without the other",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            53_000_003,
            "Herald",
            "Repairer",
            id="honest members take one another for obstructing",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            53_000_050,
            "Flapper",
            "Withholding_shuffle",
            id="one that comes and goes gives up nobody",
            marks=pytest.mark.soak,
        ),
        pytest.param(53_000_050, "Clinger", "Vanished", id="one gives up nobody", marks=pytest.mark.soak),
        pytest.param(78_000_026, "Impatient", "TwoFaced_reveal", id="two ends until all go on without a forger"),
        pytest.param(
            77_900_001,
            "Freer",
            "Vanished",
            id="one of those who would free others has vanished",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            930_039,
            "Repairer",
            "Vanished",
            id="one is bound by its own votes and refuses every way out",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            78_000_036,
            "TwoFaced_commit",
            "Flooder",
            id="no word on a vote at an earlier height",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            78_000_057,
            "TwoFaced_partial",
            "Flooder",
            id="a share of one that stays on another branch",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            41_000_028,
            "TwoFaced_keys",
            "Withholding_partial",
            id="each is bound and misses the others, who are bound too",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            41_000_097,
            "TwoFaced_share",
            "TwoFaced_open",
            id="who is bound and reads all again refuses no rival",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            41_000_159,
            "Equivocator",
            "Illegal",
            id="one on the other branch is missed beside a forger and a silent one",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            41_000_162,
            "Flooder",
            "TwoFaced_seal",
            id="one that says no word on a free",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            78_000_078,
            "LateCommitter",
            "Withholding_open",
            id="who is left out at each height and let back",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            58_000_254, "TwoFaced_shuffle", "TwoFaced_shuffle", id="the word of one forger shows what another one parts"
        ),
        pytest.param(58_000_315, "Gossip", "TwoFaced_open", id="an unread entry of this height is of another history"),
        pytest.param(
            57_000_120, "Impatient", "Herald", id="one is bound by a free of an earlier height", marks=pytest.mark.soak
        ),
        pytest.param(
            63_000_143,
            "Withholding_open",
            "TwoFaced_shuffle",
            id="the one whose word is awaited is alone on the other branch",
        ),
        pytest.param(
            63_000_000,
            "LastWord",
            "Forger",
            id="one is bound at a later position of the other branch",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            86_000_110,
            "Herald",
            "Freer",
            id="a free of what one alone had signed binds another",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            86_000_231, "Withholding_share", "Freer", id="a vote that comes late never decides", marks=pytest.mark.soak
        ),
        pytest.param(
            86_000_174,
            "Unproven",
            "Equivocator",
            id="two would go back to where a third one does not",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            95_000_192,
            "Herald",
            "BadShare",
            id="each of three who are bound names another one beside the silent one",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            58_000_371, "Impatient", "Repairer", id="one alone refuses what the others vote", marks=pytest.mark.soak
        ),
    ],
)
def test_what_once_stood_still_goes_on(seed: int, first: str, second: str) -> None:
    plan = paired_plan(seed, sorted(KINDS))
    places = sorted(plan.hostile)
    assert heads(simulate(seed, replace(plan, hostile=dict(zip(places, (first, second), strict=True))), KINDS)) == 1


@pytest.mark.soak
def test_a_table_without_t_honest_members_of_its_height_pauses_and_each_who_is_there_reads_who_owes() -> None:
    """One has slept until it was left out, one is dead and one withholds its seed."""
    plan = paired_plan(53_000_000, sorted(KINDS))
    table = Simulation(53_000_000, replace(plan, hostile={4: "Dawdler", 1: "Mortal"}), KINDS)
    table.run()
    there = [peer for peer in table.peers if peer.honest]
    assert table.lacking
    assert len({peer.lockstep.position.head for peer in there}) == 1
    assert all(list(peer.lockstep.owing()) == [table.peers[4].me] for peer in there)


@pytest.mark.parametrize("name", VOTERS)
def test_who_misuses_votes_stops_nobody(name: str) -> None:
    for seed in seeds(1):
        plan = FaultPlan(tuple((number,) for number in range(4)), delay=0.3, hostile={seed % 4: name})
        assert heads(simulate(seed, plan, KINDS)) == 1


class Returns(Simulation):
    """Notes the second of each return of a member."""

    def second(self) -> None:
        self.returned: list[float] = getattr(self, "returned", [])
        if self.now > 2.0:
            returns = self.peers[0].lockstep.position.membership.returns.get(self.peers[3].me, 0)
            self.returned += [self.now] * (returns - len(self.returned))
        super().second()


def test_who_comes_and_goes_comes_back_more_seldom_each_time_and_the_game_ends() -> None:
    """It once was left out and let back 35 times, without end."""
    table = Returns(6, FaultPlan(tuple((number,) for number in range(4)), rounds=30, hostile={3: "Flapper"}), KINDS)
    table.run()
    table.check_end()
    between = [after - before for before, after in zip(table.returned, table.returned[1:], strict=False)]
    assert len(between) >= 3
    for number, seconds in enumerate(between):
        assert seconds >= min(OUT_OF_REACH * 2**number, STEADY)


def test_who_keeps_back_its_word_on_going_on_without_a_forger_stops_nobody() -> None:
    for seed in seeds(1):
        assert heads(hesitant(seed)) == 1


def test_who_shows_its_votes_in_two_ways_stops_nobody() -> None:
    for seed in seeds(1):
        assert heads(doubletalk(seed)) == 1


def test_who_has_quit_still_knows_who_has_signed_two_histories_and_all_go_on() -> None:
    for seed in seeds(1):
        assert heads(resumed(seed)) == 1


@pytest.mark.soak
def test_whom_a_forger_gave_another_history_before_it_was_away_stops_nobody_and_gets_the_end() -> None:
    for seed in seeds(1):
        assert heads(divided(seed)) == 1


@pytest.mark.soak
def test_what_a_forger_adds_to_the_history_that_one_alone_gets_stops_nobody() -> None:
    for seed in seeds(1):
        assert heads(rambling(seed)) == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    ("trial", "seed"),
    [
        pytest.param(paired, 67_000_452, id="two bound beside a silent one and one in another history"),
        pytest.param(foretold, 67_000_410, id="one holds a history that does not go on"),
        pytest.param(hesitant, 68_000_059, id="one refuses each way back that all others have signed"),
        pytest.param(foretold, 68_000_098, id="one is back from a vote that others have freed from"),
        pytest.param(paired, 68_000_167, id="three beside two forgers are not parted"),
        pytest.param(tricked, 68_000_261, id="cards were shown in one of two histories"),
        pytest.param(divided, 69_000_003, id="one knows the forger's next answer of another history only"),
        pytest.param(divided, 69_000_072, id="the histories of the forger part a second time"),
        pytest.param(divided, 70_000_209, id="a vote keeps the forger's answer unread"),
        pytest.param(divided, 81_000_036, id="rival votes bind all at a height before their last words"),
        pytest.param(divided, 81_000_200, id="the forger's histories part far before what the others have signed too"),
        pytest.param(divided, 86_000_016, id="the others' history of the forger goes on beyond the one held"),
        pytest.param(doubletalk, 87_000_063, id="a refusal was read on a branch that is left"),
        pytest.param(doubletalk, 87_000_138, id="a branch of another forger parts far before the vote"),
        pytest.param(doubletalk, 86_000_028, id="two are left out by votes that one shows in two ways"),
        pytest.param(doubletalk, 86_000_024, id="the branches of one whose votes part differ a second time"),
        pytest.param(doubletalk, 95_000_056, id="one member and the forger leave out a third one that is bound"),
        pytest.param(doubletalk, 95_000_303, id="nobody is bound by a free that waits for the word of a forger"),
        pytest.param(doubletalk, 96_000_260, id="a forger lets one back on the branch alone that it does not hold"),
        pytest.param(doubletalk, 97_000_018, id="those who owe their keys have gone on without them"),
        pytest.param(doubletalk, 97_000_209, id="a vote that a complete one covers leads no further"),
        pytest.param(doubletalk, 97_000_208, id="two of four wait for a word that is on the branch of one alone"),
        pytest.param(doubletalk, 98_000_033, id="all but the forger have gone on without a vote that binds one"),
        pytest.param(paired, 98_000_160, id="a vote leads to another history while the next one is looked at"),
        pytest.param(paired, 98_000_375, id="one that has vanished had said that it holds more"),
        pytest.param(paired, 95_000_443, id="nobody went on before one asked to come back at the open height"),
        pytest.param(foretold, 95_000_481, id="a flood of votes keeps the one that leaves a member out from it"),
    ],
)
def test_beside_a_forger_all_go_on_where(trial: Callable[[int], Simulation], seed: int) -> None:
    assert heads(trial(seed)) == 1
