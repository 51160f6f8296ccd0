"""What may be lost at the edges: a long answer to a command in the news, the mark of an event on the space in focus."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import product

import pytest
from screen_game import Solo

from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.galaxy import Marks, drawn
from client.session.menu import stages
from client.session.notation import PickedStage
from client.show import styled
from client.show.document import Chart, Spot
from client.show.styled import line, plain, wrapped
from client.system import texts
from client.system.names import columns
from engine.core.registry import GAMES


@pytest.mark.parametrize("width", range(-2, 14))
def test_a_text_is_wrapped_to_any_width_whatever_its_indent(width: int) -> None:
    rows = wrapped("stock 漢字 28 after 👍🏽upkeep", width, " " * 10)
    assert "".join("".join(rows).split()) == "stock漢字28after👍🏽upkeep"
    assert all(columns(row) <= max(width, 2) for row in rows)


def test_a_word_of_thousands_of_letters_is_not_measured_again_for_each_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = list[int]()

    def counted(text: str) -> int:
        measured.append(len(text))
        return columns(text)

    monkeypatch.setattr(styled, "columns", counted)
    assert len(wrapped("x" * 5000, 28)) == 179
    assert sum(measured) < 1_000_000


def test_a_picked_amount_shows_the_amount_and_not_its_place_in_a_list() -> None:
    dial, leader = stages(
        [PickedStage("", ["Dial 0", "Dial 1"], 1, (0, 1)), PickedStage("", ["Led by Oracle", "Led by Envoy"], 0)]
    )
    assert [each.stage and each.stage.numbers for each in (dial, leader)] == [(0, 1), ()]


def test_the_space_in_focus_keeps_the_mark_of_an_event() -> None:
    chart = Chart([line("7 #+  ")], {"seven": Spot(0, 0, 6, 1, head=1)})
    shown = [plain(drawn(chart, Marks(focus, recent=("seven",)), (0, 0), 6, 1)[0]) for focus in ("", "seven")]
    assert shown == ["7 #+ !", "[7]#+!"]


@cache
def played(name: str) -> list[Solo]:
    """Tables at several moments."""
    tables = [Solo(name, seed) for seed in range(4)]
    for seed, table in enumerate(tables):
        table.play(12 * seed, random.Random(seed))
        table.front.page = None
    return tables


@pytest.mark.parametrize("name", GAMES)
def test_the_last_row_of_the_news_says_how_much_more_has_happened_and_cuts_nothing(name: str) -> None:
    sizes, tables = [(80, 24), (80, 30), (120, 40), (200, 50)], played(name)
    try:
        for language, (wide, high), table in product(("en", "es"), sizes, tables):
            texts.use(language)
            front = table.front
            news = 2 if high < 30 else 5 if high < 45 else 8
            if not front.news.rows(wide):  # the game has begun or ended with this answer
                continue
            last = front.news.rows(wide)[-1]
            shown = [plain(row).rstrip() for row in front.draw(wide, high).lines[-1 - news : -1]]
            told = front.news.shown(wide, news)
            tail = re.search(r" (a|F2): (\d+) (?:more|más)$", shown[-1])
            if tail is None:
                assert {each.height for each in front.scene.view.missed} <= {each.height for each in told}
                continue
            assert 1 <= int(tail[2]) <= len(front.scene.view.missed)
            assert " ".join(shown)[: -len(tail[0])].split()[-len(plain(last).split()) :] == plain(last).split()
    finally:
        texts.use("en")


def test_a_click_on_how_much_more_has_happened_tells_it() -> None:
    table = played("rex")[1]
    row = plain(table.front.draw(80, 24).lines[-2])
    table.front.click(row.index("a: "), 22)
    assert table.front.page is not None
    assert table.front.page.title in ("Since your last answer", "What has happened so far")
    table.front.page = None


def test_who_has_no_seat_is_told_of_no_more_news() -> None:
    table = Solo("rex")
    table.controls.seats = ()
    table.front.changed()
    assert "a: " not in plain(table.front.draw(80, 24).lines[-2])


@pytest.mark.parametrize("rows", range(1, 7))
@pytest.mark.parametrize("back", range(7))
def test_going_back_in_the_news_ends_at_the_first_of_them_and_hides_nothing_that_fits(rows: int, back: int) -> None:
    feed, told = NewsFeed(), ["one", "two", "three", "four"]
    for text in told:
        feed.add(text)
    first = max(len(told) - rows - back, 0)
    shown = [plain(each) for each in feed.last(20, rows, back)]
    assert shown == [""] * (rows - len(told)) + told[first : first + rows]
