"""The page of a game: one file that shows it, asks for nothing, and checks itself in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64decode
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zlib import decompress

import pytest
from bundle import SHA256
from chromium import BROWSER, MISSING, Chromium
from recorded import GameTable, finished
from test_web_chromium import AXE

from client.audit import SavedGame, judged
from client.cli import main
from client.report.course import map_at
from client.report.page import page
from client.rounds import round_told
from client.walk import Walk
from engine.core.registry import game
from p2p.log.starfile import read_star
from p2p.log.store import Peeked

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
HOSTILE = '</script><img src=x onerror="alert(1)">&amp;<svg onload=alert(1)>\u202e'

needs_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
needs_browser = pytest.mark.skipif(BROWSER is None, reason=MISSING)


def silent(_done: int, _total: int, _what: str) -> None:
    """Progress that nobody watches."""


@cache
def page_of(star: bytes) -> bytes:
    read = read_star(star)
    log = SavedGame(
        read.entries, read.texts, (read.height, read.head), read.exporter, read.program, content=read.content
    )
    return page(log, judged(log, silent), star)


@cache
def whole_star() -> bytes:
    return finished().star()


@cache
def left_star() -> bytes:
    """A game of three whose third member leaves, with hostile words in its chat; its dice are locked."""
    table = GameTable([[0], [1], [2]])
    table.start()
    assert table.peers[1].chat(HOSTILE) is None
    table.settle()
    for _ in range(20):
        table.step()
    table.leave(2)
    for _ in range(30):
        table.step()
    return table.star()


@cache
def silent_star() -> bytes:
    """A game whose first member falls silent with a secret choice that the others open; its cards are dealt anew."""
    table = GameTable([[0], [1], [2]], spec=game("rex"))
    table.start()
    step = table.peers[0].position.step
    while step.kind != "seal" or not step.pending or step.pending.keep or (1, 0) not in step.filled:
        assert table.step()
        step = table.peers[0].position.step
    table.leave(0)
    for _ in range(25):
        table.step()
    return table.star(1)


@cache
def locked_star() -> bytes:
    """A game whose dice come from the lock alone."""
    table = GameTable([[0], [1], [2]], options={"dice": "lock"})
    table.start()
    for _ in range(20):
        table.step()
    return table.star()


@cache
def played_star(name: str) -> bytes:
    """A whole game with battles, and without proofs."""
    seats = [[0], [1]] if name == "eclipse2" else [[0], [1], [2]]
    table = GameTable(seats, spec=game(name), options={"draws": "open"})
    table.start()
    table.play()
    return table.star()


def data_of(html: bytes) -> Any:
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def checked(path: Path, *changes: str) -> list[Any]:
    """What the page's own checks report under node: of the page as it is, or with one bit changed (offset:bit)."""
    words = [f"{path}@{change}" for change in changes] or [str(path)]
    script = Path(__file__).with_name("report_checks.js")
    done = subprocess.run(["node", script, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# The file ------------------------------------------------------------------------------------------------------------


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
    assert html.count("<script") == html.count("</script>") == 4
    assert "<img src=x" not in html
    said = [text for _, kind, text in data_of(page_of(left_star()))["facts"]["story"] if kind == "chat"]
    assert len(said) == 1
    assert "onerror" in said[0]


def test_the_page_tells_points_rounds_rolls_and_story() -> None:
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
    assert len(facts["rolls"]) == len(found.rolls) > 0
    assert {each["round"] for each in facts["moments"]} == {0, *begun.values()}
    assert any(kind == "chat" and "gl hf" in text for _, kind, text in facts["story"])


def course_of(html: bytes) -> Any:
    return json.loads(decompress(b64decode(data_of(html)["facts"]["course"])))


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


def test_battles_tell_chances_before_and_what_is_left() -> None:
    """A battle whose loser is gone; the chances are those of the rules for these ships."""
    battles = data_of(page_of(played_star("eclipse2")))["facts"]["battles"]
    known = [battle for battle in battles if battle["odds"]]
    assert known
    for battle in known:
        attacker, defender, wins = battle["odds"]
        assert {attacker, defender} <= {seat for seat, _before, _after in battle["sides"]}
        assert 0 <= wins <= 1
    assert any("" in {after for _seat, _before, after in battle["sides"]} for battle in battles)


def test_votes_and_who_was_left_out_stand_in_the_page() -> None:
    facts = data_of(page_of(left_star()))["facts"]
    kinds = [kind for _height, kind, _text in facts["story"]]
    assert [kind for kind in kinds if kind in ("absent", "gone")] == ["absent", "gone"]
    assert ["Player 2" in text for _height, text in facts["waiting"]] == [True, True]
    assert data_of(page_of(whole_star()))["facts"]["waiting"] == []


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
    assert "There is no height 99999" in capsys.readouterr().err


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
    for _ in range(12):
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


# Its checks ----------------------------------------------------------------------------------------------------------


@needs_node
@pytest.mark.parametrize("star", [whole_star, left_star, locked_star, silent_star])
def test_the_checks_find_nothing_wrong_with_a_game_that_verify_finds_intact(star: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star()))
    (report,) = checked(path)
    assert report["problem"] is None
    counts = dict(report["checked"])
    read = read_star(star())
    found = judged(SavedGame(read.entries, read.texts), silent)
    assert found.ok
    assert counts["signatures"] == len(read.entries)
    assert counts["heads"] == found.height
    assert counts["rolls"] == len(found.rolls)
    assert counts.get("pacts", 0) == len(found.pacts)
    wanted = {"partials": "partial", "shuffles": "shuffle", "shares": "share", "remasks": "remask"}
    counts["remasks"] = counts.get("remasks", 0) + counts.get("hands", 0)
    assert {name: counts.get(name, 0) for name in wanted} == {
        name: found.cards.entries.get(kind, 0) for name, kind in wanted.items()
    }
    assert set(report["unchecked"]) <= {"rules", "waiting"}
    assert counts.get("anew", 0) == len(found.cards.anew)
    assert counts.get("forced", 0) == sum(opened for _height, _author, opened in found.cards.forced)
    assert star is not silent_star or counts["forced"] == 1 < counts["anew"]


@needs_node
def test_one_changed_bit_is_found_where_it_is(tmp_path: Path) -> None:
    """In an entry of each kind, in a chat's text, the trailer, the header and the frame between them."""
    star = left_star()
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star))
    places: dict[str, str] = {}
    kinds = set()
    for number, entry in enumerate(read_star(star).entries):
        if entry.kind not in kinds:
            kinds.add(entry.kind)
            places[f"{star.index(entry.raw) + len(entry.raw) - 70}:{number % 8}"] = f"entry {number}"
            places[f"{star.index(entry.raw) + len(entry.raw) - 1}:0"] = f"entry {number}"
    chat = next(number for number, entry in enumerate(read_star(star).entries) if entry.kind == "chat")
    places[f"{star.index(b'onerror')}:0"] = f"text of entry {chat}"
    places |= {"1:1": "magic", "12:0": "header", f"{len(star) - 1}:3": "trailer"}
    reports = checked(path, *places)
    assert [report["problem"] and report["problem"]["place"] for report in reports] == list(places.values())
    assert not any(report["ok"] for report in reports)
    assert {"answer", "open", "partial", "keys", "commit", "pact", "sign", "chat"} <= kinds


