"""The page of a game: one file that shows it, asks for nothing, and tells what the rules tell."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from hashlib import sha256
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from bundle import SHA256
from recorded import GameTable
from report_pages import (
    course_of,
    data_of,
    left_star,
    page_of,
    played_star,
    silent,
    whole_star,
)
from volume import gated

from client.commands.cli import main
from client.proof.audit import SavedGame, judged
from client.proof.walk import Walk
from client.report.course import frame_of, map_at
from client.report.facts import _rounds
from client.report.words import words
from client.show.html import document
from client.show.pictures import WIDE, Frame, pictures
from client.show.styled import UNICODE
from client.system import texts
from client.system.texts import _
from client.words.rounds import round_told
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.registry import game
from p2p.log.starfile import read_star
from p2p.log.store import Peeked

ROOT = Path(__file__).parents[3]


def test_the_page_holds_the_saved_game_byte_for_byte() -> None:
    found = re.search(rb'id="star">(.*?)</script>', page_of(whole_star()), re.DOTALL)
    assert found
    assert b64decode(found[1]) == whole_star()


def test_the_page_names_no_place_to_ask_and_forbids_every_request() -> None:
    html = page_of(whole_star()).decode()
    assert "default-src 'none'" in html
    assert "connect-src" not in html
    assert "unsafe" not in re.findall(r'Content-Security-Policy" content="([^"]*)"', html)[0]
    assert not re.findall(r'(?:src|href)="[^"]+"', html)


def test_words_of_players_never_become_markup() -> None:
    html = page_of(left_star()).decode()
    assert html.count("<script") == html.count("</script>") == 3
    assert "<img src=x" not in html


def test_the_page_tells_points_and_rounds() -> None:
    facts = data_of(page_of(whole_star()))["facts"]
    read = read_star(whole_star())
    found = judged(SavedGame(read.entries, read.texts), silent)
    assert found.table is not None
    match = Walk(found.table).match_at(found.height)
    assert match is not None
    totals = {score.seat: score.total for score in match.spec.scores(match.g)}
    assert [seat["total"] for seat in facts["seats"]] == [totals[seat] for seat in sorted(totals)]
    begun = {height: round_told(events) for height, events in found.history if round_told(events)}
    assert facts["rounds"] == [{"round": number, "height": height + 1} for height, number in sorted(begun.items())]
    assert [facts["rounds"][0]["round"], facts["rounds"][-1]["round"]] == [1, 8]
    assert {each["round"] for each in facts["moments"]} == {0, *begun.values()}


def test_a_round_whose_beginning_was_taken_back_begins_where_all_came_to_it_again() -> None:
    begins = [Event("round/begins", {"round": 2})]
    walk: Any = SimpleNamespace(
        history=[(3, [Event("round/begins", {"round": 1})]), (7, begins), (9, begins)],
        stands=lambda height: height != 7,
    )
    assert [*_rounds(walk)] == [{"round": 1, "height": 4}, {"round": 2, "height": 10}]


def test_the_page_has_the_map_of_each_round_and_of_changes_between_them() -> None:
    """Drawn from the same position as by itself, and cut into spaces that are kept once."""
    facts, course = data_of(page_of(whole_star()))["facts"], course_of(page_of(whole_star()))
    read = read_star(whole_star())
    table = judged(SavedGame(read.entries, read.texts), silent).table
    assert table is not None
    walk = Walk(table)
    opening = {each["height"] for each in facts["rounds"]}
    heights = [moment["height"] for moment in facts["moments"]]
    assert opening | {0, walk.last} <= set(heights)
    assert len(heights) == len(course["shows"]) > len(opening) + 20
    for height, show in list(zip(heights, course["shows"], strict=True))[:: len(heights) // 4]:
        match = walk.match_at(height)
        assert match is not None
        assert "".join(course["pieces"][number] for number in show) == map_at(match, walk)
    assert len(course["pieces"]) < sum(map(len, course["shows"])) / 3


def test_curves_tell_points_and_figures_at_every_moment() -> None:
    facts, course = data_of(page_of(whole_star()))["facts"], course_of(page_of(whole_star()))
    curves = {(chapter, name): values for chapter, name, values in course["curves"]}
    assert {chapter for chapter, _name in curves} == {"Points", "Economy", "Fleets", "Technologies"}
    assert {len(values) for values in curves.values()} == {len(facts["moments"])}
    assert curves["Points", "together"][-1] == [seat["total"] for seat in facts["seats"]]
    assert curves["Fleets", "interceptor"][0] is None  # nobody has a species yet


COLUMNS = {
    "emperor": {
        "Marks": "marks", "stored: metal": "metal", "stored: energy": "energy", "tokens in reserve": "reserve",
    },
    "eclipse2": {"discs left": "discs"},
    "eclipse1": {"discs left": "discs"},
    "rex": {},
}  # fmt: skip
"""Curves of numbers that stand in the state as they are, and change there as play goes on."""


@pytest.mark.parametrize("name", gated([*COLUMNS], 2))
def test_every_curve_shows_at_each_moment_what_the_position_had_then(name: str) -> None:
    star = read_star(played_star(name))
    facts, course = data_of(page_of(played_star(name)))["facts"], course_of(page_of(played_star(name)))
    table = judged(SavedGame(star.entries, star.texts), silent).table
    assert table is not None
    walk, shown = Walk(table), pictures(name)
    curves = {(chapter, title): values for chapter, title, values in course["curves"]}
    of_points = {names for names in curves if names[0] == "Points"}
    columns = {title: curves["Economy", title] for title in COLUMNS[name]}
    for moment, height in enumerate(each["height"] for each in facts["moments"]):
        match = walk.match_at(height)
        assert match is not None
        figures = {
            (count.chapter, count.name): [*count.by_seat] for count in shown.counts.growth(frame_of(match, walk))
        }
        for names in {*curves} - of_points:
            assert curves[names][moment] == figures.get(names), (height, names)
        scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
        assert curves["Points", "together"][moment] == [score.total for score in scores]
        for title, values in columns.items():
            assert values[moment] in (None, [*getattr(match.g.seats, COLUMNS[name][title])]), (height, title)
    assert len({*curves} - of_points) >= 3
    for title, values in columns.items():
        assert len({tuple(each) for each in values if each}) > 2, f"{title} changes as play goes on"


@pytest.mark.parametrize("name", ["eclipse2", "emperor", "rex"])
def test_every_game_tells_what_counts_and_its_battles(name: str) -> None:
    facts = data_of(page_of(played_star(name)))["facts"]
    chapters = {chapter for chapter, _name, _values in course_of(page_of(played_star(name)))["curves"]}
    assert len(chapters) >= 3
    assert facts["battles"]
    for battle in facts["battles"]:
        seats = {seat for seat, _before, _after in battle["sides"]}
        rolled = {seat for _height, _text, dice in battle["told"] for seat, _colour, _face, _hit in dice}
        assert rolled <= seats
        assert len(seats) >= 2


@pytest.mark.parametrize("name", ["eclipse2", "emperor", "rex"])
def test_every_picture_of_a_game_stands_on_its_page_at_each_moment_as_everybody_may_see_it(name: str) -> None:
    star = read_star(played_star(name))
    table = judged(SavedGame(star.entries, star.texts), silent).table
    assert table is not None
    walk = Walk(table)
    html = page_of(played_star(name))
    drawn = {title: [made[number] for number in numbers] for title, made, numbers in course_of(html)["pictures"]}
    shown = {_(each.title): each for each in pictures(name).documents.commands.values() if each.title}
    assert {*drawn} == {*shown} - {"Legend"}, "the legend tells of maps as text"
    heights = [moment["height"] for moment in data_of(html)["facts"]["moments"]]
    for moment in {*range(0, len(heights), 10), len(heights) - 1}:
        match = walk.match_at(heights[moment])
        assert match is not None
        frame = Frame(match.view(Seat(-1)), walk.names, UNICODE, (), WIDE, walk.display_names, height=0)
        for title, made in drawn.items():
            assert made[moment] == document(shown[title].document(frame), "picture")
    assert all(len({*made}) < len(heights) for made in drawn.values())
    assert len({*drawn["Boards"]}) > len(heights) / 2, "boards change as play goes on"


def test_the_page_says_what_ended_a_game_that_can_end_in_several_ways() -> None:
    assert data_of(page_of(played_star("rex")))["facts"]["why"].startswith("The game is over (")
    assert data_of(page_of(played_star("emperor")))["facts"]["why"]
    assert data_of(page_of(whole_star()))["facts"]["why"] == ""


def test_a_battle_ends_where_its_ships_stop_fighting() -> None:
    for battle in data_of(page_of(played_star("emperor")))["facts"]["battles"]:
        assert not [text for _height, text, _dice in battle["told"] if " moves: " in text or " warps " in text]


def test_the_page_is_called_by_game_and_names_in_its_language() -> None:
    html = page_of(played_star("emperor"), "es").decode()
    assert "<title>Galactic Emperor: Player 0, Player 1, Player 2</title>" in html


@pytest.mark.parametrize("name", ["eclipse2", "emperor"])
def test_battles_tell_chances_before_and_what_is_left(name: str) -> None:
    """A battle whose loser is gone; the chances are those of the rules for these ships."""
    battles = data_of(page_of(played_star(name)))["facts"]["battles"]
    known = [battle for battle in battles if battle["odds"]]
    assert known
    for battle in known:
        attacker, defender, wins, loses = battle["odds"]
        assert {attacker, defender} <= {seat for seat, _before, _after in battle["sides"]}
        assert 0 <= wins <= wins + loses < 1 + 1e-6
    assert any("" in {after for _seat, _before, after in battle["sides"]} for battle in battles)


def test_everything_that_the_checks_count_is_said_of_one_and_of_many() -> None:
    script = (ROOT / "client" / "report" / "static" / "game.js").read_text("utf-8")
    counts = re.search(r"this\.counts = \{(.*?)\};", script)
    assert counts
    counted = {*re.findall(r"(\w+): ", counts[1]), *re.findall(r"this\.counts\.(\w+) = ", script)}
    for language in ("en", "es"):
        texts.use(language)
        try:
            checked = words()["checked"]
        finally:
            texts.use("en")
        assert checked.keys() == counted
        for one, many in checked.values():
            assert one != many
            assert one.count("{n}") == many.count("{n}") == 1


def test_the_page_is_hardly_longer_than_the_saved_game_as_text() -> None:
    assert len(page_of(whole_star())) <= 1.4 * 4 / 3 * len(whole_star()) + 400_000


def test_the_bundled_library_is_the_one_that_the_script_builds() -> None:
    library = (ROOT / "client" / "report" / "static" / "noble.js").read_bytes()
    assert sha256(library).hexdigest() == SHA256
    assert len(library) <= 60_000


def test_a_map_is_drawn_at_any_height(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    star, drawn = tmp_path / "game.star", tmp_path / "map.svg"
    star.write_bytes(whole_star())
    assert main(["map", str(star), "--at", "20", "-o", str(drawn)]) == 0
    picture = drawn.read_bytes()
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert len(picture) <= 150_000
    assert main(["map", str(star), "-o", str(drawn), "--force"]) == 0
    assert drawn.read_bytes() != picture
    assert main(["map", str(star), "--at", "99999", "-o", str(drawn), "--force"]) == 2
    assert "There is no step 99999" in capsys.readouterr().err


def test_report_writes_the_page_of_a_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    star, html = tmp_path / "game.star", tmp_path / "game.html"
    star.write_bytes(whole_star())
    assert main(["report", str(star), "-o", str(html), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["bytes"], said["star"]) == (html.stat().st_size, len(whole_star()))
    assert main(["report", str(star), "-o", str(html)]) == 2
    assert "nothing was written" in capsys.readouterr().err
    star.write_bytes(whole_star()[:-1])
    assert main(["report", str(star), "-o", str(html), "--force"]) == 1


def test_a_page_with_own_eyes_is_asked_for_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells what one seat of this home was dealt and shown; nothing of the others."""
    table, html = GameTable([[0], [1], [2]], spec=game("rex")), tmp_path / "game.html"
    table.start()
    for _step in range(12):
        table.step()
    kept = Peeked([(entry, None) for entry in table.peers[1].feeds.entries], [], table.keys[1])
    monkeypatch.setattr("client.table.tables.peeked", lambda _home, _word: (None, kept))
    command = ["report", "mine", "-o", str(html), "--eyes"]

    def answered(*words: str, seat: str = "B") -> int:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{word}\n" for word in words)))
        return main([*command, seat])

    assert [answered("yes", "no"), answered(), answered("yes", "yes", seat="A")] == [2, 2, 2]
    assert "no seat of yours" in capsys.readouterr().err
    assert not html.exists()
    assert answered("yes", "yes") == 0
    seen = data_of(html.read_bytes())["facts"]["seen"]
    assert seen
    assert all("Player 1 " in text for _height, text in seen)
    assert len(seen) == sum(look.seat == 1 for look in table.peers[1].position.chance.looks)
    assert main(["report", "mine", "-o", str(html), "--force"]) == 0
    assert data_of(html.read_bytes())["facts"]["seen"] == []
