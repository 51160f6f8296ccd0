# SPDX-License-Identifier: GPL-3.0-or-later
"""The map by keys and clicks: targets in turn, spaces by number and name, reasons for the space in focus."""

from __future__ import annotations

import random
import re

import pytest
from screen_game import Solo, shared

from client.fronts.screen import galaxy
from client.fronts.screen.layout import sizes, zoom_of
from client.fronts.screen.scene import Focus
from client.games.rex.show.pieces import named
from client.games.rex.wording import term
from client.session.news import LoggedEvent
from client.session.view import view_of
from client.show.document import Chart, Spot
from client.show.map import ZOOMS, Zoom
from client.show.map import chart as drawn_chart
from client.show.pictures import Frame, pictures
from client.show.styled import line, plain
from client.system import texts
from client.table.notices import HistoryRewound
from engine.core.registry import GAMES


def asked_on_the_map(name: str) -> Solo:
    """A table at a question whose answers name at least three spaces."""
    solo = Solo(name, 3)
    rng = random.Random(4)
    while len(solo.front.scene.legal(solo.front.ui)) < 3:
        solo.play(1, rng)
    return solo


def drawn(name: str, frame: Frame, zoom: Zoom) -> Chart:
    return drawn_chart(pictures(name).documents.map(frame), zoom, frame.glyphs)


def screen(solo: Solo, columns: int = 120, rows: int = 40) -> str:
    return "\n".join(plain(line) for line in solo.front.draw(columns, rows).lines)


def test_tab_on_the_map_goes_through_the_targets_alone_and_escape_goes_back_to_the_question() -> None:
    front = asked_on_the_map("eclipse2").front
    front.ui.pane = Focus.MAP
    legal = list(front.scene.legal(front.ui))
    seen = []
    for _ in legal:
        front.press("tab")
        seen.append(front.ui.place)
    assert sorted(seen) == sorted(legal)
    panes = [front.ui.pane]
    front.press("escape")
    assert [*panes, front.ui.pane] == [Focus.MAP, Focus.ASK]


def test_the_focus_leaves_a_sector_that_is_gone_when_the_map_without_it_is_drawn() -> None:
    """As when a step that explored it is taken back, or a supernova takes it, while others are asked."""
    solo = asked_on_the_map("eclipse2")
    front, home = solo.front, solo.front.ui.home
    there = next(place for place in front.scene.chart(0).spots if place != home)
    for focus, kept in ((there, there), ("no sector", home), ("", "")):
        front.ui.place = focus
        solo.session.notice(HistoryRewound(3))
        assert f"[{kept}]" in screen(solo) or not kept
        assert front.ui.place == kept


@pytest.mark.parametrize(
    ("name", "typed", "found"),
    [
        ("eclipse2", "001", "001"),
        ("eclipse2", "galactic c", "001"),
        ("rex", "imperial pal", "imperial-palace"),
        ("rex", "arcade", "customs-arcade"),
        ("emperor", "c5", "c5"),
    ],
)
def test_a_slash_on_the_map_goes_to_a_space_by_number_or_name(name: str, typed: str, found: str) -> None:
    front = Solo(name, 3).front
    front.ui.pane = Focus.MAP
    front.press("/")
    front.typed(typed)
    assert front.ui.place == found
    front.entered(typed)
    assert (front.typing, front.ui.place, front.ui.pane) == (False, found, Focus.MAP)


def test_a_name_that_no_space_has_is_told_and_moves_nothing() -> None:
    front = Solo("eclipse2", 3).front
    front.ui.pane, before = Focus.MAP, front.ui.place
    front.press("/")
    front.entered("zzz")
    assert front.ui.place == before
    assert "zzz" in front.news.texts[-1][1]


def test_a_space_that_no_answer_names_is_told_by_its_name() -> None:
    front = Solo("rex", 3).front
    free = [place for place in front.scene.chart(0).spots if place not in front.scene.legal(front.ui)]
    assert "garden-of-statues" in free
    front.ui.pane, front.ui.place = Focus.MAP, "garden-of-statues"
    front.press("enter")
    assert "names Garden of Statues;" in front.news.texts[-1][1]


def test_the_space_in_focus_says_why_no_answer_can_name_it_with_the_rule() -> None:
    solo = Solo("eclipse2", 3)
    rng = random.Random(4)
    front = solo.front
    spots = list(front.scene.chart(0).spots)
    while not any([*front.scene.refused_at(place)] for place in spots):
        solo.play(1, rng)
        spots = list(front.scene.chart(0).spots)
    front.ui.place = next(place for place in spots if [*front.scene.refused_at(place)])
    (_what, why), *_more = front.scene.refused_at(front.ui.place)
    assert "Rule: " in why or "Ruling" in why
    told = screen(solo, 200, 50)
    assert told.index(f"─ {front.ui.place} ") < told.index("│x ") < told.index("─ Anna ─")


