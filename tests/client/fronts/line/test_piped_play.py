"""Where there is no terminal, a person plays by lines from a pipe; bots beside people."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from client.commands.host import bot_seats
from client.system.errors import UserError
from client.system.names import BOT, checked_name, seat_name, skeleton
from p2p.lockstep.genesis import Row


def test_lines_from_a_pipe_are_read_as_questions_come_and_their_end_leaves_the_table(tmp_path: Path) -> None:
    env = {**os.environ, "STARLOCK_HOME": str(tmp_path), "STARLOCK_COMMAND": "python3 scripts/play.py"}
    words = ("play", "eclipse2", "--players", "2", "--bots", "random", "--name", "Anna", "--lang", "en")
    ended = subprocess.run(
        [sys.executable, "-m", "client", *words],
        input="1\n\nmap",  # whatever species the bot has left
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    assert "Anna> 1\n" in ended.stdout
    assert "Anna plays " in ended.stdout
    assert "Anna> map\n" in ended.stdout
    assert "Go on with: python3 scripts/play.py resume eclipse2-" in ended.stdout


def test_bots_take_the_seats_that_friends_leave_and_are_let_in_without_a_question(tmp_path: Path) -> None:
    env = {**os.environ, "STARLOCK_HOME": str(tmp_path)}
    words = ("host", "eclipse2", "--players", "2", "--bots", "random", "--friends", "0", "--local", "--no-qr")
    ended = subprocess.run(
        [sys.executable, "-m", "client", *words, "--name", "Anna", "--lang", "en"],
        input="1\n\nmap",
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    assert "At the table: Anna, Bob (bot); free seats: 0" in ended.stdout
    assert "Let them in?" not in ended.stdout
    assert "Bob (bot) plays " in ended.stdout


@pytest.mark.parametrize(
    ("friends", "mine", "bots"), [(None, 0, [2, 3]), (2, 0, [3]), (0, 2, [0, 1, 3]), (1, 3, [1, 2])]
)
def test_bots_sit_on_the_last_free_seats(friends: int | None, mine: int, bots: list[int]) -> None:
    assert bot_seats(Namespace(bots="random", friends=friends), 4, mine) == bots


@pytest.mark.parametrize(("bots", "friends"), [("random", 3), ("random", -1), (None, 1)])
def test_numbers_of_friends_that_cannot_be_are_refused(bots: str | None, friends: int) -> None:
    with pytest.raises(UserError):
        bot_seats(Namespace(bots=bots, friends=friends), 4, 0)


@pytest.mark.parametrize("name", ["Ann (bot)", "(BOT)", "Ann (bоt)"])
def test_no_person_is_named_like_a_bot(name: str) -> None:
    with pytest.raises(UserError):
        checked_name(name)
    assert skeleton(BOT) not in skeleton(seat_name(Row(0, name)))
    assert seat_name(Row(0, "Ann", "greedy")) == f"Ann {BOT}"
