"""The lobby as data: what a screen shows before the table begins."""

from __future__ import annotations

import json

import pytest

from client.player import TableNotice
from client.session.session import Session
from client.session.view import as_json, view_of
from client.table.qr import qr_lines, qr_path
from client.web.state import StateFeed
from engine.core.registry import GAMES, game


def session() -> Session:
    return Session(lambda _asked, _values: None, lambda: None)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_option_of_a_table_is_told_with_what_it_does(name: str) -> None:
    person = session()
    options = {option.name: option.default for option in game(name).options}
    person.notice(TableNotice("lobby/terms", {"game": name, "seats": 3, "options": options}))
    lobby = as_json(view_of(person))["lobby"]
    assert {option: value for option, value, _about in lobby["options"]} == options
    assert all(about for _option, _value, about in lobby["options"])


def test_who_is_there_and_the_ticket_are_shown_and_hostile_text_is_harmless() -> None:
    person = session()
    person.notice(TableNotice("lobby/room", {"names": ["Anna", "\x1b[2J<b>Eve"], "free": 1}))
    person.notice(TableNotice("lobby/ticket", {"ticket": "starlock:abc"}))
    state = json.loads(StateFeed(person, (), lambda *_: None).next())
    assert state["view"]["lobby"]["free"] == 1
    assert state["view"]["lobby"]["ticket"] == "starlock:abc"
    assert "\x1b" not in state["view"]["lobby"]["names"][1]
    assert state["qr"] == list(qr_path("starlock:abc"))


def test_options_of_an_unknown_game_are_shown_as_they_are() -> None:
    person = session()
    person.notice(TableNotice("lobby/terms", {"game": "chess", "seats": 2, "options": {"board": "round"}}))
    assert person.lobby is not None
    assert person.lobby.options == (("board", "round", ""),)


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
