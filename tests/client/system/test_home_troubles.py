"""Homes that may only be read, or not even that; databases that are gone; names and files that are none."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import recorded
from pty_driver import Terminal
from volume import gated

from client import __version__
from client.commands import cli, tables
from client.system.platform import ERRORS
from p2p.log.store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, pipes and terminals of POSIX")
ROOT = Path(__file__).parents[3]
ORDINARY = """
import ctypes, sys
if sys.platform == "linux":  # the superuser could write anywhere: keep what any user has
    for power in (1, 2):
        ctypes.CDLL(None).prctl(24, power, 0, 0, 0)
import os
os.execv(sys.executable, [sys.executable, "-P", "-m", "client", *sys.argv[1:]])
"""


def starlock(home: Path, *words: str) -> dict[str, Any]:
    """The answer of a command that has no power over the modes of files, with its exit code."""
    env = {**os.environ, "STARLOCK_HOME": str(home), "LANGUAGE": "en", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ORDINARY, *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=150)
    assert "Traceback" not in done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return {**answer, "exit": done.returncode}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home with one finished game; whatever its modes become, it can be removed afterwards."""
    home = tmp_path / "home"
    (tmp_path / "game.star").write_bytes(recorded.finished().star())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STARLOCK_HOME", str(home))
        assert cli.main(["keys", "--json"]) == 0
        assert cli.main(["import", str(tmp_path / "game.star"), "--json"]) == 0
    yield home
    for folder in (home, home / "data", home / "config"):
        folder.chmod(0o700)


def for_reading_only(home: Path) -> None:
    for path in (*home.rglob("*"), home):
        path.chmod(0o500 if path.is_dir() else 0o400)


@pytest.mark.parametrize("killed", gated([True, False], 1), ids=["killed", "closed"])
def test_a_home_that_may_only_be_read_is_listed_verified_and_exported(home: Path, tmp_path: Path, killed: bool) -> None:
    if killed:  # the last commits are in the log
        with Store(home / "data", __version__) as store:
            (stored,) = store.tables()
            assert stored.info is not None
            store.note(stored.table, dict(stored.info))
            shutil.copytree(home / "data", tmp_path / "data")
        shutil.rmtree(home / "data")
        (tmp_path / "data").rename(home / "data")
        assert (home / "data" / "starlock.db-wal").stat().st_size > 0
        (home / "data" / "starlock.db-shm").unlink()
    for_reading_only(home)
    (listed,) = starlock(home, "tables")["tables"]
    assert starlock(home, "verify", listed["name"])["exit"] == 0
    assert starlock(home, "export", listed["name"], str(tmp_path / "again.star"))["exit"] == 0
    assert starlock(home, "keys")["exit"] == 0
    assert starlock(home, "resume")["error"]["code"] == "store/disk"
    assert starlock(tmp_path / "other", "verify", str(tmp_path / "again.star"))["exit"] == 0


def test_a_home_that_may_not_be_read_is_named_and_not_taken_for_an_empty_one(home: Path) -> None:
    home.chmod(0)
    assert starlock(home, "tables")["error"]["code"] == "store/disk"
    assert starlock(home, "verify", "eclipse2")["error"]["code"] == "store/disk"
    assert starlock(home, "keys")["error"]["code"] == "home/unusable"


def test_a_database_that_is_gone_is_named_by_every_command_and_nothing_is_made_in_its_place(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(home))
    capsys.readouterr()
    (home / "data" / "starlock.db").unlink()
    before = sorted(path.name for path in (home / "data").iterdir())
    for words in (
        ["tables"],
        ["resume"],
        ["verify", "eclipse2"],
        ["export", "eclipse2", "x.star"],
        ["leave", "eclipse2"],
    ):
        assert cli.main([*words, "--json"]) == 2
        told = json.loads(capsys.readouterr().out)["error"]
        assert told["code"] == "store/missing", words
        assert "backup" in told["hint"]
    assert sorted(path.name for path in (home / "data").iterdir()) == before


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("verify {long}", "table/unknown"),
        ("verify {long}.star", "file/unreadable"),
        ("replay {long}", "table/unknown"),
        ("import {long}", "file/unreadable"),
        ("keys import {long}", "identity/unreadable"),
        ("keys export {long}", "file/unwritable"),
        ("export eclipse2 {long}", "file/unwritable"),
        ("join {long}", "ticket/prefix"),
        ("watch {long}", "ticket/prefix"),
        ("rules emperor --content {long}", "file/unreadable"),
    ],
)
def test_a_name_that_no_file_can_have_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, code: str
) -> None:
    assert cli.main([*words.format(long="x" * 300).split(), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("verify {file}", "file/endless"),
        ("import {file}", "file/endless"),
        ("rules emperor --content {file}", "file/endless"),
        ("keys import {file}", "identity/unreadable"),
        ("odds eclipse2 --input {file}", "file/endless"),
        ("join {file}", "ticket/prefix"),
    ],
)
@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_a_file_that_never_ends_is_refused_at_once(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, code: str, kind: str
) -> None:
    os.mkfifo(here / "pipe")
    file = "/dev/zero" if kind == "device" else here / "pipe"
    assert cli.main([*words.format(file=file).split(), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


@pytest.mark.parametrize("hang_up", gated([signal.SIG_DFL, signal.SIG_IGN], 1), ids=["told", "not told"])
def test_a_terminal_that_is_closed_ends_the_game_without_a_report_of_a_crash(tmp_path: Path, hang_up: Any) -> None:
    before = signal.signal(signal.SIGHUP, hang_up)
    try:
        terminal = Terminal(
            [sys.executable, "-m", "client", "play", "eclipse2", "--players", "2", "--lang", "en"],
            {"STARLOCK_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)},
        )
    finally:
        signal.signal(signal.SIGHUP, before)
    terminal.until("Type . for help")
    os.close(terminal.fd)
    os.close(terminal.inner)
    assert terminal.process.wait(150) == 3
    (kept,) = (tmp_path / "home" / "logs").iterdir()
    assert (kept.name, kept.read_text("utf-8")) == (ERRORS, ""), "no report, and no library had a word to say"


def test_whoever_calls_main_keeps_its_own_signals(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a process that is the program's own takes a request to end for an interrupt."""
    before, seen = signal.getsignal(signal.SIGTERM), list[object]()

    def run(_args: object, _context: object) -> int:
        seen.append(signal.getsignal(signal.SIGTERM))
        return 0

    monkeypatch.setattr(tables, "run", run)
    assert cli.main(["tables"]) == 0
    assert seen == [before]
