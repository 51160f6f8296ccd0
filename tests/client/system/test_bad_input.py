"""Whatever is typed, given or found: one clear message that names what was wrong and what to do, the right exit code,
one JSON object for programs, nothing lost, and never a traceback.

What needs two live peers (other rules, a forged message, a full disk in the middle of a game) is in `test_table_*`.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import recorded

from client import __version__
from client.commands import cli
from client.system.settings import Folders
from client.table.record import Record
from engine.core.registry import GAMES
from p2p.log.lock import FileLock
from p2p.log.store import Store
from p2p.reach.ticket import new_ticket
from p2p.wire.address import at_endpoint

GAME_COMMANDS = ("demo", "host", "play", "simulate", "rules")
TABLE_COMMANDS = ("resume", "leave", "verify", "replay")
TICKET = str(new_ticket(bytes(16), bytes(32), (at_endpoint("127.0.0.1", 9),), 4_000_000_000))
MISTYPED = TICKET[:40] + ("b" if TICKET[40] == "a" else "a") + TICKET[41:]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def folder(home: Path, tmp_path: Path) -> Path:
    """What the cases below find in the folder they run in."""
    whole = recorded.finished().star()
    (tmp_path / "game.star").write_bytes(whole)
    (tmp_path / "short.star").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "flipped.star").write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
    (tmp_path / "longer.star").write_bytes(whole + b"more")
    (tmp_path / "empty.star").write_bytes(b"")
    (tmp_path / "text.star").write_text("once upon a time")
    (tmp_path / "begin.star").write_bytes(bytes(8) + whole[8:])
    (tmp_path / "folder").mkdir()
    return tmp_path


class Case(NamedTuple):
    """words: what is typed; exit: the exit code; code: of the error; said: what message and hint must name."""

    words: str
    exit: int
    code: str
    said: str


TYPED = [
    Case("", 0, "", "simulate"),
    Case("verfy x.star", 2, "cli/unknown-command", "verify"),
    Case("--colour tables", 2, "cli/usage", "--colour"),
    Case("tables everything", 2, "cli/usage", "everything"),
    *(Case(f"{name} eclips", 2, "cli/unknown-game", "eclipse2") for name in GAME_COMMANDS),
    *(Case(f"{name} --bogus", 2, "cli/usage", "--bogus") for name in ("demo", "play", "tables", "keys")),
    Case("demo --players 9", 2, "table/seats", "2 to 6"),
    Case("demo --players none", 2, "cli/usage", "“none” is no whole number"),
    Case("demo --kill 3 --players 4", 2, "cli/kill", "at most 2"),
    Case("demo --draws face-up", 2, "cli/usage", "face-up"),
    Case("host --players 1 --as random", 2, "table/seats", "2 to 6"),
    Case("host -o ancint=limited --as random", 2, "table/unknown-option", "ancients"),
    Case("host -o ancients=many --as random", 2, "table/option-value", "unlimited"),
    Case("host --seat 4 --as random", 2, "cli/seat", "0 to 3"),
    Case("host --seat -1 --as random", 2, "cli/seat", "-1"),
    Case("host --port 99999 --as random", 2, "cli/port", "99999"),
    Case("host --as gready", 2, "cli/unknown-bot", "gready"),
    Case("host --as random --name \u202egnp", 2, "name/misleading", "u{202e}"),
    Case("host --as random --name aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2, "name/long", "24"),
    Case("host", 2, "cli/no-terminal", "--as"),
    Case(f"join {MISTYPED} --as random", 2, "ticket/typo", "ticket"),
    Case("join starlock:abc --as random", 2, "ticket/", "ticket"),
    Case("join hello --as random", 2, "ticket/prefix", "starlock:"),
    Case("join --as greedy --port x", 2, "cli/usage", "x"),
    Case("join bob.tikcet --as random", 2, "ticket/prefix", "check the file's name"),
    Case("watch hello", 2, "ticket/prefix", "starlock:"),
    Case("watch", 2, "cli/no-ticket", "watch --web"),
    Case("simulate eclipse2 --games 0", 2, "cli/usage", "--games"),
    Case("simulate eclipse2 -o species=draco,nobody", 2, "option/unknown-species", "nobody"),
    Case("simulate eclipse2 --bots cleverer", 2, "cli/unknown-bot", "cleverer"),
    Case("rules eclipse2 plasma-canon", 2, "rules/unknown-word", "plasma-cannon"),
    Case("keys --lang tlh", 2, "cli/unknown-language", "tlh"),
    Case("keys --log folder", 2, "log/unwritable", "folder"),
    Case("keys import game.star", 2, "identity/", "game.star"),
    Case("keys import nothing.pem", 2, "identity/missing", "nothing.pem"),
]

FOUND = [
    *(Case(f"{name} nothing.star", 2, "file/unreadable", "nothing.star") for name in ("verify", "replay", "import")),
    *(Case(f"{name} folder/", 2, "", "folder") for name in ("verify", "replay", "import")),
    *(Case(f"{name} text.star", 2, "file/foreign", "text.star") for name in ("verify", "replay", "import")),
    *(Case(f"{name} empty.star", 2, "file/foreign", "empty.star") for name in ("verify", "replay", "import")),
    *(
        Case(f"{name} begin.star", 2, "file/foreign", "its first bytes are damaged: get another copy")
        for name in ("verify", "replay", "import")
    ),
    Case("join begin.star --as random", 2, "ticket/prefix", "damaged"),
    *(Case(f"{name} short.star", 1, "file/truncated", "short.star") for name in ("replay", "import")),
    *(Case(f"{name} flipped.star", 1, "file/entry", "entry") for name in ("replay", "import")),
    *(Case(f"{name} longer.star", 1, "file/trailing", "follows the end") for name in ("replay", "import")),
    Case("replay game.star --at 100000", 2, "replay/height", "100000"),
    *(Case(f"{name} nothing", 2, "table/unknown", "nothing") for name in TABLE_COMMANDS),
    Case("export nothing out.star", 2, "table/unknown", "nothing"),
    Case("resume", 2, "table/none", "starlock play"),
    Case("export nothing no/such/out.star", 2, "file/no-folder", "no/such"),
    Case("export nothing text.star/out.star", 2, "file/no-folder", "text.star"),
    Case(f"export nothing {'x' * 300}", 2, "file/unwritable", "xxx"),
    Case("host --as random --save no/such/out.star", 2, "file/no-folder", "no/such"),
    Case(f"watch {TICKET} --save no/such/out.star", 2, "file/no-folder", "no/such"),
]


def said(capsys: pytest.CaptureFixture[str], words: list[str]) -> tuple[int, str, str]:
    code = cli.main(words)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.mark.parametrize("case", [*TYPED, *FOUND], ids=lambda case: case.words[:40].replace("/", ""))
def test_each_case_has_one_clear_message_and_its_exit_code(
    case: Case, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    code, out, err = said(capsys, case.words.split())
    assert code == case.exit, err
    assert case.said in out + err
    if code == 0:
        return
    assert out == "", "errors go to standard error"
    assert err.startswith("starlock: ")
    assert err.count("starlock: ") - err.count("ticket starlock: ") >= 1
    code, out, err = said(capsys, [*case.words.split(), "--json"])
    assert code == case.exit
    (line,) = out.splitlines()
    told = json.loads(line)
    assert told["ok"] is False
    assert set(told["error"]) == {"code", "message", "hint"}
    assert told["error"]["code"].startswith(case.code)
    assert told["error"]["message"]
    assert told["error"]["hint"], "what to do"
    assert not list(home.glob("logs/error-*")), "nothing unexpected happened"


@pytest.mark.parametrize("name", ["short.star", "flipped.star", "longer.star"])
def test_verify_says_what_is_wrong_with_a_damaged_game_and_fails(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = said(capsys, ["verify", name])
    assert code == 1
    assert out.startswith("Not intact.")
    code, out, _err = said(capsys, ["verify", name, "--json"])
    told = json.loads(out)
    assert (code, told["ok"], told["complete"]) == (1, False, False)
    assert told["problems"][0]["part"]


@pytest.mark.parametrize("name", [command.name for command in cli.COMMANDS])
def test_every_command_refuses_an_option_it_does_not_know(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = said(capsys, [name, "--no-such-option", "--json"])
    assert code == 2
    assert json.loads(out)["error"]["code"] == "cli/usage"


# What a home may look like


def tables_of(home: Path, **changed: Any) -> None:
    """A home with one table at play."""
    table = recorded.begun(3)
    with Store(Folders.of_system().data, __version__) as store:
        store.add_table(table.genesis.table, {**Record("mine", table.genesis).info(), **changed}, table.keys[0])
        store.receive(table.log)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    code, out, _err = said(capsys, [*words, "--json"])
    told: dict[str, str] = json.loads(out)["error"]
    assert code in (1, 2), told
    assert told["hint"]
    return told


def test_a_home_that_is_a_file_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.write_text("")
    assert str(home) in refused(capsys, "keys")["message"]
    assert str(home) in refused(capsys, "host", "--as", "random")["message"]


def test_a_second_process_in_one_home_is_refused_by_whatever_writes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables_of(home)
    lock = FileLock(home / "data" / "lock")
    try:
        for words in (("import", "game.star"), ("leave", "mine"), ("resume", "mine", "--as", "random")):
            told = refused(capsys, *words)
            assert told["code"] == "store/locked"
            assert str(os.getpid()) in told["message"]
        assert said(capsys, ["verify", "mine"])[0] == 0, "looking is always possible"
    finally:
        lock.release()


def test_a_store_of_a_newer_program_is_left_alone_and_its_version_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables_of(home)
    path = home / "data" / "starlock.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA user_version = 99")
        database.execute("UPDATE meta SET value = '9.9.9' WHERE name = 'program'")
    for words in (("tables",), ("verify", "mine"), ("leave", "mine")):
        told = refused(capsys, *words)
        assert told["code"] == "store/newer"
        assert "9.9.9" in told["message"]


@pytest.mark.parametrize("data", [b"", b"once upon a time, in a file that is no database", b"SQLite format 3\0garbage"])
def test_a_store_that_is_none_is_named_and_not_touched(
    home: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "data" / "starlock.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    if not data:
        assert said(capsys, ["import", "game.star"])[0] == 0, "an empty file is a store to be made"
        return
    for words in (("tables",), ("import", "game.star")):
        assert refused(capsys, *words)["code"] in ("store/foreign", "store/damaged")
    assert path.read_bytes() == data


def test_a_note_that_cannot_be_read_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables_of(home, state="dreaming")
    for words in (("tables",), ("verify", "mine"), ("resume",)):
        assert refused(capsys, *words)["code"] == "store/note"


def test_a_damaged_identity_is_named_and_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, ["keys"])
    path = home / "config" / "identity.pem"
    path.write_text("-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n")
    path.chmod(0o600)
    for words in (("keys",), ("host", "--as", "random")):
        told = refused(capsys, *words)
        assert told["code"] == "identity/damaged"
        assert str(path) in told["message"]
    assert "nonsense" in path.read_text()


@pytest.fixture
def unwritable(home: Path) -> Iterator[Path]:
    """A home that cannot be written: without the right to do so, or on a disk that nobody may write, for the
    superuser."""
    home.mkdir()
    if os.name == "posix" and os.geteuid() != 0:
        home.chmod(0o500)
        yield home
        return
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(home)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("this user may not mount a disk that cannot be written")
    yield home
    subprocess.run(["umount", str(home)], check=True)


@pytest.mark.usefixtures("unwritable")
def test_a_home_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "keys")["code"] == "home/unusable"


def test_every_game_refuses_what_is_not_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for game in GAMES:
        assert refused(capsys, "simulate", game, "--players", "99")["code"] == "table/seats"
        assert refused(capsys, "simulate", game, "-o", "no-such-option")["code"] == "table/unknown-option"
