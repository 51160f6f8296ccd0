"""The question and the draft of its answer, told by every front from one document."""

from __future__ import annotations

import re
from html import unescape

from battle_scenes import rex_battle
from screen_game import Solo
from test_screen_boards import at_menu

from client.fronts.line.screen import LineScreen
from client.fronts.screen.front import Front
from client.fronts.web.fragments import ask
from client.session.view import view_of
from client.show.styled import plain


def told(front: Front) -> dict[str, str]:
    """What each front shows of the question, words with single blanks."""
    line, session = LineScreen(front.session, lambda: 200), front.session
    line.ask()
    made = {
        "line": "\n".join(map(plain, line.take())),
        "screen": "\n".join(map(plain, front.draw(200, 50).lines)),
        "page": unescape(re.sub("<[^>]*>", " ", ask.asked(view_of(session), session, False))),
    }
    return {name: " ".join(text.split()) for name, text in made.items()}


def test_every_front_says_that_an_answer_stays_hidden() -> None:
    for name, text in told(rex_battle(sealing=True)).items():
        assert "Your answer stays hidden until all have answered." in text, name


def test_every_front_says_what_is_picked_of_an_answer_in_stages() -> None:
    front = rex_battle(sealing=True)
    front.press("enter")
    for name, text in told(front).items():
        assert "So far: Dial 0" in text, name


def test_page_and_full_screen_say_which_figures_a_draft_changes() -> None:
    front = at_menu().front
    front.press("g")
    shown = told(front)
    for name in ("screen", "page"):
        assert re.search(r"1 Upgrade ship blueprints\W+discs \d+ → \d+", shown[name]), name


def test_before_there_are_figures_a_draft_changes_none() -> None:
    front = Solo("eclipse2").front
    front.press("1")
    assert front.view.picked
    assert not front.view.changes
