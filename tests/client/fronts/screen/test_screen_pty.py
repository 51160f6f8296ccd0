"""The full screen in a pseudo-terminal, as a person has it."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from volume import gated

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import PATIENCE, Terminal, open_terminal
from screen_game import COMPLAINT

from client.system.platform import ERRORS, LONG

GAME = str(Path(__file__).parents[2] / "screen_game.py")
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
SCREEN_ERRORS = f"logs/{ERRORS}"
MOUSE_OFF = "\x1b[?1000l"


def start(opened: list[Terminal], *words: str, **env: str) -> Terminal:
    terminal = open_terminal(opened, [GAME, *(words or ("eclipse2",))], env, (30, 100))
    terminal.until("to answer")
    return terminal


def clean(terminal: Terminal) -> bool:
    """True if the terminal is as it was: main screen, no mouse, cursor shown, its settings."""
    left = terminal.raw.rindex(NORMAL) > terminal.raw.rindex(ALTERNATE)
    shown = terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")
    return left and shown and MOUSE_OFF in terminal.raw and terminal.attributes() == terminal.before


@pytest.mark.parametrize(
    ("way", "code", "says"),
    gated(
        [
            ("q", 0, "ended False"),
            ("\x03", 3, "interrupted"),
            ("HUP", 3, "interrupted"),
            ("\x04", 0, "ended False"),
            (":quit\r", 0, "ended False"),
            ("TERM", 3, "interrupted"),
        ],
        3,
    ),
    ids=["q", "Ctrl-C", "SIGHUP", "Ctrl-D", "typed quit", "SIGTERM"],
)
def test_every_way_out_gives_the_terminal_back(opened: list[Terminal], way: str, code: int, says: str) -> None:
    terminal = start(opened)
    if way in ("TERM", "HUP"):
        os.kill(terminal.process.pid, getattr(signal, f"SIG{way}"))
    else:
        terminal.type(way)
    terminal.until(rf"{says}")
    assert terminal.end() == code
    assert clean(terminal)
    assert "Traceback" not in terminal.text


def test_a_table_that_fails_gives_the_terminal_back_and_its_error_to_the_person(
    opened: list[Terminal], tmp_path: Path
) -> None:
    terminal = start(opened, "eclipse2", "fails", STARLOCK_HOME=str(tmp_path))
    terminal.type("1s")
    terminal.until("RuntimeError: the table fails")
    assert terminal.end() == 1
    assert clean(terminal)
    assert (tmp_path / SCREEN_ERRORS).read_text() == ""


def complained(terminal: Terminal, errors: Path) -> None:
    """Give an answer, and wait until the table has complained to this file."""
    terminal.type("1s")
    limit = time.monotonic() + PATIENCE
    while COMPLAINT not in errors.read_bytes():
        assert time.monotonic() < limit
        terminal.read(0.05)


def test_what_libraries_write_as_errors_goes_to_a_file_and_not_over_the_screen(
    opened: list[Terminal], tmp_path: Path
) -> None:
    errors = tmp_path / SCREEN_ERRORS
    errors.parent.mkdir()
    errors.write_text("an old error\n" * LONG)
    terminal = start(opened, "eclipse2", "complains", STARLOCK_HOME=str(tmp_path))
    complained(terminal, errors)
    terminal.type("q")
    terminal.until("ended False")  # written as an error too, when the screen is gone
    assert terminal.end() == 0
    assert errors.read_bytes().startswith(COMPLAINT), "a long file is begun anew"
    assert "sendto" not in terminal.text


def test_errors_that_go_elsewhere_go_on_there(opened: list[Terminal], tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    terminal = shell(opened, "complains", f"2>{elsewhere}", STARLOCK_HOME=str(tmp_path))
    complained(terminal, elsewhere)
    start = len(terminal.text)
    terminal.type("q")
    terminal.until("ready> ", start)
    assert elsewhere.read_bytes().startswith(COMPLAINT)
    assert elsewhere.read_text().endswith("ended False\n")
    assert not (tmp_path / "logs").exists()


def shell(opened: list[Terminal], *words: str, **env: str) -> Terminal:
    """The game in the foreground of a shell with job control."""
    given = {"TERM": "xterm-256color", "PS1": "ready> ", "ENV": "", **env}
    terminal = Terminal(["/bin/sh", "-i"], given, (30, 100))
    opened.append(terminal)
    terminal.until("ready> ")
    terminal.type(f"{' '.join((sys.executable, GAME, 'eclipse2', *words))}\r")
    terminal.until("to answer")
    return terminal


def test_it_is_suspended_to_the_shell_and_comes_back_as_it_was(opened: list[Terminal], tmp_path: Path) -> None:
    terminal = shell(opened, "complains", STARLOCK_HOME=str(tmp_path))
    terminal.type("\x1a")
    terminal.until("(?s)Stopped.*ready> |ready> .*Stopped")
    assert terminal.raw.rindex(NORMAL) > terminal.raw.rindex(ALTERNATE)
    start = len(terminal.text)
    terminal.type("fg\r")
    terminal.until("to answer", start)
    assert terminal.raw.rindex(ALTERNATE) > terminal.raw.rindex(NORMAL)
    complained(terminal, tmp_path / SCREEN_ERRORS)
    terminal.type("q")
    terminal.until("ended False")
    assert "sendto" not in terminal.text
    assert terminal.raw.rindex(NORMAL) > terminal.raw.rindex(ALTERNATE)


def test_it_ends_with_the_shell_that_started_it(opened: list[Terminal]) -> None:
    terminal = shell(opened)
    pid = next(pid for pid in descendants(terminal.process.pid) if GAME in cmdline(pid))
    terminal.process.kill()
    terminal.process.wait()
    limit = time.monotonic() + PATIENCE
    while GAME in cmdline(pid):
        assert time.monotonic() < limit
        time.sleep(0.05)


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, and theirs."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    if not path.exists():
        pytest.skip("the system does not tell")
    for child in path.read_text().split():
        yield int(child)
        yield from descendants(int(child))


def cmdline(pid: int) -> str:
    """How a process was started; "" for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def test_an_answer_is_chosen_and_sent_by_keys(opened: list[Terminal]) -> None:
    terminal = start(opened)
    terminal.type("1")
    terminal.until("Draft, not sent")
    terminal.type("s")
    terminal.until("Your turn: one action")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.soak
