"""Proposals in the line mode: what they are about, how they are answered, and what else is signed for all."""

from __future__ import annotations

from typing import Any

import pytest
from line_room import Room
from parties import BOB

from client.session.deeds import DEEDS
from client.session.view import as_json, view_of
from client.table.notices import FaultProven, VoteNotice, VoteStage
from client.words.pacts import leaving_text, left_text
from engine.core.events import Event
from p2p.lockstep.pacts import Pact
from p2p.lockstep.voting import Vote


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_takeback_goes_to_before_the_last_answer_sent(room: Room) -> None:
    assert "sent nothing" in room.type("takeback")
    room.ask()
    height = room.match.height
    room.type("pass")
    room.type("")
    room.type("takeback")
    assert room.proposed == [("takeback", (), height)]


def test_between_two_nobody_can_be_left_out_or_given_up_and_it_is_said_what_can_be_done(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "Between two nobody can be left out or given up: owes Bob puts on record what is missing, and alone goes on"
    assert not DEEDS["absent"].why_not(room.screen.session, {})
    monkeypatch.setattr(room, "linked", lambda: {1: False})
    for typed in ("absent Bob", "gone Bob"):
        assert why in " ".join(room.type(typed).split())
    assert DEEDS["absent"].why_not(room.screen.session, {}).startswith(why)
    carl = DEEDS["gone"].why_not(room.screen.session, {"member": 2})
    assert carl == "Carl has been given up already"
    assert not room.proposed


def test_between_two_a_proven_fault_names_going_on_alone_and_not_leaving_out(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FaultProven(BOB, "entry/forked")
    room.screen.session.notice(fault)
    assert "To go on without: absent Bob." in " ".join(room.read().split())
    monkeypatch.setattr(room, "linked", lambda: {1: False})
    room.screen.session.notice(fault)
    for said in (room.read(), room.type("verify")):
        told = " ".join(said.split())
        assert "Between two nobody can be left out. To go on alone: alone." in told
        assert "absent Bob" not in told


def passed(seat: int) -> Event:
    return Event("turn/passed", {"seat": seat})


def propose(room: Room, kind: str, terms: Any) -> Pact:
    """Bob proposes something, which the person is asked about."""
    pact = Pact(kind, room.match.height, bytes(32), (), terms)
    room.open_votes.append(Vote(pact, (), None))
    notify(room, VoteStage.OPEN, pact)
    return pact


def notify(room: Room, stage: VoteStage, pact: Pact) -> None:
    room.screen.session.notice(VoteNotice(stage, pact.kind, pact.at, (), pact.terms, BOB, "pact/rival"))


def test_a_proposal_says_who_makes_it_what_is_lost_and_how_to_answer_it(room: Room) -> None:
    room.screen.session.happened(3, [passed(0), passed(1)])
    room.screen.session.happened(4, [passed(2)])
    room.read()
    first, second, third = (each.text.removesuffix(".") for each in room.screen.session.events.entries[-3:])
    propose(room, "takeback", [3, False])
    text = " ".join(room.read().split())
    assert f"Bob proposes: take back 2 steps: {first}; {second}; {third}." in text
    assert "vote yes or vote no" in text
    assert text.count("Bob proposes") == 1


def test_leaving_for_good_says_first_what_it_does_and_is_done_by_a_second_word(room: Room) -> None:
    said = " ".join(room.type("leave").split())
    assert leaving_text() in said
    assert room.proposed == []
    assert left_text() in " ".join(room.type("leave yes").split())
    assert room.proposed == [("leave", (), None)]


def test_a_vote_before_its_proposals_were_shown_shows_them_first(room: Room) -> None:
    room.ask()
    propose(room, "takeback", [3, False])
    room.screen.typing.offered = ()
    text = room.type("vote yes")
    assert "Read first what is open now:" in text
    assert "Bob proposes: take back" in text
    assert "You agree" not in text


def test_the_view_of_a_page_says_who_makes_a_proposal(room: Room) -> None:
    pact = propose(room, "end", None)
    (vote,) = as_json(view_of(room.screen.session))["votes"]
    assert vote == {"id": pact.id.hex(), "kind": "end", "text": "end the game here", "name": "Bob"}


def test_a_vote_answers_the_proposal_that_was_shown_and_no_other(room: Room) -> None:
    takeback = propose(room, "takeback", [3, False])
    room.read()
    room.type("end")
    assert "take back to step 3" in room.type("vote yes"), "something else was said since it was shown"
    assert room.voted == []
    assert "You agree: take back to step 3." in room.type("vote yes")
    assert room.voted == [(takeback.id, True)]

    room.open_votes[:] = [Vote(Pact("end", 9, bytes(32), (), "agreed"), (), None)]
    assert "not open any more" in room.type("vote yes")
    assert "You refuse: end the game here." in room.type("vote no")
    assert [yes for _pact, yes in room.voted] == [True, False]


def test_of_several_proposals_one_is_answered_by_the_number_it_was_shown_with(room: Room) -> None:
    propose(room, "takeback", [3, False])
    ending = propose(room, "end", "agreed")
    assert "Proposal 2, by Bob: end the game here." in room.read()
    assert "and the number" in room.type("vote yes")
    room.type("vote no 2")
    assert room.voted == [(ending.id, False)]


@pytest.mark.parametrize("number", ["b", "0", "3", "9" * 5000])
def test_no_vote_is_given_for_a_number_that_no_proposal_has(room: Room, number: str) -> None:
    propose(room, "takeback", [3, False])
    propose(room, "end", "agreed")
    room.read()
    assert "Proposal 2, by Bob" in room.type(f"vote yes {number}")
    assert room.voted == []


def test_the_log_marks_what_was_taken_back(room: Room) -> None:
    room.screen.session.happened(3, [passed(0)])
    room.back_to = 3
    notify(room, VoteStage.AGREED, Pact("takeback", 5, bytes(32), (), [3, False]))
    assert "3  taken back: " in room.type("log 1")


def test_somebody_absent_is_named_by_letter_or_name(room: Room) -> None:
    room.type("absent C")
    room.type("absent bob")
    assert room.proposed == [("absent", (2,), None), ("absent", (1,), None)]
    assert "Say who" in room.type("absent Anna")


def test_of_two_players_with_one_name_the_letter_says_who_is_meant(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "name", ("Anna", "Bob", "Bob", "Dee").__getitem__)
    room.type("absent B")
    room.type("absent C")
    assert room.proposed == [("absent", (1,), None), ("absent", (2,), None)]


def test_names_of_players_are_completed_where_a_deed_wants_one(room: Room) -> None:
    assert [each for each in room.screen.complete("absent b") if each.startswith("absent")] == ["absent Bob"]
    assert room.screen.complete("takeb") == ["takeback"]


def test_a_claim_is_signed_against_somebody_named_and_never_against_oneself(room: Room) -> None:
    assert "It says what Carl owes" in room.type("owes C")
    assert "Say who" in room.type("owes Anna")
    assert "Say who" in room.type("owes")
    assert room.claimed == [2]


def test_a_copy_is_vouched_for_only_after_reading_what_is_at_stake(room: Room) -> None:
    said = " ".join(room.type("newest").split())
    assert "one key signed two histories" in said
    assert "newest yes" in said
    assert room.vouched == 0
    room.type("newest yes")
    assert room.vouched == 1
