"""The start page: what is chosen becomes a command, what cannot be is told there, and it speaks every language."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from carriedlines import LEADING_BACK, QUOTED
from carriedlines import OWN as OWN_TICKET
from hypothesis import given
from hypothesis import strategies as st
from latecomers import NAME, homes_of_two
from seat0 import Seat0
from start_pages import context, html, started
from web_client import PORT, Browser, serving

from client.commands import host, join, play, watch
from client.commands.seating import chooses_by_page
from client.fronts.web.door import Guard
from client.fronts.web.fragments.deeds import do
from client.fronts.web.page import WebPage
from client.fronts.web.start import OWN, Start
from client.session.player import SessionPlayer
from client.session.start import HomeTable, finished_tables, open_tables
from client.system.settings import Folders
from client.system.texts import _, current, use
from client.table.reception import Reception, show_cautions
from client.table.result import result_of
from client.words import term
from client.words.options import option_title
from engine.core.handicap import HANDICAP
from engine.core.registry import GAMES, game

FORM = {"game": "rex", "seats": "4", "bots": "greedy", "name": "Anna"}


@pytest.fixture
def start() -> Start:
    return started((HomeTable("eclipse2-17", "round 3"),))


def told(start: Start) -> tuple[str, Sequence[str]]:
    """What the last deed showed."""
    assert start.told is not None
    return start.told


def filled(start: Start, form: Mapping[str, str]) -> None:
    for field, value in form.items():
        assert start.perform({"act": "fill", "field": field, "value": value})["ok"], field


def chosen(start: Start, **fields: Any) -> list[str]:
    answer = start.perform(fields)
    assert answer["ok"], answer
    assert start.home.chosen is not None
    return list(start.home.chosen)


def test_a_game_against_bots_is_the_command_that_might_have_been_typed(start: Start) -> None:
    filled(start, {**FORM, "option betrayal": "on", "option draws": "sealed"})
    words = chosen(start, act="play")
    assert words == ["play", "rex", "--players", "4", "--bots", "greedy", "-o", "betrayal=on", "--name", "Anna"]


@pytest.mark.parametrize(("friends", "bots"), [("3", []), ("2", ["--bots", "greedy", "--friends", "2"])])
def test_seats_that_friends_leave_empty_are_for_bots(start: Start, friends: str, bots: list[str]) -> None:
    filled(start, {**FORM, "kind": "host", "friends": friends, "name": "anna"})
    words = chosen(start, act="host")
    assert words == ["host", "rex", "--players", "4", *bots]


def test_begin_begins_the_kind_that_was_chosen_last_however_old_the_button_is(start: Start) -> None:
    assert do("begin") in unescape(html(start))
    filled(start, {**FORM, "kind": "host"})
    assert chosen(start, act="begin")[0] == "host"
    filled(start, {"kind": "play"})
    assert chosen(start, act="begin")[0] == "play"


def test_who_invites_leaves_all_other_seats_to_friends_unless_told_otherwise(start: Start) -> None:
    filled(start, {**FORM, "kind": "host", "name": "anna"})
    assert start.home.form.friends == 3
    assert chosen(start, act="host") == ["host", "rex", "--players", "4"]


def test_a_table_that_goes_on_is_resumed_and_no_other(start: Start) -> None:
    assert not start.perform({"act": "resume", "name": "--help"})["ok"]
    assert chosen(start, act="resume", name="eclipse2-17") == ["resume", "eclipse2-17"]


def test_games_that_are_over_are_told_with_their_points_and_none_that_goes_on(tmp_path: Path) -> None:
    homes = homes_of_two(tmp_path)
    ann, bob = (Folders.of_home(folder / "home").data for folder in homes.folders[:2])
    (table,) = finished_tables(ann)
    assert table.name == NAME
    result = result_of(homes.table.peers[0], 1.0, 0)
    assert all(f"{name} {score}" in table.text for name, score in zip(result.names, result.scores, strict=True))
    assert not open_tables(ann)
    assert not finished_tables(bob)
    assert [(each.name, each.by_post) for each in open_tables(bob)] == [(NAME, False)]


@pytest.mark.parametrize("line", LEADING_BACK)
def test_an_answer_and_a_ticket_of_a_running_table_open_what_they_are_for(start: Start, line: str) -> None:
    assert chosen(start, act="join", ticket=f"Bob wrote: {line}") == ["resume", f"Bob wrote: {line}"]


@pytest.mark.parametrize(("text", "back"), QUOTED)
def test_an_answer_below_the_own_ticket_is_taken_and_any_other_ticket_joins(text: str, back: bool) -> None:
    start = started((HomeTable("eclipse2-beef", "waiting for friends", lobby=OWN_TICKET.lobby),))
    words = chosen(start, act="join", ticket=text)
    assert words[:1] == ["resume" if back else "join"]
    assert (words[1] == text) is back


def test_a_table_that_cannot_be_is_told_before_the_game_begins(start: Start) -> None:
    filled(start, FORM)
    assert not start.perform({"act": "fill", "field": "seats", "value": "2"})["ok"]
    start.home.form.seats = 2  # as a game of another version might have it
    answer = start.perform({"act": "play"})
    assert "2" in answer["text"]
    assert start.home.form.hindrance() == answer["text"]
    assert start.home.chosen is None


def test_verdicts_odds_rules_and_settings_are_shown_on_the_page(start: Start) -> None:
    for words, fields in (
        (["odds", "--", "--input", "/etc/passwd"], {"act": "odds", "text": "--input /etc/passwd"}),
        (["verify", "--", "eclipse2-17"], {"act": "verify", "file": "eclipse2-17"}),
        (["config"], {"act": "config"}),
    ):
        assert start.perform(fields)["ok"]
        assert [*told(start)[1]] == [" ".join(words)]
    assert start.perform({"act": "rules", "game": "rex"})["ok"]
    assert told(start)[0] == "Rex: Final Days of an Empire"
    start.judge(b"entries")
    assert [*told(start)[1]] == ["7 bytes"]
    refused: list[dict[str, Any]] = [{"act": "verify", "file": "/etc/passwd"}, {"act": "rules", "game": "x"}]
    for fields in (*refused, {"act": "replay", "file": "eclipse2-17"}):
        assert not start.perform(fields)["ok"]


def test_a_table_of_this_network_is_joined_by_the_ticket_of_its_host(start: Start) -> None:
    assert not start.perform({"act": "knock", "number": 1})["ok"]
    assert start.perform({"act": "nearby"})["ok"]
    assert start.home.found == ["kitchen: Rex"]
    assert start.perform({"act": "knock", "number": 0})["ok"]
    assert start.home.picked == ("starlock:abc", "oak sea")
    assert start.home.ticket == "starlock:abc"
    assert "words are: oak sea." in html(start)
    filled(start, {"ticket": "starlock:xyz"})
    assert "words are" not in html(start), "those of another ticket than the one that is joined"


@pytest.mark.parametrize("act", ["join", "watch"])
def test_what_is_no_ticket_is_told_and_nothing_begins(start: Start, act: str) -> None:
    for text in ("", "rubbish", "starlock:abc", "-", "/etc/passwd"):
        answer = start.perform({"act": act, "ticket": text, "name": "Anna"})
        assert not answer["ok"]
        assert answer["text"]
    assert start.home.chosen is None


def test_a_name_that_cannot_be_is_told(start: Start) -> None:
    filled(start, {"name": "Ann (bot)"})
    answer = start.perform({"act": "play"})
    assert not answer["ok"]
    assert start.home.chosen is None


def test_every_option_of_every_game_is_shown_with_what_it_does(start: Start) -> None:
    for name in GAMES:
        filled(start, {"game": name})
        page = unescape(html(start))
        for option in game(name).options:
            assert f'data-fill="option {option.name}' in page
            assert option == HANDICAP or option_title(option.name, name) in page
            assert term(option.help, name) in page


@pytest.fixture
def english() -> Iterator[None]:
    before = current()
    yield
    use(before)


@pytest.mark.usefixtures("english")
def test_the_language_is_changed_on_the_page(start: Start) -> None:
    assert start.perform({"act": "language", "language": "es"})["ok"]
    assert current() == "es"
    assert not start.perform({"act": "language", "language": "../en"})["ok"]
    assert "greedy: 3: juegan para ganar, un paso por delante" in html(start)


VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2))
FIELDS = st.dictionaries(
    st.sampled_from(["field", "value", "game", "file", "text", "name", "ticket", "number", "language"]),
    st.one_of(
        VALUES, st.dictionaries(st.text(max_size=3), VALUES, max_size=2), st.sampled_from(["rex", "play", "kind"])
    ),
)


@given(st.one_of(st.sampled_from(sorted({"fill", "language", *OWN} - {"quit", "play", "host"})), VALUES), FIELDS)
def test_whatever_is_sent_is_answered_and_begins_nothing(act: Any, fields: dict[str, Any]) -> None:
    language, hostile = current(), started()
    answer = hostile.perform({**fields, "act": act})
    use(language)
    assert set(answer) <= {"ok", "text", "code"}
    assert hostile.home.chosen is None


@pytest.mark.parametrize("command", [play, host, join, watch])
@pytest.mark.parametrize(
    ("words", "by_page"),
    [(["--web"], True), (["--web", "--web-port", "4711"], True), (["--web", "--linear"], False), ([], False)],
)
def test_web_without_more_opens_the_start_page(command: Any, words: list[str], by_page: bool) -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    asked: Any = type("Asked", (), {"then": ()})()
    assert chooses_by_page(parser.parse_args(words), command.add_arguments, asked) == by_page
    assert list(asked.then[:2]) == (["home", "--web"] if by_page else [])


@pytest.mark.usefixtures("english")
async def test_another_language_words_everything_anew(nursery: trio.Nursery) -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    table.session.confirm(lambda: _("Sit down"), lambda _yes: None)
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    states = await browser.states(key)
    first = await states.next()
    assert (await browser.act(key, act="language", language="es"))["ok"]
    browser.server.changed()
    second = await states.next()
    assert second["language"] == "es"
    assert second["words"]["lost"] != first["words"]["lost"]
    assert second["view"]["question"] != first["view"]["question"] == "Sit down"
    assert second["view"]["ask"]["text"] != first["view"]["ask"]["text"]
    assert second["view"]["log_from"] == 0
    assert [told["text"] for told in second["view"]["log"]] != [told["text"] for told in first["view"]["log"]]


@pytest.mark.usefixtures("english")
async def test_what_was_said_before_the_table_is_worded_anew_in_another_language(nursery: trio.Nursery) -> None:
    player = SessionPlayer()
    page = WebPage(player.session, context(None))
    await nursery.start(page.serve)
    page.server.guard = Guard(PORT)
    Reception(player, unasked=False).lost()
    show_cautions(player, {"draws": "open"}, 2)
    browser = Browser(page.server, nursery)
    key = await browser.key()
    states = await browser.states(key)
    first = (await states.next())["lines"]
    assert first[0] == "The connection to the inviter is lost; trying again …"
    assert (await browser.act(key, act="language", language="es"))["ok"]
    second = (await states.next())["lines"]
    assert len(second) == len(first) == 2
    assert not set(first) & set(second)


@pytest.mark.usefixtures("english")
async def test_the_network_is_looked_at_from_the_start_page(
    start: Start, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    told: list[Callable[[Sequence[str]], None]] = []
    session = Seat0("rex", 3).session
    server = serving(session)
    server.start = Start(session, start.home)
    monkeypatch.setattr(start.home.errands, "examine", told.append)
    browser = Browser(server, nursery)
    states = await browser.states(await browser.key())
    assert (await states.next())["network"] is None
    assert (await browser.act(await browser.key(), act="doctor"))["ok"]
    assert (await states.next())["network"] == {"looking": True, "lines": []}
    told[0](["+ It has addresses.", "- None.", "    Try that."])
    server.changed()
    assert (await states.next())["network"] == {
        "looking": False,
        "lines": ["+ It has addresses.", "- None.", "    Try that."],
    }
