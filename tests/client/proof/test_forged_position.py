"""A saved game that goes on from a forged position: it loads, and its rules fail later. That is no error of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_alone import AloneTable, alone_from, played

from client.commands import cli
from client.proof.alone import Alone
from client.table.beginning import beginning, read_beginning
from client.table.result import star_bytes
from engine.core.dataclass import replace
from engine.core.match import Match
from engine.core.registry import game
from p2p.wire.content import content_name

NAME = "eclipse2"


def forged() -> Alone:
    """A table whose agenda names a segment that no rules have, behind what is asked first."""
    alone = alone_from(played(NAME, 2, 7))
    begun = read_beginning(alone.content)
    assert begun is not None
    match = Match.load(game(NAME), begun[1])
    assert isinstance(match, Match)
    start = match.segment_start()
    start.flow.agenda.insert(0, ["nothing"])
    match = Match(game(NAME), start)
    content = beginning(begun[0], match)
    assert alone.genesis.origin is not None
    origin = replace(alone.genesis.origin, begins=content_name(content))
    return Alone(replace(alone.genesis, origin=origin, position=match.digest()), alone.keys, content)


@cache
def star() -> bytes:
    """A saved game of it, to the answer that leads there."""
    alone = forged()
    table = AloneTable(NAME, alone)
    table.start()
    with pytest.raises(KeyError, match="nothing"):
        table.play()
    return star_bytes(table.peers[0], alone.keys.key, {})


ERROR = {
    "code": "file/impossible",
    "message": "The position from which forged.star goes on is impossible: the rules or a picture fail there "
    "(KeyError: 'nothing').",
    "hint": "Get another copy of it from whoever plays there.",
}
READERS = {
    "verify": ("verify",),
    "import": ("import",),
    "replay": ("replay", "--linear"),
    "report": ("report", "-o", "page.html"),
    "map": ("map", "-o", "map.svg"),
    "luck": ("luck",),
    "rows": ("export", "--rows", "rows"),
    "told": ("export", "--told", "game.told"),
}


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs a command beside the forged game. Returns its exit code and its answer."""
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("forged.star").write_bytes(star())

    def run(*words: str) -> tuple[int, Any]:
        code = cli.main([*words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_every_command_that_reads_it_says_what_is_wrong_and_what_to_do(
    words: tuple[str, ...], told: Callable[..., Any]
) -> None:
    assert told(*words, "forged.star") == (1, {"ok": False, "error": ERROR})
    assert not [*Path("home").rglob("error-*")]


def test_what_fails_later_when_it_is_shown_is_told_alike(
    told: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be read to its end, and what nobody has asked for yet fails: points, a picture, a count."""
    monkeypatch.setattr("client.proof.walk.walk_of", lambda *_: None)
    code, answer = told("luck", "forged.star")
    assert (code, answer["error"]["code"]) == (1, "file/impossible")


def test_a_log_keeps_where_it_failed(told: Callable[..., Any]) -> None:
    assert told("luck", "forged.star", "--log", "log.jsonl")[0] == 1
    assert "_run_segments" in Path("log.jsonl").read_text("utf-8")


def test_an_error_at_any_other_game_is_one_of_starlock(
    told: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("sound.star").write_bytes(played(NAME, 2, 7).star())
    monkeypatch.setattr("client.proof.walk.walk_of", lambda *_: None)
    code, answer = told("luck", "sound.star")
    assert (code, answer["error"]["code"]) == (1, "internal")
