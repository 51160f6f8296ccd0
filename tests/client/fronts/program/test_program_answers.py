"""What a program asks before a table is answered in one line with the keys of API.md; scripts explain themselves."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import recorded

from client import __version__
from client.commands import cli
from client.table.record import Record
from p2p.log.evidence import Evidence, pack_evidence
from p2p.log.store import Store
from p2p.wire.entry import make_entry

ROOT = Path(__file__).parents[4]


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert cli.main([*words, "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("words", [(), ("help",), ("home",), ("find",), ("tables",)])
def test_each_is_answered_once_with_the_documented_keys(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    answer = answered(capsys, *words)
    command = words[0] if words else "help"
    assert (answer["ok"], answer["format"]) == (True, 1)
    assert answer.keys() == first_column(command)
    assert names_in(answer) <= documented(command)


def table_of(command: str) -> str:
    """What API.md lists below the title of a command."""
    guide = (ROOT / "docs" / "API.md").read_text("utf-8")
    found = re.search(rf"^### `{command} --json`$(.*?)(?=^### |\Z)", guide, re.MULTILINE | re.DOTALL)
    assert found is not None, command
    return found[1]


@pytest.mark.parametrize("words", [("help", "odds"), ("odds", "--help"), ("odds", "eclipse2", "-h")])
def test_the_help_of_a_command_is_an_answer_too(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, *words)
    assert answer.keys() == documented("help COMMAND")
    assert answer["command"] == "odds"
    assert "--input" in answer["help"]
    with pytest.raises(SystemExit) as end:
        cli.main([*words])
    assert not end.value.code
    assert capsys.readouterr().out == answer["help"]


def test_help_for_a_command_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "rulez", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "cli/unknown-command"


def documented(command: str) -> set[str]:
    """All names there."""
    return {"ok", "format", *re.findall(r"`(\w+)`", table_of(command))}


def first_column(command: str) -> set[str]:
    """The keys of the answer itself."""
    cells = [line.split("|")[1] for line in table_of(command).splitlines() if line.startswith("| `")]
    return {"ok", "format", *(name for cell in cells for name in re.findall(r"`(\w+)`", cell))}


FREE = {"args", "kinds", "checked", "options", "attacker", "defender"}
"""Keys whose values have names of the game: events, points, entries, options, ships."""


def names_in(value: Any) -> set[str]:
    """All names of records in an answer, at whatever depth."""
    if isinstance(value, list):
        return {name for each in value for name in names_in(each)}
    if not isinstance(value, dict):
        return set()
    return {*value} | {name for key, each in value.items() if key not in FREE for name in names_in(each)}


STAR = str(ROOT / "tests" / "stars" / "emperor.1.star")
ASKED = {
    "verify GAME": ("verify", STAR, "--evidence", "proofs"),
    "verify DAMAGED": ("verify", "damaged.star"),
    "verify EVIDENCE": ("verify", "game.proof"),
    "replay GAME": ("replay", STAR, "--at", "20"),
    "luck GAME": ("luck", STAR.replace("emperor", "eclipse2")),
    "odds GAME ATTACKER DEFENDER": ("odds", "eclipse2", "interceptor", "vs", "ancient"),
    "simulate GAME": ("simulate", "emperor", "--games", "1", "--players", "3"),
}


@pytest.mark.parametrize("command", ASKED)
def test_an_answer_has_the_keys_that_the_guide_lists_and_their_version(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("damaged.star").write_bytes(Path(STAR).read_bytes()[:3000])
    if command == "verify EVIDENCE":
        table = recorded.begun(1)
        last = table.log[-1][0]
        twin = make_entry(
            *(keys.key.private for keys in table.keys if keys.key.public == last.author),
            **{name: getattr(last, name) for name in ("table", "seq", "prev", "epoch", "height", "head", "state")},
            kind="chat", body=[bytes(32)],
        )  # fmt: skip
        pair = Evidence("entry/forked", (last, twin))
        Path("game.proof").write_bytes(pack_evidence(pair, __version__))
    cli.main([*ASKED[command], "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["format"] == 1
    assert answer.keys() == first_column(command)
    assert names_in(answer) <= documented(command) | VERIFIED.get(command, set())


VERIFIED = {f"verify {what}": documented("verify GAME") for what in ("EVIDENCE", "DAMAGED")}
"""Parts that are described once."""


def test_what_the_home_screen_offers_are_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    known = {each["name"] for each in answered(capsys, "help")["commands"]}
    choices = answered(capsys, "home")["choices"]
    assert choices
    assert {choice.split()[0] for choice in choices} <= known


@pytest.mark.parametrize("script", ["reach.py", "ladder.py"])
def test_a_script_explains_itself(script: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--help"], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout


def test_resume_listens_on_the_port_that_is_asked_for_or_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unlike the port of before, one that was asked for is not replaced by another."""
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    assert cli.main(["resume", "--port", "70000", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "cli/port"
    table = recorded.begun(1)
    with Store(tmp_path / "data", __version__) as store:
        store.add_table(table.genesis.table, Record("mine", table.genesis, local=True).info(), None)
        store.receive([(entry, None) for entry in table.peers[0].feeds.entries])
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        words = ["resume", "mine", "--as", "random", "--port", str(taken.getsockname()[1]), "--json"]
        assert cli.main(words) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "listen/port-in-use"
