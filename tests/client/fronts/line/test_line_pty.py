"""The line client in a pseudo-terminal, as a person has it."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import Person, Terminal, open_terminal
from volume import gated

from client.system.platform import ERRORS

GAME = str(Path(__file__).parents[2] / "line_game.py")
NAMES = ("Anna", "Bob", "Carl", "Dina")
FAILING = """
import io, os, sys
from pathlib import Path
from client.system.context import Context
from client.system.errors import UserError
from client.fronts.line.run import run
from client.system.progress import Meter
from client.system.settings import Folders

async def main(player):
    os.write(2, b"sendto: Network is unreachable\\n")  # as a library in C does
    raise UserError("lobby/declined", "The inviter does not let you in.")

folders = Folders(Path(), Path(), Path(sys.argv[1]))
context = Context("join", False, folders, sys.stdout, sys.stderr, Meter(io.StringIO()))
try:
    run(context, main)
except UserError as error:
    print(error.message)
    sys.exit(error.exit_code)
"""
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])[;m]")


def start(opened: list[Terminal], *words: str, **env: str) -> Terminal:
    return open_terminal(opened, [GAME, *words], env)


def asked(terminal: Terminal) -> None:
    """Wait for the first question."""
    terminal.until(r"Which species")
    terminal.until(r"Anna>")


@pytest.mark.soak
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_whole_four_seat_game_is_played_by_notation_alone(opened: list[Terminal], term: str) -> None:
    terminal = start(opened, "--seed", "5", "--person", "0", "1", "2", "3", TERM=term)
    person = Person(terminal, NAMES, 5)
    person.play()
    terminal.until(r"ended True( \d:-?\d+){4}")
    assert terminal.end() == 0
    assert terminal.attributes() == terminal.before
    assert person.answers > 100


def test_no_line_is_wider_than_the_terminal(opened: list[Terminal]) -> None:
    terminal = start(opened, "--seed", "6", TERM="dumb")
    asked(terminal)
    for command in ("map", "legend", "boards", "boards B", "tech", "parts", "score", "log", "?", "why", "map 001"):
        shown = len(terminal.text)
        terminal.type(command + "\r")
        terminal.until(r"Anna> $", shown)
    widest = max(terminal.text.split("\n"), key=len)
    assert len(widest) < 80, widest


def test_a_dumb_terminal_gets_plain_ascii(opened: list[Terminal]) -> None:
    terminal = start(opened, "--seed", "6", TERM="dumb")
    asked(terminal)
    terminal.type("1\r\rmap\r")
    terminal.until(r"\+---")
    terminal.type("quit\r")
    terminal.end()
    assert "\x1b" not in terminal.raw
    drawn = terminal.text[terminal.text.index("+---") :]
    assert drawn.isascii(), drawn


def test_no_colour_means_no_colour(opened: list[Terminal]) -> None:
    coloured, bare = start(opened, "--seed", "6"), start(opened, "--seed", "6", NO_COLOR="1")
    for terminal in (coloured, bare):
        asked(terminal)
        terminal.type("quit\r")
        terminal.end()
    assert COLOUR.search(coloured.raw)
    assert not COLOUR.search(bare.raw)


@pytest.mark.parametrize("term", gated(["xterm-256color", "dumb"], 1))
@pytest.mark.parametrize(
    ("way", "code", "says"),
    gated(
        [
            ("quit\r", 0, "ended False"),
            ("TERM", 3, "interrupted"),
            ("\x04", 0, "ended False"),
            ("\x03", 3, "interrupted"),
        ],
        2,
    ),
    ids=["quit", "SIGTERM", "end of input", "Ctrl-C"],
)
def test_every_way_out_gives_the_terminal_back(
    opened: list[Terminal], term: str, way: str, code: int, says: str
) -> None:
    terminal = start(opened, TERM=term)
    asked(terminal)
    if way == "TERM":
        terminal.process.send_signal(signal.SIGTERM)
    else:
        terminal.type(way)
    terminal.until(rf"^{says}")
    assert terminal.end() == code
    assert terminal.attributes() == terminal.before
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_an_error_of_the_table_leaves_as_it_is_and_that_of_a_library_goes_to_a_file(
    opened: list[Terminal], tmp_path: Path, term: str
) -> None:
    terminal = Terminal([sys.executable, "-c", FAILING, str(tmp_path)], {"TERM": term})
    opened.append(terminal)
    terminal.until(r"^The inviter does not let you in\.$")
    assert terminal.end() == 2
    assert terminal.attributes() == terminal.before
    assert "sendto" not in terminal.text
    assert (tmp_path / ERRORS).read_text() == "sendto: Network is unreachable\n"


def test_the_bare_line_is_edited_by_the_terminal(opened: list[Terminal]) -> None:
    terminal = start(opened, TERM="dumb")
    asked(terminal)
    terminal.type("chat helo\x7flo\r")
    assert terminal.until(r"^<Anna> hello$").group() == "<Anna> hello"


def test_tab_completes_an_option(opened: list[Terminal]) -> None:
    terminal = start(opened)
    asked(terminal)
    shown = len(terminal.text)
    terminal.type("eri\t")
    terminal.until(r"dani", shown)
    terminal.type("\r")
    assert terminal.until(r"sends it", shown).start() > 0


def test_spanish_is_spoken(opened: list[Terminal]) -> None:
    terminal = start(opened, "--lang", "es")
    assert terminal.until(r"Con qué especie").start() > 0


@pytest.mark.soak
def test_a_person_plays_a_whole_game_against_bot_peers(opened: list[Terminal], tmp_path: Path) -> None:
    words = ("play", "eclipse2", "--players", "2", "--bots", "random", "--name", "Anna", "--linear", "--json")
    home = {"STARLOCK_HOME": str(tmp_path), "TERM": "xterm-256color", "NO_COLOR": "1"}
    terminal = Terminal([sys.executable, "-m", "client", *words], home)
    opened.append(terminal)
    person = Person(terminal, ("Anna",), 8, r'^\{"ok":true')
    person.play()
    assert terminal.end() == 0
    assert terminal.attributes() == terminal.before
    assert person.answers > 10
