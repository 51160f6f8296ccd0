"""Texts name deeds by their ids, and each front says how it is done there; every deed can be done on every front."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain

import pytest
from line_room import Room
from screen_game import Solo
from seat0 import Seat0
from start_pages import started
from test_lobby_view import gathered
from test_spoken import CATALOGUE
from test_web_fragments import NO_ASK, drawn, view

from client.fronts.screen.keys import HOME, KEYS, LOBBY
from client.fronts.web.actions import perform
from client.fronts.web.fragments.deeds import said
from client.fronts.web.fragments.lobby import lobby
from client.fronts.web.fragments.table import table, votes
from client.fronts.web.state import AT_TABLE, StateFeed, fragments
from client.session.deeds import DEEDS, answers, gathering, looked, others
from client.session.deeds.deed import OTHERS, Argument, Deed, Kind
from client.session.deeds.gathering import COUNT, OPTIONS, wanted
from client.session.deeds.home import AT_HOME
from client.session.deeds.kinds import FILE, STEP, UNTIL_THEN
from client.session.deeds.outcomes import Answer, Done, Given
from client.session.deeds.typed import OF_FRONTS, typed_names
from client.session.lobby import KnownLobby
from client.session.notation import PickedStage
from client.session.session import Session
from client.session.start import HomeTable, option_fields
from client.session.view import view_of
from client.session.view_records import OrderView, VoteView
from client.show.document import Note
from client.show.pictures import pictures
from client.system.journal import no_log
from client.system.texts import LANGUAGES, use
from client.table.lobby_notices import LobbyTerms
from client.table.notice_words import notice_text
from client.table.notices import PeerStopped
from client.words.ways import DO, named
from engine.core.dataclass import replace
from engine.core.registry import GAMES

NOT_TYPED = {
    "pick": "options are typed in their own words",
    "part": "an answer in parts is taken back and typed again",
    "here": "so is a yes of who takes a shared screen",
    "reply": "yes or no is typed alone while it is asked",
    "repair": "takeback is this where programs differ",
}
NO_BUTTON = {
    "since": "what is new in the log is marked",
    "change": "each option of the table is a field in the lobby",
    "why": "what is refused stands below the question, with its reasons",
    "ask": "a bot is asked in the chat",
    "post": "a table by post is played on a terminal",
    "read": "a table by post is played on a terminal",
    "repair": "it is a button of what has stopped the table",
}


def every(game: str) -> list[Deed]:
    """The deeds at a table, as their modules list them: in a mapping by ids the later of two would hide the other."""
    lists = (answers.DEEDS, looked.DEEDS, others.DEEDS, looked.PROVEN, gathering.DEEDS, OF_FRONTS.values())
    shown = pictures(game).documents.commands.items()
    return [*chain(*lists), *(looked.pictured(name, picture) for name, picture in shown)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_two_deeds_have_an_id_or_a_typed_word_in_common(game: str, language: str) -> None:
    use(language)
    ids = Counter(each.id for each in every(game))
    words = Counter(word for each in every(game) for word in typed_names(each))
    use("en")
    assert [found for found, count in (*ids.items(), *words.items()) if count > 1] == []


def test_every_deed_is_typed_or_says_why_not() -> None:
    assert {each.id for each in DEEDS.values() if not each.names} == NOT_TYPED.keys()


def pages() -> Iterator[str]:
    """The page in all that may happen, as HTML."""
    seat = Seat0("eclipse2", 2)
    seat.go()
    feed = StateFeed(seat.session, (), no_log, drawn=True)
    yield from json.loads(feed.next())["html"].values()
    seat.session.asking.pick(seat.session.asking.choices.options[0])  # type: ignore[union-attr]  # something is asked
    yield from json.loads(feed.next())["html"].values()
    for more in (
        {"handover": "Pass the keyboard to Bob."},
        {"question": "Begin?"},
        {"orders": [OrderView(0, "always", "game")]},
        {"ask": replace(NO_ASK, hold=True)},
        {"picked": ["a"], "titles": ["A"], "sendable": True},
        {"parts": [PickedStage("how many", ["one", "two"], 0)]},
    ):
        yield drawn(**more)
    yield votes(view(votes=[VoteView("a", "end", "end here", "Bob")]))
    state = {**AT_TABLE, "lines": (), "fight": [Note("a battle")], "qr": "", "pictures": (), "wishes": ()}
    yield from fragments(view_of(seat.session), seat.session, state).values()
    person, door = gathered(inviting=True)
    yield lobby(view_of(person), person, wishes=[("sol", "Sol")])
    door.change = lambda *_changed: ""
    yield lobby(view_of(person), person)


def test_every_deed_has_a_place_on_the_page_or_says_why_not() -> None:
    """A button, an entry of a list, a field or a tab."""
    html = "".join(pages())
    signs = 'name="{id}"', 'data-tab="{id}"', "&quot;act&quot;:&quot;{id}&quot;", 'name="deed" value="{id}"'
    found = {id for id in DEEDS if any(sign.format(id=id) in html for sign in signs)}
    assert found | ({"pick"} if "data-option" in html else set()) == DEEDS.keys() - NO_BUTTON.keys()


def test_a_deed_that_needs_an_argument_is_a_list_or_a_field_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[Given]()

    def note(_session: Session, given: Given) -> Answer:
        done.append(given)
        return Done()

    def made(id: str, kind: Kind) -> Deed:
        return Deed(id, (), id, OTHERS, note, "WHAT", "Note it", (Argument("what", kind),))

    for each in (made("note-step", STEP), made("note-until", UNTIL_THEN)):
        monkeypatch.setitem(DEEDS, each.id, each)
    seat = Seat0("eclipse2", 2)
    html = table(view(), seat.session)
    assert 'name="note-until"' in html
    assert "{&quot;act&quot;:&quot;note-until&quot;,&quot;what&quot;:&quot;round&quot;}" in html
    assert 'name="deed" value="note-step"' in html
    assert perform(seat.session, {"act": "form", "deed": "note-step", "what": "7"})["ok"]
    assert perform(seat.session, {"act": "note-until", "what": "round"})["ok"]
    assert done == [{"what": 7}, {"what": "round"}]
    for unread in ({"what": "seven"}, {"what": ""}, {"what": 7}, {}):
        answer = perform(seat.session, {"act": "form", "deed": "note-step", **unread})
        assert not answer["ok"]
        assert answer["text"] == STEP.lacking(seat.session)
    assert not perform(seat.session, {"act": "form", "deed": "no-such"})["ok"]
    assert len(done) == 2


def test_no_form_names_a_file_of_this_machine_or_does_what_is_final() -> None:
    seat = Seat0("eclipse2", 2)
    for each in DEEDS.values():
        if any(one.kind is FILE for one in each.arguments) or each.about is not None:
            fields = {one.name: "/etc/passwd" for one in each.arguments}
            assert not perform(seat.session, {"act": "form", "deed": each.id, **fields})["ok"]


def test_each_seat_number_and_value_of_an_option_is_listed_in_the_lobby_and_can_be_typed_as_it_is_listed() -> None:
    person, door = gathered(inviting=True)
    offered = list[tuple[int, Mapping[str, str]]]()

    def change(seats: int, options: Mapping[str, str]) -> str:
        offered.append((seats, options))
        return ""

    door.change = change
    for id, kind in (("seats", COUNT), ("change", OPTIONS)):
        (argument,) = DEEDS[id].arguments
        assert kind.choices(person)
        for value, text in kind.choices(person):
            assert argument.kind.read(person, text) == value
            assert argument.kind.fits(value)
            assert DEEDS[id].do(person, {argument.name: value}) == Done(
                "The table has changed: everybody has to be ready again."
            )
            seats, options = offered[-1]
            assert seats == (value if id == "seats" else 3)
            assert id == "seats" or options.items() >= value.items()


def test_every_option_is_a_field_of_the_page_for_who_may_change_it_whether_listed_a_number_or_a_text() -> None:
    person, door = gathered(inviting=True)
    person.notice(LobbyTerms("eclipse2", 3, {"draws": "open", "handicap": "0,1,0"}))
    offered = list[Mapping[str, str]]()

    def change(_seats: int, options: Mapping[str, str]) -> str:
        offered.append(options)
        return "" if options["species"] != "nobody" else "There is no species nobody."

    closed = str(lobby(view_of(person), person))
    door.change = change
    html = str(lobby(view_of(person), person))
    names = {each.name for each in option_fields(wanted(view_of(person).lobby or KnownLobby()))}
    assert {"option species", "option draws", "option handicap A", "option handicap C"} <= names
    assert {*re.findall('data-fill="(.*?)"', html)} == names
    assert "data-fill" not in closed
    for name, value, option in (
        ("species", "draco", ("species", "draco")),
        ("handicap C", "2", ("handicap", "0,1,2")),
        ("handicap B", "0", ("handicap", "none")),
        ("draws", "sealed", ("draws", "sealed")),
    ):
        assert perform(person, {"act": "fill", "field": f"option {name}", "value": value})["ok"]
        assert option in offered[-1].items()
    said = perform(person, {"act": "fill", "field": "option species", "value": "nobody"})
    assert (said["ok"], said["text"]) == (False, "There is no species nobody.")
    for field, value in (("option draws", "torn"), ("option nothing", "1"), ("game", "rex")):
        assert perform(person, {"act": "fill", "field": field, "value": value})["code"] == "act/fields"
    door.change = None
    assert not perform(person, {"act": "fill", "field": "option species", "value": "draco"})["ok"]
    assert len(offered) == 5


def test_a_value_that_is_none_of_the_choices_is_refused_with_the_sentence_of_its_kind() -> None:
    person, _door = gathered(inviting=True)
    refused = {
        each.id: each.why_not(person, {one.name: "nothing"})
        for each in DEEDS.values()
        if not each.later
        for one in each.arguments
        if one.kind.unknown
    }
    assert refused == {
        "wish": "Nobody can play that here.",
        "bot": "That seat is not free.",
        "remove": "Nobody else has that seat.",
    }


def test_a_text_of_all_fronts_names_only_deeds_that_have_a_title_on_the_page() -> None:
    named = [
        id for places, text in told() if not all(map(OF_ONE.match, places)) for id in re.findall("{do:(.*?)}", text)
    ]
    assert len(named) > 10
    assert [id for id in named if id not in DEEDS or not DEEDS[id].title] == []


def test_every_deed_at_home_is_on_the_home_screen_and_on_the_start_page_or_says_why_not() -> None:
    listed = {"resume": "the open tables stand first", "knock": "so do the tables that were found"}
    assert AT_HOME.keys() - {each.act for each in HOME} == listed.keys()
    start = started((HomeTable("rex-1", "round 3"),))
    assert start.perform({"act": "nearby"})["ok"]
    html = start.drawn(view_of(Solo("eclipse2").session))
    shown = {each for each in AT_HOME if f"&quot;act&quot;:&quot;{each}&quot;" in html or f'name="{each}"' in html}
    begun = "chosen in the form, which begins it"
    away = {"host": begun, "play": begun, "replay": "a recorded game is seen on its report page"}
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
    assert "can be reached: :newest." in solo.front.news.texts[-1][1]
    assert "can be reached: “Say that this is the newest copy”." in said(told)
    solo.front.say(f"{DO:hold} {DO:doctor}")
    assert solo.front.news.texts[-1][1] == "h D"


OF_ONE = re.compile("client/(fronts/|commands/|session/deeds/(own|typed).py)|scripts/")
"""What a single front or a command says. Lines are typed where they are read."""
WAYS = re.compile(
    r"\bF\d+\b|[ (`“]:[a-z]{3,}\b|\bType (?!{)\w|\b(to|may|can|and|then|or) types? (?!it )[a-z]+\b|\b(Enter|Tab|Ctrl)\b"
    r"|\bpress\w*\b|\bclick\w*\b|on the full screen|in line mode|on the page|(?<![\w)])[a-z]: |`(?!starlock )[a-z]"
)
"""How something is done on one front: a key, a word to type, a place of a screen."""


def told() -> Iterator[tuple[Sequence[str], str]]:
    """Every text of the catalogue, with the modules that say it."""
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        places = [place for each in re.findall("^#: (.*)$", block, re.MULTILINE) for place in each.split()]
        text = block.partition("\nmsgid ")[2].partition("\nmsgstr")[0]
        yield places, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"$', text, re.MULTILINE))


def test_no_text_of_all_fronts_tells_the_words_of_one() -> None:
    found = [
        (places, way[0], text)
        for places, text in told()
        if not all(map(OF_ONE.match, places)) and (way := WAYS.search(text))
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_of_deeds_stand_in_markup_and_json_as_they_are(language: str) -> None:
    """The page puts them into what is made already."""
    use(language)
    try:
        for id in DEEDS:
            title = said(f"{DO:{id}}")
            assert escape(title) == title == json.loads(f'"{title}"')
    finally:
        use("en")