@needs_node
@pytest.mark.slow
def test_every_proof_of_a_sealed_game_is_checked(tmp_path: Path) -> None:
    """A bit changed in an entry whose signature was believed: its commitment, hash or proof shows it."""
    table = GameTable([[0], [1], [2]], spec=game("rex"))
    table.start()
    table.play()
    star, path = table.star(), tmp_path / "page.html"
    path.write_bytes(page_of(star))
    (report,) = checked(path)
    assert report["problem"] is None
    assert report["unchecked"] == ["rules"]
    assert dict(report["checked"])["cards"] > 0
    kinds = ("commit", "keys", "ok", "open", "partial", "shuffle", "remask", "share", "reveal")
    found = checked(path, *kinds)
    assert [each["found"] for each in found] == [each["altered"] for each in found]


@needs_node
def test_a_false_hint_is_found(tmp_path: Path) -> None:
    """What the page says beside the log is not believed: other faces lead to another running hash."""
    html = page_of(whole_star())
    data = data_of(html)
    height, sides = next((height, sides) for height, sides in data["facts"]["hints"]["sides"].items() if sides)
    data["facts"]["hints"]["sides"][height] = [side + 1 for side in sides]
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    false = html.replace(found[1], json.dumps(data).replace("<", "\\u003c").encode())
    path = tmp_path / "page.html"
    path.write_bytes(false)
    (report,) = checked(path)
    assert not report["ok"]
    assert report["problem"]["code"] == "entry/other-head"
    assert report["problem"]["height"] > int(height)