def test_answers_with_letters_stand_in_the_hint_bar_and_are_taken_by_a_click() -> None:
    solo = Solo("eclipse2", 3)
    rng = random.Random(4)
    front = solo.front
    while (
        not any(front.scene.letter(entry) == "p" for entry in front.scene.entries(front.ui))
        or view_of(solo.session).picked
    ):
        solo.play(1, rng)
    drawn = front.draw(120, 40)
    assert " P Pass " in plain(drawn.lines[-1])
    hit = next(hit for hit in drawn.hits if (hit.what, hit.value, hit.y) == ("key", "P", 39))
    front.click(hit.x + 1, 39)
    assert view_of(solo.session).picked == ["pass"]


def test_what_a_seat_does_in_one_turn_is_one_paragraph_with_the_number_of_its_step() -> None:
    front = Solo("eclipse2", 3).front
    front.draw(120, 40)
    before = len(front.news.texts)
    texts = ("Bob: explore (discs left: 9).", "Bob draws sector 103.", "Bob places sector 103 at 1,-1.")
    for at, text in enumerate(texts):
        event = "turn/action" if at == 0 else "explore/placed"
        front.happened([LoggedEvent(7 + at, text, event, (1,))])
        front.draw(120, 40)
    assert [text for _style, text in front.news.texts[before:]] == [
        "#7 Bob: explore (discs left: 9); draws sector 103; places sector 103 at 1,-1."
    ]
    front.happened([LoggedEvent(12, "Bob: build (discs left: 8).", "turn/action", (1,))])
    assert front.news.texts[-1][1].startswith("#12 Bob: build")
    assert "\n".join(plain(line) for line in front.draw(120, 40).lines).count("draws sector 103") == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
def test_the_whole_city_of_rex_fits_every_screen(size: tuple[int, int]) -> None:
    front = Solo("rex", 3).front
    at = sizes(*size)
    zoom = zoom_of(front.scene, front.ui, at)
    chart = front.scene.chart(zoom)
    assert len(chart.lines) <= at.body
    assert max(spot.x + spot.width for spot in chart.spots.values()) < at.map
    assert zoom == {80: 0, 120: 1, 200: 2}[size[0]]


@pytest.mark.parametrize("language", ["en", "es"])
def test_names_of_the_city_are_whole_words_or_end_with_an_ellipsis(language: str) -> None:
    texts.use(language)
    try:
        for spot in Solo("rex", 3).front.scene.chart(1).spots:
            words = term(spot).split()
            for part in " ".join(named(term(spot), 10, 2)).split():
                assert part in words or part.endswith("…")
    finally:
        texts.use("en")


def test_the_largest_zoom_spells_the_planets_out() -> None:
    front = Solo("eclipse2", 3).front
    drawn = "\n".join(plain(line) for line in front.scene.chart(2).lines)
    assert re.search(r"(money|science|materials)\*? 0/1", drawn)
    assert "($SS*)" not in drawn


@pytest.mark.parametrize("name", GAMES)
def test_every_space_is_reached_by_arrows(name: str) -> None:
    chart = drawn(name, shared(name).session.frame(), ZOOMS[0])
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
        chart = drawn(name, frame, zoom)
        cells = [
            (x, y)
            for spot in chart.spots.values()
            for x in range(spot.x, spot.x + spot.width)
            for y in range(spot.y, spot.y + spot.height)
        ]
        assert len(cells) == len(set(cells))
        assert set(chart.spots) == set(drawn(name, frame, ZOOMS[0]).spots)


@pytest.mark.parametrize("name", ["eclipse2", "emperor"])
def test_the_map_begins_at_ones_own_home(name: str) -> None:
    table, rng = Solo(name), random.Random(1)
    while not table.front.ui.home:
        table.play(1, rng)
    home = pictures(name).documents.home(table.session.frame())
    assert table.front.ui.home == home != ""
    assert home in table.front.scene.chart(0).spots
    legal = table.front.scene.legal(table.front.ui)
    assert table.front.ui.place in (legal or [home])


def planned(solo: Solo) -> list[str]:
    """What the news tell that the draft would cause."""
    return [text[2:] for _style, text in solo.front.news.texts if text.startswith("~ ")]


def test_the_news_tell_what_the_draft_would_cause_only_while_it_is_not_sent() -> None:
    solo = Solo("emperor", 3)
    draft = solo.session.asking.draft
    assert draft is not None
    while not planned(solo):
        solo.session.asking.pick(draft.options()[-1])
    told = planned(solo)
    solo.press("U")
    assert not planned(solo)
    while not planned(solo):
        solo.session.asking.pick(draft.options()[-1])
    assert planned(solo) == told
    solo.press("s")
    assert not planned(solo)
    assert any(text.startswith("#") and told[0].removesuffix(".") in text for _style, text in solo.front.news.texts)


@pytest.mark.parametrize(("rest", "seen"), [("2f1m", "[d7]2f…"), ("1f !", "[d7]1f!"), ("1e", "[d7]1e ")])
def test_what_stands_behind_the_name_in_focus_is_whole_or_says_that_it_is_cut(rest: str, seen: str) -> None:
    chart = Chart((line(f"│d7 {rest:<4}│"),), {"d7": Spot(1, 0, 7, 1, 2)})
    drawn = galaxy.drawn(chart, galaxy.Marks("d7"), (0, 0), 9, 1)
    assert plain(drawn[0]) == f"│{seen}│"
