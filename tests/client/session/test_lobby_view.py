"""The lobby as data: what a screen shows before the table begins."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from lobby_scenes import Door

from client.bots import missing_text
from client.fronts.line.screen import LineScreen
from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.session import deeds
from client.session.session import Session
from client.session.start import bots_of
from client.session.view import as_json, view_of
from client.show.styled import plain
from client.system.journal import no_log
from client.table.lobby_notices import LobbyRoom, LobbySeat, LobbyTerms, LobbyTicket
from client.table.qr import qr_lines, qr_path
from client.words.options import value_title
from engine.core.registry import GAMES, game


def session() -> Session:
    return Session(lambda _asked, _values: None, lambda: None)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_option_of_a_table_is_told_with_what_it_does(name: str) -> None:
    person = session()
    options = {option.name: option.default for option in game(name).options}
    person.notice(LobbyTerms(name, 3, options))
    lobby = as_json(view_of(person))["lobby"]
    assert {option: value for option, value, *_texts in lobby["options"]} == options
    assert all(all(option) for option in lobby["options"])


def test_the_value_of_an_option_is_told_in_words() -> None:
    person = session()
    person.notice(LobbyTerms("rex", 3, {"betrayal": "on"}))
    ((_name, value, *_texts, title),) = as_json(view_of(person))["lobby"]["options"]
    assert value == "on"
    assert title == value_title("betrayal", "on", "rex")


def test_who_is_there_and_the_ticket_are_shown_and_hostile_text_is_harmless() -> None:
    person = session()
    person.notice(LobbyRoom((ROWS[0], replace(ROWS[1], name="\x1b[2J<b>Eve")), 1))
    person.notice(LobbyTicket("starlock:abc"))
    state = json.loads(StateFeed(person, (), no_log).next())
    assert state["view"]["lobby"]["free"] == 1
    assert state["view"]["lobby"]["ticket"] == "starlock:abc"
    assert "\x1b" not in state["view"]["lobby"]["names"][1]
    assert qr_path("starlock:abc")[1] in state["qr"]


def test_before_the_table_begins_the_page_says_what_is_waited_for() -> None:
    person = session()
    assert view_of(person).waiting == ()
    person.notice(LobbyTerms("rex", 4, {}))
    assert view_of(person).waiting == ("the table to begin",)
    late = tuple(replace(row, ready=False) for row in ROWS)
    person.notice(LobbyRoom(late, 2))
    assert view_of(person).waiting == ("2 free seats", "Anna", "Bob")
    person.notice(LobbyRoom(ROWS, 0))
    assert view_of(person).waiting == ("the table to begin",)


ROWS = (
    LobbySeat(0, "Anna", mine=True, words="grape daisy", way="direct", rtt=1, ready=True),
    LobbySeat(1, "Bob", words="grape daisy", way="direct", rtt=1, ready=True),
)
DEEDS = (
    ({"act": "ready", "yes": False}, ("ready", False)),
    ({"act": "wish", "word": "sol"}, ("wish", "sol")),
    ({"act": "bot", "seat": 2}, ("bot", 2)),
    ({"act": "bot", "seat": 2, "level": "expert"}, ("bot", 2, "expert")),
    ({"act": "remove", "seat": 1}, ("remove", 1)),
    ({"act": "chat", "text": "hello"}, ("say", "hello")),
)


def gathered(*, inviting: bool) -> tuple[Session, Door]:
    person, door = session(), Door(inviting=inviting)
    door.change = None
    person.gather(door)
    person.notice(LobbyTerms("rex", 3, {}))
    person.notice(LobbyRoom(ROWS, 1))
    return person, door


def test_the_page_does_in_the_lobby_what_the_full_screen_does() -> None:
    person, door = gathered(inviting=True)
    for fields, _deed in DEEDS:
        assert perform(person, fields)["ok"]
    assert door.asked == [deed for _fields, deed in DEEDS]
    shown = json.loads(StateFeed(person, (), no_log).next())["door"]
    assert shown["inviting"]
    assert shown["bots"]
    assert shown["wish"] == "sol"
    assert shown["title"] != "rex"
    assert "sol" in [id for id, _name in shown["wishes"]]


def test_who_sits_in_the_lobby_is_asked_for_line_by_line_too() -> None:
    person, _door = gathered(inviting=True)
    screen = LineScreen(person, lambda: 100)
    screen.typed("table")
    shown = [plain(each).rstrip() for each in screen.take()]
    assert re.fullmatch("A● +Anna \\(you\\) +here +ready +grape daisy", shown[1])
    assert re.fullmatch("C +open", shown[3])
    assert "Bob must read out the same words: grape daisy" in shown
    assert "remove refuses the seat if they differ." in shown


def test_a_bot_of_a_level_that_the_game_does_not_have_is_the_same_one_that_it_has() -> None:
    person, door = gathered(inviting=True)
    said = perform(person, {"act": "bot", "seat": 2, "level": "master"})
    assert said["ok"]
    assert door.asked == [("bot", 2, "expert")]
    assert said["text"].endswith(missing_text("rex", "master"))
    listed = deeds.DEEDS["bot"].arguments[1].kind.choices(person)
    assert [name for name, _about in listed] == [*bots_of("rex")]
    assert "master" not in bots_of("rex")


def test_a_guest_takes_no_seat_back_and_nobody_takes_what_is_not_there() -> None:
    guest, door = gathered(inviting=False)
    host, own = gathered(inviting=True)
    for person, fields in (
        (guest, {"act": "remove", "seat": 1}),
        (guest, {"act": "bot", "seat": 2}),
        (host, {"act": "remove", "seat": 0}),  # one's own
        (host, {"act": "remove", "seat": 2}),  # nobody sits there
        (host, {"act": "bot", "seat": 1}),  # somebody does
        (host, {"act": "bot", "seat": 3}),
        (host, {"act": "bot", "seat": 2, "level": "cmd:evil"}),  # a page names no program
        (host, {"act": "bot", "seat": 2, "level": "package:evil"}),
        (host, {"act": "wish", "word": "nothing"}),
        (session(), {"act": "ready", "yes": True}),
    ):
        assert not perform(person, fields)["ok"]
    assert door.asked == own.asked == []


@pytest.mark.parametrize("line", ["remove b", "remove B", "remove bob", "bot c", "bot C"])
def test_a_seat_is_typed_by_its_letter_or_by_the_name_of_who_sits_there(line: str) -> None:
    person, door = gathered(inviting=True)
    LineScreen(person, lambda: 100).typed(line)
    assert door.asked == [("remove", 1) if line.startswith("remove") else ("bot", 2)]


@pytest.mark.parametrize("line", ["remove d", "remove @", "remove dora", "remove anna", "bot b", "bot d"])
def test_no_seat_is_typed_by_a_letter_beyond_the_table_or_the_name_of_nobody_else(line: str) -> None:
    person, door = gathered(inviting=True)
    LineScreen(person, lambda: 100).typed(line)
    assert door.asked == []


def test_options_of_an_unknown_game_are_shown_as_they_are() -> None:
    person = session()
    person.notice(LobbyTerms("chess", 2, {"board": "round"}))
    assert person.gathering.lobby is not None
    assert person.gathering.lobby.options == (("board", "round", "", "board", "round"),)


def test_the_picture_of_a_ticket_has_the_modules_that_the_terminal_draws() -> None:
    side, path = qr_path("starlock:abc")
    drawn = {(int(x), int(y)) for x, y in (step.split("h")[0].split() for step in path.split("M")[1:])}
    lines = qr_lines("starlock:abc", 200)
    light = {
        (x, 2 * row + half)
        for row, line in enumerate(lines)
        for x, sign in enumerate(line)
        for half, signs in ((0, "█▀"), (1, "█▄"))
        if sign in signs
    }
    assert drawn == {(x, y) for x in range(side) for y in range(side)} - light
