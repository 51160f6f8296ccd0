"""What a member without a person says to pacts by itself, beside a voice that only notes what it is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from engine.core.dataclass import replace
from p2p.lockstep.consent import GIVEN_UP, SILENT, SOONEST, STEADY, Consent
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.voting import Vote

ME, CHEAT, DEAD, OTHER, LAST = ALL = tuple(bytes([number]) * 32 for number in range(5))
REACH: Any = SimpleNamespace(linked=lambda key: key != DEAD, reached=lambda key: key != DEAD)
NEAR: Any = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)


def pact(kind: str, *out: bytes) -> Pact:
    return Pact(kind, 7, bytes(32), tuple(FeedEnd(key, 3, key) for key in sorted(out)), None)


class NotingVoice:
    """A voice at a table of five where nothing moves: votes are open, words bind it, somebody owes something."""

    mute = None

    def __init__(
        self, open_: tuple[Pact, ...] = (), bound: tuple[Pact, ...] = (), owed: Mapping[bytes, str] | None = None,
        members: tuple[bytes, ...] = ALL, patience: float = inf, cheats: tuple[bytes, ...] = (),
        apart: tuple[bytes, ...] = (), obstructing: tuple[bytes, ...] = (), stubborn: tuple[bytes, ...] = (),
        holding_on: tuple[bytes, ...] = (), free: tuple[bytes, ...] = (), spoken: tuple[bytes, ...] = (),
    ) -> None:  # fmt: skip
        self.said: list[tuple[Any, ...]] = []
        self.me, self.genesis = ME, SimpleNamespace(patience=patience, test=True)
        self.faults, self.feeds = dict.fromkeys(cheats, ("proof",)), SimpleNamespace(forks=dict.fromkeys(cheats))
        self.debts = self.owing = lambda: dict(owed or {})
        self.votes = lambda: [Vote(each, (ME,), None) for each in open_]
        self.voting = SimpleNamespace(
            parted=lambda key, out=(): True, denied=lambda key: False, ahead=lambda *_: [],
            objections=lambda key: (), holding_back=set,
            locks=lambda: bound, bound=bool(bound), bound_alike=set, awaited=set, beyond_here=lambda key: False,
            spoken_here=lambda: {*spoken}, leavers=set, silent=set,
            enough=lambda here: len({*here}.intersection(members)) >= 3,
            obstructing=lambda always=False: {*stubborn} if always else {*obstructing, *stubborn},
            holding_on=lambda: {*holding_on}, free=lambda key: key in free, misled=lambda key: set(),
            wordless=list, undecided=lambda gone: False, on_another_branch=lambda key: False,
            end=lambda key: FeedEnd(key, 3, key),
        )  # fmt: skip
        self.reading = SimpleNamespace(final=False, differing=lambda: [SimpleNamespace(author=key) for key in apart])
        self.position = SimpleNamespace(over=False, head=bytes(32), height=7, roster=ALL, members=members, cut={})
        self.position.membership = SimpleNamespace(returns={})
        self.position.held = lambda at, head: at == 7 or None

    def part(self, culprit: bytes, out: Collection[bytes]) -> None:
        self.said.append(("without", culprit, {*out}))

    def propose(self, kind: str, out: list[bytes], terms: object) -> None:
        self.said.append((kind, out))

    def clock(self, key: bytes) -> None:
        self.said.append(("clock", key))

    def refuse(self, id: bytes, why: str) -> None:
        self.said.append(("refuse", why))

    def sign(self, id: bytes) -> None:
        self.said.append(("sign", id))


def said(voice: Any, seconds: float, reach: Any = REACH) -> list[tuple[Any, ...]]:
    """What the voice is told in the last of so many seconds."""
    consent = Consent(voice, reach, lambda *_, **__: None)
    for second in range(int(seconds) + 1):
        voice.said.clear()
        consent.tick(float(second))
    return list(voice.said)


def test_who_sees_histories_part_goes_on_without_their_author_and_who_is_gone() -> None:
    assert said(NotingVoice(cheats=(CHEAT,)), 11) == [("without", CHEAT, {CHEAT, DEAD})]


def test_where_too_few_are_left_it_goes_on_without_the_forger_and_whose_word_on_its_own_vote_is_missing() -> None:
    """One of five signed two histories, one says no word on a vote, one is missed since it is on the other branch."""
    voice = NotingVoice(cheats=(CHEAT,), owed={OTHER: "answer", LAST: "answer"}, patience=60.0)
    voice.voting.awaited = lambda: {DEAD}
    assert ("without", CHEAT, {CHEAT, DEAD}) in said(voice, 61, NEAR)


def test_where_only_forgers_hold_other_histories_the_rest_goes_on_without_both_from_here() -> None:
    """Nobody may go back for one of them, since those who are left are not parted."""
    voice: Any = NotingVoice(cheats=(CHEAT, OTHER), owed={CHEAT: "answer", OTHER: "answer"})
    voice.voting.parted = lambda key, out=(): not {CHEAT, OTHER} <= {*out}
    voice.part = lambda culprit, out: TableRefusal("pact/not-parted")
    assert said(voice, 0, NEAR)[-1] == ("absent", sorted((CHEAT, OTHER)))


def test_who_alone_refuses_again_and_again_to_go_on_without_a_forger_is_left_out_too_if_enough_are_left() -> None:
    for refusing, out in (((OTHER,), {CHEAT, OTHER}), ((OTHER, LAST, DEAD), {CHEAT})):
        voice = NotingVoice(cheats=(CHEAT,))
        voice.voting.holding_back = lambda refusing=refusing: {*refusing}
        assert said(voice, 0, NEAR) == [("without", CHEAT, out)]


@pytest.mark.parametrize("place", ["open_", "bound"])
def test_what_goes_on_without_all_who_are_gone_is_not_proposed_twice(place: str) -> None:
    """A vote of another kind, and one that leaves out fewer, take nothing from it."""
    for one, proposed in (
        (pact("without", CHEAT, DEAD), False), (pact("absent", CHEAT, DEAD), True), (pact("without", CHEAT), True)
    ):  # fmt: skip
        known: dict[str, Any] = {place: (one,)}
        words = said(NotingVoice(cheats=(CHEAT,), **known), 11)
        assert (("without", CHEAT, {CHEAT, DEAD}) in words) is proposed


def test_who_has_said_what_is_not_read_because_of_a_vote_is_left_out_by_nobody() -> None:
    owed = {OTHER: "share", LAST: "share"}
    words = said(NotingVoice(owed=owed, patience=60.0), SILENT + 1, NEAR)
    assert ("absent", [OTHER, LAST]) in words
    words = said(NotingVoice(owed=owed, patience=60.0, spoken=(OTHER,)), SILENT + 1, NEAR)
    assert ("absent", [LAST]) in words


@pytest.mark.parametrize(("patience", "limit"), [(inf, GIVEN_UP), (120.0, 120.0), (10.0, SOONEST)])
def test_who_was_left_out_is_given_up_after_minutes_of_waiting_for_its_share(patience: float, limit: float) -> None:
    def voice() -> NotingVoice:
        return NotingVoice(owed={DEAD: "share"}, members=(ME, CHEAT, OTHER, LAST), patience=patience)

    assert limit >= 60
    assert said(voice(), limit) == []
    assert said(voice(), limit + 1) == [("gone", [DEAD])]


def test_nobody_agrees_to_give_up_who_is_linked_or_was_not_waited_for_long_enough() -> None:
    gone = pact("gone", DEAD)

    def voice() -> NotingVoice:
        return NotingVoice(open_=(gone,), owed={DEAD: "share"}, members=(ME, CHEAT, OTHER, LAST))

    assert said(voice(), GIVEN_UP - 1, NEAR) == [("refuse", "pact/present")]
    assert said(voice(), GIVEN_UP - 1) == []
    assert ("sign", gone.id) in said(voice(), GIVEN_UP + 1)


def test_a_vote_to_give_up_one_for_whose_cards_nobody_waits_is_refused_so_that_it_binds_nobody_for_ever() -> None:
    voice = NotingVoice(open_=(pact("gone", DEAD),), members=(ME, CHEAT, OTHER, LAST))
    assert said(voice, SILENT) == []
    assert said(voice, SILENT + 1) == [("refuse", "pact/owes-nothing")]


@pytest.mark.parametrize(("apart", "signed"), [((OTHER,), True), ((LAST,), False), ((), False)])
def test_a_member_whose_program_differs_is_left_out_as_soon_as_others_propose_it(
    apart: tuple[bytes, ...], signed: bool
) -> None:
    without = pact("absent", OTHER)
    assert (("sign", without.id) in said(NotingVoice(open_=(without,), apart=apart), 1, NEAR)) is signed


@pytest.mark.parametrize(
    ("obstructing", "stubborn", "out"),
    [
        ((CHEAT, DEAD, LAST), (), [OTHER]),
        ((DEAD, LAST), (CHEAT,), [CHEAT, OTHER]),
        ((LAST,), (CHEAT, DEAD), [OTHER]),
        ((), (CHEAT,), [CHEAT, OTHER]),
    ],
)
def test_who_takes_too_many_for_obstructing_goes_on_without_who_owes_and_who_has_signed_nothing(
    obstructing: tuple[bytes, ...], stubborn: tuple[bytes, ...], out: list[bytes]
) -> None:
    """Honest members that refuse one another's votes because of other votes take one another for obstructing."""
    voice = NotingVoice(
        owed={OTHER: "answer"}, patience=60.0, obstructing=obstructing, stubborn=stubborn, free=(OTHER,)
    )
    assert said(voice, 61, NEAR)[-1] == ("absent", out)


