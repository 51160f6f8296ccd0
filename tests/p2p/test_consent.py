"""What a member without a person says to pacts by itself, beside a voice that only notes what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from p2p.lockstep.consent import GIVEN_UP, SOONEST, Consent
from p2p.lockstep.pacts import End, Pact
from p2p.lockstep.voting import Vote

ME, CHEAT, DEAD, OTHER, LAST = ALL = tuple(bytes([number]) * 32 for number in range(5))
REACH: Any = SimpleNamespace(linked=lambda key: key != DEAD, reached=lambda key: key != DEAD)


def pact(kind: str, *out: bytes) -> Pact:
    return Pact(kind, 7, bytes(32), tuple(End(key, 3, key) for key in sorted(out)), None)


class NotingVoice:
    """A voice at a table of five where nothing moves: votes are open, words bind it, somebody owes something."""

    mute = None

    def __init__(
        self, open_: tuple[Pact, ...] = (), bound: tuple[Pact, ...] = (), owed: Mapping[bytes, str] | None = None,
        members: tuple[bytes, ...] = ALL, patience: float = inf, cheats: tuple[bytes, ...] = (),
        apart: tuple[bytes, ...] = (),
    ) -> None:  # fmt: skip
        self.said: list[tuple[Any, ...]] = []
        self.me, self.genesis = ME, SimpleNamespace(patience=patience)
        self.faults, self.feeds = dict.fromkeys(cheats, ("proof",)), SimpleNamespace(forks=dict.fromkeys(cheats))
        self.debts = self.owing = lambda: dict(owed or {})
        self.votes = lambda: [Vote(each, (ME,), None) for each in open_]
        self.voting = SimpleNamespace(
            parted=lambda key: True, locks=lambda: bound, bound_alike=set, awaited=set, ahead=lambda *_: [],
        )  # fmt: skip
        self.reading = SimpleNamespace(differing=lambda: [SimpleNamespace(author=key) for key in apart])
        self.position = SimpleNamespace(over=False, head=bytes(32), height=7, roster=ALL, members=members, cut={})

    def part(self, culprit: bytes, out: set[bytes]) -> None:
        self.said.append(("without", culprit, out))

    def propose(self, kind: str, out: list[bytes], terms: object) -> None:
        self.said.append((kind, out))

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


@pytest.mark.parametrize("place", ["open_", "bound"])
def test_what_goes_on_without_all_who_are_gone_is_not_proposed_twice(place: str) -> None:
    """A vote of another kind, and one that leaves out fewer, take nothing from it."""
    for one, proposed in (
        (pact("without", CHEAT, DEAD), False), (pact("absent", CHEAT, DEAD), True), (pact("without", CHEAT), True)
    ):  # fmt: skip
        known: dict[str, Any] = {place: (one,)}
        words = said(NotingVoice(cheats=(CHEAT,), **known), 11)
        assert (("without", CHEAT, {CHEAT, DEAD}) in words) is proposed


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

    back: Any = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)
    assert said(voice(), GIVEN_UP - 1, back) == [("refuse", "pact/present")]
    assert said(voice(), GIVEN_UP - 1) == []
    assert ("sign", gone.id) in said(voice(), GIVEN_UP + 1)


@pytest.mark.parametrize(("apart", "signed"), [((OTHER,), True), ((LAST,), False), ((), False)])
def test_a_member_whose_program_differs_is_left_out_as_soon_as_others_propose_it(
    apart: tuple[bytes, ...], signed: bool
) -> None:
    without = pact("absent", OTHER)
    near: Any = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)
    assert (("sign", without.id) in said(NotingVoice(open_=(without,), apart=apart), 1, near)) is signed
