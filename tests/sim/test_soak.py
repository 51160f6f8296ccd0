"""Whole random games by the hundreds: the script plays every game there is, and tells which number failed."""

from __future__ import annotations

import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.core.registry import GAMES, game
from p2p.testing.plans import Violation
from p2p.testing.trials import TRIALS

SOAK = Path(__file__).parents[2] / "scripts" / "soak.py"


@pytest.fixture
def soak(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of the script, whose functions see what a test replaces among them."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    names = runpy.run_path(str(SOAK))
    return names["soak_games"].__globals__  # type: ignore[no-any-return]


@pytest.mark.soak
def test_games_are_played_and_counted() -> None:
    done = subprocess.run(
        [sys.executable, SOAK, "games", "emperor", "--games", "1", "--processes", "1"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    kind, total = done.stdout.splitlines()
    assert kind.startswith("emperor: 4 games at 3 to 6 seats, ")
    assert ", 0 failed, " in kind
    assert total == "4 games, 0 failed"


def test_an_unknown_kind_of_game_is_refused() -> None:
    done = subprocess.run([sys.executable, SOAK, "games", "chess"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "chess is no kind of games; there are eclipse2, " in done.stderr


def test_a_failure_tells_the_number_that_replays_it(
    soak: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(kind: str, number: int) -> int:
        assert number != 8, "a disc was lost"
        return 10

    monkeypatch.setitem(soak, "whole_game", broken)
    with ThreadPoolExecutor(1) as pool:
        assert soak["soak_games"](["rex"], 7, 1, pool) == 1
    told = capsys.readouterr().out
    assert "rex 8: AssertionError: a disc was lost" in told
    assert "rex: 4 games at 3 to 6 seats, 30 inputs, 1 failed, " in told
    assert told.endswith("\n4 games, 1 failed\n")


def test_every_game_is_played_at_every_seat_count_and_with_options(soak: dict[str, Any]) -> None:
    kinds = soak["KINDS"]
    assert {name for name, _ in kinds.values()} == set(GAMES)
    for kind, (name, options) in kinds.items():
        spec = game(name)
        tables = [soak["table_of"](kind, number) for number in range(200)]
        assert {table.seats for table in tables} == set(spec.seats)
        assert all(table.options.items() >= options.items() for table in tables)
        for option in spec.options:
            if option.values and option.name not in options:
                played = {table.options.get(option.name, option.default) for table in tables}
                assert played == set(option.values), f"{kind}: {option.name}"
    events = soak["table_of"]("eclipse2-events", 0).options
    assert all(events[event] == "on" for event in ("pulsar", "black-hole", "supernova", "nebula"))


def test_tables_of_each_kind_are_played_in_turn_and_a_failure_tells_its_kind_and_seed(
    soak: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = list[tuple[str, int]]()

    def play(kind: str, seed: int) -> str:
        played.append((kind, seed))
        if (kind, seed) == ("paired", 9):
            raise KeyError("an error of the program")
        return f"seed {seed}: not finished" if (kind, seed) == ("movers", 8) else ""

    monkeypatch.setitem(soak, "play_table", play)
    kinds, into = list(TRIALS), tmp_path / "tables.txt"
    with ThreadPoolExecutor(1) as pool:
        assert soak["soak_tables"](kinds, 7, 3, pool, into) == 2
    assert played == [(kind, seed) for seed in (7, 8, 9) for kind in kinds]
    told = capsys.readouterr().out
    assert "movers: seed 8: not finished\n" in told
    assert "paired: seed 9: KeyError: 'an error of the program'\n" in told
    assert "movers: 3 tables, 1 failed: 8\n" in told
    assert f"\n{3 * len(kinds)} tables from 7, 2 failed, " in told


def test_tables_go_on_from_the_file_of_a_run_that_was_ended(
    soak: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = list[tuple[str, int]]()

    def play(kind: str, seed: int) -> str:
        played.append((kind, seed))
        return ""

    monkeypatch.setitem(soak, "play_table", play)
    into = tmp_path / "tables.txt"
    into.write_text("honest 7 \nsleepy 7 seed 7: not finished\nhonest 6 seed 6: of another run\n")
    with ThreadPoolExecutor(1) as pool:
        assert soak["soak_tables"](["honest", "sleepy"], 7, 2, pool, into) == 1
    assert sorted(played) == [("honest", 8), ("sleepy", 8)]
    assert "sleepy: 2 tables, 1 failed: 7\n" in capsys.readouterr().out
    assert len(into.read_text().splitlines()) == 5


def test_a_table_is_played_by_its_trial_and_what_it_demands_is_told(
    soak: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(seed: int) -> None:
        raise Violation(f"seed {seed}: states differ at 3")

    monkeypatch.setitem(soak["TRIALS"], "honest", broken)
    assert soak["play_table"]("honest", 4) == "seed 4: states differ at 3"
    assert soak["play_table"]("voters", 52_000_000) == ""
