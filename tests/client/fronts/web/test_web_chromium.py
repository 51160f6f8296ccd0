"""The page in a real Chromium: whole games by clicks alone, against bots, with the real programme behind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from chromium import AXE, BROWSER, MISSING, NO_AXE, Chromium
from latecomers import homes_of_two
from page_clicks import END, LOOK, SAID, SHOWN, SPOT, answer_until, choose, opened, playing, press, say, started, until
from volume import gated

pytestmark = pytest.mark.skipif(BROWSER is None, reason=MISSING)
ANSWERS = 5


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "players", "answers", "on_map"),
    [("eclipse2", 2, 60, 10), ("eclipse1", 2, 60, 10), ("emperor", 3, 20, 5), ("rex", 3, 10, 1)],
)
def test_a_whole_game_is_played_by_clicks_alone(
    game: str, players: int, answers: int, on_map: int, tmp_path: Path
) -> None:
    with playing(tmp_path / "home", game, players) as (process, link):
        with Chromium(tmp_path / "profile") as page:
            player = opened(page, link)
            while not page.run(END):
                player.step()
            said, lines = page.said, page.run(END)
        assert process.wait(60) == 0  # the digests at the end are the same
    assert said == []
    assert "Final state" in lines
    assert player.answers >= answers
    assert player.on_map >= on_map


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), gated([("eclipse1", 2), ("emperor", 3), ("rex", 3)], 1))
def test_answers_are_given_by_clicks_alone(game: str, players: int, tmp_path: Path) -> None:
    with playing(tmp_path / "home", game, players) as (_process, link), Chromium(tmp_path / "profile") as page:
        player = opened(page, link)
        while player.answers < ANSWERS:
            player.step()
        assert page.said == []
        assert page.run("document.querySelectorAll('#map [data-place]').length") > 0


VIOLATIONS = "axe.run().then(done => done.violations.map(one => [one.id, one.nodes.map(node => node.html)]))"


@pytest.mark.soak
@pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
@pytest.mark.parametrize(("game", "players"), [("eclipse2", 2), ("emperor", 3), ("rex", 3)])
def test_axe_finds_nothing_wrong_in_any_tab(game: str, players: int, tmp_path: Path) -> None:
    with playing(tmp_path / "home", game, players) as (_process, link), Chromium(tmp_path / "profile") as page:
        player = opened(page, link)
        while player.answers < ANSWERS:
            player.step()
        page.run(AXE.read_text("utf-8"))
        for tab in range(page.run("document.querySelectorAll('#tabs button').length")):
            page.run(f"document.querySelectorAll('#tabs button')[{tab}].click()")
            assert page.run(VIOLATIONS) == []


@pytest.mark.slow
def test_from_the_start_page_to_a_table_and_back_again(tmp_path: Path) -> None:
    with started(tmp_path / "home", "play") as (process, link), Chromium(tmp_path / "profile") as page:
        player = opened(page, link)
        choose(page, "#field-game", "eclipse1")
        choose(page, "#field-seats", "2")
        choose(page, "#ticket", "no ticket")
        press(page, "#join")
        until(page, "document.querySelector('#start').textContent.includes('no ticket')")
        press(page, "#begin")
        until(page, "document.querySelector('#ask .options button')")
        while player.answers < 1:
            player.step()
        press(page, "#tab-table")
        press(page, "[name=quit]")
        press(page, ".resume")  # the table goes on where it was left
        until(page, "document.querySelector('#ask .options button')")
        press(page, "#tab-table")
        press(page, "[name=quit]")
        press(page, "#quit")
        until(page, "document.querySelector('#said').textContent")
        assert process.wait(60) == 0
        assert page.said == []


@pytest.mark.slow
def test_a_finished_game_of_this_home_is_proven_from_the_start_page(tmp_path: Path) -> None:
    homes = homes_of_two(tmp_path)
    with started(homes.folders[0] / "home", "play") as (_process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('.finished')")
        page.run(
            "window.made = new Promise(done => { window.open = () => ({set location(path) { done(path); }}); }), 0"
        )
        press(page, ".finished")
        text = page.run("window.made.then(path => fetch(path)).then(answer => answer.text())")
        assert text.startswith("<!doctype html>")
        assert page.said == []


@pytest.mark.slow
@pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
def test_axe_finds_nothing_wrong_on_the_start_page_and_in_the_lobby(tmp_path: Path) -> None:
    home = homes_of_two(tmp_path).folders[0] / "home"  # with a finished game
    with started(home, "play") as (_process, link), Chromium(tmp_path / "profile") as page:
        player = opened(page, link)
        until(page, "document.querySelector('#begin')")
        page.run(AXE.read_text("utf-8"))
        assert page.run(VIOLATIONS) == []
        page.run("document.querySelector('#variants').open = true")
        assert page.run(VIOLATIONS) == []
        press(page, "#kind-host")
        press(page, "#begin")
        answer_until(player, "document.querySelector('[name=bot]')")
        assert page.run(VIOLATIONS) == []


@pytest.mark.slow
def test_what_was_picked_and_sent_outlives_a_reload_and_a_killed_browser_and_is_the_same_in_two_tabs(
    tmp_path: Path,
) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (process, link):
        with Chromium(tmp_path / "one") as one:
            opened(one, link)
            until(one, "document.title.includes('●')")  # it is my turn
            press(one, "#ask .options button")
            picked = until(one, SHOWN)
            one.open(link.partition("#")[0])  # a reload: the key is kept, the link's code is used up
            assert until(one, SHOWN) == picked
            first = one.duplicate()
            assert until(one, SHOWN) == picked
            press(one, "[name=send]")
            until(one, f"!({SHOWN})")
            one.switch(first)
            until(one, f"!({SHOWN})")
            spare = one.run("sessionStorage.getItem('key' + location.port)")
            assert one.said == []
            one.kill()
        with Chromium(tmp_path / "two") as two:
            two.open(link.partition("#")[0])
            two.run(f"sessionStorage.setItem('key' + location.port, {json.dumps(spare)})")
            two.open(link.partition("#")[0])
            until(two, "document.querySelector('#seats li')")
            assert not two.run("document.querySelector('#ask').textContent.includes('Which species')")
        assert process.poll() is None  # the table goes on without a browser


@pytest.mark.soak
def test_two_friends_play_a_whole_game_by_a_ticket_from_their_start_pages(tmp_path: Path) -> None:
    with started(tmp_path / "anna", "host") as (_anna, link), Chromium(tmp_path / "one") as one:
        first = opened(one, link)
        choose(one, "#own-name", "Anna")
        press(one, "#kind-host")
        choose(one, "#field-seats", "2")
        press(one, "#begin")
        ticket = answer_until(first, "document.querySelector('#lobby textarea')?.value")
        with started(tmp_path / "bob", "join") as (_bob, other), Chromium(tmp_path / "two") as two:
            second = opened(two, other)
            choose(two, "#own-name", "Bob")
            choose(two, "#ticket", f"Anna wrote: {ticket} see you")
            press(two, "#join")
            while not all(page.run(END) for page in (one, two)):
                for player in [each for each in (first, second) if each.page.run(LOOK)] or [first]:
                    player.step()
            assert one.said == []
            assert two.said == []
            ends = [re.findall("Final state .*", page.run(END)) for page in (one, two)]
            assert ends[0] == ends[1] != []
            assert min(first.answers, second.answers) >= ANSWERS
            names = "node => node.nextSibling.textContent.split('(')[0].trim()"
            seats = f"[...document.querySelectorAll('#seats li b')].map({names})"
            assert one.run(seats) == two.run(seats) == ["Anna", "Bob"]


@pytest.mark.slow
def test_a_double_click_picks_once_and_is_not_scolded(tmp_path: Path) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (_process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('#ask .options button')")
        page.run("document.querySelector('#ask .options button').scrollIntoView({block: 'center'})")
        spot = page.run(
            f"(window.seen = [[document.querySelector('#ask .options button'), '']], {SPOT.replace('AT', '0')})"
        )
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                page.call("Input.dispatchMouseEvent", {"type": kind, **spot, "button": "left", "clickCount": count})
        page.run("fetch('/').then(() => 0)")
        until(page, SHOWN)
        assert page.run(SAID) == ""


@pytest.mark.slow
def test_clicks_work_with_six_tabs_and_the_oldest_says_why_it_follows_no_longer(tmp_path: Path) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (_process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('#ask .options button')")
        first = page.duplicate()
        for _ in range(4):
            page.duplicate()
        press(page, "#ask .options button")
        until(page, SHOWN)
        page.switch(first)
        assert "open in other tabs" in until(page, SAID)
        assert page.said == []


@pytest.mark.slow
def test_a_message_that_is_too_long_stays_in_the_field_at_the_table(tmp_path: Path) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (_process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('#ask .options button')")
        press(page, "#tab-chat")
        text = "é" * 251
        say(page, text)
        assert "500 bytes" in until(page, SAID)
        assert page.run("document.querySelector('#say input').value") == text


@pytest.mark.slow
def test_two_tabs_show_one_lobby_and_a_message_that_is_too_long_stays_in_the_field(tmp_path: Path) -> None:
    with started(tmp_path / "home", "play") as (_process, link), Chromium(tmp_path / "profile") as page:
        player = opened(page, link)
        press(page, "#kind-host")
        press(page, "#begin")
        answer_until(player, "document.querySelector('[name=bot]')")
        first = page.duplicate()
        until(page, "document.querySelector('[name=bot]')")
        press(page, "#tab-chat")
        say(page, "é" * 251)
        assert "500 bytes" in until(page, SAID)
        assert page.run("document.querySelector('#say input').value") == "é" * 251
        say(page, "é" * 250)
        until(page, f"document.querySelector('#chat').textContent.includes({'é' * 250!r})")
        press(page, "[name=bot]")
        until(page, "document.querySelector('[name=remove]')")
        page.switch(first)
        until(page, f"document.querySelector('#chat').textContent.includes({'é' * 250!r})")
        until(page, "document.querySelector('[name=remove]')")
        page.run(
            "document.querySelector('[name=remove]').click()"
        )  # a tab in the background draws no frames to press in
        until(page, "!document.querySelector('[name=remove]')")
        assert page.said == []


@pytest.mark.slow
def test_a_page_whose_key_has_ended_says_so_at_a_click(tmp_path: Path) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (_process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('#ask .options button')")
        page.run(f"fetch('/key', {{method: 'POST', body: {json.dumps(link.partition('#')[2])}}}).then(() => 0)")
        press(page, "#ask .options button")
        assert "its link was used twice" in until(page, SAID)


@pytest.mark.slow
@pytest.mark.parametrize("how", gated(["kill", "terminate"], 1))
def test_a_page_says_that_the_program_has_ended_however_it_ends(how: str, tmp_path: Path) -> None:
    with playing(tmp_path / "home", "eclipse2", 2) as (process, link), Chromium(tmp_path / "profile") as page:
        opened(page, link)
        until(page, "document.querySelector('#ask .options button')")
        getattr(process, how)()
        process.wait(60)
        until(page, f"{SAID}.includes('starlock has ended')")
        page.run("document.querySelector('#said').textContent = ''")
        press(page, "#tab-score")
        assert "starlock has ended" in until(page, SAID)
