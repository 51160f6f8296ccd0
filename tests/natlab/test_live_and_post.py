"""One table goes on live, by post, and live again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import small
from small import Game, finish

from client import cli
from engine.core.registry import GAMES


class Home:
    """A home that writes bundles. path: its folder."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._home, self.out = path / "home", path / "bundle"
        self._capsys, self._patch = capsys, monkeypatch

    def post(self, *words: str) -> dict[str, Any]:
        """Read, play and write."""
        self._patch.setenv("STARLOCK_HOME", str(self._home))
        assert cli.main(["post", "--as", "random", "--newest", "-o", str(self.out), "--json", *words]) == 0
        told: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        return told


@pytest.mark.slow
def test_a_table_goes_on_by_post_where_it_stood_live_and_live_where_it_stood_by_post(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "toy", f"{small.__name__}:SMALL")
    game = Game(tmp_path, height=4)
    with game.host("--local") as ann, game.guest(ann, "Bob", "--local") as bob:
        ann.reaches(3)
        bob.reaches(3)
        ann.kill()
        bob.kill()
    homes = [Home(tmp_path / name, capsys, monkeypatch) for name in ("ann", "bob")]
    heights = [homes[0].post()["height"]]
    for turn in range(1, 9):
        reader, writer = homes[turn % 2], homes[1 - turn % 2]
        heights.append(reader.post("--in", str(writer.out))["height"])
    assert heights == sorted(heights)
    assert heights[-1] > 4  # where live play was held up
    with game.resume("ann") as ann, game.resume("bob") as bob:
        finish(game, ann, bob)
        assert max(ann.height, bob.height) > heights[-1]
