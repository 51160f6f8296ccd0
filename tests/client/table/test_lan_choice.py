"""Tables on the LAN: shown when the host agrees, and joined without a ticket by a number or a name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands.host import shown_as
from client.commands.join import found_ticket
from client.system.errors import UserError
from client.table import joining, lan
from client.table.lan import is_short_name
from client.table.offers import table_text
from p2p.reach.find import Found, TableOffer
from p2p.reach.ticket import LOBBY, SECRET


def found(name: str) -> Found:
    lobby = name.encode().ljust(LOBBY, b"-")[:LOBBY]
    offer = TableOffer("rex", {}, 3, 2, "rex/1", "test", name, lobby, b"s" * SECRET)
    return Found(offer, ("tcp://192.0.2.1:7777",), b"instance", "192.0.2.1", 0.0)


def test_a_table_nearby_is_told_with_how_many_of_its_seats_are_free() -> None:
    assert ", 2 of 3 seats free · " in table_text(found("Ann").offer)


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Join where these tables are heard, saying these words when asked; the name of the table, and what was told."""

    def join(*names: str, said: tuple[str, ...] = (), bot: bool = False, word: str = "") -> tuple[str, list[str]]:
        async def heard() -> list[Found]:
            return [found(name) for name in names]

        async def proven(chosen: Found, _identity: object, _expiry: int) -> SimpleNamespace:
            return SimpleNamespace(inviter=b"i" * 32, name=chosen.offer.name)

        words = list(said)
        told: list[str] = []
        monkeypatch.setattr(lan, "tables_here", heard)
        monkeypatch.setattr(lan, "ticket_of", proven)
        monkeypatch.setattr(joining, "whoami", lambda *_: None)
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: bool(said))
        monkeypatch.setattr("builtins.input", lambda _question: words.pop(0))
        request: Any = SimpleNamespace(level="random" if bot else None)
        context: Any = SimpleNamespace(note=told.append)
        ticket: Any = found_ticket(context, request, word)
        assert not words
        return ticket.name, told

    return join


@pytest.mark.parametrize(("said", "name"), [("1", "Ann"), ("2", "Bob"), (" bob ", "Bob"), ("ANN", "Ann")])
def test_a_number_or_a_name_chooses_a_table_and_the_words_of_its_host_are_shown(
    said: str, name: str, choose: Any
) -> None:
    chosen, told = choose("Ann", "Bob", said=("3", "", "nobody", said))
    assert chosen == name
    assert [line[:6] for line in told[1:3]] == ["1. Ann", "2. Bob"]
    assert [line[:24] for line in told[3:]] == ["Type one of these number"] * 3 + ["The inviter's words are:"]


def test_a_name_that_two_hosts_have_chooses_none_of_them_and_is_named_as_that(choose: Any) -> None:
    chosen, told = choose("Ann", "Ann", said=("ann", "2"))
    assert chosen == "Ann"
    assert "a name that only one of these tables has" in told[3]


@pytest.mark.parametrize("word", ["maple-tiger", "mapel-tigre", "Árbol-ñandú"])
def test_two_words_that_are_misspelt_are_looked_for_and_not_taken_for_a_ticket(word: str, choose: Any) -> None:
    assert is_short_name(word)
    with pytest.raises(UserError) as refused:
        choose("Ann", word=word)
    assert refused.value.code == "find/other"


def test_a_bot_takes_the_only_table_and_of_several_none(choose: Any) -> None:
    assert choose("Ann", bot=True)[0] == "Ann"
    with pytest.raises(UserError) as refused:
        choose("Ann", "Bob", bot=True)
    assert refused.value.code == "find/several"


def test_the_two_words_of_a_table_choose_it_unasked(choose: Any) -> None:
    assert is_short_name(found("Bob").offer.word)
    assert choose("Ann", "Bob", word=f" {found('Bob').offer.word.upper()} ")[0] == "Bob"
    with pytest.raises(UserError) as refused:
        choose("Ann", "Bob", word=found("Cid").offer.word)
    assert refused.value.code == "find/other"


@pytest.mark.parametrize("text", ["starlock:abc-def", "", "-", "one-two-three", found("Ann").offer.word + "-x"])
def test_what_is_no_short_name_is_read_as_a_ticket(text: str) -> None:
    assert not is_short_name(text)


def test_where_no_table_is_open_the_way_by_a_ticket_is_named(choose: Any) -> None:
    with pytest.raises(UserError) as refused:
        choose()
    assert refused.value.code == "find/nobody"
    assert "starlock join TICKET" in refused.value.hint


@pytest.mark.parametrize(
    ("words", "said", "shown", "asked"),
    [
        ({}, [True, True], "Ann", 2),
        ({}, [True, False], "", 2),
        ({}, [False], None, 1),
        ({"private": True}, [], None, 0),
        ({"local": True}, [], None, 0),
        ({"open": True}, [], "Ann", 0),
    ],
)
async def test_a_host_is_asked_before_its_table_is_shown_and_once_more_before_its_name_is(
    words: dict[str, bool], said: list[bool], shown: str | None, asked: int
) -> None:
    questions: list[str] = []

    async def confirm(question: Callable[[], str]) -> bool:
        questions.append(question())
        return said[len(questions) - 1]

    args: Any = SimpleNamespace(**{"open": False, "private": False, "local": False, **words})
    player: Any = SimpleNamespace(confirm=confirm)
    request: Any = SimpleNamespace(name="Ann", level=None, seed=None)
    assert await shown_as(args, request, player) == shown
    assert len(questions) == asked
