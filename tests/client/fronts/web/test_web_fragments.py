"""The parts of the page: every option has a button, and what others wrote is text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from seat0 import Seat0
from start_pages import started

from client.fronts.web.actions import perform
from client.fronts.web.fragments import ask, lobby, table
from client.fronts.web.state import StateFeed
from client.session import log
from client.session.lobby import KnownLobby, LobbyOption
from client.session.news import ChatMessage, LoggedEvent
from client.session.notation import Amount, PickedStage
from client.session.troubles import Remedy
from client.session.view import view_of
from client.session.view_records import Ask, ListedOption, OrderView, RefusedOptions, SeatView, StoppedView, VoteView
from client.show.document import Cell, Chart, Dice, Document, Note, Part, Pick, Sheet, ShownDie, TextTable
from client.show.html import document
from client.show.markup import Markup, el
from client.show.styled import line
from client.system.journal import no_log
from client.table.lobby_notices import LobbySeat
from client.table.notices import ChatSaid, HistoryRewound
from client.words import PLAIN
from client.words.pacts import leaving_text
from engine.core.dataclass import replace

EVIL = '"><b>&<script>alert(1)</script>'
QUIET: dict[str, Any] = {
    "game": "rex", "question": None, "handover": "", "parts": (), "sendable": False, "held": (), "waiting": (),
    "confirming": "", "picked": (), "titles": (), "changes": (), "outlook": (), "orders": (), "draft": None,
    "ask": None, "seats": (), "machines": (), "answer": "", "stopped": (), "votes": (), "left": False, "lobby": None,
    "rights": None, "wish": "", "examining": False, "examined": None, "display_names": PLAIN, "begun": True,
    "post": False, "troubles": (), "names": ("Ann", "Bob"),
}  # fmt: skip
"""A view in which nothing happens."""
NO_ASK = Ask(0, "What?", (), "", False, False, "", (), (), (), ())


class Read(HTMLParser):
    """The elements of markup with their attributes, and its text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def options(self) -> list[int]:
        return sorted({int(value) for _tag, given in self.elements if (value := given.get("data-option")) is not None})


def view(**more: Any) -> Any:
    return SimpleNamespace(**QUIET | more)


def option(title: str, hint: str = "", price: Any = (), *, aside: bool = False) -> ListedOption:
    return ListedOption(title, title, hint, price, aside, ())


def cell(text: str, *picks: int) -> Cell:
    return Cell(text, picks=[Pick(at, f"take {at}") for at in picks])


def drawn(**more: Any) -> Markup:
    """What is asked in a view."""
    return ask.asked(view(**more), Seat0("eclipse2", 2).session, False)


def gathered(room: KnownLobby, **more: Any) -> Markup:
    """A lobby."""
    return lobby.lobby(view(lobby=room, **more), Seat0("eclipse2", 2).session)


def asked(options: list[ListedOption], **more: Any) -> Read:
    return Read(drawn(ask=replace(NO_ASK, options=options, **more)))


def test_every_option_has_a_button_wherever_it_stands_and_none_is_listed_twice() -> None:
    cells = [cell("one", 0), cell("two", 1, 2)], [cell("besides", 19)]
    groups = [Sheet("", cells=some) for some in cells]
    options = [option(f"Option {at}", aside=at > 17) for at in range(20)]
    found = asked(options, groups=groups, amounts=[Amount([4, 5], [3, 4])])
    named = [given["data-option"] for _tag, given in found.elements if "data-option" in given]
    assert sorted(named, key=int) == [str(at) for at in range(20)]  # type: ignore[arg-type]


def test_a_long_list_is_grouped_and_searched_as_on_all_fronts() -> None:
    found = asked([option(f"{kind} {at}") for kind in ("Build", "Move") for at in range(20)])
    assert [tag for tag, _given in found.elements].count("details") == 2
    assert "Build … (20)" in found.text
    assert ("input", "find") in [(tag, given.get("id")) for tag, given in found.elements]
    seat = Seat0("eclipse2", 2)
    seat.go()
    titles = [one.title for one in view_of(seat.session).ask.options]  # type: ignore[union-attr]  # something is asked
    reply = perform(seat.session, {"act": "search", "text": "terran fed"})
    assert [titles[at] for at in reply["options"]] == ["Play Terran Federation"]