def test_who_owes_and_is_bound_by_a_vote_is_spared_where_too_few_are_left() -> None:
    assert said(NotingVoice(owed={OTHER: "answer"}, patience=60.0, obstructing=ALL[1:4]), 61, NEAR) == []


def test_who_refuses_again_and_again_to_give_up_another_is_left_out() -> None:
    assert said(NotingVoice(holding_on=(OTHER,)), 0, NEAR) == [("clock", OTHER), ("absent", [OTHER])]


def left_out_after(voice: Any, reach: Any, seconds: int) -> int | None:
    """The second in which the voice first proposes to go on without somebody, None if in none of so many."""
    consent = Consent(voice, reach, lambda *_, **__: None)
    for second in range(seconds):
        consent.tick(float(second))
        if any(word[0] == "absent" for word in voice.said):
            return second
    return None


@pytest.mark.parametrize(("returns", "limit"), [(0, 10), (1, 5), (2, 2), (3, 2), (40, 2)])
def test_a_lost_link_is_waited_for_half_as_long_with_each_return(returns: int, limit: int) -> None:
    voice = NotingVoice(owed={DEAD: "answer"})
    voice.position.membership.returns[DEAD] = returns
    assert left_out_after(voice, REACH, 30) == limit + 1


def test_who_wakes_from_sleep_waits_anew_before_it_takes_anybody_for_gone() -> None:
    voice: Any = NotingVoice(owed={DEAD: "answer"})
    consent = Consent(voice, REACH, lambda *_, **__: None)
    consent.tick(0.0)
    for second in range(12):
        assert not any(word[0] == "absent" for word in voice.said)
        consent.tick(1000.0 + second)
    assert any(word[0] == "absent" for word in voice.said)


