"""One table goes on live, by post, and live again; or begins by post, where no way leads from home to home."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import small
from small import Game, finish
from test_homes import relaying

from client.commands import cli
from engine.core.registry import GAMES
from p2p.testing.homes import PUBLIC, homes, missing


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
        assert len(finish(game, ann, bob)) == 1
        assert max(ann.height, bob.height) > heights[-1]


@pytest.mark.soak
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_two_homes_without_any_way_between_them_begin_and_end_a_table_by_letters(tmp_path: Path) -> None:
    with homes("symmetric", "symmetric") as lab:
        game = Game(tmp_path)
        with game.host(before=lab.command("0")) as host, game.guest(host, "Bob", before=lab.command("1")) as guest:
            assert guest.end() != 0  # the ticket alone leads nowhere
        game.go_on()
        ann, bob = Letters(game, "ann-by-post", lab.command("0")), Letters(game, "bob-by-post", lab.command("1"))
        begin(ann, bob)
        for turn in range(60):
            reader, writer = (ann, bob) if turn % 2 else (bob, ann)
            reader.says("post", "--newest", "-o", str(reader.out), "--in", str(writer.out))
            if (
                ann.answer["complete"]
                and bob.answer["complete"]
                and not (ann.answer["entries"] or bob.answer["entries"])
            ):
                break
        assert ann.answer["complete"]
        assert bob.answer["height"] == ann.answer["height"]


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_a_table_that_began_by_letters_goes_on_live_at_a_relay_that_both_name(tmp_path: Path) -> None:
    game = Game(tmp_path)
    with homes("symmetric", "symmetric") as lab, relaying(tmp_path, lab):
        ann, bob = Letters(game, "ann", lab.command("0")), Letters(game, "bob", lab.command("1"))
        begin(ann, bob)
        bob.says("post", "-o", str(bob.out), "--in", str(ann.out))
        with (
            game.resume("ann", "--relay", PUBLIC, before=lab.command("0")) as one,
            game.resume("bob", "--relay", PUBLIC, before=lab.command("1")) as other,
        ):
            assert len(finish(game, one, other)) == 1
            assert other.events("link/up")[0]["way"] == "relay"


class Letters:
    """A home that writes letters, each command a process of its own. before: what runs it elsewhere."""

    def __init__(self, game: Game, name: str, before: list[str]) -> None:
        self._game, self._name, self._before = game, name, before
        self.out = game.folder / f"{name}.letter"
        self.answer: dict[str, Any] = {}

    def says(self, *words: str) -> None:
        with self._game.command(self._name, *words, "--as", "random", "--json", before=self._before) as process:
            assert process.end() == 0, process.said + process.errors
            self.answer = process.answer


def begin(ann: Letters, bob: Letters) -> None:
    """From the invitation to the letter that begins the table."""
    ann.says("host", "toy", "--players", "2", "--post", "--name", "Ann", "--letter", str(ann.out))
    bob.says("join", str(ann.out), "--name", "Bob", "--letter", str(bob.out))
    ann.says("post", "-o", str(ann.out), "--in", str(bob.out))
    bob.says("post", "-o", str(bob.out), "--in", str(ann.out))
    assert bob.answer["state"] == "playing"
    ann.says("post", "-o", str(ann.out), "--in", str(bob.out))
