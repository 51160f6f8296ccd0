"""What a person pastes at an open table is read as an answer, named for what it is, and never said to the others."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.session.session import Session, is_carried
from client.table import outside
from client.table.answers import TOLERATED, Answers, WantedAnswers
from p2p.identity.keys import SigningKey
from p2p.link.meet import Meeting
from p2p.reach.answer import LASTS, GuestAnswer, read_answers, write_answer
from p2p.reach.ticket import new_ticket

ANN, BOB, EVE = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b", b"e"))
LOBBY, OTHER = b"l" * 16, b"m" * 16
MEETING = Meeting(b"m" * 32, b"s" * 16)


class House:
    """Answers at a process whose links and calls are noted."""

    def __init__(self, nursery: trio.Nursery, sits: Callable[[bytes], bool] | None, *, begun: bool) -> None:
        self.called: list[tuple[Any, ...]] = []
        self.told: list[str] = []
        self.links: dict[tuple[bytes, bytes], Any] = {}
        self.refusal = ""
        reach: Any = SimpleNamespace(
            supervisor=SimpleNamespace(links=self.links), caller=SimpleNamespace(call=self._call)
        )
        wanted = [WantedAnswers(LOBBY, MEETING, sits, begun)]
        self.own = set[bytes]()
        self.answers = Answers(reach, ANN, nursery, lambda: wanted, lambda told: self.told.append(told()), own=self.own)

    def _call(self, *given: Any, leads: bool) -> str:
        assert not leads
        self.called.append(given)
        return self.refusal

    def paste(self, text: str) -> str:
        """Paste a text; the last that is told about it."""
        assert self.answers.take(text)
        return self.told[-1]


@asynccontextmanager
async def house(sits: Callable[[bytes], bool] | None = None, *, begun: bool = False) -> AsyncIterator[House]:
    async with trio.open_nursery() as nursery:
        yield House(nursery, sits, begun=begun)
        nursery.cancel_scope.cancel()


def line(who: SigningKey = BOB, lobby: bytes = LOBBY, late: int = 0, to: SigningKey = ANN) -> str:
    made = GuestAnswer(lobby, who.public, b"instance", ("tcp://8.8.4.2:4000",), int(time.time()) + LASTS - late)
    return write_answer(made, who, to.public)


async def test_an_answer_is_called_once_and_again_when_it_is_pasted_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with house() as home:
        assert "is read" in home.paste(f"Bob, 20:15\n{line()}")
        assert "again" in home.paste(line())
        assert [each[:2] for each in home.called] == [(MEETING, BOB.public)] * 2
        await trio.sleep(200)
        assert "another port" in home.told[-1]
        home.links[BOB.public, b"x"] = SimpleNamespace(pipe=SimpleNamespace(via=""))
        await trio.sleep(1)
        assert "is open" in home.told[-1]
        assert "connected already" in home.paste(line())
        assert len(home.called) == 2


async def test_whoever_does_not_come_in_ten_minutes_is_named(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as home:
        home.paste(line())
        await trio.sleep(601)
        assert "could not be reached" in home.told[-1]


async def test_what_is_no_answer_for_this_lobby_is_named_and_nobody_is_called() -> None:
    async with house(lambda identity: identity != EVE.public) as home:
        assert "another lobby" in home.paste(line(lobby=OTHER))
        assert "somebody else made" in home.paste(line(to=EVE))
        assert "has expired" in home.paste(line(late=LASTS + TOLERATED + 1))
        assert "your own" in home.paste(line(ANN))
        assert "does not sit" in home.paste(line(EVE))
        assert "invitation" in home.paste(str(new_ticket(LOBBY, ANN.public, (), 1)))
        assert "typing error" in home.paste(line()[:-3] + "aaa")
        assert not home.called
        assert not home.answers.take("let us meet at 8:15")
        home.refusal = "answer/many"
        assert "Four answers" in home.paste(line())


@pytest.mark.parametrize("fresh_first", [True, False])
async def test_of_a_message_that_quotes_earlier_answers_of_a_guest_the_good_one_counts_and_no_other_is_told(
    fresh_first: bool,
) -> None:
    async with house() as home:
        earlier = [line(late=LASTS + TOLERATED + 1), line(lobby=OTHER)]
        text = "\n> ".join([line(), *earlier] if fresh_first else [*earlier, line()])
        assert "is read" in home.paste(text)
        assert len(home.called) == len(home.told) == 1


async def test_the_newer_one_of_two_good_answers_stands_above_the_quoted_one_and_counts() -> None:
    newer = GuestAnswer(LOBBY, BOB.public, b"instance", ("tcp://8.8.4.9:4000",), int(time.time()) + LASTS)
    async with house() as home:
        home.paste(f"{write_answer(newer, BOB, ANN.public)}\n> {line(late=60)}")
        assert [places for _meeting, _guest, places in home.called] == [newer.places]


async def test_two_guests_whose_answers_are_pasted_together_are_both_called_or_told_of() -> None:
    async with house() as home:
        home.paste(f"{line(BOB)}\n{line(EVE)}")
        assert [each[1] for each in home.called] == [BOB.public, EVE.public]
        told = len(home.told)
        home.paste(f"{line(BOB)}\n{line(EVE, late=LASTS + TOLERATED + 1)}")
        assert ["again" in home.told[told], "has expired" in home.told[told + 1]] == [True, True]


async def test_an_answer_that_is_pasted_where_it_is_shown_is_named_as_ones_own() -> None:
    async with house() as home:
        mine = line(ANN, to=BOB)
        home.own.update(read_answers(mine))
        assert "somebody else made" in home.paste(f"{line(BOB, to=EVE)}\n{mine}")
        assert "your own" in home.paste(mine)
        assert not home.called


async def test_where_a_new_answer_seems_to_have_expired_the_clocks_are_named() -> None:
    async with house() as home:
        assert "one of the two clocks is wrong: here it is" in home.paste(line(late=3_600))


async def test_at_a_running_table_no_new_one_is_advised(autojump_clock: trio.testing.MockClock) -> None:
    async with house(begun=True) as home:
        home.paste(line())
        await trio.sleep(200)
        assert "starlock host" not in home.told[-1]
        assert "reach" in home.told[-1]
        assert "starlock post" in home.told[-1]


async def test_an_answer_of_a_minute_ago_by_another_clock_counts() -> None:
    async with house() as home:
        assert "is read" in home.paste(line(late=LASTS + TOLERATED - 10))


def room(controls: object = None) -> tuple[Session, list[str]]:
    """The session of who is in a lobby or at a table, and what is said there."""
    told: list[str] = []
    session = Session(lambda _asked, _values: None, lambda: None)
    session.gathering.door = SimpleNamespace(say=told.append)
    session.table.controls = controls  # type: ignore[assignment]
    return session, told


def test_a_line_that_a_messenger_has_wrapped_is_typed_row_by_row() -> None:
    session, told = room()
    text = line()
    assert not session.pasted("hello: you")
    for at in range(0, len(text), 76):
        assert session.pasted(text[at : at + 76])
    assert ["".join(each.split()) for each in told] == [text]
    assert not session.pasted("step 3")


def test_an_address_is_taken_in_the_lobby_and_at_the_table_only_where_it_is_asked_for() -> None:
    session, told = room()
    assert session.pasted(" 203.0.113.7 ")
    assert told == ["203.0.113.7"]
    assert not is_carried("203.0.113.7", address=False)
    assert not is_carried("3.5", address=True)
    session, _told = room(SimpleNamespace(chat=told.append))
    assert not session.pasted("203.0.113.7")
    session.address_asked = True
    assert session.pasted("203.0.113.7")
    assert told == ["203.0.113.7"] * 2


@pytest.mark.parametrize("host", ["192.168.1.7", "127.0.0.1", "0.0.0.0", "224.0.0.1", "2a00::1", "100.64.0.9"])
def test_a_typed_address_that_nobody_reaches_from_outside_is_not_kept(tmp_path: Path, host: str) -> None:
    reach: Any = SimpleNamespace(outside=None)
    assert outside.typed(reach, tmp_path, host) is not None
    assert reach.outside is None
    assert not list(tmp_path.iterdir())


def test_a_typed_address_is_kept_until_the_network_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reach: Any = SimpleNamespace(outside=None)
    assert outside.typed(reach, tmp_path, "hello") is None
    assert outside.typed(reach, tmp_path, " 8.8.4.7\n") is not None
    again: Any = SimpleNamespace(outside=None)
    outside.recall(again, tmp_path)
    assert again.outside == reach.outside
    monkeypatch.setattr(outside, "default_gateway", lambda: "192.168.77.1")
    elsewhere: Any = SimpleNamespace(outside=None)
    outside.recall(elsewhere, tmp_path)
    assert elsewhere.outside is None
    (tmp_path / outside.FILE).write_text("[1]", "ascii")
    outside.recall(elsewhere, tmp_path)
    assert elsewhere.outside is None
