"""How long a seat may think: chosen with the table, read by the lockstep, told to who sits down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from client.table.lobby_notices import LobbyTerms
from client.table.notices import TableNotice
from client.table.reception import Reception
from client.words.reference import entries
from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import GAMES, PATIENCE, game, settle_options
from p2p.lobby.messages import Terms
from p2p.lockstep.genesis import DEFAULT_PATIENCE
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis


def settled(name: str, **options: str) -> Table | Refusal:
    return settle_options(game(name), game(name).seats[0], options)


def thinking(**options: str) -> float:
    genesis, _ = fixed_genesis([[0], [1]], 1, TestMachine(2))
    return replace(genesis, options=options).patience


@pytest.mark.parametrize("name", GAMES)
def test_a_table_chooses_the_time_and_stays_what_it_was_at_the_default(name: str) -> None:
    chosen, plain = settled(name, patience="1d"), settled(name)
    assert isinstance(chosen, Table)
    assert chosen.options["patience"] == "1d"
    assert settled(name, patience=PATIENCE.default) == plain
    assert isinstance(plain, Table)
    assert game(name).content_id(chosen) == game(name).content_id(plain)
    assert settled(name, patience="soon") == Refusal(
        "table/option-value", "patience", ("soon", *(PATIENCE.values or ()))
    )


def test_the_lockstep_reads_each_value_and_has_the_same_default() -> None:
    assert PATIENCE.values is not None
    seconds = {value: thinking(patience=value) for value in PATIENCE.values}
    assert seconds == {
        "1m": 60,
        "10m": 600,
        "1h": 3600,
        "8h": 28800,
        "1d": 86400,
        "7d": 604800,
        "off": inf,
    }
    assert thinking() == seconds[PATIENCE.default] == DEFAULT_PATIENCE


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_a_game_list_it_in_words(name: str) -> None:
    (entry,) = [entry for entry in entries(name) if entry.word == "patience"]
    assert "think" in entry.text
    assert "7d (7 days), off" in entry.text


class Asked:
    """A person who sits down."""

    questions = ""

    def notice(self, notice: TableNotice) -> None:
        assert isinstance(notice, LobbyTerms)

    async def confirm(self, question: Callable[[], str]) -> bool:
        self.questions += question()
        return True


@pytest.mark.parametrize(
    ("options", "said"), [({}, "Time for an answer: 1 hour"), ({"patience": "7d"}, "Time for an answer: 7 days")]
)
async def test_who_sits_down_is_told_the_time_the_default_too(options: dict[str, str], said: str) -> None:
    person: Any = Asked()
    terms = Terms("rex", options, 3, "rex/1", bytes(16), {}, False, "starlock")
    assert await Reception(person, unasked=False).ready(terms)
    assert said in person.questions
