"""A recorded game on the full screen: its steps, timeline and map, by keys, mouse and typed lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replaying import Seen, eclipse, rex, walked

from client.fronts.screen.keys import REPLAY
from client.fronts.screen.position import timeline
from client.fronts.screen.replay import log
from client.proof.recording import Recording
from client.show.pictures import pictures
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system.texts import use


def test_keys_go_by_steps_seats_rounds_and_battles_and_stop_at_both_ends() -> None:
    seen, steps = Seen(eclipse()), eclipse().steps
    seen.press("left", "{", "[", "up")
    assert seen.replay.shown.at == 0
    seen.press("right", "right", "left")
    assert seen.replay.shown.at == 1
    seen.press("}")
    assert steps[seen.replay.shown.at].battle
    seen.press("]")
    assert steps[seen.replay.shown.at].round == steps[seen.replay.shown.at - 1].round + 1
    seen.press("down")
    assert steps[seen.replay.shown.at].seat >= 0
    seen.press("end", "right", "]", "}")
    assert seen.replay.shown.at == len(steps) - 1
    assert not seen.replay.press("y")


def test_a_battle_stands_where_it_is_fought_and_a_key_shows_the_map() -> None:
    seen = Seen(rex())
    shown = seen.replay.shown
    shown.at = next(at for at, step in enumerate(rex().steps) if step.battle)
    while shown.battle() is None:
        shown.at += 1
    assert "dial  " in seen.text()
    assert "dial  " not in seen.press("f8")
    assert "dial  " in seen.press("f8")


def test_keys_of_ones_own_do_in_a_replay_what_they_do_at_a_table_and_others_take_no_key_from_it() -> None:
    seen = Seen(rex(), mine={"log": ["L"], "battle": ["B"], "details": ["i"], "page_down": ["K"], "send": ["n"]})
    shown = seen.replay.shown
    shown.at = next(at for at, step in enumerate(rex().steps) if step.battle)
    while shown.battle() is None:
        shown.at += 1
    assert "dial  " not in seen.press("B")
    assert "dial  " not in seen.press("f8")
    assert "dial  " in seen.press("B")
    titles = list[str]()
    for keys in (("tab", "d"), ("i",), ("escape", "f2"), ("L",)):
        seen.press(*keys)
        titles.append("" if seen.replay.page is None else seen.replay.page.title)
    assert [bool(each) for each in titles] == [False, True, False, True]
    assert titles[-1] == "Log"
    seen.press("escape", "?")
    assert [("L" in row, "F2" in row) for row in seen.text().splitlines() if "the log;" in row] == [(True, False)]
    seen.press("escape")
    assert seen.replay.press("n"), "it is the key of something that a replay has not"


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 50)])
@pytest.mark.parametrize("name", ["eclipse2.1.star", "eclipse1.1.star"])
def test_each_ship_of_a_battle_has_one_row_and_what_it_does_may_have_another(name: str, size: tuple[int, int]) -> None:
    seen = Seen(eclipse() if name == "eclipse2.1.star" else Recording(walked(name)))
    shown, fought = seen.replay.shown, 0
    for at in range(shown.last + 1):
        shown.go(at)
        battle = shown.battle()
        if battle is not None:
            assert battle.units is not None
            fought += 1
            drawn = seen.text(*size).splitlines()
            head = next(at for at, row in enumerate(drawn) if battle.units.heads[-2].text in row)
            below = (row.partition("│")[0] for row in drawn[head + 1 :])
            for cells in battle.units.rows:
                row = next(below)
                assert cells[0].text in row
                last = cells[-1].text.split(" ")[-1]
                assert last in row or last in next(below)
            assert "▼" in "".join(drawn), "the timeline is drawn too"
    assert fought


def test_it_plays_by_itself_until_the_end_and_stops_for_a_page() -> None:
    seen = Seen(eclipse())
    assert not seen.replay.tick()
    slow = seen.replay.pause
    seen.press(" ", "+")
    assert seen.replay.pause < slow
    assert seen.replay.tick()
    assert seen.replay.shown.at == 1
    while seen.replay.tick():
        pass
    assert seen.replay.shown.at == seen.replay.shown.last
    seen.press("home", " ", "?")
    assert "to the next battle" in seen.text()
    assert not seen.replay.tick()


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(40, 10), (60, 18), (80, 24), (120, 40), (200, 50)])
def test_map_timeline_and_points_fit_every_size(glyphs: Glyphs, size: tuple[int, int]) -> None:
    seen = Seen(eclipse(), glyphs)
    for at in (0, 76, 77, len(eclipse().steps) - 1):
        seen.replay.shown.at = at
        text = seen.text(*size)
        assert text.isascii() or glyphs is UNICODE
        assert "R1" in text
        assert ("v" if glyphs is ASCII else "▼") in text
        rows = text.splitlines()
        assert all("Player" in rows[y + 1] for y, row in enumerate(rows) if " Points " in row)


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_points_of_all_seats_fit_into_their_row_however_narrow_it_is(seats: int) -> None:
    scores = [(step, [step + seat for seat in range(seats)]) for step in range(9)]
    game: Any = SimpleNamespace(scores=scores, steps=[SimpleNamespace(battle=False, round=1) for _each in range(9)])
    for columns in (*range(6 * seats, 60), 80, 120):
        row = plain(timeline(game, 4, (), UNICODE, columns)[-1])
        assert [letter for letter in row if letter in "ABCDEF"] == [*"ABCDEF"[:seats]]
        last = chr(ord("A") + seats - 1)
        assert len(row.partition(last)[2].strip()) == len(row.partition("A")[2].partition("B")[0].strip()) > 0


def test_the_figures_of_a_seat_stand_beside_its_points_as_far_as_they_fit() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = len(eclipse().steps) // 2
    figures = [name for name, _value in pictures("eclipse2").counts.figures(seen.replay.shown.frame(64), 0)]
    rows = seen.text(200, 50).splitlines()
    row = next(row for y, row in enumerate(rows) if y and " Points " in rows[y - 1])
    assert [name in row for name in figures] == [True] * (len(figures) - 1) + [False]


def test_a_click_on_the_timeline_goes_there_and_the_wheel_steps() -> None:
    seen = Seen(eclipse())
    seen.text(120, 40)
    row = next(y for y, line in enumerate(seen.replay.draw(120, 40).lines) if "▼" in plain(line))
    for x in (119, 60, 9):
        seen.replay.click(x, row)
        line = plain(seen.replay.draw(120, 40).lines[row])
        assert abs(line.index("▼") - x) <= 1
    seen.replay.wheel(5, row, 3)
    assert seen.replay.shown.at == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_click_does_what_is_drawn_under_it(data: st.DataObject) -> None:
    seen = Seen(eclipse())
    width, rows = data.draw(st.sampled_from([(60, 18), (80, 24), (120, 40), (200, 50)]))
    seen.replay.shown.at = start = data.draw(st.integers(0, seen.replay.shown.last))
    drawn = seen.replay.draw(width, rows)
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, rows - 1))
    hit = drawn.at(x, y)
    seen.replay.click(x, y)
    if hit is None:
        assert seen.replay.shown.at == start, "nothing is drawn there that could be clicked"
    elif hit.what == "time":
        marked = next(plain(line).index("▼") for line in seen.replay.draw(width, rows).lines if "▼" in plain(line))
        assert abs(marked - x) <= 1 or marked > x
    elif hit.what == "place":
        assert seen.replay.shown.place == hit.value
    elif hit.what == "act":
        assert hit.value == f"eyes {seen.replay.shown.eyes}"
    elif hit.what == "key" and hit.y:
        shown = plain(drawn.lines[y])[hit.x : hit.x + hit.width]
        assert hit.value in shown, "the key that is named there is pressed"


def test_every_key_at_the_foot_can_be_clicked() -> None:
    replay = Seen(eclipse()).replay
    keys = {replay.key_of(hit.value) for hit in replay.draw(200, 50).hits if hit.what == "key"}
    assert keys >= {each.keys[0] for each in REPLAY if each.short}
    seen = Seen(eclipse())
    for word, shown in (
        ("?", "to the next battle"),
        ("Esc", "■"),
        ("→", f"step {eclipse().steps[1].opens} of"),
        ("Space", "▸"),
    ):
        hit = next(hit for hit in seen.replay.draw(120, 40).hits if hit.value == word)
        seen.replay.click(hit.x, hit.y)
        assert shown in seen.text()


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (200, 50)])
def test_the_foot_always_names_the_way_to_the_keys_and_out(lang: str, size: tuple[int, int]) -> None:
    seen = Seen(eclipse())
    use(lang)
    foot = " ".join(seen.text(*size).splitlines()[-2:])
    assert re.search(r"\? (keys|teclas) ", foot)
    assert re.search(r" q (quit|salir) ", foot)


def test_search_goes_to_the_next_step_that_tells_of_it_and_round_again() -> None:
    seen = Seen(eclipse())
    seen.press("/")
    assert seen.replay.typing
    seen.replay.typed("passes")
    seen.replay.entered("passes")
    first = seen.replay.shown.at
    assert any("passes" in text for text in seen.replay.shown.event_lines())
    seen.press("n")
    assert seen.replay.shown.at > first
    seen.press("end", "n")
    assert seen.replay.shown.at == first


def test_marks_are_set_shown_on_the_timeline_and_gone_to() -> None:
    seen = Seen(eclipse())
    for at in (10, 40):
        seen.replay.shown.at = at
        assert f"step {seen.replay.shown.height} of {eclipse().walk.last} ★" in seen.press("m")
    seen.press("home", ".", ".", ".")
    assert seen.replay.shown.at == 40
    assert seen.press(",").count("★") == 2
    assert seen.replay.shown.at == 10
    assert "★" not in seen.press("m", ".", "m")


def test_a_typed_line_goes_to_a_step_or_a_round() -> None:
    seen = Seen(eclipse())
    seen.press(":")
    assert f"step 40 of {eclipse().walk.last}" in seen.enter("40")
    seen.press(":")
    assert "round 4 of 8" in seen.enter("r4")
    seen.press(":")
    assert "neither the number of a step" in seen.enter("somewhere")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_step_a_round_and_a_word_that_are_not_there_are_said_to_be_missing(lang: str) -> None:
    use(lang)
    seen, last = Seen(rex()), rex().walk.last
    for key, text, said in (
        (":", str(last + 1), {"en": f"There is no step {last + 1}", "es": f"No hay paso {last + 1}"}),
        (":", "r99", {"en": "There is no round 99", "es": "No hay ronda 99"}),
        ("/", "zzzz", {"en": "No step tells of “zzzz”", "es": "Ningún paso habla de «zzzz»"}),
    ):
        seen.press("home", key)
        assert said[lang] in seen.enter(text)
        seen.press("escape")
        assert seen.replay.shown.at == 0


@pytest.mark.parametrize("game", [eclipse, rex], ids=["eclipse2", "rex"])
def test_steps_have_the_numbers_that_verify_the_page_and_the_line_mode_give_them(game: Callable[[], Recording]) -> None:
    """A step with secret choices takes several inputs, so that counting inputs gives other numbers."""
    seen, recording, walk = Seen(game()), game(), game().walk
    for height in {step.opens for step in recording.steps[::20]} | {walk.last}:
        seen.press(":")
        assert f"step {height} of {walk.last}" in seen.enter(str(height))
        there, here = walk.match_at(height), recording.match(seen.replay.shown.at)
        assert there is not None
        assert there.digest() == here.digest()
    told = {height for height, _events in walk.history}
    page = log(recording, seen.replay.shown.last, walk.names, 200)
    numbered = [int(plain(each).split()[0]) for each in page.lines(200, "") if plain(each)[:5].strip().isdigit()]
    assert numbered
    assert set(numbered) <= told


@pytest.mark.parametrize("text", ["9" * 5000, "r" + "9" * 5000], ids=["step", "round"])
def test_a_number_of_thousands_of_digits_is_no_step_and_no_round(text: str) -> None:
    seen = Seen(eclipse())
    seen.press(":")
    assert "is neither the number" in seen.enter(text)


def test_a_typed_line_does_what_a_word_of_the_foot_says_and_is_completed() -> None:
    seen = Seen(eclipse())
    assert seen.replay.complete("r") == ()
    for lang, word, shown in (("en", "eyes", "what all may see"), ("es", "ojos", "lo que todos pueden ver")):
        use(lang)
        seen.press(":")
        assert word in seen.replay.complete("")
        assert seen.replay.complete(word[:2]) == [word]
        assert list(seen.replay.complete("r"))[:3] == ["r1", "r2", "r3"]
        assert shown in seen.enter(word)
        seen.press("escape")
    assert seen.replay.complete("r") == ()


def test_a_space_has_its_name_beside_the_map_and_as_a_title() -> None:
    seen = Seen(rex())
    seen.press("end")
    while seen.replay.shown.place != "imperial-palace":
        seen.press("tab")
    assert "─ Imperial Palace ─" in seen.text()
    assert "─ Imperial Palace ─" in seen.press("d")


def test_a_space_tells_what_lies_there_and_the_map_moves_under_the_mouse() -> None:
    seen = Seen(eclipse())
    seen.press("end", "z", "z")
    before = seen.text()
    drawn = seen.replay.draw(120, 40)
    hit = next(hit for hit in drawn.hits if hit.what == "place")
    seen.replay.drag(hit.x, hit.y, 5, 3)
    assert seen.text() != before
    seen.replay.wheel(hit.x, hit.y, -3)
    seen.text()
    seen.replay.click(hit.x, hit.y)
    place = seen.replay.shown.place
    assert f"─ {place} ─" in seen.text()
    seen.press("tab")
    assert seen.replay.shown.place != place
    assert "What happened" not in seen.press("d")


def test_a_click_in_the_bar_chooses_the_eyes_and_plays() -> None:
    seen = Seen(rex())
    seen.press("end")
    hits = [hit for hit in seen.replay.draw(120, 40).hits if hit.y == 0]
    first = next(hit for hit in hits if (hit.what, hit.value) == ("act", "eyes 0"))
    seen.replay.click(first.x, 0)
    assert seen.replay.shown.eyes == 0
    seen.press("home")
    pace = next(hit for hit in hits if hit.what == "key")
    seen.replay.click(pace.x, 0)
    assert seen.replay.playing