@pytest.mark.parametrize(("game", "seats"), [("eclipse2", 2), ("eclipse1", 2), ("emperor", 3), ("rex", 3)])
def test_every_option_of_a_table_has_a_button(game: str, seats: int) -> None:
    seat = Seat0(game, seats)
    seat.go()
    state = json.loads(StateFeed(seat.session, (), no_log, drawn=True).next())
    assert Read(state["html"]["ask"]).options() == list(range(len(state["view"]["ask"]["options"])))
    assert json.loads(StateFeed(seat.session, (), no_log).next()).keys() & {"html", "title", "news"} == set()


def test_a_block_with_an_id_has_an_element_with_it_and_one_with_a_weight_can_be_shut_unless_it_is_the_first() -> None:
    def board(letter: str) -> Part:
        return Part(letter, letter, "rich", blocks=(TextTable((), [[Cell("7")]], id="held"), Note("!")), id=letter)

    boards: Document = [TextTable((), [[Cell("all")]]), board("A"), board("B")]
    found = Read(document(boards, "picture"))
    shut = [given for tag, given in found.elements if tag == "details"]
    assert shut == [{"id": "picture-A", "data-weight": "1"}, {"id": "picture-B", "data-weight": "1"}]
    assert [given["id"] for tag, given in found.elements if tag == "table" and "id" in given] == [
        "picture-A-held",
        "picture-B-held",
    ]
    assert found.text == "allA rich7!B rich7!"
    alone = Read(document(boards[1:2], "picture"))
    assert ("section", {"id": "picture-A"}) in alone.elements
    assert alone.text == "Arich7!"
    dice = ShownDie(6, "red", True, 4), ShownDie(1, "", False)
    rolls: Document = [
        Dice(name, "needs 5", "", [die], weight=at) for at, (name, die) in enumerate(zip("ab", dice, strict=True))
    ]
    fight = Read(document(rolls, "fight"))
    assert [given for tag, given in fight.elements if tag == "details"] == [{"data-weight": "1"}]
    assert fight.text == "aneeds 56b needs 51"


def test_only_what_has_changed_is_sent_again() -> None:
    seat = Seat0("eclipse2", 2)
    seat.go()
    feed = StateFeed(seat.session, (), no_log, drawn=True)
    feed.next()
    assert json.loads(feed.next())["html"] == {}
    seat.session.asking.pick(seat.session.asking.choices.options[0])  # type: ignore[union-attr]
    assert "ask" in json.loads(feed.next())["html"]


def test_a_game_without_a_map_shows_its_position_as_blocks_and_one_with_a_map_no_text() -> None:
    found = {}
    for game in ("nim", "eclipse2"):
        seat = Seat0(game, 2)
        seat.go()
        found[game] = json.loads(StateFeed(seat.session, (), no_log, drawn=True).next())
    shown = Read(found["nim"]["html"]["map"])
    assert shown.text
    assert "pre" not in [tag for tag, _given in shown.elements]
    assert found["nim"]["map"] == ""
    assert "map" not in found["eclipse2"]["html"]


def test_after_a_take_back_a_program_is_sent_the_whole_log_again_however_long_it_has_become() -> None:
    seat = Seat0("eclipse2", 2)
    seat.go()
    feed = StateFeed(seat.session, (), no_log)
    heights = [each["height"] for each in json.loads(feed.next())["view"]["log"]]
    for more in (0, len(heights)):  # the log is shorter than before, and then longer than before
        seat.session.events.heard(HistoryRewound(heights[-1]))
        told = [LoggedEvent(heights[-1], f"anew {at}") for at in range(more)]
        seat.session.events.add(told)
        view = json.loads(feed.next())["view"]
        assert view["log_from"] == 0
        assert [each["text"] for each in view["log"]] == [each.text for each in seat.session.events.entries]
        assert view["log"][len(view["log"]) - more :] == [each for each in view["log"] if "anew" in each["text"]]
        seat.session.events.add([LoggedEvent(heights[-1], "one more")])
        view = json.loads(feed.next())["view"]
        assert (view["log_from"], [each["text"] for each in view["log"]]) == (
            len(seat.session.events.entries) - 1,
            ["one more"],
        )


