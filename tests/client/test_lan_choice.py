"""Joining without a ticket: the tables of this LAN are listed, and a number or a name chooses one."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands.join import found_ticket
from client.errors import UserError
from client.table import joining, lan
from p2p.reach.find import Found, TableOffer
from p2p.reach.ticket import LOBBY, SECRET


def found(name: str) -> Found:
    lobby = name.encode().ljust(LOBBY, b"-")[:LOBBY]
    offer = TableOffer("rex", {}, 3, 2, "rex/1", "test", name, lobby, b"s" * SECRET)
    return Found(offer, "tcp://192.0.2.1:7777", 0.0)


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Join where these tables are heard, saying these words when asked; the name of the table, and what was told."""

    def join(*names: str, said: tuple[str, ...] = (), bot: bool = False) -> tuple[str, list[str]]:
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
        ticket: Any = found_ticket(context, request)
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
    assert told[3].startswith("The host's words are: ")


def test_a_name_that_two_hosts_have_chooses_none_of_them(choose: Any) -> None:
    assert choose("Ann", "Ann", said=("ann", "2"))[0] == "Ann"


def test_a_bot_takes_the_only_table_and_of_several_none(choose: Any) -> None:
    assert choose("Ann", bot=True)[0] == "Ann"
    with pytest.raises(UserError) as refused:
        choose("Ann", "Bob", bot=True)
    assert refused.value.code == "find/several"


def test_where_no_table_is_open_the_way_by_a_ticket_is_named(choose: Any) -> None:
    with pytest.raises(UserError) as refused:
        choose()
    assert refused.value.code == "find/nobody"
    assert "starlock join TICKET" in refused.value.hint
