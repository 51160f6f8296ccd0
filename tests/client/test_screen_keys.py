"""The keys of the full screen, and the draft that they make."""

from __future__ import annotations

import random

import pytest
from pictures import whole
from screen_game import Solo

from client.fronts.kit.ui import Typing
from client.fronts.screen.actions import ACTIONS, entered
from client.fronts.screen.keys import HOME, KEYS, PAGED, REPLAY, TROUBLED, acts
from client.fronts.screen.moves import STEPS
from client.fronts.screen.pages import PAGES
from client.session.deeds import DEEDS
from client.show.styled import plain
from engine.core.registry import GAMES


def test_no_key_of_a_screen_stands_twice() -> None:
    for table in (KEYS, PAGED, TROUBLED, REPLAY, HOME):
        keys = [key for each in table for key in each.keys]
        assert len(set(keys)) == len(keys)


def test_no_key_means_two_things_and_every_key_means_something() -> None:
    pressed = [key for each in KEYS for key in each.keys]
    assert len(pressed) == len(set(pressed))
    assert {each.act for each in KEYS} <= {*ACTIONS, *PAGES, *STEPS, *DEEDS}


@pytest.mark.parametrize("name", GAMES)
def test_no_key_is_a_fixed_letter_of_a_game(name: str) -> None:
    table = Solo(name)
    for _ in range(60):
        choices = table.session.choices
        letters = set() if choices is None else {*choices.letters} - {""}
        assert not {each for letter in letters for each in (letter, letter.upper())} & {*acts()}
        table.play(1, random.Random(7))


def test_keys_of_ones_own_take_the_place_of_ours() -> None:
    mine = acts({"send": ["x"]})
    assert mine["x"] == "send"
    assert "s" not in mine
    assert acts({"undo": ["s"]})["s"] == "undo"


def test_a_draft_is_taken_back_step_by_step() -> None:
    table = Solo("eclipse2")
    table.press("1")
    assert table.session.picked
    table.press("u")
    assert not table.session.picked


def test_enter_takes_nothing_that_nobody_has_marked() -> None:
    solo = Solo("eclipse2")
    assert solo.session.draft is not None
    picked = []
    for key in ("enter", "enter", "u", "down", "enter"):
        solo.press(key)
        picked.append(not solo.session.draft.empty)
    assert picked == [False, True, False, False, True]


def test_that_nothing_was_marked_is_told_until_the_draft_changes() -> None:
    solo = Solo("eclipse2")
    solo.press("enter")
    assert "Nothing was marked." in _feed(solo)
    solo.press("enter")
    assert "Nothing was marked." not in _feed(solo)


def test_the_digits_choose_what_stands_beside_them() -> None:
    table = Solo("eclipse2")
    listed = table.front.scene.entries(table.front.ui)
    shown = "\n".join(plain(each) for each in table.front.draw(120, 40).lines)
    assert f" 3 {listed[2].text}" in shown
    table.press("3")
    assert table.session.draft is None or table.session.picked


def test_what_is_typed_is_what_the_line_mode_reads() -> None:
    table = Solo("eclipse2")
    table.front.press(":")
    assert table.front.ui.typing is Typing.COMMAND
    choices = table.session.choices
    assert choices is not None
    entered(table.front, choices.texts[0])
    assert table.session.picked == [choices.texts[0]]


def test_earlier_positions_are_looked_at_and_left() -> None:
    table = Solo("eclipse2")
    table.play(30, random.Random(2))
    heights = sorted({told.height for told in table.session.log})
    table.press("<")
    assert table.front.ui.past == heights[-1]
    table.press("<")
    assert table.front.ui.past == heights[-2]
    assert f"step {heights[-2]} of" in "\n".join(whole(table.front.draw(80, 24), 80, 24))
    table.press(">", ">")
    assert table.front.ui.past is None


def _feed(solo: Solo) -> str:
    return " ".join(text for _style, text in solo.front.feed)
