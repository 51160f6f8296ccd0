"""The conversation with a person, line by line, without a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from line_room import Room

from client.fronts.line.screen import LineScreen
from client.fronts.line.terminal import CLEARED
from client.fronts.web.actions import perform
from client.session import advice
from client.session.notation import yes_or_no
from client.session.session import Session
from client.session.view import view_of
from client.show.styled import plain
from client.system import texts
from client.table.notices import ChatSaid
from client.table.player import Asked
from client.words import DisplayNames, event_text
from engine.core.cards import Handle
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.notation import format_value


@pytest.fixture
def room() -> Room:
    return Room()


def shown_sent(room: Room) -> list[str]:
    return [format_value(value) for values in room.sent for value in values]


def test_a_question_shows_its_options_with_costs_and_what_is_refused_with_the_reason(room: Room) -> None:
    text = room.ask()
    assert "Your turn" in text
    assert "  1  " in text
    assert "discs -1" in text
    assert "x  " in text


def test_an_option_is_picked_by_its_number_its_words_or_the_beginning_of_its_words(room: Room) -> None:
    for answer in ("explore", "ex", "EXPLORE"):
        room = Room()
        room.ask()
        assert "which zone" in room.type(answer)
    room = Room()
    text = room.ask()
    number = next(line.split()[0] for line in text.split("\n") if line.split()[2:3] == ["explore"])
    assert "which zone" in room.type(number)


def test_a_beginning_that_fits_several_options_lists_those_alone(room: Room) -> None:
    room.ask()
    room.type("explore")
    text = room.type("zone")
    assert text.count("zone ") > 1
    assert "trade" not in text
    assert room.screen.session.asking.draft is not None
    assert len(room.screen.session.asking.draft.values) == 1


def test_a_sector_number_is_no_beginning_of_another_number(room: Room) -> None:
    room.ask()
    room.type("explore")
    [zone] = [line for line in room.type("options").split("\n") if line.startswith("  1  ")]
    words = zone.split("  ")[2].split()
    assert "beside" in room.type(" ".join(words[:2]))


def test_nothing_is_sent_before_the_person_says_so_and_everything_can_be_taken_back(room: Room) -> None:
    room.ask()
    room.type("explore")
    assert "so that is final" in " ".join(room.type("1").split())
    assert not room.sent
    assert "which zone" in room.type("u")
    assert "Your turn" in room.type("u")
    assert "nothing to take back" in room.type("u")
    room.type("explore; 1")
    assert "Your turn" in room.type("U")
    assert not room.sent


def test_enter_sends_once_only_dice_or_others_can_go_on(room: Room) -> None:
    room.ask()
    room.type("explore; 1")
    room.type("")
    assert len(room.sent) == 1
    assert shown_sent(room)[0] == "explore"
    assert shown_sent(room)[1].startswith("zone ")


def test_enter_in_the_middle_of_a_draft_only_asks_again(room: Room) -> None:
    room.ask()
    room.type("explore")
    assert "which zone" in room.type("")
    assert not room.sent


def test_a_draft_can_be_sent_before_its_end(room: Room) -> None:
    room.ask()
    room.type("explore; send")
    assert shown_sent(room) == ["explore"]


def test_what_the_draft_has_said_is_not_said_again_by_the_table_but_stands_in_the_log(room: Room) -> None:
    room.ask()
    assert "~ Anna" in room.type("explore")
    text = room.type("send")
    assert "Anna" not in text
    assert "Anna" in room.type("log 1")


def test_a_staged_answer_is_built_pick_by_pick(room: Room) -> None:
    room.ask()
    room.type("upgrade")
    assert room.screen.session.asking.draft is not None
    assert room.screen.session.asking.draft.ask is not None
    assert room.screen.session.asking.draft.ask.staged
    room.type("place cruiser")
    option = format_value(room.screen.session.asking.draft.options()[0])
    room.type(option)
    assert room.screen.session.asking.draft.values or room.screen.session.asking.draft.so_far


def test_a_refused_option_is_answered_with_its_reason(room: Room) -> None:
    room.ask()
    text = room.type("why")
    refused = text.split(":")[0]
    assert text.split("\n")[0] in room.type(refused).join(("", text))
    assert not room.sent


def test_what_cannot_be_understood_is_said_and_the_rest_of_the_line_is_not_done(room: Room) -> None:
    room.ask()
    assert "neither an option nor a command" in room.type("xyzzy; pass")
    assert room.screen.session.asking.draft is not None
    assert room.screen.session.asking.draft.empty


def test_typed_control_characters_are_shown_escaped(room: Room) -> None:
    room.ask()
    assert "\x1b" not in room.type("\x1b[2Jboo")


def test_chat_is_hostile_text(room: Room) -> None:
    room.screen.session.notice(ChatSaid("Bob", "hi\x1b[2J\u202eolleh"))
    text = room.read()
    assert text.startswith("<Bob> hi")
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_what_was_said_can_be_read_again(room: Room) -> None:
    assert "Nobody" in room.type("chat")
    room.screen.session.notice(ChatSaid("Bob", "hello"))
    room.read()
    assert room.type("say") == "<Bob> hello"


def test_where_several_people_share_a_terminal_nobodys_cards_are_shown_between_turns() -> None:
    room = Room()
    room.ask()
    room.type("pass")
    room.type("")
    card = Handle("reputation", 0)
    room.lens(0).learn(card, 4)
    opened = set(room.match.g.history.opened)
    assert {*room.screen.view.frame().view.lens} == {card} | opened
    room.seats = (0, 1)
    assert {*room.screen.view.frame().view.lens} <= opened


def test_people_at_one_terminal_are_asked_only_once_they_have_the_keyboard(room: Room) -> None:
    room.seats = (0, 1)
    room.ask()
    assert room.screen.prompt() == "Anna: y> "
    assert "Which" not in room.type("map")
    for idle in ("", "1", "send"):
        room.type(idle)
        assert room.session_asks() is None
    room.type("y")
    assert room.session_asks() == 0
    asked = room.screen.session.asking.draft.asked  # type: ignore[union-attr]  # it was just asked
    room.screen.say("planted: what Anna alone was told")
    room.screen.session.asking.withdrawn(asked)
    room.screen.session.asking.asked(replace(asked, seat=1))
    lines = room.screen.take()
    after = "\n".join(map(plain, lines[lines.index(CLEARED) :]))
    assert "Pass the keyboard to Bob. Bob, when nobody else is looking: y." in after
    assert "planted" not in after
    assert not room.screen.view.frame().view.lens
    room.type("Y")
    assert room.session_asks() == 1


def test_who_is_asked_again_after_somebody_else_had_the_keyboard_takes_it_again(room: Room) -> None:
    room.seats = (0, 1)
    room.ask()
    room.type("yes")
    session = room.screen.session
    asked = session.asking.draft.asked  # type: ignore[union-attr]  # it was just asked
    session.asking.withdrawn(asked)
    session.asking.asked(asked)
    assert session.asking.awaited is None
    session.asking.withdrawn(asked)
    other = replace(asked, seat=1)
    session.asking.asked(other)
    session.asking.withdrawn(other)
    session.asking.asked(asked)
    assert perform(session, {"act": "here", "step": session.asking.step}) == {"ok": True}
    assert view_of(session).handover == ""
    assert not perform(session, {"act": "here"})["ok"]


def test_why_groups_by_reason_and_lists_what_was_asked_about(room: Room) -> None:
    room.ask()
    grouped = room.type("why")
    assert "trade materials money and 1 more: " in grouped
    assert "trade materials money, trade materials science: " in room.type("why trade mat")


def test_what_is_said_goes_out_whole_with_semicolons(room: Room) -> None:
    room.ask()
    room.type("chat truce? until round 5; ok")
    assert room.said == ["truce? until round 5; ok"]


def test_completion_knows_options_and_commands(room: Room) -> None:
    room.ask()
    assert "explore" in room.screen.complete("exp")
    assert "boards" in room.screen.complete("bo")
    room.type("explore")
    assert all(each.startswith("zone ") for each in room.screen.complete("zone "))


def test_an_option_goes_before_the_beginning_of_a_command(room: Room) -> None:
    room.ask()
    assert "which technology" in room.type("res") or "not affordable" in room.read()


def test_commands_answer_while_others_are_waited_for(room: Room) -> None:
    room.ask()
    room.type("pass")
    room.type("")
    assert "┌" in room.type("map")
    assert "Anna" in room.type("boards")
    assert room.screen.prompt() == "waiting> "
    assert "no command" in room.type("pass")


def test_the_log_can_be_searched_and_counted(room: Room) -> None:
    room.ask()
    assert len(room.type("log 2").split("\n")) >= 2
    assert "sector" in room.type("log sector")
    assert "nothing like that" in room.type("log zzzz")
    assert room.type("log a") == room.type("log mine") == room.type("log Anna")
    assert "nothing like that" in room.type("log dice")
    assert "Nobody has said anything yet." in room.type("log chat")


@pytest.mark.parametrize("command", ["log", "takeback", "order off", "do", ""])
def test_a_number_with_thousands_of_digits_is_only_text(room: Room, command: str) -> None:
    room.ask()
    assert room.type(f"{command} {'9' * 5000}".strip())
    assert room.proposed == []


def test_before_the_table_begins_what_is_said_goes_out_and_other_commands_say_why_not() -> None:
    session = Session(lambda _asked, _values: None, lambda: None)
    screen, said = LineScreen(session, lambda: 80), list[str]()
    door: Any = SimpleNamespace(say=said.append, examine=lambda show: show(["+ works"]))
    door.inviting, door.add_bot, door.change = True, None, None
    session.gather(door)

    def told(text: str) -> str:
        screen.typed(text)
        return "\n".join(map(plain, screen.take()))

    assert told("chat hello; all") == ""
    assert said == ["hello; all"]
    assert "+ works" in told("doctor")
    for command in ("vote yes", "takeback", "end", "back", "luck", "ask", "absent 2", "newest yes", "? ship"):
        assert "The table has not begun." in told(command), command
    assert told("table") == "Nothing is known of the table yet."


def test_the_log_of_a_resumed_table_goes_back_to_its_beginning() -> None:
    first = Room()
    first.ask()
    again = Room()
    again.history = first.told
    again.screen.session.sit(again)
    assert again.screen.session.events.entries == first.screen.session.events.entries != []
    assert first.screen.session.events.entries[-1].text.split()[0] in again.read()


def test_the_network_is_looked_at_and_told_when_it_is_found(room: Room) -> None:
    assert "no network" in room.type("doctor")
    waiting: list[Callable[[Sequence[str]], None]] = []
    room.examine = waiting.append
    assert "Looking" in room.type("doctor")
    waiting[0](["+ well", "- not well"])
    assert room.read().split("\n") == ["+ well", "- not well"]


def test_the_table_says_who_is_there_and_who_is_waited_for(room: Room) -> None:
    room.ask()
    text = room.type("table")
    assert "Anna  here" in text
    assert re.search(r"is waited for  since \d{4}-", text)
    assert "Carl  no connection" in text


def test_an_answer_that_the_table_refused_is_asked_again_with_the_reason(room: Room) -> None:
    ask = None
    room.ask()
    assert room.screen.session.asking.draft is not None
    asked = room.screen.session.asking.draft.asked
    ask = asked.ask
    room.screen.session.asking.withdrawn(asked)
    refusal = Refusal("answer/not-an-option")
    room.screen.session.asking.asked(Asked(0, room.match.clone(), room.lens(0), ask, room.match.height, refusal))
    assert "not taken: That is not one of the options." in room.read()


def test_what_is_not_wanted_any_more_is_withdrawn(room: Room) -> None:
    room.ask()
    assert room.screen.session.asking.draft is not None
    room.screen.session.asking.withdrawn(room.screen.session.asking.draft.asked)
    assert room.screen.prompt() == "waiting> "
    assert "no command" in room.type("explore")


def test_quit_leaves_and_nothing_typed_later_counts(room: Room) -> None:
    room.ask()
    room.type("quit")
    assert room.gone
    assert room.type("pass") == ""
    assert not room.sent


def test_practice_is_not_said_to_stay() -> None:
    room = Room()
    session = room.screen.session
    for lasting in (True, False):
        session.lasting = lasting
        room.screen.begun()
        said = " ".join(room.read().split())
        assert "quit to leave" in said
        assert ("resumed" in said) is lasting


def test_help_lists_every_command_and_explains_a_word(room: Room) -> None:
    text = room.type("?")
    for command in ("map", "boards", "tech", "parts", "score", "log", "send", "undo", "why", "chat", "quit"):
        assert command in text
    assert "Plasma Cannon" in room.type("? plasma-cannon")
    assert "nothing about" in room.type("? xyzzy")


def test_a_question_before_the_table_is_answered_with_yes_or_no(room: Room) -> None:
    answers: list[bool] = []

    def answered(yes: bool) -> None:
        answers.append(yes)
        room.screen.session.confirmed(answered)

    room.screen.session.confirm(lambda: "Let Bob in?", answered)
    assert "Say yes or no" in room.type("perhaps")
    room.type("y")
    room.screen.session.confirm(lambda: "Let Carl in?", answered)
    room.type("no")
    assert answers == [True, False]


@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [("en", ("y", "Yes"), ("n", "NO")), ("es", ("s", "si", "Sí", "y", "yes"), ("n", "no"))],
)
def test_yes_and_no_are_understood_in_both_languages(language: str, yes: Sequence[str], no: Sequence[str]) -> None:
    texts.use(language)
    assert [yes_or_no(said) for said in yes] == [True] * len(yes)
    assert [yes_or_no(said) for said in no] == [False] * len(no)
    assert [yes_or_no(said) for said in ("", "yesterday", "sin", "yes no")] == [None] * 4


def test_a_ticket_is_not_broken(room: Room) -> None:
    room.screen.show(lambda: "Give this ticket:\nstarlock:" + "a" * 200)
    assert "starlock:" + "a" * 200 in room.read().split("\n")


def test_the_status_line_shows_the_draft(room: Room) -> None:
    room.ask()
    before = room.screen.status()
    room.type("explore")
    assert room.screen.status() != before
    assert "discs" in before


def test_a_name_keeps_its_letters_at_the_beginning_of_a_sentence() -> None:
    assert event_text(Event("turn/passed", {"seat": 0}), ["ada"], DisplayNames("eclipse2")).startswith("ada ")


def test_a_member_that_owes_no_answer_is_named_with_what_it_owes(room: Room) -> None:
    room.owed = {2: "share", 1: "answer"}
    said = " ".join(room.type("nonsense").split())
    assert "Waiting for Carl (owes a share of the cards, no connection), Bob." in said


def test_who_asks_to_go_on_without_somebody_is_offered_the_others_alone(room: Room) -> None:
    assert room.type("absent") == "Say who, by letter or name: Bob, Carl, Dina"
    room.seats = (0, 1, 2, 3)
    assert room.type("absent") == "Nobody plays on another machine."


def test_why_tells_refused_amounts_as_ranges(room: Room) -> None:
    room.ask()
    reasons = {"You have 10.": [str(n) for n in range(11, 1000)]}
    refused: Any = SimpleNamespace(
        why=lambda _text: reasons,
        codes=lambda: dict.fromkeys(reasons, "bid/too-high"),
        exactly=lambda _text: False,
    )
    room.screen.session.asking.choices = refused
    assert room.type("why") == "11 … 999: You have 10."


def test_a_hint_to_do_something_beside_the_question_has_no_reason_about_the_question(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.ask()
    choices = room.screen.session.asking.choices
    assert choices is not None
    trade = choices.options[choices.main]
    assert room.screen.session.table.pictures.questions.aside(trade)
    monkeypatch.setattr(advice, "bot", lambda _level: SimpleNamespace(choose=lambda *_: trade))
    assert room.type("hint").splitlines()[-1] == "Why: it is worth doing before the answer"