def test_a_program_is_sent_what_is_said_after_more_than_is_kept_of_the_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "KEPT", 3)
    seat = Seat0("eclipse2", 2)
    seat.go()
    feed, sent = StateFeed(seat.session, (), no_log), list[str]()
    for number in range(6):
        seat.session.notice(ChatSaid("Bob", f"word {number}"))
        view = json.loads(feed.next())["view"]
        sent = [*sent[: view["chat_from"]], *(each["text"] for each in view["chat"])]
        assert sent[-1] == f"word {number}"
    assert sent == ["word 3", "word 4", "word 5"]


def test_the_page_says_what_leaving_for_good_does_before_its_button_does_it() -> None:
    seat = Seat0("eclipse2", 2)
    seat.go()
    read = Read(table.table(view(), seat.session))
    deeds = [json.loads(given["data-do"] or "") for _tag, given in read.elements if "data-do" in given]
    assert {"act": "leave", "sure": True} in deeds
    assert leaving_text() in read.text
    assert read.text.index(leaving_text()) < read.text.rindex("Leave for good")
    asked: list[str] = []
    seat.propose = lambda kind, *_more: asked.append(kind)  # type: ignore[attr-defined]
    assert not perform(seat.session, {"act": "leave"})["ok"]
    assert perform(seat.session, {"act": "leave", "sure": True})["ok"]
    assert asked == ["leave"]


def test_who_shares_the_screen_takes_it_on_the_page_too() -> None:
    shown = Read(drawn(handover="Pass the keyboard to Bob."))
    assert "Pass the keyboard to Bob." in shown.text
    assert [json.loads(given["data-do"] or "") for _tag, given in shown.elements if "data-do" in given] == [
        {"act": "here"}
    ]


def test_what_others_wrote_is_text() -> None:
    told = [LoggedEvent(1, EVIL), LoggedEvent(5, EVIL, undone=True)]
    place = LobbySeat(0, EVIL, words=EVIL, link=EVIL, rtt=3, ready=True, inviter=EVIL, met=False, wish=EVIL)
    options = [LobbyOption(*[EVIL] * 5)]
    room = KnownLobby(EVIL, 2, options, ticket=EVIL, reach=EVIL, places=[place], watching=[place])
    seat = SeatView("A", EVIL, 1, False, False, False, EVIL, EVIL, 9, [(EVIL, 1)])
    evil = Cell(EVIL, EVIL, EVIL, [Pick(at, EVIL, EVIL) for at in (0, 1)], share=50)
    sheets = [Sheet(EVIL, EVIL, EVIL, [evil])]
    shown: list[Any] = [TextTable([evil], [[evil]]), Note(EVIL, EVIL)]
    blocks = [*shown, Chart([line((EVIL, EVIL))])]
    listed = [option(EVIL, EVIL, [(EVIL, 1)])] * 3
    asking = Ask(0, EVIL, shown, EVIL, False, True, EVIL, listed, (), sheets, [RefusedOptions(EVIL, [EVIL])])
    drafted = {"parts": [PickedStage(EVIL, [EVIL], 0)], "picked": [EVIL], "titles": [EVIL]}
    drafted |= {"orders": [OrderView(0, EVIL, "game")], "sendable": True}
    stopped = StoppedView(EVIL, shown, [Remedy("absent", EVIL, {"members": [EVIL]})])
    evil_table = view(seats=[seat], machines=[EVIL], answer=EVIL)
    made = [
        drawn(ask=asking), drawn(ask=asking, **drafted), drawn(waiting=[EVIL]), drawn(question=EVIL),
        table.end([*sheets, *shown], {"lines": [EVIL], "home": True, "report": True}),
        table.tabs([(EVIL, EVIL, EVIL)]),
        table.lines([EVIL], view(left=True)),
        table.then(1, 2, [EVIL])["told"],
        table.network(view(examined=[EVIL])),
        *(document([block], "a") for block in blocks),
        table.log(view(log=told, seen=3)), table.chat([ChatMessage(EVIL, EVIL)]), table.seats(view(seats=[seat])),
        table.votes(view(votes=[VoteView(EVIL, EVIL, EVIL, EVIL)])),
        table.votes(view(stopped=[stopped])),
        table.table(evil_table, Seat0("eclipse2", 2).session),
        gathered(room),
    ]  # fmt: skip
    for markup in made:
        read = Read(markup)
        assert EVIL in read.text
        assert "script" not in [tag for tag, _given in read.elements]
    assert el("p", EVIL, title=EVIL) == Markup(
        '<p title="&quot;&gt;&lt;b&gt;&amp;&lt;script&gt;alert(1)&lt;/script&gt;">"&gt;&lt;b&gt;&amp;'
        "&lt;script&gt;alert(1)&lt;/script&gt;</p>"
    )


