"""Troubles: what is at stake, what to do, and what ends each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from parties import BOB, CARL
from trouble_scenes import HERE, NOTICES, THERE, standing

from client.session.troubles import trouble_document
from client.show.lines import lines
from client.show.styled import plain
from client.table.notices import (
    DiskReady,
    DivergenceFound,
    FaultProven,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    OwnFeedConfirmed,
    Party,
    Program,
    Restoring,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
)


@pytest.mark.parametrize("name", NOTICES)
def test_a_trouble_says_what_is_at_stake_and_what_to_do(name: str) -> None:
    (trouble,) = standing(NOTICES[name]).listed()
    assert trouble.text
    assert trouble.todo
    assert trouble.stake or name == "restoring"
    assert "{" not in f"{trouble.text}{trouble.stake}{trouble.todo}"


def test_the_values_are_compared_when_there_is_a_link() -> None:
    (waits,) = standing(NOTICES["diverged"]).listed(lambda _member: (False,))
    assert "connected again" in waits.todo


@pytest.mark.parametrize(
    ("there", "cause"),
    [
        (THERE, "different versions"),
        (HERE, "has been changed"),
        (replace(HERE, repeats=False), "Bob's program gets other values than before"),
    ],
)
def test_why_two_programs_differ_is_said_as_far_as_it_is_known(there: Program, cause: str) -> None:
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    (trouble,) = standing(replace(found, there=there)).listed()
    told = " ".join(map(plain, lines(trouble_document(trouble), 1000)))
    assert cause in told
    assert "9c41a0b2" in told


ENDS: dict[str, TableNotice] = {
    "reconnecting": LinkChanged(LinkChange.UP, (BOB,)),
    "alone": LinkChanged(LinkChange.UP, (BOB,)),
    "disk-full": DiskReady(),
    "older-copy": OwnFeedConfirmed(2),
    "restoring": Restoring(4000, 4000),
    "fault": VoteNotice(VoteStage.AGREED, "absent", out=(BOB,)),
    "left-out": VoteNotice(VoteStage.AGREED, "back"),
    "divergence": VoteNotice(VoteStage.AGREED, "takeback"),
    "split": HistoryRewound(39),
    "diverged": StatesAgree(BOB),
    "divergence-once": HistoryRewound(92),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_trouble_ends_with_what_ends_it(name: str) -> None:
    assert standing(NOTICES[name]).listed()
    assert not standing(NOTICES[name], ENDS[name]).listed()


def test_one_who_is_back_ends_no_trouble_of_another() -> None:
    assert standing(NOTICES["reconnecting"], LinkChanged(LinkChange.UP, (CARL,))).listed()


def test_of_two_members_with_one_name_each_has_its_own_trouble_and_remedy() -> None:
    other = Party(2, "Bob")
    both = standing(FaultProven(BOB, "entry/forked"), FaultProven(other, "entry/forked"))
    assert [each.deeds[0].given for each in both.listed()] == [{"members": [1]}, {"members": [2]}]
    both.heard(VoteNotice(VoteStage.AGREED, "absent", out=(other,)))
    assert [each.deeds[0].given for each in both.listed()] == [{"members": [1]}]
    lost = standing(NOTICES["reconnecting"], LinkChanged(LinkChange.UP, (other,)))
    assert lost.listed()


@pytest.mark.parametrize("name", ["reconnecting", "left", "fault", "divergence", "diverged"])
def test_between_two_nobody_is_offered_to_go_on_without_the_other_one(name: str) -> None:
    (usual,), (trouble,) = standing(NOTICES[name]).listed(), standing(NOTICES[name]).listed(pair=True)
    assert "absent" not in [deed.deed for deed in trouble.deeds]
    if name in ("reconnecting", "left", "fault"):
        assert [deed.deed for deed in trouble.deeds] == ["alone"]
        assert "Between two nobody can be left out, but you may go on alone." in trouble.todo
        assert "without" in usual.todo
    if name == "fault":
        assert "absent Bob" in usual.text
        assert "absent" not in trouble.text
        assert "To go on alone" in trouble.text
