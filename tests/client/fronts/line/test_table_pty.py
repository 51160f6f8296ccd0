"""People at their terminals, each a peer: two play a whole game; one leaves a solo table and comes back to it."""

from __future__ import annotations

import re
import sys
import threading
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from peers import ROOT
from pty_driver import PATIENCE, Person, Terminal, starlock
from test_demo import running
from volume import gated

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", gated(["nim", "eclipse2"], 1))
def test_two_people_at_two_terminals_play_a_whole_game(opened: list[Terminal], tmp_path: Path, game: str) -> None:
    file = tmp_path / "ticket"
    words = ("host", game, "--players", "2", "--name", "Anna", "--local", "--ticket-file", str(file))
    anna = starlock(opened, tmp_path / "a", *words, "--linear")
    anna.until("free seats: 1")
    bob = starlock(
        opened, tmp_path / "b", "join", file.read_text("ascii").strip(), "--name", "Bob", "--local", "--linear"
    )
    anna.until(r"Bob wants to sit down \((\w+\s){9}\w+\)")
    anna.until("yes or no>")
    anna.type("y\r")
    bob.until("Sit down\\?")
    bob.until("yes or no>")
    bob.type("y\r")
    for terminal in (anna, bob):
        terminal.until(f"Table {game}-.* begins")
    people = [Person(anna, ("Anna",), 3, "Final state"), Person(bob, ("Bob",), 4, "Final state")]
    threads = [threading.Thread(target=person.play) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * PATIENCE)
    endings = [terminal.until("Final state ([0-9a-f]{32})")[1] for terminal in (anna, bob)]
    assert endings[0] == endings[1]
    for terminal in (anna, bob):
        assert terminal.end() == 0
        assert terminal.attributes() == terminal.before


def test_a_person_sends_a_newcomer_away(opened: list[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "ticket"
    words = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--local", "--ticket-file", str(file))
    anna = starlock(opened, tmp_path / "a", *words, "--linear")
    anna.until("free seats: 1")
    eve = starlock(
        opened, tmp_path / "e", "join", file.read_text("ascii").strip(), "--name", "Eve", "--local", "--linear"
    )
    anna.until("yes or no>")
    anna.type("n\r")
    eve.until("The inviter does not let you in")
    assert eve.end() == 2
    anna.until("Eve does not sit down")
    anna.type("\x03")
    assert anna.end() == 3


@pytest.mark.soak
def test_a_solo_table_is_left_and_resumed_with_its_bots(opened: list[Terminal], tmp_path: Path) -> None:
    words = ("play", "eclipse2", "--players", "2", "--bots", "random", "--name", "Anna")
    anna = starlock(opened, tmp_path, *words, "--linear")
    anna.until("Anna>")
    anna.type("quit\r")
    anna.until("Go on with: starlock resume eclipse2-")
    assert anna.end() == 3
    until = time.monotonic() + PATIENCE
    while mine(tmp_path) and time.monotonic() < until:
        time.sleep(0.05)
    assert not mine(tmp_path)
    again = starlock(opened, tmp_path, "resume", "--linear")
    again.until("goes on")
    again.until(r"Bob \(bot\) is connected")
    person = Person(again, ("Anna",), 5, "Final state")
    person.play()
    assert again.end() == 0
    assert not list((tmp_path / "data" / "bots").glob("*/*"))


def mine(home: Path) -> list[str]:
    """The processes that belong to a home."""
    return [line for line in running() if str(home) in line]


def test_a_person_sees_the_tables_own_content_before_sitting_down(opened: list[Terminal], tmp_path: Path) -> None:
    file, own = tmp_path / "ticket", ROOT / "tests" / "content" / "emperor-market.toml"
    words = ("host", "emperor", "--players", "3", "--name", "Anna", "--local", "--ticket-file", str(file))
    anna = starlock(opened, tmp_path / "a", *words, "--content", str(own), "--linear")
    anna.until("20 values differ from the game's")
    anna.until("free seats: 2")
    bob = starlock(
        opened, tmp_path / "b", "join", file.read_text("ascii").strip(), "--name", "Bob", "--local", "--linear"
    )
    bob.until("Sit down\\?")
    before = bob.text.partition("Sit down?")[0]
    assert re.search("Own content [0-9a-f]{12}: 20 values differ from the game's:", before)
    assert "  round_marks: 2 → 3" in before
    assert "  prices.energy: 2 2 3 3 4 4 → 3 3 4 4 5 6" in before
    bob.until("yes or no>")
    bob.type("n\r")
    assert bob.end() != 0
