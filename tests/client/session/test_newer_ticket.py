"""What a guest pastes while it waits for its table is taken in and named, and nobody else is told it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.session.lobby import KnownLobby
from client.session.player import SessionPlayer
from client.table.lobby_notices import LobbySeat
from client.table.newer_ticket import keeping
from p2p.identity.keys import SigningKey
from p2p.reach.answer import GuestAnswer, write_answer
from p2p.reach.ticket import MAX_CANDIDATES, new_ticket

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))
LATER = 1 << 40
TICKET = new_ticket(b"l" * 16, ANN.public, ("tcp://192.168.1.7:4000",), LATER)
NEWER = replace(TICKET, candidates=("tcp://8.8.4.1:4000",), relays=("relay://192.0.2.1:40918",))
SAID = GuestAnswer(TICKET.lobby, BOB.public, b"instance", ("tcp://8.8.4.2:4000",), LATER)
ANSWER = write_answer(SAID, BOB, ANN.public)


class Home:
    """A guest that came with TICKET. calling: whether it shows an answer and calls the inviter."""

    def __init__(self, folder: Path, *, calling: bool = True) -> None:
        self.tried = [*TICKET.candidates]
        self.told: list[str] = []
        self.dialed: list[Any] = []
        self.called: list[Any] = []
        self.waits: list[Any] = []
        reach: Any = SimpleNamespace(
            outside=None,
            wait_also_at=self.waits.extend,
            supervisor=SimpleNamespace(want=lambda *given, newest: self.dialed.append((*given, newest))),
            caller=SimpleNamespace(
                call=lambda *given, leads: self.called.append((*given, leads)),
                calls=SimpleNamespace(calls={ANN.public: ()} if calling else {}),
            ),
        )
        self.reach = reach
        self.keep = keeping(reach, folder, TICKET, self.tried, lambda told: self.told.append(told()))


@pytest.mark.parametrize("calling", [True, False])
def test_a_newer_ticket_of_the_lobby_is_tried_at_once_and_called_from_then_on(tmp_path: Path, calling: bool) -> None:
    bob = Home(tmp_path, calling=calling)
    assert bob.keep(f"Ann, 20:15: this one is better\n{NEWER}\n> {TICKET}")
    assert bob.told == ["That ticket leads to this lobby: what is new in it is tried too."]
    assert bob.dialed == [(TICKET.meeting(), ANN.public, [*NEWER.candidates, *NEWER.relays], True)]
    assert bob.waits == [*NEWER.relays]
    assert bob.tried == [*NEWER.candidates, *TICKET.candidates]
    assert bob.called == ([(TICKET.meeting(), ANN.public, bob.tried, True)] if calling else [])


def test_no_more_addresses_are_called_than_a_ticket_names(tmp_path: Path) -> None:
    bob = Home(tmp_path)
    for last in range(1, 10):
        bob.keep(str(replace(TICKET, candidates=(f"tcp://8.8.4.{last}:4000",))))
    assert bob.tried == [f"tcp://8.8.4.{last}:4000" for last in range(9, 9 - MAX_CANDIDATES, -1)]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (str(new_ticket(b"m" * 16, ANN.public, (), LATER)), "another lobby"),
        (str(new_ticket(TICKET.lobby, ANN.public, (), LATER)), "another lobby"),
        (str(replace(TICKET, expiry=1)), "expired"),
        (ANSWER, "Send it to who invites"),
        (str(NEWER)[:-3] + "aaa", "typing error"),
    ],
)
def test_any_other_line_is_named_and_nobody_is_called(tmp_path: Path, line: str, word: str) -> None:
    bob = Home(tmp_path)
    assert bob.keep(line)
    assert [word in told for told in bob.told] == [True]
    assert not bob.dialed
    assert not bob.called


def test_the_address_of_this_home_is_kept_and_a_word_to_the_others_is_not(tmp_path: Path) -> None:
    bob = Home(tmp_path)
    assert bob.keep("8.8.4.2")
    assert bob.reach.outside[0] == "8.8.4.2"
    assert not bob.keep("let us meet at 8:15")


@pytest.mark.parametrize("line", [str(TICKET), ANSWER, "8.8.4.2"])
def test_a_line_is_taken_in_also_where_this_person_may_not_speak(line: str) -> None:
    """A guest that is not let in yet sees who sits, has no seat, and could say nothing to them."""
    said: list[str] = []
    session = SessionPlayer().session
    door: Any = SimpleNamespace(say=said.append)
    session.gathering.open(door)
    session.gathering.lobby = KnownLobby(places=[LobbySeat(0, "Ann")])
    assert session.say("hello") is not None
    assert session.say(line) is None
    assert session.pasted(line)
    assert said == [line, line]
