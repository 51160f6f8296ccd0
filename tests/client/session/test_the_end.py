"""What is said when a game is over."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands.seating import afterwards, fortunes, parts_text
from client.fronts.line.run import fitting
from client.proof.walk import walk_of_input
from client.show.styled import plain
from client.system.context import Context
from client.system.platform import program
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import game, settle_options


@pytest.mark.parametrize(
    ("name", "part"), [("eclipse2", "sectors"), ("emperor", "during play"), ("rex", "strongholds")]
)
def test_points_are_told_by_what_they_come_from(name: str, part: str) -> None:
    spec = game(name)
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table)
    match = Match.new(spec, table)
    for _ in play(match, Dealer(HashDice(1)), by_caretaker):
        pass
    names = ("Anna", "Bob", "Cy")
    follower: Any = SimpleNamespace(machine=GameMachine(match))
    result: Any = SimpleNamespace(game=name, names=names)
    heads, *parts, sums = parts_text(follower, result)
    order = sorted(spec.scores(match.g), key=lambda score: score.rank)
    assert re.findall(r"(\d)\. (\w+)", heads) == [(str(score.rank), names[score.seat]) for score in order]
    totals = [score.total for score in order]
    assert [int(word) for word in sums.split()[-3:]] == totals
    assert [sum(each) for each in zip(*(map(int, row.split()[-3:]) for row in parts), strict=True)] in (totals, [])
    assert name == "rex" or any(row.startswith(part) for row in parts)


def test_what_one_may_do_with_a_game_that_is_over_is_told_as_one_types_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_COMMAND", "python3 scripts/play.py")
    assert "python3 scripts/play.py verify eclipse2-12ab" in afterwards("eclipse2-12ab")


def test_the_luck_of_whoever_rolled_dice_is_told() -> None:
    context = Context("replay", True, Folders(Path(), Path(), Path()), sys.stdout, sys.stderr, Meter(io.StringIO()))
    star = Path(__file__).parents[2] / "stars" / "eclipse1.1.star"
    walk = walk_of_input(str(star), context)
    result: Any = SimpleNamespace(names=("Anna", "Bob"))
    lines = fortunes(walk.table, result)
    assert lines[0] == "Luck of the dice:"
    assert lines[1].startswith("  Bob: ")  # Anna has rolled none in that game
    assert "expected" in lines[1]


def test_what_a_command_tells_above_the_line_is_broken_between_words_and_a_ticket_is_not() -> None:
    ticket = "starlock:" + 100 * "q"
    command = f"  {program()} verify eclipse2-12ab    judge it"
    told = [plain(each) for each in fitting(f"  Bob (bot): sectors 15, reputation 6\n  {ticket}\n{command}", 30)]
    assert told == ["  Bob (bot): sectors 15,", "    reputation 6", f"  {ticket}", command]
