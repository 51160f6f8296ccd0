"""A game of another package, without rounds, boards, battles, dice, cards or refusals, on every front and in files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from replaying import Seen, walked
from report_pages import course_of, drawn_altered
from screen_game import Solo
from test_web_fragments import Read

from client.commands import cli
from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.proof.recording import Recording
from client.show.styled import plain
from client.system.journal import no_log
from client.system.packages import GAMES as GROUP
from client.system.packages import points

ROOT = Path(__file__).parents[3]
STAR = ROOT / "tests" / "stars" / "nim.1.star"


def said(*words: str) -> str:
    with redirect_stdout(StringIO()) as out:
        assert cli.main([*words, "--lang", "en"]) == 0
    return out.getvalue()


def test_it_is_found_as_an_installed_package_is() -> None:
    (point,) = points(GROUP)["nim"]
    assert (point.package, point.place) == ("starlock-nim 1.0", "starlock_nim.spec:NIM")
    packaged = subprocess.run(
        ["git", "grep", "-il", r"\bnim\b", "engine", "client", "p2p"], cwd=ROOT, capture_output=True
    )
    assert packaged.stdout == b"", "nothing of it stands in what is installed as starlock"


LINES = {
    "en": (
        "Anna takes 1 stone from heap 1.",
        r"Bob \(bot\) takes \d stones? from heap",
        "takes the last stone and wins.",
    ),
    "es": (
        "Anna toma 1 piedra del montón 1.",
        r"Bob \(bot\) toma \d piedras? del montón",
        "toma la última piedra y gana.",
    ),
}
ROUNDS = {"en": "round", "es": "ronda"}


@pytest.mark.parametrize("language", LINES)
def test_a_person_plays_it_line_by_line_to_its_end_in_the_language_of_the_table(language: str, tmp_path: Path) -> None:
    first, answer, last = LINES[language]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "nim")))
    words = ("play", "nim", "--players", "2", "--bots", "package:nim-shark", "--name", "Anna", "--lang", language)
    played = subprocess.run(
        [sys.executable, "-P", "-m", "client", *words, "-o", "heaps=three", "--seed", "7"],
        input=("1\nenviar\n" if language == "es" else "1\nsend\n") * 9,
        env={**os.environ, "STARLOCK_HOME": str(tmp_path), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert first in played.stdout
    assert re.search(answer, played.stdout)
    assert last in played.stdout
    assert ROUNDS[language] not in played.stdout.lower()


def test_a_program_and_the_page_play_it_to_its_end() -> None:
    """Both send the same words; the page has a button for each option, and shows what a picture of the game shows."""
    solo = Solo("nim")
    session = solo.session
    feed = StateFeed(session, (), no_log, drawn=True)
    html: dict[str, str] = {}
    while True:
        state: dict[str, Any] = json.loads(feed.next())
        html |= state["html"]
        ask = state["view"]["ask"]
        if ask is None:
            break
        assert Read(html["ask"]).options() == list(range(len(ask["options"])))
        assert perform(session, {"act": "pick", "step": state["view"]["step"], "option": 0})["ok"]
        assert perform(session, {"act": "send", "step": session.asking.step})["ok"]
        solo.step()
    assert "wins" in "".join(html.values())
    assert "<p>4: -</p>" in "".join(html.values()), "the heaps"
    assert not re.search(r"\bround\b", Read("".join(html.values())).text, re.IGNORECASE)


def test_a_saved_game_of_it_is_judged_walked_through_and_shown(tmp_path: Path) -> None:
    assert "Intact and complete." in said("verify", str(STAR))
    told = said("replay", str(STAR), "--at", "2")
    assert "step 2 of " in told
    assert "1: o" in told
    assert "ound" not in told, "the position of a game without rounds names none"
    assert "wins." in said("replay", str(STAR), "--linear")
    assert "There is no chance in this game" in said("luck", str(STAR))
    said("report", str(STAR), "-o", str(tmp_path / "nim.html"))
    assert "takes the last stone and wins." in (tmp_path / "nim.html").read_text("utf-8")
    *_usual, last = drawn_altered(tmp_path / "nim.html", [])
    told = last["drawn"]["told"]
    assert {"From the first step", "4: -", "Since then (step 11):"} <= {*told}
    assert [text for text in told if "round" in text] == []
    course = course_of((tmp_path / "nim.html").read_bytes())
    assert {*map(tuple, course["shows"])} == {()}, "there is no map"
    ((title, made, _numbers),) = course["pictures"]
    assert title == "the heaps of stones"
    assert "<p>4: -</p>" in made[-1]
    said("export", str(STAR), "--rows", str(tmp_path / "rows"))
    assert "nim/taken" in (tmp_path / "rows" / "events.csv").read_text("utf-8")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_replay_of_it_shows_its_picture_where_others_have_a_map(size: tuple[int, int]) -> None:
    seen = Seen(Recording(walked(STAR.name)))
    for key in (
        "right",
        "]",
        "}",
        "f4",
        "escape",
        "f5",
        "escape",
        "f7",
        "escape",
        "f8",
        "escape",
        "d",
        "escape",
        "end",
    ):
        seen.press(key)
        shown = seen.text(*size)
        assert "round" not in shown.splitlines()[0]
    assert "1: -" in seen.text(*size)


def test_the_keys_of_what_it_lacks_say_so() -> None:
    front = Solo("nim").front
    none = "This game has no such picture."
    for key, told in (("f5", none), ("f7", none), ("f8", "No battle is under way."), ("f9", none), ("z", None)):
        before = len(front.news.texts)
        front.press(key)
        assert [text for _style, text in front.news.texts[before:]] == [told] * (told is not None)
        front.draw(100, 30)
    front.press("f4")
    assert front.page is not None
    assert none in "".join(map(plain, front.page.lines(100, "")))


def test_bots_of_every_level_play_it(starlock_home: Path) -> None:
    told = said(
        "simulate", "nim", "--players", "4", "--games", "1", "--bots", "beginner,casual,expert,package:nim-shark"
    )
    assert "nim, 4 seats" in told