@pytest.mark.parametrize(("owed", "limit"), [("answer", 600), ("seal", 600), ("share", SILENT)])
def test_the_time_to_think_stays_the_same_however_often_a_member_has_come_back(owed: str, limit: float) -> None:
    for returns in (0, 1, 40):
        voice = NotingVoice(owed={OTHER: owed}, patience=600.0)
        voice.position.membership.returns[OTHER] = returns
        assert left_out_after(voice, NEAR, 700) == limit + 1


def test_who_holds_another_branch_is_missed_later_and_given_up_as_any() -> None:
    """It cannot send here what belongs to a history that it does not have, until it reads the one that counts."""
    voice = NotingVoice(owed={OTHER: "share"}, patience=600.0)
    voice.voting.on_another_branch = lambda key: key == OTHER
    assert left_out_after(voice, NEAR, 2000) == 2 * 600 + 1
    away = NotingVoice(owed={OTHER: "share"}, members=(ME, CHEAT, DEAD, LAST), patience=60.0)
    away.voting.on_another_branch = lambda key: key == OTHER
    assert said(away, SOONEST + 1, NEAR) == [("gone", [OTHER])]


@pytest.mark.parametrize(("returns", "steady"), [(0, 0), (1, 10), (2, 20), (5, 160), (6, STEADY), (40, STEADY)])
def test_who_comes_and_goes_is_let_back_each_time_later(returns: int, steady: float) -> None:
    back = Pact("back", 7, bytes(32), (), [DEAD, 5])

    def voice() -> NotingVoice:
        found = NotingVoice(open_=(back,), members=(ME, CHEAT, OTHER, LAST))
        found.position.membership.returns[DEAD], found.position.cut = returns, {DEAD: None}
        return found

    if steady:
        assert said(voice(), steady - 1, NEAR) == [("refuse", "pact/unsteady")]
    assert said(voice(), steady, NEAR) == [("sign", back.id)]


