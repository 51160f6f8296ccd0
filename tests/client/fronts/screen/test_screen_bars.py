# SPDX-License-Identifier: GPL-3.0-or-later
"""The bars and the right pane of the table: what always stands on the screen, at each size."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from screen_game import Solo
from trio.testing import MockClock

from client.fronts.kit.pane import spelt
from client.fronts.screen.asking import BRIEF, beside, entries_of
from client.fronts.screen.scene import Focus
from client.games.eclipse.show.pictures import PICTURES
from client.session.screens import Screens
from client.show.styled import plain
from client.system import texts
from client.system.names import columns
from client.table.notices import ChatSaid
from engine.core.registry import GAMES

SIZES = ((80, 24), (120, 40), (200, 50))


@cache
def table(name: str) -> Solo:
    made = Solo(name, 5)
    made.play(30, random.Random(2))
    return made


def rows(solo: Solo, columns: int, height: int) -> list[str]:
    return [plain(line) for line in solo.front.draw(columns, height).lines]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_the_header_names_game_round_who_must_act_how_long_links_and_verified_steps(
    name: str, size: tuple[int, int]
) -> None:
    head = rows(table(name), *size)[0]
    spelt = size[0] >= 110
    now = getattr(table(name).match.g, "round", None)
    number = [] if now is None else [f"Round {now.number}" if spelt else f"R{now.number}"]
    waits = [] if table(name).match.over else ["0 min", "to answer"]
    for part in (name, *number, *waits, "●"):
        assert part in head
    assert f"{'verified ' if spelt else '✓'}{table(name).front.scene.height}" in head


def test_who_must_act_has_the_same_name_before_and_after_the_last_pick() -> None:
    solo = Solo("emperor", 5)
    name = solo.session.table.names[0]
    assert f"▸ {name} to answer" in rows(solo, 80, 24)[0]
    while not solo.session.asking.sendable or solo.front.scene.view.ask is not None:
        draft = solo.session.asking.draft
        assert draft is not None
        solo.session.asking.pick(draft.options()[-1])
    assert f"▸ {name} to answer" in rows(solo, 80, 24)[0]


def test_the_header_counts_the_minutes_that_the_table_waits_and_the_seconds_of_a_lost_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solo = Solo("eclipse2", 5)
    monkeypatch.setattr(solo.controls, "ways", lambda: {1: ""})
    monkeypatch.setattr(solo.controls, "linked", lambda: {1: False})
    solo.session.screens.tell()
    monkeypatch.setattr(solo.session.screens, "seconds", lambda _since: 185)
    head = rows(solo, 120, 40)[0]
    assert "│ 3 min" in head
    assert "links ●○3m" in head
    monkeypatch.setattr(solo.session.screens, "seconds", lambda _since: 12)
    assert "●○12s │ ✓" in rows(solo, 80, 24)[0]


def test_a_wait_begins_when_that_is_owed_which_is_owed_now() -> None:
    now, table = [10.0], SimpleNamespace(debts={1: "sign", 2: "share"}, linked={})
    shown: Any = table
    screens = Screens(shown, lambda: now[0])
    screens.tell()
    now[0] = 40.0
    table.debts = {1: "answer", 2: "share"}
    screens.tell()
    assert screens.since == {1: 40.0, 2: 10.0}
    now[0] = 50.0
    screens.since = {}
    screens.tell()
    assert screens.since == {1: 50.0, 2: 50.0}, "another move"


@pytest.mark.parametrize("name", GAMES)
def test_the_right_pane_shows_space_question_seats_and_offers_in_this_order(name: str) -> None:
    solo = table(name)
    pane = [row[136:] for row in rows(solo, 200, 50)]
    ruled = [row.split("─ ")[1].split(" ─")[0] for row in pane if row.startswith("─ ")]
    if solo.front.ui.place:  # a game without a map has no space
        assert ruled.pop(0) == solo.session.table.display_names(solo.front.ui.place)
    assert ruled.index("Seats") > 0
    assert all("(F5)" in title for title in ruled[ruled.index("Seats") + 1 :])
    for letter, who in zip("ABCDEF", solo.controls.names, strict=False):
        assert any(row.startswith((f"{letter}▸{who}", f"{letter} {who}")) for row in pane)


def test_where_rows_are_short_the_options_stay() -> None:
    solo = table("eclipse2")
    listed = solo.front.scene.entries(solo.front.ui)
    for pane in (Focus.ASK, Focus.MAP):
        solo.front.ui.pane = pane
        drawn = "\n".join(rows(solo, 80, 24))
        assert "─ Seats" not in drawn
        assert not listed or listed[0].title[:20] in drawn
    solo.front.ui.pane = Focus.ASK


def test_the_last_message_stands_below_the_map_until_it_is_read() -> None:
    solo = Solo("eclipse2", 5)
    assert "unread" not in "".join(rows(solo, 120, 40))
    for text in ("truce?", "until round 5?"):
        solo.session.notice(ChatSaid("Bob", text))
    assert any("chat  Bob: until round 5?" in row and "[2 unread, F3]" in row for row in rows(solo, 120, 40))
    assert "[F3 2]" in "".join(rows(solo, 80, 24))
    solo.front.press("f3")
    rows(solo, 120, 40)
    solo.front.dropped()
    assert "unread" not in "".join(rows(solo, 120, 40))
    solo.session.notice(ChatSaid("Bob", "again?"))
    solo.session.notice(ChatSaid(solo.session.table.names[0], "mine is read"))
    assert "[1 unread, F3]" in "".join(rows(solo, 120, 40))
    solo.front.press("f3")
    solo.front.entered("")  # the page stays open: what comes then is seen
    solo.session.notice(ChatSaid("Bob", "good"))
    rows(solo, 120, 40)
    solo.front.press("escape")
    assert "unread" not in "".join(rows(solo, 120, 40))


async def test_the_seconds_of_a_lost_link_are_drawn_each_second_and_the_minutes_each_minute(
    autojump_clock: MockClock,
) -> None:
    from client.fronts.screen.run import _ticking

    drawn: list[float] = []
    lost, begun = dict[str, float](), trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_ticking, lambda: bool(lost), lambda: drawn.append(round(trio.current_time() - begun)))
        await trio.sleep(70.5)
        lost["Bob"] = 0.0
        await trio.sleep(3)
        nursery.cancel_scope.cancel()
    assert drawn == [60, 71, 72, 73]


@pytest.mark.parametrize("unread", [0, 2])
def test_the_bar_of_six_seats_tells_the_points_of_all_on_the_smallest_screen(unread: int) -> None:
    from client.fronts.screen import layout
    from client.show.styled import UNICODE

    names = ("Anna", "Bob", "Maximilian", "Robin (bot)", "Emil", "Fay")
    seats = [
        SimpleNamespace(letter=letter, name=name, mine=not number, figures=[("discs", 7), ("vp", 31 + number)])
        for number, (letter, name) in enumerate(zip("ABCDEF", names, strict=True))
    ]
    view = SimpleNamespace(chat=["…"] * unread, waiting=("Anna",), seats=seats, post=False, links={})
    scene: Any = SimpleNamespace(view=view, glyphs=UNICODE, way=lambda _id: "F3")
    ui: Any = SimpleNamespace(read=0)
    bar = plain(layout.seats(scene, ui, 80))
    assert columns(bar) <= 80
    for number, letter in enumerate("ABCDEF"):
        told = bar.split(letter + " ", 1)[1].split("  ")[0].split()
        assert names[number].startswith(told[0].removesuffix("…"))
        assert told[-1] == str(31 + number)


def test_a_step_that_is_not_as_it_should_be_stands_in_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    from client.fronts.screen import layout
    from client.table.notices import FaultProven

    solo = Solo("eclipse2", 5)
    doubt: Any = object.__new__(FaultProven)
    trouble = SimpleNamespace(notice=doubt)
    scene = solo.front.scene
    scene.__dict__["troubles"] = [trouble]
    assert "!" in plain(layout.top(scene, 80))
    assert "✓" not in plain(layout.top(scene, 80))


def test_a_click_on_the_last_message_opens_the_chat() -> None:
    solo = Solo("eclipse2", 5)
    solo.session.notice(ChatSaid("Bob", "truce?"))
    row = next(y for y, text in enumerate(rows(solo, 120, 40)) if "[1 unread, F3]" in text)
    solo.front.click(20, row)
    page = solo.front.page
    assert page is not None
    assert page.title == "Chat"


@pytest.mark.parametrize("height", [24, 27, 31])
def test_options_come_before_the_contents_of_the_space_in_focus(height: int) -> None:
    solo = table("eclipse2")
    scene, ui = solo.front.scene, solo.front.ui
    pane = beside(scene, ui, 30, height)
    if len(entries_of(pane)) < len(scene.entries(ui)):
        assert next(at for at, row in enumerate(pane) if "Anna" in plain(row)) <= BRIEF
    assert len(pane) == height


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_figures_fit_their_bar_in_full_words_or_in_signs(language: str) -> None:
    frame = table("eclipse2").session.frame()
    texts.use(language)
    try:
        lengths = [columns(PICTURES.documents.status(replace(frame, width=width))) for width in range(80, 140)]
    finally:
        texts.use("en")
    assert all(length < width for width, length in zip(range(80, 140), lengths, strict=True))
    assert lengths[-1] > lengths[0]


def test_on_a_small_screen_panes_are_tabs_to_click_and_on_a_very_small_one_a_notice_names_the_pane() -> None:
    front = Solo("eclipse2", 5).front
    tabs = plain(front.draw(70, 22).lines[1])
    assert tabs.rstrip() == " [question] map  news"
    front.click(tabs.index("map"), 1)
    assert front.ui.pane is Focus.MAP
    assert plain(front.draw(70, 22).lines[1]).rstrip() == "  question [map] news"
    assert plain(front.draw(50, 15).lines[1]).startswith(" Small screen: map; Tab")


def test_keys_have_the_names_of_spanish_keyboards_and_their_names_at_the_foot_press_them() -> None:
    solo = table("rex")
    texts.use("es")
    try:
        assert [spelt(key) for key in ("enter", " ", "pageup", "s-tab")] == ["Intro", "Espacio", "RePág", "Mayús-Tab"]
        assert [solo.front.key_of(spelt(key)) for key in ("enter", " ", "tab")] == ["enter", " ", "tab"]
        solo.front.press("?")
        help_rows = "\n".join(rows(solo, 120, 40))
        solo.front.press("escape")
        foot = rows(solo, 120, 40)[-1]
    finally:
        texts.use("en")
    for shown in (help_rows, foot):
        assert "Intro" in shown
        assert not {"Enter", "Space", "Shift-Tab"} & set(shown.replace(",", " ").split())
