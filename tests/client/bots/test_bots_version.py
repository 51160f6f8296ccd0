"""Rows name the bots that played: two commits with one version number may have other ones."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from client.bots import version
from client.bots.version import playing_version
from client.commands import cli

SCRIPT = Path(__file__).parents[3] / "scripts" / "ladder.py"
WORDS = ["greedy", "random", "--game", "emperor", "--players", "3", "--games", "4"]


@pytest.fixture(autouse=True)
def _fresh(starlock_home: Path) -> Iterator[None]:
    version.playing_version.cache_clear()
    yield
    version.playing_version.cache_clear()


def test_rows_name_the_bots_that_played_and_the_page_takes_those_of_its_commit_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two commits with one version number may have other bots: such games are never mixed, and no page names the
    wrong commit."""
    rows, target = tmp_path / "rows", tmp_path / "LADDER.md"
    made = runpy.run_path(str(SCRIPT))["main"]
    assert cli.main(["ladder", *WORDS, "--rows", str(rows)]) == 0
    assert made(["--page", str(target), str(rows)]) == 0
    assert "| greedy | random |" in target.read_text("utf-8")
    monkeypatch.setattr(version, "_sources", lambda _folder: [("greedy.py", b"other")])
    version.playing_version.cache_clear()
    capsys.readouterr()
    assert cli.main(["ladder", *WORDS, "--rows", str(rows)]) == 2
    assert "holds other games" in capsys.readouterr().err
    before = target.read_text("utf-8")
    assert made(["--page", str(target), str(rows)]) == 2
    assert "other bots" in capsys.readouterr().err
    assert target.read_text("utf-8") == before


def test_the_version_of_a_row_changes_with_the_code_and_the_numbers_of_the_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [playing_version(id) for id in ("eclipse2", "eclipse1", "rex", "nim")]
    assert names[0] == names[1]
    assert len({*names}) == 3
    read = version._sources
    for package in ("client.bots", "client.games.rex.bot"):

        def changed(folder: Any, path: str = "", package: str = package) -> Iterator[tuple[str, bytes]]:
            for name, content in read(folder, path):
                last = folder == files(package) and name in ("greedy.py", "numbers.toml")
                yield name, content + b"\n" * last

        monkeypatch.setattr(version, "_sources", changed)
        version.playing_version.cache_clear()
        assert playing_version("rex") != names[2]
