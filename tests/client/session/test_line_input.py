"""What may be typed: letters and numbers that keep their meaning, words left out, words of the language, mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from line_room import Room

from client.session.choices import skips
from client.system import texts
from client.words.plain import words_of
from engine.core.events import Event
from engine.core.notation import format_value


@pytest.fixture
def room() -> Iterator[Room]:
    yield Room()
    texts.use("en")


def picked(room: Room) -> list[str]:
    assert room.screen.session.asking.draft is not None
    return [format_value(value) for value in room.screen.session.asking.draft.values]


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("1", "explore"),
        ("e", "explore"),
        ("R", "research"),
        ("2", "research"),
        ("g", "upgrade"),
        ("7", "pass"),
        ("p", "pass"),
    ],
)
def test_an_action_has_its_number_and_letter_whatever_else_is_possible(room: Room, typed: str, action: str) -> None:
    room.ask()
    room.type(typed)
    assert picked(room) == [action]


def test_the_number_of_an_action_that_is_not_possible_tells_why_and_picks_nothing_else(room: Room) -> None:
    assert "x  Build" in room.ask()
    for typed in ("4", "b", "build", "bui"):
        assert "Nothing can be built now." in room.type(typed) or "materials" in room.type(typed)
        assert picked(room) == []


def test_the_beginning_of_a_refused_action_is_not_taken_for_what_another_one_is_called(room: Room) -> None:
    asked = room.ask()
    assert "Move influence discs" in asked
    assert "x  Move ships" in asked
    assert "No sector is connected" in room.type("mov")
    assert picked(room) == []


def test_a_number_beyond_the_list_says_how_far_it_goes(room: Room) -> None:
    room.ask()
    last = max(room.screen.session.asking.choices.numbers)  # type: ignore[union-attr]
    assert f"There is no option 99: they go up to {last}." in room.type("99")


def test_spaces_stand_for_hyphens_words_may_be_left_out_and_accents_do_not_matter() -> None:
    assert words_of("imperial-palace") == words_of("Imperial Palace")
    assert words_of("zone 1 -2") == ["zone", "1", "-2"]
    assert words_of("Misión") == words_of("mision")
    assert skips(words_of("fly interceptor 229 104"), words_of("fly 229 104"))
    assert skips(words_of("place cruiser 6 improved-hull"), words_of("cruiser 6 hull"))
    assert not skips(words_of("fly interceptor 229 104"), words_of("fly 104 229"))
    assert not skips(words_of("fly interceptor 229 104"), words_of("fly 22"))


def test_some_words_of_an_option_pick_it(room: Room) -> None:
    room.ask()
    room.type("upgrade")
    choices = room.screen.session.asking.choices
    assert choices is not None
    words = choices.texts[0].split()
    short = " ".join(words[1:])
    room.type(short)
    draft = room.screen.session.asking.draft
    assert draft is not None
    assert draft.so_far or len(draft.values) == 2


def test_the_beginning_of_a_refused_option_tells_the_reason_and_why_finds_words_in_the_middle(room: Room) -> None:
    room.ask()
    room.type("explore")
    choices = room.screen.session.asking.choices
    assert choices is not None
    refused = next(iter(choices.why().values()))[0]
    inner = refused.split()[-1]
    assert refused in " ".join(room.type(f"why {inner}").split())


def test_a_typing_mistake_is_answered_with_what_was_meant(room: Room) -> None:
    room.ask()
    assert "Did you mean “help”?" in room.type("hlep")
    assert "Did you mean “explore”?" in room.type("exlpore")


def test_no_deed_that_the_table_decides_is_suggested_for_a_typing_mistake(room: Room) -> None:
    room.ask()
    for typed, meant in (("gonne", "gone"), ("alnoe", "alone"), ("leaev", "leave"), ("abesnt", "absent")):
        assert f"Did you mean “{meant}”" not in room.type(typed)
    room.type("explore; 1")
    told = room.type("done")
    assert "Everything is picked: Enter sends it" in told
    assert "Did you mean" not in told
    room.type("send")
    told = room.type("done")
    assert "you have nothing to answer now." in told
    assert "Did you mean" not in told


def test_short_words_for_help_map_and_leaving(room: Room) -> None:
    assert "Tab completes" in room.type("h")
    assert room.type("m") == room.type("map")
    room.type("q")
    assert room.gone


def test_a_zone_as_the_map_prints_it_is_told_about(room: Room) -> None:
    room.ask()
    assert "Zone 2,-1 has no sector yet: ring II" in room.type("map 2,-1")
    assert room.type("map 0,0") == room.type("map 001")


def test_send_in_the_middle_of_an_answer_asks_again(room: Room) -> None:
    room.ask()
    assert "Your turn" in room.type("send")


def test_an_option_typed_out_of_turn_is_told_who_is_waited_for(room: Room) -> None:
    assert "you have nothing to answer now." in room.type("explore")


def test_with_all_picked_a_word_is_told_how_to_send(room: Room) -> None:
    room.ask()
    room.type("explore; 1")
    assert "sends it" in room.type("stop")


def test_what_a_seat_does_in_a_row_is_one_paragraph(room: Room) -> None:
    told = [
        Event("turn/action", {"seat": 1, "action": "explore", "discs": 9}),
        Event("explore/zone", {"seat": 1, "q": 1, "r": 2}),
    ]
    room.tell(told)
    assert room.screen.telling
    assert room.screen.take(finished=True) == []
    room.tell([Event("explore/drawn", {"seat": 1, "sector": "103"}), Event("turn/passed", {"seat": 1})])
    assert room.read().split("\n") == [
        "· Bob: explore (discs left: 9); explores the zone 1,2; draws sector 103.",
        "· Bob passes.",
    ]


def test_help_fits_a_small_screen_and_tells_more_when_asked(room: Room) -> None:
    text = room.type("?")
    assert len(text.split("\n")) <= 22
    assert "boards" in text
    assert "takeback" in text
    assert "[SECTOR]" in room.type("? map")
    assert "take the last step back" in room.type("? undo")
    assert "vote yes | no [N]" in room.type("? all")
    assert "Plasma Cannon" in room.type("? plasma-cannon")


def test_what_happened_since_the_last_answer_is_told_again(room: Room) -> None:
    room.ask()
    room.type("explore; 1; send")
    room.ask()
    told = room.type("since")
    assert "draws sector" in told
    assert "Anna: explore" not in told


def test_spanish_listens_too(room: Room) -> None:
    texts.use("es")
    assert room.type("ayuda") == room.type("help")
    assert room.type("mapa") == room.type("map")
    room.ask()
    room.type("explorar")
    assert picked(room) == ["explore"]
    room.type("deshacer")
    assert picked(room) == []


def test_options_are_listed_anew_the_map_alone_tells_of_a_place_and_do_answers_step_by_step(room: Room) -> None:
    asked = room.ask()
    assert asked.splitlines()[-5:] == room.type("options").splitlines()[-5:]
    assert "221" in room.type("map 221")
    assert "“where 221” is neither an option nor a command." in room.type("where 221")
    room.type("do pass, send")
    assert [format_value(value) for value in room.sent[0]] == ["pass"]


def test_do_listens_to_the_language_in_use(room: Room) -> None:
    texts.use("es")
    room.ask()
    room.type("haz pasar, enviar")
    assert [format_value(value) for value in room.sent[0]] == ["pass"]


def test_do_stops_at_what_is_not_understood(room: Room) -> None:
    room.ask()
    assert "neither an option nor a command" in room.type("do nonsense, pass, send")
    assert not room.sent


def test_the_first_question_of_a_kind_has_advice_that_a_word_takes_away(room: Room) -> None:
    assert "(guide: no more advice)" in room.ask()
    assert "upkeep of money" not in room.type("options")
    assert "No more advice." in room.type("guide")
    assert "Ring II is a good start" not in room.type("explore")
    assert "advice again" in room.type("guide")


def test_an_option_of_the_question_comes_before_a_deed_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()
    room.ask()
    monkeypatch.setattr(room.screen.session.asking, "choices", SimpleNamespace(exactly=lambda text: text == "leave"))
    assert room.screen.typing.do("leave") is None
    found = room.screen.typing.do("/leave")
    assert found is not None
    assert found[0].id == "leave"


def test_what_is_done_in_a_lobby_takes_no_word_from_a_game() -> None:
    assert not {"ready", "wish", "bot", "remove", "seats", "change"} & Room().screen.typing.deeds.keys()
