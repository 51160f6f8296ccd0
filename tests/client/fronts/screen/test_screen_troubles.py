"""Troubles on the full screen: what is, what is at stake, what to do, and doing it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pictures import SIZES
from screen_game import NoHost, Solo, listing, text_of
from trouble_scenes import NOTICES, Consenting, faced

from client.fronts.kit.canvas import Hit
from client.fronts.line.screen import LineScreen
from client.fronts.screen.front import Front
from client.session.session import Session
from client.session.view import view_of
from client.session.waiting import idle_text
from client.show.styled import plain
from client.system import texts
from client.system.names import columns
from client.table.notices import (
    DivergenceFound,
)
from client.words.ways import OPENS
from p2p.lockstep.report import Difference


@pytest.mark.parametrize("name", NOTICES)
def test_the_page_of_troubles_names_each_deed_as_it_is_done_here(name: str) -> None:
    table = faced(name)
    table.front.press("!")
    assert OPENS not in text_of(table.front)


@pytest.mark.parametrize("name", NOTICES)
def test_a_trouble_stays_in_sight_and_opens_by_key_and_by_click(name: str) -> None:
    table = faced(name)
    table.front.press("escape")
    hit = Hit("", "", 0, 0, 0)
    for size in (*SIZES, (60, 20), (100, 20)):
        drawn = table.front.draw(*size)
        hit = next(hit for hit in drawn.hits if (hit.what, hit.value) == ("key", "!"))
        assert "! what to do" in plain(drawn.lines[hit.y])
    table.front.click(hit.x + 1, hit.y)
    assert table.front.page is not None
    clicked = text_of(table.front)
    table.front.press("escape")
    table.front.press("!")
    assert text_of(table.front) == clicked


@pytest.mark.parametrize("name", NOTICES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_troubles_fit_every_screen(name: str, language: str) -> None:
    texts.use(language)
    try:
        table = faced(name)
        table.front.press("escape")
        for key in ("", "!"):
            table.front.press(key)
            for size in (*SIZES, (60, 18)):
                lines = [plain(line) for line in table.front.draw(*size).lines]
                assert {columns(line) for line in lines} == {size[0]}
                assert len(lines) == size[1]
    finally:
        texts.use("en")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_engines_that_differ_are_shown_with_both_values_and_sides(size: tuple[int, int]) -> None:
    table = faced("divergence")
    shown = text_of(table.front, size)  # it opens by itself
    assert "nobody lost anything" in shown
    for part in ("seats.science.2", "round.tray.4", "Anna and Carl | Bob"):
        assert part in shown


STOPPED = [name for name in NOTICES if name.startswith("diver") or name == "split"]


@pytest.mark.parametrize("name", STOPPED)
def test_a_table_that_has_stopped_says_so_and_waits_for_nobody(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = faced(name)
    monkeypatch.setattr(table.controls, "debts", lambda: {1: ""})
    monkeypatch.setattr(table.controls, "owing", lambda: (1,))
    assert table.session.asking.draft is not None
    table.session.asking.withdrawn(table.session.asking.draft.asked)
    table.front.press("escape")
    reader = LineScreen(table.session, lambda: 80)
    stopped = view_of(table.session).stopped[0].text
    assert stopped.startswith("The table has stopped: ")
    screen = " ".join(text_of(table.front).split())
    assert "stopped: " in screen
    for shown in (screen, reader.status(), idle_text(reader.session)):
        assert "aiting for" not in shown
    assert idle_text(reader.session) == stopped
    assert reader.status().startswith(stopped)
    assert reader.prompt() == "stopped> "
    assert view_of(table.session).waiting == ()


def test_a_log_that_is_read_again_has_a_bar_before_the_table_goes_on() -> None:
    session = Session(lambda _asked, _values: None, lambda: None)
    front = Front(session, NoHost())
    session.notice(NOTICES["restoring"])
    shown = text_of(front, (80, 24))
    assert "30%" in shown
    assert "█" in shown
    assert shown.count("1200 of 4000") == 1, "the bar says it"
    table = Solo("eclipse2")
    table.session.open_troubles = session.open_troubles
    table.session.sit(table.controls)
    assert not table.session.troubles()


@pytest.mark.parametrize(
    ("name", "key", "asked"),
    [
        ("reconnecting", "1", ("absent", (1,), None, False)),
        ("left-out", "1", ("back", (), None, False)),
        ("divergence", "2", ("repair", (), 92, False)),
        ("divergence", "3", ("absent", (1,), None, False)),
    ],
)
def test_what_can_be_done_is_done_by_its_number(name: str, key: str, asked: Any) -> None:
    table = faced(name)
    consenting = Consenting(table)
    table.front.press("!")
    table.front.press(key)
    assert consenting.asked == [asked]


def test_that_this_copy_is_the_newest_is_said_after_reading_what_is_at_stake() -> None:
    table = faced("unconfirmed")
    consenting = Consenting(table)
    for key, asked in (("!", []), ("1", []), ("2", ["newest"])):
        table.front.press(key)
        assert consenting.asked == asked


def test_of_a_searched_list_the_number_shown_is_the_one_that_does_it() -> None:
    table = faced("divergence")
    consenting = Consenting(table)
    table.front.press("!")
    table.front.press("/")
    table.front.typed("Bob")
    table.front.entered("Bob")
    rows = [row for row in text_of(table.front).split("\n") if "without Bob" in row]
    assert rows[0].rstrip().endswith("1")
    table.front.press("1")
    assert consenting.asked == [("absent", (1,), None, False)]


def test_a_line_that_searches_ends_with_the_page_that_it_searched() -> None:
    table = Solo("eclipse2")
    consenting = Consenting(table)
    typed = list[bool]()
    table.front.press("c-p")
    typed.append(table.front.typing)
    table.session.notice(NOTICES["divergence"])
    typed.append(table.front.typing)
    assert typed == [True, False]
    table.front.entered("score")  # a key that was on its way
    assert consenting.asked == []


def test_the_text_of_a_trouble_is_copied() -> None:
    table = faced("divergence")
    assert listing(table.front).listed()
    table.front.press("c")
    assert "seats.science.2" in table.host.copied


@pytest.mark.parametrize(
    ("language", "kept"),
    [("en", ("Why:", "Who agrees:", "To do:")), ("es", ("Causa:", "Quién coincide:", "Qué hacer:"))],
)
def test_of_many_fields_that_differ_as_many_are_shown_as_leave_room_for_what_to_do(
    language: str, kept: tuple[str, ...]
) -> None:
    rows = tuple(Difference(f"seats.science.{number}", number, number + 1) for number in range(30))
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    texts.use(language)
    try:
        table = faced("divergence")
        table.session.notice(replace(found, rows=rows, count=30))
        table.front.press("!")
        small, large = (" ".join(text_of(table.front, size).split()) for size in ((80, 24), (120, 40)))
    finally:
        texts.use("en")
    assert all(text in small for text in ("seats.science.0", "… 29", *kept, "92"))
    assert "seats.science.15" in large


def test_a_bug_bundle_holds_the_log_and_the_values_on_both_sides(tmp_path: Path) -> None:
    table, star, report = faced("divergence"), tmp_path / "friday.star", tmp_path / "divergence-9c41-93.json"
    star.write_bytes(b"the log")
    report.write_text("{}")
    controls: Any = table.controls
    controls.save = lambda: star
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    table.session.notice(replace(found, file=report))
    table.front.press("!")
    table.front.press("4")
    with ZipFile(tmp_path / "friday-93.zip") as bundle:
        assert {name: bundle.read(name) for name in bundle.namelist()} == {star.name: b"the log", report.name: b"{}"}
    assert str(tmp_path / "friday-93.zip") in " ".join(text_of(table.front, (200, 50)).split())


def test_who_is_waited_for_and_must_not_answer_yet_reads_why() -> None:
    table = faced("unconfirmed")
    asked = table.asked
    assert asked is not None
    table.session.asking.withdrawn(asked)
    shown = " ".join(text_of(table.front).split())
    assert "nothing is sent from here yet" in shown
    assert "Waiting for Anna" not in shown
    assert shown.count("another player's program has to confirm") >= 2, "in the pane of the question too"
