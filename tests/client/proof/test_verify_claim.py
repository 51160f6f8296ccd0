"""`starlock verify` on a game between two in which one fell silent: what the other claims, which proves no fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recorded import GameTable

from client.commands import cli


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")


def test_a_claim_is_told_as_a_claim_and_lapses_when_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, file = GameTable([[0], [1]]), str(tmp_path / "game.star")
    table.start()
    table.cut_off = {1}
    table.play()
    waiting, other = table.peers[0], table.keys[1].key.public
    assert waiting.debts() == {other: "answer"}
    assert waiting.claim(other) is None
    table.settle()
    Path(file).write_bytes(table.star())
    assert cli.main(["verify", file]) == 0
    told = " ".join(capsys.readouterr().out.split())
    height = waiting.position.height
    assert told.startswith("Intact, as far as it goes: the game is not over.")
    claimed = f"Player 0 claims that Player 1 did not go on at step {height} (owes an answer). No fault is shown."
    assert claimed in told
    assert cli.main(["verify", file, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    owed = {"author": "Player 0", "member": "Player 1", "height": height, "kind": "answer"}
    assert answer["claims"] == [{**owed, "stands": True}]
    assert answer["problems"] == []
    table.cut_off.clear()
    for entry, _ in table.log:
        table.peers[1].take(entry)
    table.settle()
    assert table.step()
    Path(file).write_bytes(table.star())
    assert cli.main(["verify", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"] == [{**owed, "stands": False}]
    assert cli.main(["verify", file]) == 0
    assert "the game has gone on since" in " ".join(capsys.readouterr().out.split())
