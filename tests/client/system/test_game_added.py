"""A game is added by a folder of its own and one line: here in a temporary folder, with no edit elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from textwrap import dedent

import pytest

from client.bots import bot, chooser
from client.commands import cli
from client.fronts.kit.cards import cards
from client.show.html import document
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.words import display_names_at, event_text, refusal_text, texts
from client.words.asking import prompt_text
from client.words.reference import entries
from engine.core import registry
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.testing.toy import TOY, Bid

ROOM = dedent(
    '''
    """What the client knows of the toy game."""

    from client.system.registry import GameClient
    from client.words.reference import Article
    from client.show.document import Note
    from client.show.pictures import Documents, Picture, Pictures, Questioning
    from client.system.texts import N_, NC_
    from engine.testing.toy import Bid

    EVENTS = {
        "toy/sold": N_("{seat} sells {grain} sacks."),
        "toy/field": N_("{seat} gets the field."),
        "toy/field bid=0": N_("{seat} gets the field for nothing."),
    }
    REFUSALS = {"sell/empty-bank": N_("The bank has only {0} coins.")}
    TERMS = {"rye": N_("a lot of rye"), "nobody": NC_("toy", "not a soul")}
    PROMPTS = {"bid": N_("Coins for the field, up to {most}?")}


    def status(frame):
        return f"round {frame.g.farm.round}"


    def coins(frame):
        return [Note(f"{name}: {frame.g.farm.coins[seat]} coins") for seat, name in enumerate(frame.names)]


    PICTURES = Pictures(
        Documents({"coins": Picture("", N_("who has how many coins"), coins)}, status=status),
        Questioning(hint=lambda _frame, _ask, option, _so_far: "all that you have" if option == 7 else ""),
    )


    def entries():
        yield Article("field", "topic", "The field", "Whoever bids most gets it.", "toy")


    def answer(view, wait, rng):
        return wait.most if isinstance(wait, Bid) else wait.caretaker(view.g)


    TOY = GameClient(
        texts=("toy_room.client",), prompts="toy_room.client:PROMPTS", pictures="toy_room.client:PICTURES",
        reference="toy_room.client:entries", bot="toy_room.client:answer",
    )
    '''
)
NAMES = ("Ada", "Bo")


@pytest.fixture(autouse=True)
def _added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    room = tmp_path / "toy_room"
    room.mkdir()
    (room / "__init__.py").touch()
    (room / "spec.py").write_text("from engine.testing.toy import TOY\n", "utf-8")
    (room / "client.py").write_text(ROOM, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(registry.GAMES, "toy", "toy_room.spec:TOY")
    texts.cache_clear()
    use("en")
    yield
    texts.cache_clear()


def test_the_words_of_an_added_game_are_its_own_and_change_no_other_game() -> None:
    display_names = display_names_at(TOY)
    assert event_text(Event("toy/sold", {"seat": 1, "grain": 2}), NAMES, display_names) == "Bo sells 2 sacks."
    assert event_text(Event("toy/field", {"seat": 0, "bid": 3}), NAMES, display_names) == "Ada gets the field."
    assert (
        event_text(Event("toy/field", {"seat": 0, "bid": 0}), NAMES, display_names) == "Ada gets the field for nothing."
    )
    assert refusal_text(Refusal("sell/empty-bank", "", (4,)), display_names) == "The bank has only 4 coins."
    assert prompt_text(Bid(Seat(0), 7), NAMES, display_names) == "Coins for the field, up to 7?"
    assert (display_names("rye"), display_names("nobody")) == ("a lot of rye", "not a soul")
    other = display_names_at(registry.game("rex"))
    assert (other("rye"), other("nobody")) == ("rye", "nobody")
    assert event_text(Event("toy/sold", {"seat": 1, "grain": 2}), NAMES, other) == "toy/sold seat=Bo grain=2"


def test_an_added_game_is_drawn_explained_and_played_by_its_own_bot() -> None:
    table = settle_options(TOY, 2, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(TOY, table), Dealer(HashDice("added"))
    frame = Frame(match.view(Seat(0)), NAMES, UNICODE)
    shows = pictures("toy")
    coins = shows.documents.commands["coins"]
    rows = ["Ada: 5 coins", "Bo: 5 coins"]
    assert [plain(each) for each in coins.draw(frame)] == rows  # in line mode
    assert [plain(each) for each in cards(coins.document(frame), 80, UNICODE)] == rows  # on the full screen
    assert document(coins.document(frame), "picture") == "<p>Ada: 5 coins</p><p>Bo: 5 coins</p>"  # on the page
    assert shows.questions.hint(frame, Bid(Seat(0), 7), 7, ()) == "all that you have"
    assert [(entry.kind, entry.title) for entry in entries("toy") if entry.kind == "topic"] == [("topic", "The field")]
    greedy = [bot("greedy")] * 2
    told = [
        event for _given, events in play(match, dealer, chooser(greedy, dealer, random.Random(1))) for event in events
    ]
    bids = [event.args["bids"] for event in told if event.id == "toy/no-field"]
    assert bids  # both always bid all that they have
    assert match.over


def test_commands_take_an_added_game_like_any_other(starlock_home: Path) -> None:
    with redirect_stdout(StringIO()) as out:
        assert cli.main(["rules", "toy", "field", "--lang", "en"]) == 0
        assert cli.main(["simulate", "toy", "--players", "2", "--games", "1", "--seed", "s", "--lang", "en"]) == 0
    assert "Whoever bids most gets it." in out.getvalue()
    assert "toy, 2 seats" in out.getvalue()