def test_the_log_tells_the_step_what_is_new_and_in_words_what_was_taken_back() -> None:
    told = [LoggedEvent(1, "old"), LoggedEvent(5, "new"), LoggedEvent(12, "gone", undone=True)]
    assert Read(table.log(view(log=told, seen=3))).text == "1  oldSince your last answer 5  new12  taken back: gone"
    assert Read(table.log(view(log=told, seen=None))).text == " 1  old 5  new12  taken back: gone"


def test_the_lobby_shows_a_player_by_name_and_a_spectator_who_has_none_by_the_words() -> None:
    watching = [LobbySeat(-1, words=words) for words in ("oak sea", "fox ice")]
    room = KnownLobby("rex", 2, places=[LobbySeat(0, "Ann", ready=True)], watching=watching)
    text = Read(gathered(room)).text
    assert "A● Ann " in text
    assert "B open " in text
    assert all(each.words in text for each in watching)


def test_the_lobby_says_how_each_of_the_others_is_linked_and_how_long_a_word_takes() -> None:
    ways = [LobbySeat(0, "Ann", mine=True), LobbySeat(1, "Bob"), LobbySeat(2, "Cid", link="through Bob", rtt=31)]
    text = Read(gathered(KnownLobby("rex", 3, places=ways))).text
    assert "A● Ann (you)" in text
    assert "B■ Bob link: by the inviter" in text
    assert "C▲ Cid link: through Bob 31 ms" in text


def test_the_start_page_shows_what_is_filled_in() -> None:
    page = started()

    def fields() -> dict[str, str | None]:
        read = Read(page.drawn(view()))
        chosen = [given for _tag, given in read.elements if "value" in given and "selected" in given]
        return {str(given["value"]): "chosen" for given in chosen}

    for field, value in (
        ("game", "rex"),
        ("seats", "3"),
        ("kind", "host"),
        ("friends", "2"),
        ("option betrayal", "on"),
    ):
        assert page.perform({"act": "fill", "field": field, "value": value})["ok"]
    assert {"rex", "3", "2", "on"} <= fields().keys()
    assert page.home.form.options == {"betrayal": "on"}
    for field, value in (
        ("game", "chess"),
        ("seats", "9x"),
        ("kind", "x"),
        ("bots", "x"),
        ("option x", "y"),
        ("x", "y"),
    ):
        assert not page.perform({"act": "fill", "field": field, "value": value})["ok"]
    assert page.perform({"act": "host"})["ok"]
    assert page.home.chosen is not None
    assert list(page.home.chosen)[:4] == ["host", "rex", "--players", "3"]