# In a browser --------------------------------------------------------------------------------------------------------

VERDICT = """new Promise(done => {
  const look = () => document.documentElement.dataset.verified === "running" ? setTimeout(look, 20)
    : done((({shown, ...others}) => others)(document.documentElement.dataset));
  look();
})"""


@needs_browser
def test_in_a_browser_the_page_shows_the_game_and_says_that_it_is_intact(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(left_star()))
    with Chromium(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        assert browser.run(VERDICT) == {"verified": "yes"}
        assert browser.run("document.querySelectorAll('#scores tbody tr').length") > 2
        assert browser.run("document.querySelector('#map').naturalWidth") > 0
        assert HOSTILE[:-1] in browser.run("document.querySelector('#story .chat span').textContent")
        assert browser.run("document.querySelectorAll('#story img, #story svg').length") == 0
        browser.picture(tmp_path / "phone.png", 390, 800, prefers_color_scheme="dark")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.said == []


@needs_browser
@pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is not installed here: npm install axe-core, or STARLOCK_AXE=FILE"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_the_page(scheme: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
    with Chromium(tmp_path / "profile") as browser:
        browser.call("Page.setBypassCSP", {"enabled": True})
        browser.open(path.as_uri())
        browser.picture(tmp_path / "seen.png", 1280, 900, prefers_color_scheme=scheme)
        assert browser.run(VERDICT) == {"verified": "yes"}
        browser.run("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        browser.run(AXE.read_text("utf-8"))
        found = "axe.run().then(done => done.violations.map(one => [one.id, one.nodes.map(node => node.html)]))"
        assert browser.run(found) == []


SHOWN = """new Promise(done => {
  const look = () => document.documentElement.dataset.shown ? done(true) : setTimeout(look, 20);
  look();
})"""
MAP = "decodeURIComponent(document.querySelector('#map').src)"


@needs_browser
def test_in_a_browser_a_link_leads_to_its_moment_and_marks_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
    data = data_of(page_of(played_star("eclipse2")))["facts"]
    height = next(height for height, kind, _text in data["story"] if kind == "move")
    with Chromium(tmp_path / "profile") as browser:
        browser.open(f"{path.as_uri()}#h={height}")
        assert browser.run(SHOWN)
        shown = browser.run("Number(document.querySelector('#at').value)")
        assert data["moments"][shown - 1]["height"] <= height < data["moments"][shown]["height"]
        assert 'stroke-dasharray="10 5"' in browser.run(MAP)
        assert str(height) in browser.run("document.querySelector('#since-told').textContent")
        browser.run("document.querySelector('#step').value = 'rounds'; document.querySelector('#next').click()")
        shown = browser.run("Number(document.querySelector('#at').value)")
        assert data["moments"][shown]["round"] > data["moments"][shown - 1]["round"]
        browser.run("document.querySelector('#copy-link').click()")
        assert browser.run("location.hash") == f"#h={data['moments'][shown]['height'] - 1}"
        assert browser.run("document.querySelectorAll('#curves figure svg[aria-label]').length") > 9
        assert browser.run("document.querySelectorAll('#fights details').length") == len(data["battles"])
        assert browser.said == []


@needs_browser
def test_in_a_browser_one_changed_letter_of_the_saved_game_is_found(tmp_path: Path) -> None:
    star = whole_star()
    entry = read_star(star).entries[40]
    at = star.index(entry.raw) + len(entry.raw) - 20
    html = page_of(star)
    found = re.search(rb'id="star">', html)
    assert found
    letter = found.end() + at * 4 // 3
    other = b"A" if html[letter : letter + 1] != b"A" else b"B"
    path = tmp_path / "page.html"
    path.write_bytes(html[:letter] + other + html[letter + 1 :])
    with Chromium(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        said = browser.run(VERDICT)
        assert said == {"verified": "no", "problem": "entry 40", "code": "file/entry"}
