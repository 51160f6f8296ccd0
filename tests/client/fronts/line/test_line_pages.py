"""The line mode on a screen of few rows: long answers and questions come page by page."""

from __future__ import annotations

import re

import pytest
from screen_game import Solo

from client.fronts.line.screen import LineScreen
from client.show.styled import plain
from client.system.texts import use

ROWS = 24


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


class Paged:
    """Who plays in the line mode on 80 columns and so many rows."""

    def __init__(self, game: str, rows: int = ROWS) -> None:
        self.solo = Solo(game)
        self.screen = LineScreen(self.solo.session, lambda: 80, height=lambda: rows)

    def type(self, text: str) -> list[str]:
        self.screen.typed(text)
        self.solo.step()
        return [plain(line) for line in self.screen.take(finished=True)]

    def all(self, text: str) -> list[str]:
        """The whole answer, page after page."""
        lines, page = list[str](), self.type(text)
        while page and (more := re.fullmatch(r"… (\d+) more lines: Enter", page[-1])):
            assert len(page) <= ROWS - 2
            rest = self.type("")
            lines += page[:-1]
            assert len(rest) == min(int(more[1]), ROWS - 2)
            page = rest
        return lines + page


@pytest.mark.parametrize("game", ["eclipse2", "rex", "emperor"])
@pytest.mark.parametrize("text", ["? all", "parts", "boards", "map", "options", "legend"])
def test_a_long_answer_comes_in_pages_that_hold_all_of_it(game: str, text: str) -> None:
    paged, endless = Paged(game), Paged(game, 100_000)
    assert paged.all(text) == endless.type(text)


def test_an_answer_goes_on_from_the_first_page_and_forgets_the_rest() -> None:
    paged = Paged("eclipse2")
    assert paged.type("? all")[-1].endswith("more lines: Enter")
    assert not any("more lines" in line for line in paged.type("log 1"))
    assert "more lines" not in paged.type("")[-1] or paged.screen.session.asking.choices is not None


def test_enter_sends_only_when_everything_has_been_shown() -> None:
    paged = Paged("eclipse2")
    paged.type(paged.screen.session.asking.choices.texts[0])  # type: ignore[union-attr]
    assert paged.screen.session.asking.sendable
    paged.type("? all")
    paged.type("")
    assert paged.screen.session.asking.sendable


def test_what_is_no_screen_gets_everything_at_once() -> None:
    solo = Solo("eclipse2")
    screen = LineScreen(solo.session, lambda: 80)
    screen.typed("? all")
    assert len(screen.take(finished=True)) > ROWS


def test_a_question_that_follows_an_answer_comes_in_pages_too() -> None:
    solo, written = Solo("eclipse2"), list[str]()
    screen = LineScreen(
        solo.session, lambda: 80, lambda: written.extend(map(plain, screen.take())), height=lambda: ROWS
    )

    def type(text: str) -> list[str]:
        written.clear()
        screen.typed(text)
        screen.changed()
        return written

    while solo.session.asking.draft is not None and solo.session.asking.draft.ask.word != "menu":  # type: ignore[union-attr]
        solo.press("1", "s")
    page = type("upgrade")
    assert len(page) == ROWS - 2
    assert re.fullmatch(r"… \d+ more lines: Enter", page[-1])
    while re.fullmatch(r"… \d+ more lines: Enter", page[-1]):
        page = type("")
    assert "1  Upgrade ship blueprints" in page
