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

ROOT = Path(__file__).parents[2]


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
    assert (answer["ok"], answer["format"]) == (True, 1)
    assert answer.keys() <= documented(words[0] if words else "help")


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
    """The names in the row of a command in API.md."""
    guide = (ROOT / "docs" / "API.md").read_text("utf-8")
    row = re.search(rf"^\| `{command} --json` \| (.*) \|$", guide, re.MULTILINE)
    assert row is not None, command
    return set(re.findall(r"`(\w+)`", row[1]))


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
    parts = {"part"} if command == "verify DAMAGED" else set()
    nested = {name for each in answer.values() if isinstance(each, list) for row in each for name in _keys(row)}
    assert answer.keys() <= documented(command)
    assert documented(command) - parts - nested - {"taken_back"} <= answer.keys()


def _keys(row: Any) -> set[str]:
    return set(row) if isinstance(row, dict) else set()


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
