"""The full screen without a terminal: what it draws, what keys and clicks do, and what it never does."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Point
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseModifier
from prompt_toolkit.mouse_events import MouseEventType as Mouse
from screen_game import Solo

from client.names import columns
from client.notices import VoteNotice, VoteStage
from client.screen import galaxy
from client.screen.actions import ACTIONS, entered
from client.screen.keys import KEYS, acts
from client.screen.layout import LEAST, charts, sizes, zoom_of
from client.screen.moves import STEPS
from client.screen.pages import PAGES
from client.screen.surface import Surface
from client.screen.ui import Drawn, Page, Pane, Typing, Ui
from client.session.advice import Advice
from client.show.hexmap import ZOOMS
from client.show.pictures import pictures
from client.show.styled import ASCII, UNICODE, line, plain
from engine.core.registry import GAMES

SIZES = ((80, 24), (120, 40), (200, 50))
PRESSED = st.sampled_from([*acts(), *"123456789", "x", "f12"])


@cache
def shared(name: str) -> Solo:
    """A game some way on, for tests that only look."""
    table = Solo(name)
    table.play(60, random.Random(2))
    return table


def whole(drawn: Drawn, columns_: int, rows: int) -> list[str]:
    """The lines of a screen that is exactly as large as asked for."""
    lines = [plain(each) for each in drawn.lines]
    assert len(lines) == rows
    assert {columns(each) for each in lines} == {columns_}, [each for each in lines if columns(each) != columns_]
    return lines


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [*SIZES, (79, 23), (60, 18), LEAST, (12, 4)])
def test_a_screen_is_exactly_as_large_as_the_terminal(name: str, size: tuple[int, int]) -> None:
    table = shared(name)
    for pane in Pane:
        table.front.ui.pane = pane
        assert len(whole(table.front.draw(*size), *size)) == size[1]
    table.front.ui.pane = Pane.ASK


@pytest.mark.parametrize("name", GAMES)
def test_without_unicode_a_screen_is_ascii(name: str) -> None:
    table = Solo(name, glyphs=ASCII)
    table.play(20, random.Random(2))
    for size in SIZES:
        assert "".join(whole(table.front.draw(*size), *size)).isascii()
    for page in ("?", "f2", "f4", "f5", "f6", "f7", "f9", "f1", "w", "a", "c-p"):
        table.front.press(page)
        assert "".join(whole(table.front.draw(80, 24), 80, 24)).isascii(), page
        table.front.ui.typing = Typing.NOTHING
        table.front.press("escape")


@pytest.mark.parametrize("name", GAMES)
def test_everything_on_the_screen_is_read_and_nothing_written(name: str) -> None:
    table = Solo(name)
    table.play(30, random.Random(3))
    before = table.match.digest()
    for key in acts():
        if key not in ("enter", "s", "q", "y", "n"):
            table.front.press(key)
            table.front.draw(120, 40)
            table.front.ui.typing = Typing.NOTHING
            table.front.press("escape")
    assert table.match.digest() == before


@pytest.mark.parametrize("name", GAMES)
def test_keys_alone_play_a_game_on(name: str) -> None:
    table = Solo(name)
    height = table.match.height
    table.play(80, random.Random(5))
    assert table.match.height > height + 20 or table.match.over


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_keys_alone_play_a_whole_game(name: str, seed: int) -> None:
    table = Solo(name, seed)
    table.play(20_000, random.Random(seed))
    assert table.match.over


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(list(GAMES)), st.lists(st.tuples(PRESSED, st.integers(1, 210), st.integers(1, 60)), max_size=12))
def test_keys_and_sizes_may_come_in_any_order(name: str, pressed: list[tuple[str, int, int]]) -> None:
    table = shared(name)
    for key, width, rows in pressed:
        if key not in ("enter", "s", " ", *"123456789ergbmip"):  # answers are for games of one's own
            table.front.press(key)
        assert len(whole(table.front.draw(width, rows), width, rows)) == rows
        table.front.ui.typing = Typing.NOTHING
    table.front.ui.page = None


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(SIZES), st.integers(0, 2), st.data())
def test_a_click_goes_to_the_space_that_is_drawn_there(
    name: str, size: tuple[int, int], zoom: int, data: st.DataObject
) -> None:
    table = shared(name)
    front = table.front
    front.ui.zoom, front.ui.page, front.ui.pan, front.ui.looking = zoom, None, None, False
    drawn = front.draw(*size)
    x = data.draw(st.integers(0, sizes(*size).map - 1))
    y = data.draw(st.integers(1, sizes(*size).body))
    chart, at = charts(front.scene)[zoom_of(front.scene, front.ui, sizes(*size))], sizes(*size)
    left, top = galaxy.corner(chart, front.ui.place, None, at.map, at.body)
    there = chart.at(x + left, y - 1 + top)
    hit = drawn.at(x, y)
    assert hit is not None
    assert hit.value == (there or Pane.MAP.value)
    if there and there != front.ui.place:
        front.click(x, y)
        assert front.ui.place == there
        again = front.draw(*size).at(x, y)
        assert again is not None
        assert again.value == there  # for a second click
    front.ui.zoom, front.ui.pane, front.ui.pan = None, Pane.ASK, None


def test_a_second_click_chooses_what_the_first_one_marked_wherever_it_is_drawn_by_then() -> None:
    table = Solo("eclipse2")
    front = table.front
    spot = next(hit.area for hit in front.draw(80, 24).hits if hit.what == "entry" and hit.value == "1")
    wanted = front.scene.entries(front.ui)[1].text
    for _click in range(2):
        front.draw(80, 24)
        front.click(spot.x, spot.y)
    assert front.scene.view.titles == (wanted,)


def test_a_map_is_dragged_where_it_is_whatever_has_the_focus() -> None:
    table = Solo("eclipse2")
    front, surface = table.front, Surface(table.front)
    front.ui.zoom = 2
    front.draw(80, 24)
    place, pane = front.ui.place, front.ui.pane
    for kind, x, y in ((Mouse.MOUSE_DOWN, 30, 15), (Mouse.MOUSE_MOVE, 28, 12), (Mouse.MOUSE_UP, 28, 12)):
        surface.mouse(MouseEvent(Point(x, y), kind, MouseButton.LEFT, frozenset()))
    at, chart = sizes(80, 24), charts(front.scene)[2]
    left, top = galaxy.corner(chart, place, None, at.map, at.body)
    assert galaxy.corner(chart, place, front.ui.pan, at.map, at.body) == (left + 2, top + 3)
    assert (front.ui.place, front.ui.pane) == (place, pane)  # the end of a drag is no click
    front.ui.pan = None
    shifted = frozenset({MouseModifier.SHIFT})
    surface.mouse(MouseEvent(Point(30, 15), Mouse.SCROLL_UP, MouseButton.NONE, shifted))
    assert galaxy.corner(chart, place, front.ui.pan, at.map, at.body) == (left - 12, top)  # the wheel with Shift


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(list(GAMES)), st.sampled_from([*SIZES, (60, 18), (90, 30)]), st.sampled_from(["", "?", "c-p", "f2"])
)
def test_all_that_can_be_clicked_lies_where_it_is_drawn(name: str, size: tuple[int, int], page: str) -> None:
    front = shared(name).front
    front.ui.page, front.ui.pane = None, Pane.ASK
    if page:
        front.press(page)
    drawn = front.draw(*size)
    listed, rows = front.scene.entries(front.ui), dict[str, list[str]]()
    for hit in drawn.hits:
        area = hit.area
        assert 0 <= area.x < area.x + area.width <= size[0]
        assert 0 <= area.y < area.y + area.height <= size[1]
        text = plain(drawn.lines[area.y])[area.x : area.x + area.width]
        if hit.what == "key" and hit.value != "!":
            assert hit.value in text
        elif hit.what == "entry":
            number = f"{int(hit.value) + 1} "
            found = listed[int(hit.value)]
            rows.setdefault(hit.value, []).append(text)
            assert rows[hit.value][0].lstrip(" ▸").startswith((number, f"{found.letter.upper()} ", found.text[:5]))
    front.ui.typing, front.ui.page = Typing.NOTHING, None


@pytest.mark.parametrize("name", GAMES)
def test_every_space_is_reached_by_arrows(name: str) -> None:
    chart = pictures(name).chart(shared(name).session.frame(), ZOOMS[0])
    found, seen = [*chart.spots][:1], set[str]()
    while found:
        place = found.pop()
        if place not in seen:
            seen.add(place)
            found += [galaxy.toward(chart, place, way) for way in galaxy.WAYS]
    assert seen == set(chart.spots)


@pytest.mark.parametrize("name", GAMES)
def test_a_map_has_every_space_once_at_every_zoom(name: str) -> None:
    frame = shared(name).session.frame()
    for zoom in ZOOMS:
        chart = pictures(name).chart(frame, zoom)
        cells = [
            (x, y)
            for spot in chart.spots.values()
            for x in range(spot.x, spot.x + spot.width)
            for y in range(spot.y, spot.y + spot.height)
        ]
        assert len(cells) == len(set(cells))
        assert set(chart.spots) == set(pictures(name).chart(frame, ZOOMS[0]).spots)


def test_no_key_means_two_things_and_every_key_means_something() -> None:
    pressed = [key for each in KEYS for key in each.keys]
    assert len(pressed) == len(set(pressed))
    assert {each.act for each in KEYS} <= {*ACTIONS, *PAGES, *STEPS}


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
    assert "Nothing was marked." in " ".join(text for _style, text in solo.front.feed)


@pytest.mark.parametrize("legal", [(), ("grand-exchange",)], ids=["no space to choose", "a space to choose"])
def test_a_short_note_stands_above_the_map_and_not_in_its_place(
    monkeypatch: pytest.MonkeyPatch, legal: tuple[str, ...]
) -> None:
    solo = Solo("rex")
    monkeypatch.setattr(solo.front.scene, "legal", lambda _ui: legal)
    monkeypatch.setattr(solo.front.scene, "before", lambda _width: [line("Seen: a card")])
    drawn = solo.front.draw(120, 40)
    assert plain(drawn.lines[1]).startswith("Seen: a card")
    assert any("Galactic Council" in plain(each) for each in drawn.lines)
    hit = next(hit for hit in drawn.hits if hit.what == "place" and hit.value == "grand-exchange")
    assert "Grand" in plain(drawn.lines[hit.area.y + 1])


def test_long_names_leave_room_for_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screen_game.NAMES", tuple(f"{letter} of the many provinces (bot)" for letter in "ABC"))
    shown = whole(Solo("emperor").front.draw(80, 24), 80, 24)
    assert any(re.search(r"A A of the many.*… .*B B of the many.*… .*C C of the many.*…", row) for row in shown)


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


def test_unicode_and_ascii_screens_differ_in_signs_alone() -> None:
    first, second = Solo("eclipse2", glyphs=UNICODE), Solo("eclipse2", glyphs=ASCII)
    for one, other in zip(first.front.draw(80, 24).lines, second.front.draw(80, 24).lines, strict=True):
        assert len(plain(one)) == len(plain(other))


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_advises_an_answer_that_is_listed(name: str) -> None:
    table = Solo(name)
    table.play(4, random.Random(1))
    table.press("U", "H")
    said = [text for _style, text in table.front.feed if "would answer" in text]
    assert said
    assert len(table.front.scene.entries(table.front.ui)) == 1


def test_a_bot_advises_in_the_middle_of_an_answer_too() -> None:
    table, rng = Solo("emperor"), random.Random(1)
    for _time in range(200):
        if table.session.draft is not None and table.session.draft.so_far:
            break
        table.play(1, rng)
    table.press("H")
    assert any("would answer" in text for _style, text in table.front.feed[-4:])


@pytest.mark.parametrize("name", ["emperor", "rex"])
def test_an_advised_number_is_set_in_the_row_of_all_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, rng = Solo(name), random.Random(1)
    while table.front.scene.view.ask is None or not table.front.scene.view.ask.amounts:
        table.play(1, rng)
    choices, last = table.session.choices, table.front.scene.view.ask.amounts[0].options[-1]
    assert choices is not None
    advice = Advice("greedy", choices.texts[last], choices.options[last], "")
    monkeypatch.setattr("client.session.advice.advised", lambda _session: advice)
    table.press("H")
    assert [entry.option for entry in table.front.scene.entries(table.front.ui)] == [last]


@pytest.mark.parametrize("name", GAMES)
def test_questions_of_a_first_game_have_advice_that_a_key_takes_away(name: str) -> None:
    table = Solo(name)
    advice = [""]
    for _ in range(20):
        advice.append(table.front.scene.guide())
        table.play(1, random.Random(2))
    assert any(advice), f"client.games says no guide of {name} that words an answer"
    table.press("A")
    assert "no more advice" not in "\n".join(plain(each) for each in table.front.draw(120, 40).lines)


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


def test_what_happened_since_the_last_answer_is_known_after_a_resume_and_of_the_seat_at_the_screen() -> None:
    table = Solo("eclipse2")
    table.play(40, random.Random(3))
    heights = sorted({each.height for each in table.session.log})
    controls: Any = table.controls
    controls.seats = (0, 1)
    controls.answered = {0: (heights[-6], heights[-4]), 1: (heights[-2], heights[-2])}.get
    table.session.sit(controls)
    for present, seen in ((0, heights[-4]), (1, heights[-2])):
        table.session.sent.present = present
        table.session.screens.tell()
        assert {each.height for each in table.front.scene.since()} == {at for at in heights if at > seen}
        table.front.press("a")
        assert "Nothing has happened since" not in "\n".join(whole(table.front.draw(120, 40), 120, 40))
    assert table.session.sent.first == heights[-2], "the last answers can be proposed to be taken back"
    controls.answered = lambda _seat: None
    table.session.notice(VoteNotice(VoteStage.AGREED, "takeback", terms=[heights[-6], False]))
    assert len(table.front.scene.since()) == len(table.session.log), "before the first answer everything is new"
    table.front.press("a")
    shown = "\n".join(whole(table.front.draw(120, 40), 120, 40))
    assert "What has happened so far" in shown
    assert (
        table.session.log[-1].text.removeprefix(f"{table.session.names[table.session.log[-1].seats[0]]} ")[:20] in shown
    )


def test_who_shares_a_terminal_sees_no_hand_before_taking_the_seat() -> None:
    table = Solo("rex")
    table.play(20, random.Random(3))
    assert table.session.draft is not None
    asked = table.session.draft.asked
    table.session.withdrawn(asked)
    table.controls.seats = (0, 1)
    table.session.asking.present = 0
    table.session.asked(asked)
    table.front.say("planted: what Anna alone was told")
    table.session.withdrawn(asked)
    table.session.asked(replace(asked, seat=1))
    hidden = "\n".join(whole(table.front.draw(80, 24), 80, 24))
    assert "Pass the keyboard to Bob. Bob: type y when nobody else is looking." in hidden
    assert "influence" not in hidden
    assert not table.session.frame().view.lens
    assert table.session.choices is None
    for key in ("?", "s", "enter", "enter", "1"):
        table.front.press(key)
    assert "Pass the keyboard to Bob" in "\n".join(whole(table.front.draw(80, 24), 80, 24))
    table.front.press("y")
    shown = "\n".join(whole(table.front.draw(80, 24), 80, 24))
    assert "Pass the keyboard" not in shown
    assert table.session.draft is not None
    assert "planted" not in "\n".join(text for _style, text in table.front.feed)


def opened(table: Solo, act: str) -> Page | None:
    """The page that an action opens, if it opens one."""
    table.front.dropped()
    table.front.ui.page = None
    table.front.act(act)
    return shown(table.front.ui)


def shown(ui: Ui) -> Page | None:
    """The page on top."""
    return ui.page


@pytest.mark.parametrize("name", GAMES)
def test_every_page_is_searched(name: str) -> None:
    table = Solo(name)
    table.play(3, random.Random(1))
    for act in PAGES:
        page = opened(table, act)
        table.front.ui.word = "qxqx"
        if page is not None:
            assert not (page.lines(80, "qxqx") if page.items is None else page.items("qxqx")), act


def test_the_palette_ranks_what_fits_and_names_reason_rule_and_articles() -> None:
    table = Solo("eclipse2")
    table.play(6, random.Random(1))
    while not table.session.choices or not table.session.choices.why():
        table.play(1, random.Random(1))
    table.press("c-p")
    page = table.front.ui.page
    assert page is not None
    assert page.items is not None
    everything = page.items("")
    assert any("Rule: " in each.reason for each in everything)
    assert [each.key for each in page.items("rules diplomacy")][:1] == ["F1"]
    assert [each.key for each in page.items("only in the log")][:1] == ["F2"]
    assert "standing orders" in page.items("stand")[0].text.lower()
    assert page.items("drwlrgr")[0].key == "z"
    assert not page.items("qxqx")
    page.items("rules diplomacy")[0].act()
    assert "iplomacy" in " ".join(map(plain, table.front.draw(120, 40).lines))


@pytest.mark.parametrize("name", ["eclipse2", "emperor"])
def test_the_map_begins_at_ones_own_home(name: str) -> None:
    table, rng = Solo(name), random.Random(1)
    while not table.front.ui.home:
        table.play(1, rng)
    home = pictures(name).home(table.session.frame())
    assert table.front.ui.home == home != ""
    assert home in table.front.scene.chart(0).spots
    legal = table.front.scene.legal(table.front.ui)
    assert table.front.ui.place in (legal or [home])


def test_a_page_that_is_closed_after_the_end_does_not_leave_the_table() -> None:
    solo, left = Solo("emperor"), list[bool]()
    solo.front.ended("The practice is over.", lambda: left.append(True))
    assert "─ The end ─" in plain(solo.front.draw(120, 40).lines[1])
    solo.front.press("f2")
    assert "─ Log ─" in plain(solo.front.draw(120, 40).lines[1])
    solo.front.press("escape")
    assert solo.front.ui.page is None
    assert not left
    solo.front.press("escape")
    assert left == [True]
