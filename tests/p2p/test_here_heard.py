"""A linked peer that says where it can be dialed: who is wanted is dialed there, and who asks for it meets a punch."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio

from p2p.link.meet import Meeting
from p2p.reach.supervise import Supervisor

BOB, EVE = b"b" * 32, b"e" * 32
OURS, THEIRS = Meeting(b"m" * 32, b"s" * 16), Meeting(b"n" * 32, b"s" * 16)


class Ear:
    """A supervisor that wants Bob, and notes what it learns and begins."""

    def __init__(self) -> None:
        self.learnt: list[str] = []
        self.begun: list[tuple[Any, ...]] = []
        bob = SimpleNamespace(meeting=THEIRS, learn=self.learnt.append)
        made: Any = SimpleNamespace(
            _wanted={BOB: bob}, _meetings=[OURS], _ways=SimpleNamespace(answer="answer"),
            _nursery=SimpleNamespace(start_soon=lambda *given: self.begun.append(given)),
        )  # fmt: skip
        made._under_way = made._unwanted_under_way = trio.CapacityLimiter(1)
        made._known_meetings = lambda: Supervisor._known_meetings(made)
        self.made = made

    def hears(self, peer: bytes, via: str, meeting: bytes, *, punch: bool) -> None:
        link: Any = SimpleNamespace(peer_id=peer, pipe=SimpleNamespace(via=via, meeting=meeting))
        here: Any = SimpleNamespace(addresses=("tcp://a:1", "tcp://b:1"), punch=punch)
        Supervisor._hear_where(self.made, link, here)


def test_the_addresses_of_who_is_wanted_are_learnt_and_of_nobody_else() -> None:
    ear = Ear()
    ear.hears(EVE, "", OURS.name, punch=False)
    assert ear.learnt == []
    ear.hears(BOB, "", OURS.name, punch=False)
    assert ear.learnt == ["tcp://a:1", "tcp://b:1"]
    assert ear.begun == []


@pytest.mark.parametrize("peer", [BOB, EVE])
@pytest.mark.parametrize("via", ["", "relay://192.0.2.1:1"])
@pytest.mark.parametrize("punch", [True, False])
@pytest.mark.parametrize("meeting", [OURS, THEIRS, Meeting(b"x" * 32, b"s" * 16)])
def test_a_punch_is_answered_over_a_relayed_link_of_a_meeting_that_this_process_keeps(
    peer: bytes, via: str, punch: bool, meeting: Meeting
) -> None:
    ear = Ear()
    ear.hears(peer, via, meeting.name, punch=punch)
    known = meeting in (OURS, THEIRS)
    assert len(ear.begun) == bool(punch and via and known)
    if ear.begun:
        assert (ear.begun[0][0], ear.begun[0][-2]) == ("answer", meeting)
