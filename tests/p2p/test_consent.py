"""What a member without a person proposes by itself, beside a voice that only notes what it is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p.lockstep.consent import Consent
from p2p.lockstep.pacts import End, Pact
from p2p.lockstep.voting import Vote

ME, CHEAT, DEAD, OTHER, LAST = (bytes([number]) * 32 for number in range(5))
REACH: Any = SimpleNamespace(linked=lambda key: key != DEAD, reached=lambda key: key != DEAD)


def pact(kind: str, *out: bytes) -> Pact:
    return Pact(kind, 7, bytes(32), tuple(End(key, 3, key) for key in sorted(out)), None)


def parted(*, open_: tuple[Pact, ...] = (), bound: tuple[Pact, ...] = ()) -> list[tuple[bytes, set[bytes]]]:
    """How a member proposes to go on without the cheat, who signed two histories, while another one is dead: with so
    many votes open, and bound by others."""
    members, proposed = (ME, CHEAT, DEAD, OTHER, LAST), list[tuple[bytes, set[bytes]]]()
    voting = SimpleNamespace(
        parted=lambda key: key == CHEAT, locks=lambda: bound, bound_alike=set, awaited=set, ahead=lambda *_: [],
    )  # fmt: skip
    voice: Any = SimpleNamespace(
        me=ME, mute=None, voting=voting, faults={CHEAT: ["proof"]}, genesis=SimpleNamespace(patience=600.0),
        feeds=SimpleNamespace(forks={CHEAT: ()}), owing=dict, debts=dict,
        position=SimpleNamespace(over=False, head=bytes(32), roster=members, members=members, cut={}),
        votes=lambda: [Vote(each, (), None) for each in open_],
        part=lambda culprit, out: proposed.append((culprit, set(out))),
    )  # fmt: skip
    consent = Consent(voice, REACH, lambda *_, **__: None)
    for second in range(14):  # long enough for the dead one to be out of reach
        proposed.clear()
        consent.tick(float(second))
    return proposed


def test_who_sees_histories_part_goes_on_without_their_author_and_who_is_gone() -> None:
    assert parted() == [(CHEAT, {CHEAT, DEAD})]


@pytest.mark.parametrize("place", ["open_", "bound"])
def test_what_goes_on_without_all_who_are_gone_is_not_proposed_twice(place: str) -> None:
    """A vote of another kind, and one that leaves out fewer, take nothing from it."""
    assert parted(**{place: (pact("without", CHEAT, DEAD),)}) == []
    assert parted(**{place: (pact("absent", CHEAT, DEAD),)}) == [(CHEAT, {CHEAT, DEAD})]
    assert parted(**{place: (pact("without", CHEAT),)}) == [(CHEAT, {CHEAT, DEAD})]