@pytest.mark.parametrize("returns", [1, 6])
def test_who_asks_too_early_waits_and_costs_nobody_a_refusal(returns: int) -> None:
    members = (ME, CHEAT, OTHER, LAST)
    voice = NotingVoice(members=members)
    voice.votes = lambda: [Vote(Pact("back", 7, bytes(32), (), [DEAD, 5]), members, None)]
    voice.position.membership.returns[DEAD], voice.position.cut = returns, {DEAD: None}
    assert said(voice, 9, NEAR) == []


@pytest.mark.parametrize(("returns", "steady"), [(0, 0), (1, 10), (2, 20), (6, STEADY)])
def test_who_was_left_out_asks_to_come_back_as_soon_as_the_others_may_agree(returns: int, steady: float) -> None:
    voice = NotingVoice(members=(CHEAT, OTHER, LAST))
    voice.voting.declined = lambda: False
    voice.position.membership.returns[ME], voice.position.cut = returns, {ME: None}
    if steady:
        assert said(voice, steady - 1, NEAR) == []
    assert said(voice, steady, NEAR) == [("back", [])]
    assert said(voice, steady + 1, NEAR) == []


def test_a_vote_whose_position_is_gone_since_the_one_before_was_signed_is_not_looked_at() -> None:
    """A complete vote may lead to another history, and the program ended with an error (paired 98,000,160)."""
    end, free = Pact("end", 7, bytes(32), (), "agreed"), replace(pact("free", DEAD), at=8, over=(bytes(32),))
    voice: Any = NotingVoice((end, free), owed={OTHER: "answer"})
    assert ("sign", end.id) in said(voice, 0)


def test_who_keeps_back_what_led_it_beyond_is_left_out_before_one_who_has_refused_again_and_again() -> None:
    """Two of five had vanished; one of them had said that it holds more. All the others missed one another, since
    nobody votes beside one that is ahead (paired 98,000,375)."""
    voice = NotingVoice(owed={CHEAT: "answer"}, patience=60.0, stubborn=(OTHER,), free=(CHEAT,))
    voice.voting.ahead = lambda out=(): [key for key in [DEAD] if key not in out]
    voice.voting.wordless = lambda: [(OTHER, bytes(32)), (LAST, bytes(32))]
    assert said(voice, 2 * 60 + 1, NEAR)[-1] == ("absent", sorted((CHEAT, DEAD)))