@pytest.mark.parametrize("game", ["eclipse2", "eclipse1", "emperor", "rex"])
def test_a_whole_game_is_played_by_keys(opened: list[Terminal], game: str) -> None:
    terminal, rng = start(opened, game), random.Random(6)
    for _ in range(4000):
        if terminal.process.poll() is not None:
            break
        terminal.type(rng.choice(["1", "2", "3", "4", "5", "\r"]) + "s" * rng.randint(0, 1))
        while terminal.read(0.02):
            pass
        terminal.raw = terminal.raw[-20_000:]
    assert terminal.end() == 0
    assert "ended True" in terminal.text
    assert terminal.attributes() == terminal.before


def test_a_recorded_game_is_watched_and_played_on_from_and_the_terminal_given_back(
    opened: list[Terminal], tmp_path: Path
) -> None:
    star = Path(__file__).parents[3] / "stars" / "eclipse2.1.star"
    command = [sys.executable, "-m", "client", "replay", str(star)]
    terminal = Terminal(command, {"TERM": "xterm-256color", "STARLOCK_HOME": str(tmp_path)}, (30, 100))
    opened.append(terminal)
    terminal.until("step 1 of 110")
    terminal.type("\x1b[C" * 9)
    terminal.type("b")
    terminal.until("Play on from here as Player 0")
    terminal.type("\r")
    terminal.until("This is practice")
    terminal.until("nothing is signed or kept")
    terminal.type("q")
    assert terminal.end() == 3
    assert clean(terminal)
    assert "You left the practice" in terminal.text
    assert "resume" not in terminal.text
