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
from p2p.log.store import Store

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
    assert answer["ok"] is True
    documented = (ROOT / "API.md").read_text("utf-8")
    row = re.search(rf"^\| `{words[0] if words else 'help'} --json` \| (.*) \|$", documented, re.MULTILINE)
    assert row is not None
    assert answer.keys() <= set(re.findall(r"`(\w+)`", row[1]))


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
