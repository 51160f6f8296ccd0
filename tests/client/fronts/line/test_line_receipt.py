"""What line mode says of a step that was sent: its number at once, and once who has verified it."""

from __future__ import annotations

from typing import Any

import pytest
from line_room import NAMES, Room

from client.table.mail import Mail
from client.table.notices import OthersHeard
from engine.core.dealer import by_caretaker
from engine.core.inputs import Answer


class Held(Room):
    """A room where the test says who holds what."""

    def __init__(self) -> None:
        self.holds: dict[int, int] = {}
        super().__init__()

    def held(self) -> dict[int, int]:
        return self.holds

    def confirm(self, **holds: int) -> str:
        """Bob, Carl and Dina hold everything below these steps."""
        self.holds |= {NAMES.index(name): height for name, height in holds.items()}
        self.screen.session.notice(OthersHeard())
        return self.read()


@pytest.fixture
def room() -> Held:
    room = Held()
    room.ask()
    return room


def test_the_number_of_a_sent_step_is_said_at_once(room: Held) -> None:
    height = room.match.height
    text = room.type("explore; send")
    assert f"Sent as step {height}." in text.splitlines()
    assert "erified" not in text


def test_several_steps_sent_together_are_told_in_one_line(room: Held) -> None:
    first = room.match.height
    text = room.type("explore; 1; send")
    (said,) = [line for line in text.splitlines() if line.startswith("Sent as")]
    assert said == f"Sent as steps {first} to {first + len(room.sent[0]) - 1}."


def test_who_has_verified_it_is_said_in_one_line_once_all_linked_members_have(room: Held) -> None:
    step = room.match.height
    room.type("explore; send")
    assert room.confirm(Bob=step + 1) == ""
    assert room.confirm(Bob=step + 2, Dina=step) == ""
    assert room.confirm(Dina=step + 1) == f"Step {step} verified by Bob, Dina.", "Carl has no link"
    assert room.confirm(Bob=step + 9, Carl=step + 9, Dina=step + 9) == ""


def test_who_has_verified_it_is_said_before_the_next_question(room: Held) -> None:
    step = room.match.height
    room.type("explore; send")
    room.holds = {1: step + 1, 3: step + 1}
    first, *question = room.ask().splitlines()
    assert first == f"Step {step} verified by Bob, Dina."
    assert len(question) > 2


def test_only_the_newest_step_is_told(room: Held) -> None:
    first = room.match.height
    room.type("explore; send")
    room.ask()
    second = room.match.height
    room.type("1; send")
    assert room.confirm(Bob=second + 1, Dina=second + 1) == f"Step {second} verified by Bob, Dina."
    assert first < second


def test_what_others_do_is_not_interrupted_by_who_has_verified_a_step(room: Held) -> None:
    step = room.match.height
    room.type("explore; send")
    room.read()
    room.tell(room.match.apply(_answer(room)))
    session = room.screen.session
    session.screens.tell(lambda screen: screen.happened(session.events.entries[-1:], session.events.entries[-1:]))
    assert room.screen.telling
    room.holds = {1: step + 1, 3: step + 1}
    session.notice(OthersHeard())
    assert room.screen.telling
    assert room.read().splitlines()[-1] == f"Step {step} verified by Bob, Dina."


def _answer(room: Room) -> Any:
    given = room.dealer.outcome(room.match, by_caretaker)
    if given is not None:
        return given
    seat = room.match.owing()[0]
    return Answer(seat, room.match.caretaker(seat))


def test_a_step_that_was_taken_back_is_verified_by_nobody(room: Held) -> None:
    step = room.match.height
    room.type("explore; send")
    room.back_to = step
    assert room.confirm(Bob=step + 1, Dina=step + 1) == ""


def test_by_post_a_step_is_signed_and_not_sent_and_verified_once_all_letters_are_read(room: Held) -> None:
    room.screen.session.mail = Mail(print, print, print)
    step = room.match.height
    text = room.type("explore; send")
    assert f"Signed as step {step}." in text.splitlines()
    assert room.confirm(Bob=step + 1, Dina=step + 1) == ""
    assert room.confirm(Carl=step + 1) == f"Step {step} verified by Bob, Carl, Dina."


def test_practice_is_verified_by_nobody(room: Held) -> None:
    room.screen.session.lasting = False
    step = room.match.height
    assert f"Sent as step {step}." in room.type("explore; send")
    assert room.confirm(Bob=step + 1, Dina=step + 1) == ""


def test_what_was_not_typed_is_not_told(room: Held) -> None:
    """Standing orders answer by themselves."""
    session = room.screen.session
    draft = session.asking.draft
    assert draft is not None
    session.asking.give(draft.asked, (draft.asked.ask.options(draft.asked.match.g)[0],))
    assert "Sent" not in room.read()
