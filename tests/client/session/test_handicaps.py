"""Handicaps are chosen by seat: in the form of a new table, in the lobby's options, and with the levels of bots."""

from __future__ import annotations

import pytest

from client.commands.arguments import with_handicaps
from client.fronts.kit.pane import Item
from client.fronts.screen.shared import form_rows
from client.session.start import NewTable, form_fields
from client.table.options import settled
from engine.core.registry import game


def rows(table: NewTable) -> list[Item]:
    return [*form_rows(form_fields(table), lambda _line, _text: None)]


def test_the_form_has_a_row_for_each_seat_and_turns_it() -> None:
    table = NewTable(game="rex", seats=3)
    found = [item for item in rows(table) if "handicap of seat" in item.text]
    assert [item.text.partition(":")[0] for item in found] == [f"handicap of seat {letter}" for letter in "ABC"]
    assert found[1].turn is not None
    found[1].turn(1)
    assert table.command("play")[-2:] == ["-o", "handicap=0,1,0"]
    assert not table.hindrance()
    table.set_handicap(1, "0")
    assert not table.options, "a handicap of nobody is none"


def test_handicaps_follow_the_number_of_seats() -> None:
    table = NewTable(game="rex", seats=3)
    table.set_handicap(2, "9")
    table.sit(4)
    assert table.options == {"handicap": "0,0,9,0"}
    table.sit(2)
    assert table.options == {}


@pytest.mark.parametrize("said", ["nonsense", "1,2", ""])
def test_the_form_survives_what_was_typed_elsewhere(said: str) -> None:
    table = NewTable(game="rex", seats=3, options={"handicap": said})
    assert [item for item in rows(table) if "handicap" in item.text]
    table.set_handicap(0, "3")
    assert not table.hindrance()


def test_a_level_may_carry_the_handicap_of_its_bot() -> None:
    assert with_handicaps("greedy,expert+2", range(1, 4), 4, ["draws=open"]) == (
        "greedy,expert",
        ["draws=open", "handicap=0,0,2,0"],
    )
    assert with_handicaps("3+4", range(2), 2, []) == ("3", ["handicap=4,4"])
    assert with_handicaps("greedy+0", range(2), 2, []) == ("greedy", [])
    table = settled(game("rex"), 3, with_handicaps("greedy,greedy+5", range(1, 3), 3, [])[1])
    assert table.options["handicap"] == "0,0,5"


@pytest.mark.parametrize(
    ("said", "levels", "handicap"),
    [
        ("cmd:./bot+2,greedy+1", "cmd:./bot,greedy", "2,1"),
        ("greedy,cmd:./bot --with a+3", "greedy,cmd:./bot --with a", "0,3"),
        ("package:mybot+4", "package:mybot", "4,4"),
        ("cmd:./bot --with 1+2+3", "cmd:./bot --with 1+2", "3,3"),
        ("cmd:./bot --with 'a+3',greedy+1", "cmd:./bot --with 'a+3',greedy", "0,1"),
    ],
)
def test_a_bot_of_others_may_carry_its_handicap_too(said: str, levels: str, handicap: str) -> None:
    """A last word of its own that ends so is put in quotes."""
    assert with_handicaps(said, range(2), 2, []) == (levels, [f"handicap={handicap}"])
