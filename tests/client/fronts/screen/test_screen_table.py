"""The full screen without a terminal: what it draws at every size, and what it never does."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import SIZES, whole
from screen_game import Solo, key_acts, shared

from client.fronts.kit.stack import LEAST
from client.fronts.screen.scene import Focus
from client.show.styled import ASCII, UNICODE, line, plain
from engine.core.registry import GAMES

PRESSED = st.sampled_from([*key_acts(), *"123456789", "x", "f12"])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [*SIZES, (79, 23), (60, 18), LEAST, (12, 4)])
def test_a_screen_is_exactly_as_large_as_the_terminal(name: str, size: tuple[int, int]) -> None:
    table = shared(name)
    for pane in Focus:
        table.front.ui.pane = pane
        assert len(whole(table.front.draw(*size), *size)) == size[1]
    table.front.ui.pane = Focus.ASK


def test_who_takes_over_a_shared_screen_reads_the_last_news_and_nothing_that_was_said_to_somebody_else() -> None:
    table = Solo("eclipse2")
    table.play(3, random.Random(2))
    table.front.say("for your eyes only")
    assert table.asked is not None
    asked, table.controls.seats = table.asked, (0, 1)
    table.session.asking.withdrawn(asked)
    table.session.asking.asked(asked)
    assert table.session.asking.awaited == 0
    told = " ".join(text for _style, text in table.front.news.texts)
    assert "Phase: action." in told
    assert told.endswith(table.session.events.entries[-1].text.removeprefix("Bob "))
    assert "for your eyes only" not in told


@pytest.mark.parametrize("name", GAMES)
def test_without_unicode_a_screen_is_ascii(name: str) -> None:
    table = Solo(name, glyphs=ASCII)
    table.play(20, random.Random(2))
    for size in SIZES:
        assert "".join(whole(table.front.draw(*size), *size)).isascii()
    for page in ("?", "f2", "f4", "f5", "f6", "f7", "f9", "f1", "w", "a", "c-p"):
        table.front.press(page)
        assert "".join(whole(table.front.draw(80, 24), 80, 24)).isascii(), page
        table.front.dropped()
        table.front.press("escape")


@pytest.mark.parametrize("name", GAMES)
def test_everything_on_the_screen_is_read_and_nothing_written(name: str) -> None:
    table = Solo(name)
    table.play(30, random.Random(3))
    before = table.match.digest()
    for key in key_acts():
        if key not in ("enter", "s", "q", "y", "n"):
            table.front.press(key)
            table.front.draw(120, 40)
            table.front.dropped()
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
        table.front.dropped()
    table.front.page = None


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
    assert "Grand" in plain(drawn.lines[hit.y + 1])


def test_long_names_leave_room_for_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screen_game.NAMES", tuple(f"{letter} of the many provinces (bot)" for letter in "ABC"))
    shown = whole(Solo("emperor").front.draw(80, 24), 80, 24)
    assert any(re.search(r"A A of the many.*… .*B B of the many.*… .*C C of the many.*…", row) for row in shown)


def test_unicode_and_ascii_screens_differ_in_signs_alone() -> None:
    first, second = Solo("eclipse2", glyphs=UNICODE), Solo("eclipse2", glyphs=ASCII)
    for one, other in zip(first.front.draw(80, 24).lines, second.front.draw(80, 24).lines, strict=True):
        assert len(plain(one)) == len(plain(other))


def test_who_shares_a_terminal_sees_no_hand_before_taking_the_seat() -> None:
    table = Solo("rex")
    table.play(20, random.Random(3))
    assert table.session.asking.draft is not None
    asked = table.session.asking.draft.asked
    table.session.asking.withdrawn(asked)
    table.controls.seats = (0, 1)
    table.session.asking.present = 0
    table.session.asking.asked(asked)
    table.front.say("planted: what Anna alone was told")
    table.session.asking.withdrawn(asked)
    table.session.asking.asked(replace(asked, seat=1))
    hidden = "\n".join(whole(table.front.draw(80, 24), 80, 24))
    assert "Pass the keyboard to Bob. Bob, when nobody else is looking: y." in hidden
    assert "influence" not in hidden
    opened = table.session.frame().view.g.history.opened
    assert set(table.session.frame().view.lens) <= set(opened)
    assert table.session.asking.choices is None
    for key in ("?", "s", "enter", "enter", "1"):
        table.front.press(key)
    assert "Pass the keyboard to Bob" in "\n".join(whole(table.front.draw(80, 24), 80, 24))
    table.front.press("y")
    shown = "\n".join(whole(table.front.draw(80, 24), 80, 24))
    assert "Pass the keyboard" not in shown
    assert table.session.asking.draft is not None
    assert "planted" not in "\n".join(text for _style, text in table.front.news.texts)
