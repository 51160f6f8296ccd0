"""Texts name deeds by their ids, and each front says how it is done there; every deed can be done on every front."""

from __future__ import annotations

import json
import re

import pytest
from line_room import Room
from screen_game import Solo
from test_session import Seat0
from test_spoken import CATALOGUE
from test_web_start import started

from client.fronts.screen.keys import HOME, KEYS, LOBBY
from client.fronts.web.fragments.html import joined
from client.fronts.web.fragments.start import start_page
from client.fronts.web.shown import PageState
from client.fronts.web.state import StateFeed
from client.fronts.web.words import page_words
from client.session.deeds import DEEDS
from client.session.deeds.deed import DECIDED, OTHERS
from client.session.deeds.home import AT_HOME
from client.session.deeds.kinds import FILE
from client.session.start import OpenTable
from client.session.view import view_of
from client.system.journal import no_log
from client.table.notice_words import notice_text
from client.table.notices import PeerStopped
from client.words.ways import DO, named

NOT_TYPED = {
    "pick": "options are typed in their own words",
    "part": "an answer in parts is taken back and typed again",
    "here": "so is a yes of who takes a shared screen",
    "reply": "yes or no is typed alone while it is asked",
    "repair": "takeback is this where programs differ",
}
NO_BUTTON = {
    "where": "the map tells of a place that is clicked",
    "log": "the log is always there",
    "since": "what is new in the log is marked",
    "table": "the seats are always there",
    "why": "what is refused stands below the question, with its reasons",
    "bug": "it is a file beside the program, named to who mends it",
    "ask": "a bot is asked in the chat",
    "chat": "the chat has a field",
    "paste": "what is pasted has a field",
    "post": "a table by post is played on a terminal",
    "read": "a table by post is played on a terminal",
    "seats": "the number of seats is chosen before others are invited",
    "change": "options are chosen before others are invited",
    "repair": "it is a button of what has stopped the table",
}


def test_every_deed_is_typed_or_says_why_not() -> None:
    assert {each.id for each in DEEDS.values() if not each.names} == NOT_TYPED.keys()


def test_every_deed_has_a_place_on_the_page_or_says_why_not() -> None:
    """Titles make buttons: of the tabs, of the table, of the question, of the lobby."""
    placed = {"pick", "part", "vote", "reply", "order"}  # options, forms, yes and no, what is picked
    assert {each.id for each in DEEDS.values() if not each.title} - placed <= NO_BUTTON.keys()
    seat = Seat0("eclipse2", 2)
    seat.go()
    state = json.loads(StateFeed(seat.session, (), no_log, drawn=True).next())
    html = "".join(state["html"].values())
    for each in DEEDS.values():
        if each.title and each.topic in (OTHERS, DECIDED) and each.later:
            tab = each.shows and f'data-tab="{each.id}"' in html
            assert tab or f'name="{each.id}"' in html, each.id


def test_every_deed_at_home_is_on_the_home_screen_and_on_the_start_page_or_says_why_not() -> None:
    listed = {"resume": "the open tables stand first", "knock": "so do the tables that were found"}
    assert AT_HOME.keys() - {each.act for each in HOME} == listed.keys()
    start = started((OpenTable("rex-1", "round 3"),))
    assert start.perform({"act": "nearby"})["ok"]
    html = start_page(PageState(view_of(Solo("eclipse2").session), start=start), page_words())
    shown = {each for each in AT_HOME if f"&quot;act&quot;:&quot;{each}&quot;" in html or f'name="{each}"' in html}
    away = {"host": "chosen in the form in place of play", "replay": "a recorded game is seen on its report page"}
    assert AT_HOME.keys() - shown == away.keys()


def test_every_deed_has_a_key_or_is_typed_on_the_full_screen() -> None:
    acts = {each.act for each in (*KEYS, *LOBBY)}
    assert {each.id for each in DEEDS.values() if not each.names and each.id not in acts} == NOT_TYPED.keys()


@pytest.mark.parametrize("id", [each.id for each in DEEDS.values() if not any(a.kind is FILE for a in each.arguments)])
def test_no_deed_raises_where_nothing_is_given(id: str) -> None:
    for session in (Room().screen.session, Solo("eclipse2").session):
        assert isinstance(DEEDS[id].why_not(session, {}), str)


def test_a_text_names_a_deed_as_the_front_does_it() -> None:
    told = notice_text(PeerStopped("lockstep/unconfirmed"))
    assert "If none can be reached: newest." in named(told, lambda id: id)
    room, solo = Room(), Solo("eclipse2")
    for session in (room.screen.session, solo.session):
        session.notice(PeerStopped("lockstep/unconfirmed"))
    assert "can be reached: newest." in " ".join(room.read().split())
    assert "can be reached: :newest." in solo.front.feed[-1][1]
    assert "can be reached: “Say that this is the newest copy”." in joined([told])
    solo.front.say(f"{DO:hold} {DO:doctor}")
    assert solo.front.feed[-1][1] == "h D"


def test_no_text_of_all_fronts_tells_the_words_of_one() -> None:
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        places = [place for each in re.findall("^#: (.*)$", block, re.MULTILINE) for place in each.split()]
        if any(place.startswith(("client/session/", "client/table/", "client/words/")) for place in places):
            text = block.split("\nmsgid ")[-1].split("\nmsgstr")[0]
            found = re.search(r"\bF\d+\b|[ (]:[a-z]{3,}\b|\b[Tt]ypes? (?!it )[a-z]+\b", text)
            assert found is None or "deeds/typed.py" in places[0], (places, found)
