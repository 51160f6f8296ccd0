"""The keys of the full screen, and the draft that they make."""

from __future__ import annotations

import random

import pytest
from lobby_scenes import opened
from pictures import whole
from screen_game import Solo, key_acts

from client.fronts.kit.pane import PAGE
from client.fronts.screen.keys import AT_TABLE, HOME, HOME_EVERYWHERE, KEYS, REPLAY
from client.fronts.screen.scene import PANES, Focus
from client.session.view import view_of
from client.show.styled import plain
from engine.core.registry import GAMES


def test_no_key_of_a_screen_stands_twice() -> None:
    for table in (*AT_TABLE.values(), KEYS, REPLAY, HOME, (*HOME_EVERYWHERE, *PAGE)):
        keys = [key for each in table for key in each.keys]
        assert len(set(keys)) == len(keys)


def test_no_key_means_two_things_and_every_key_of_a_pane_means_something() -> None:
    pressed = [key for each in KEYS for key in each.keys]
    assert len(pressed) == len(set(pressed))
    table, lobby = Solo("eclipse2").front, opened()[0]
    panes = [table.table, table.table.question, table.table.map, table.table.news, *table.behind(), *lobby.below()]
    for pane in panes:
        assert {each.act for each in pane.keys} <= pane.does.keys()


def test_who_comes_back_to_the_news_reads_the_last_of_them() -> None:
    solo = Solo("eclipse2")
    solo.play(40, random.Random(7))
    front = solo.front
    front.table.does["previous_pane"]()
    assert front.ui.pane is Focus.NEWS
    front.table.scroll(-2)
    assert front.ui.news == 2
    for _ in PANES:
        front.table.does["previous_pane"]()
    assert (front.ui.pane, front.ui.news) == (Focus.NEWS, 0)


def test_the_help_lists_the_keys_of_the_pane_in_focus() -> None:
    solo = Solo("eclipse2")
    for keys, told, other in ((("?",), "the entry above", "the space above"),
                              (("escape", "tab", "?"), "the space above", "the entry above"),
                              (("escape", "f4", "?"), "two seats side by side", "the space above")):  # fmt: skip
        solo.press(*keys)
        shown = "\n".join(whole(solo.front.draw(120, 60), 120, 60))
        assert told in shown
        assert other not in shown


@pytest.mark.parametrize("name", GAMES)
def test_no_key_is_a_fixed_letter_of_a_game(name: str) -> None:
    table = Solo(name)
    for _ in range(60):
        choices = table.session.asking.choices
        letters = set() if choices is None else {*choices.letters} - {""}
        assert not {each for letter in letters for each in (letter, letter.upper())} & {*key_acts()}
        table.play(1, random.Random(7))


def test_keys_of_ones_own_take_the_place_of_ours() -> None:
    mine = key_acts({"send": ["x"]})
    assert mine["x"] == "send"
    assert "s" not in mine
    assert key_acts({"undo": ["s"]})["s"] == "undo"


def test_a_draft_is_taken_back_step_by_step() -> None:
    table = Solo("eclipse2")
    table.press("1")
    assert view_of(table.session).picked
    table.press("u")
    assert not view_of(table.session).picked


def test_enter_takes_nothing_that_nobody_has_marked() -> None:
    solo = Solo("eclipse2")
    assert solo.session.asking.draft is not None
    picked = []
    for key in ("enter", "enter", "u", "down", "enter"):
        solo.press(key)
        picked.append(not solo.session.asking.draft.empty)
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
    assert f" 3 {listed[2].title}" in shown
    table.press("3")
    assert table.session.asking.draft is None or view_of(table.session).picked


def test_what_is_typed_is_what_the_line_mode_reads() -> None:
    table = Solo("eclipse2")
    table.front.press(":")
    assert table.front.prompt() == ":"
    choices = table.session.asking.choices
    assert choices is not None
    table.front.entered(choices.texts[0])
    assert view_of(table.session).picked == [choices.texts[0]]


def test_earlier_positions_are_looked_at_and_left() -> None:
    table = Solo("eclipse2")
    table.play(30, random.Random(2))
    heights = sorted({told.height for told in table.session.events.entries})
    table.press("<")
    assert table.front.ui.past == heights[-1]
    table.press("<")
    assert table.front.ui.past == heights[-2]
    assert f"step {heights[-2]} of" in "\n".join(whole(table.front.draw(80, 24), 80, 24))
    table.press(">", ">")
    assert table.front.ui.past is None


def _feed(solo: Solo) -> str:
    return " ".join(text for _style, text in solo.front.news.texts)
