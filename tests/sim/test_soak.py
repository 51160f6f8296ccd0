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
    assert "chess is no kind of game; there are eclipse2, " in done.stderr


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


def test_tables_of_each_plan_are_simulated_and_a_failure_tells_its_seed(
    soak: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = list[tuple[int, int]]()

    def simulated(seed: int, plan: Any, *_: object) -> None:
        played.append((seed, len(plan.hostile)))
        if plan == soak["paired_plan"](8, sorted(soak["PAIRED"])):
            raise soak["Violation"](f"seed {seed}: not finished")

    monkeypatch.setitem(soak, "simulate", simulated)
    monkeypatch.setitem(soak, "drifting_table", lambda *_: None)
    assert soak["soak_tables"](10, 7) == 1
    told = capsys.readouterr().out
    assert told.startswith("paired: seed 8: not finished\n")
    assert f"{30 + 2 + len(soak['HOSTILE'])} tables, 1 failed, " in told
    assert sum(hostile == 2 for seed, hostile in played[20:22]) == 2
