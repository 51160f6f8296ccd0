"""What a guest is shown where no address of its ticket leads anywhere: that nobody answers, an answer, what helps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.system.texts import _
from client.table.answering import (
    LATE,
    RENEWED_AFTER,
    AnswerTo,
    TicketAnswering,
    address_text,
    late_text,
    nobody_text,
)
from client.table.carrying import AGAIN, FIRST, AnswerShown
from p2p.identity.keys import SigningKey
from p2p.link.meet import Meeting
from p2p.reach.answer import LASTS, open_answer, read_answers

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))
LOBBY = b"l" * 16
ASKED = AnswerTo(LOBBY, Meeting(b"m" * 32, b"s" * 16), ANN.public, ("tcp://8.8.4.1:4000",))
HERE, OUTSIDE = "tcp://192.168.1.7:4000", "tcp://8.8.4.2:4000"


class Home:
    """Bob's answer to Ann's ticket. places: where this home is; lacks: whether its address outside is not known."""

    def __init__(self, folder: Path, places: list[str], *, lacks: bool) -> None:
        self.places, self.lacks = places, lacks
        self.told: list[str] = []
        self.shown: list[str] = []
        self.now: list[tuple[str, bool]] = []
        self.called: list[Any] = []
        self.calls: dict[bytes, Any] = {}
        reach: Any = SimpleNamespace(
            candidates=lambda: tuple(self.places),
            lacks_outer_host=lambda: self.lacks,
            caller=SimpleNamespace(call=self._call, calls=SimpleNamespace(calls=self.calls)),
            listener=SimpleNamespace(local=SimpleNamespace(instance=b"instance")),
        )
        self.answering = TicketAnswering(reach, BOB, folder, self._publish, lambda text: self.told.append(text()))

    def _call(self, *given: Any, leads: bool) -> str:
        assert leads, "the guest begins the handshake"
        self.called.append(given)
        self.calls[ANN.public] = given
        return ""

    def _publish(self, line: str, new: bool, asks: bool) -> None:
        self.now.append((line, asks))
        if new:
            self.shown.append(line)

    def answers(self) -> list[tuple[str, ...]]:
        """The places in each answer shown, as Ann reads them."""
        found = [open_answer(read_answers(line)[0], ANN, LOBBY) for line in self.shown]
        return [answer.places for answer in found if answer is not None]


@asynccontextmanager
async def home(folder: Path, *places: str, lacks: bool = False, asked: AnswerTo = ASKED) -> AsyncIterator[Home]:
    made = Home(folder, list(places), lacks=lacks)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.answering.run, asked)
        await trio.sleep(0.5)
        yield made
        nursery.cancel_scope.cancel()
    assert made.now[-1] == ("", False), "at the end no answer is shown any more"


async def test_it_reads_that_nobody_answers_and_is_asked_for_its_address_before_there_is_an_answer(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, HERE, lacks=True) as bob:
        assert bob.told == [nobody_text(), address_text()]
        assert (bob.shown, bob.now, bob.answering.asks) == ([], [("", True)], True)
        bob.places, bob.lacks = [HERE, OUTSIDE], False
        await trio.sleep(2)
        assert bob.answers() == [(HERE, OUTSIDE)]
        assert bob.told == [nobody_text(), address_text()]


async def test_an_answer_is_shown_at_once_where_the_address_is_known_and_the_inviter_is_called(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, HERE, OUTSIDE) as bob:
        assert bob.told == [nobody_text()]
        assert bob.answers() == [(HERE, OUTSIDE)]
        assert bob.called == [(ASKED.meeting, ANN.public, ASKED.candidates)]
        assert bob.answering.sealed == set(read_answers(bob.shown[0])), "by these it knows its own where it is pasted"


async def test_an_answer_is_renewed_before_it_expires_and_when_the_addresses_change(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    assert RENEWED_AFTER < LASTS
    async with home(tmp_path, OUTSIDE) as bob:
        await trio.sleep(RENEWED_AFTER - 10)
        assert len(bob.shown) == 1
        await trio.sleep(20)
        assert len(bob.shown) == 2
        bob.places = ["tcp://8.8.4.3:4000"]
        await trio.sleep(2)
        assert bob.answers()[2:] == [("tcp://8.8.4.3:4000",)]


async def test_after_three_minutes_it_reads_what_is_probably_in_the_way_and_calls_on(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, OUTSIDE) as bob:
        await trio.sleep(LATE - 5)
        assert late_text() not in bob.told
        await trio.sleep(10)
        assert bob.told == [nobody_text(), late_text()]
        assert all(word in late_text() for word in ("another port", "--relay", "--libp2p", "--post"))
        bob.calls.clear()  # ten minutes are over
        await trio.sleep(2)
        assert len(bob.called) == 2


async def test_at_a_running_table_it_reads_what_helps_there(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, OUTSIDE, asked=AnswerTo(b"t" * 32, ASKED.meeting, ASKED.identity, ())) as bob:
        await trio.sleep(LATE + 5)
        assert "starlock host" not in bob.told[-1]
        helps = ("another port", "reach", "starlock resume --libp2p", "starlock post")
        assert all(word in bob.told[-1] for word in helps)


@pytest.mark.parametrize("text", ["8.8.4.2", "no address"])
def test_a_typed_address_is_taken_and_any_other_text_is_left(tmp_path: Path, text: str) -> None:
    bob = Home(tmp_path, [HERE], lacks=True)
    assert bob.answering.typed(text) == (text == "8.8.4.2")


def test_only_the_first_answer_is_shown_with_a_picture_whatever_was_told_before_it() -> None:
    shown: list[str] = []
    player: Any = SimpleNamespace(notice=lambda _notice: None, show=lambda text, plain=False: shown.append(text()))
    publish = AnswerShown(player)
    for answer, new in (("", False), ("first", True), ("first", False), ("second", True)):
        publish(answer, new, asks=False)
    assert [shown.count(_(text)) for text in (FIRST, AGAIN)] == [1, 1]
    assert shown.index(_(FIRST)) < shown.index("first") < shown.index(_(AGAIN)) < shown.index("second")
    assert sum("█" in text for text in shown) == 1
