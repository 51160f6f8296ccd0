"""`starlock ladder`: pairs of games are fair, what is played is kept, and the figures are those of the literature."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.bots import programs
from client.bots.ladder import Played, Rows, RowsError, Series, Side, climb, points, read_rows, verdict, wilson
from client.bots.one_game import GameTask, PlayedGame, one_game, play_task
from client.bots.pool import played
from client.bots.random import RandomBot
from client.commands import cli
from engine.core.agenda import Table
from engine.core.registry import game, settle_options

ROOT = Path(__file__).parents[3]
CLUSTER = ROOT / ".venv" / "cluster"
SERIES = Series("emperor", 3, {}, "greedy", ("random",), "s")
PROGRAM = {"version": "", "rules": "", "content": ""}
WORDS = ["greedy", "random", "--game", "emperor", "--players", "3", "--games", "12"]


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


def alone(tasks: Any) -> Iterator[Any]:
    return played(tasks, 1)


def program() -> dict[str, str]:
    row = play_task(SERIES.task(0, "with"))
    return {"version": row.version, "rules": row.rules, "content": row.content}


def same(row: PlayedGame) -> PlayedGame:
    """A row without its times, which differ from run to run."""
    return replace(row, seconds=(), middle=(), worst=())


# Pairs ---------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 500), st.integers(2, 6), st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4))
def test_both_games_of_a_pair_differ_in_one_seat_alone(pair: int, seats: int, field: list[str]) -> None:
    series = Series("emperor", seats, {"suns": "jump"}, "bot", tuple(field), "seed")
    one, other = series.task(pair, "with"), series.task(pair, "without")
    assert (one.seed, one.game, one.options) == (other.seed, other.game, other.options)
    assert [seat for seat in range(seats) if one.levels[seat] == "bot"] == [series.seat(pair)]
    assert other.levels[series.seat(pair)] == field[0]
    places = [seat for seat in range(seats) if seat != series.seat(pair)]
    assert [one.levels[seat] for seat in places] == [other.levels[seat] for seat in places]


def test_seats_and_the_bots_of_the_field_rotate() -> None:
    series = Series("emperor", 3, {}, "bot", ("a", "b", "c"), "seed")
    tasks = [series.task(pair, "with") for pair in range(9)]
    assert [series.seat(pair) for pair in range(6)] == [0, 1, 2, 0, 1, 2]
    beside = {(series.seat(pair), level) for pair, task in enumerate(tasks) for level in task.levels if level != "bot"}
    assert beside == {(seat, level) for seat in range(3) for level in "abc"}
    assert len({task.seed for task in tasks}) == 9


def test_a_task_is_the_same_game_again_in_this_process_and_in_another() -> None:
    tasks = [((pair, "with"), SERIES.task(pair, "with")) for pair in range(3)]
    here = {key: same(row) for key, row in played(tasks, 1)}
    there = {key: same(row) for key, row in played(tasks, 2)}
    assert here == there
    assert len({row.digest for row in here.values()}) == 3


def test_a_row_says_who_sat_where_and_how_it_ended() -> None:
    row = play_task(GameTask("rex", ("random",) * 3, "r", {}))
    assert row.fault == ""
    assert len(row.totals) == len(row.ranks) == len(row.factions) == len(row.allies) == 3
    assert all(row.factions)
    assert row.winners == tuple(seat for seat, rank in enumerate(row.ranks) if rank == 1)
    assert row.decisions <= sum(row.answers)
    assert all(worst >= middle >= 0 for worst, middle in zip(row.worst, row.middle, strict=True))


@pytest.mark.parametrize("kind", [LookupError, AssertionError, RuntimeError, OSError])
def test_an_error_of_the_engine_or_of_a_bot_ends_one_game_and_is_counted(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_given: object) -> Any:
        raise kind("broken")

    monkeypatch.setattr(RandomBot, "choose", breaks)
    row = play_task(SERIES.task(0, "with"))
    assert (row.fault, row.ending, row.ranks, row.digest) == (f"{kind.__name__}: broken", "error", (), "")
    monkeypatch.undo()
    spec = game("emperor")
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table)
    broken = replace(spec, segments=dict.fromkeys(spec.segments, breaks))
    row = one_game(broken, table, ["random"] * 3, "s")
    assert (row.fault, row.ending, row.ranks, row.digest) == (f"{kind.__name__}: broken", "error", (), "")
    whole = play_task(SERIES.task(0, "without"))
    found = verdict(SERIES, [Played(0, "with", row), Played(0, "without", whole)])
    assert (found.pairs, found.faults) == (0, 1)


# Figures -------------------------------------------------------------------------------------------------------------


def test_the_interval_is_wilsons() -> None:
    """Values of Wilson's formula for 8 of 10 and 77 of 183, computed by hand."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-4)
    assert wilson(77, 183) == pytest.approx((0.3515, 0.4932), abs=5e-4)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 300), st.integers(1, 300))
def test_an_interval_holds_its_share_and_lies_between_0_and_1(won: int, games: int) -> None:
    low, high = wilson(min(won, games), games)
    assert 0 <= low <= min(won, games) / games + 1e-12
    assert min(won, games) / games - 1e-12 <= high <= 1


def row(won: bool, points: int) -> PlayedGame:
    ranks, totals = (1, 2, 3) if won else (2, 1, 3), (points, 10, 5)
    none: tuple[float, ...] = (0.1, 0.1, 0.1)
    return PlayedGame(
        "", "", "", "", ("a", "b", "b"), (), (), totals, ranks, "", 3, 1, "", "", (1, 1, 1), none, none, none
    )


def test_the_verdict_compares_each_game_with_the_same_game_without_the_bot() -> None:
    series = Series("emperor", 3, {}, "a", ("b",), "s")
    pairs = [(True, False)] * 31 + [(False, True)] * 9 + [(True, True)] * 13 + [(False, False)] * 61
    games: list[Played] = []
    for number, (one, other) in enumerate(pairs):
        games += [Played(3 * number, "with", row(one, 12)), Played(3 * number, "without", row(other, 10 + number % 2))]
    found = verdict(series, games)
    assert (found.pairs, found.alone, found.other) == (114, 31, 9)
    assert (found.bot.won, found.equal.won) == (44, 22)
    assert found.z == pytest.approx(3.478, abs=1e-3)
    assert found.ahead == pytest.approx((1.5, 0.092), abs=1e-3)
    assert found.better


def test_the_share_of_an_equal_is_measured_and_not_one_in_the_number_of_seats() -> None:
    series = Series("rex", 4, {}, "random", ("random",), "s")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(4), 1)])
    assert found.bot == found.equal, "a bot that meets itself is its own equal, game by game"
    assert (found.alone, found.other, found.z, found.ahead[0]) == (0, 0, 0.0, 0.0)


def test_points_of_each_kind_are_those_of_the_bot_of_its_equal_and_of_the_best_other_seat() -> None:
    series = Series("emperor", 3, {}, "a", ("b",), "s")
    kinds = [({"flags": 12}, {"flags": 7}, {"flags": 3}), ({"flags": 8}, {"flags": 9}, {"flags": 1})]
    with_it = [replace(row(won, 12), parts=parts) for won, parts in zip((True, False), kinds, strict=True)]
    without = replace(row(False, 10), parts=({"flags": 5}, {"flags": 9}, {"flags": 1}))
    games = [Played(0, "with", with_it[0]), Played(3, "with", with_it[1]), Played(0, "without", without)]
    assert points(series, [*games, Played(3, "without", row(True, 10))]) == {"flags": (10.0, 5.0, 8.0)}
    assert points(series, [Played(0, "with", row(True, 12))]) == {}, "rows of before tell no kinds"


# Rows ----------------------------------------------------------------------------------------------------------------


def test_a_row_tells_the_points_of_each_kind_and_is_read_without_them(tmp_path: Path) -> None:
    played_row = play_task(SERIES.task(0, "with"))
    assert [sum(parts.values()) for parts in played_row.parts] == [*played_row.totals]
    with Rows(tmp_path / "rows", SERIES, program()) as rows:
        rows.add(Played(0, "with", played_row))
    head, line = (tmp_path / "rows").read_text().splitlines()
    with Rows(tmp_path / "rows", SERIES, program()) as rows:
        assert rows.played[0, "with"].row == played_row
    old = {name: value for name, value in json.loads(line).items() if name != "parts"}
    (tmp_path / "rows").write_text(f"{head}\n{json.dumps(old)}\n")
    with Rows(tmp_path / "rows", SERIES, program()) as rows:
        assert rows.played[0, "with"].row == replace(played_row, parts=())


def test_a_series_that_was_torn_off_anywhere_goes_on_and_ends_alike(tmp_path: Path) -> None:
    names, done = program(), list[tuple[int, int]]()
    with Rows(tmp_path / "whole", SERIES, names) as rows:
        whole = climb(SERIES, 3, rows, alone, lambda here, of: done.append((here, of)))
    data = (tmp_path / "whole").read_bytes()
    assert done == [(number, 6) for number in range(7)]
    for cut in (0, 10, data.index(b"\n") + 1, len(data) // 2, len(data) - 1, len(data)):
        (tmp_path / "torn").write_bytes(data[:cut])
        with Rows(tmp_path / "torn", SERIES, names) as rows:
            again = climb(SERIES, 3, rows, alone, lambda here, of: None)
            games = {key: same(one.row) for key, one in rows.played.items()}
        assert (again.bot, again.equal, again.ahead) == (whole.bot, whole.equal, whole.ahead)
        lines = (tmp_path / "torn").read_text("utf-8").splitlines()
        assert len(lines) == 7, "no row twice"
        with Rows(tmp_path / "whole", SERIES, names) as rows:
            assert games == {key: same(one.row) for key, one in rows.played.items()}


def test_a_row_is_written_once(tmp_path: Path) -> None:
    game = Played(0, "with", replace(row(True, 1), allies=((), (), ())))
    with Rows(tmp_path / "rows", SERIES, PROGRAM) as rows:
        rows.add(game)
        rows.add(game)
    with Rows(tmp_path / "rows", SERIES, PROGRAM) as rows:
        assert rows.played == {(0, "with"): game}
    assert len((tmp_path / "rows").read_bytes().splitlines()) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(SERIES, seed="t"),
        replace(SERIES, bot="random"),
        replace(SERIES, field=("greedy",)),
        replace(SERIES, seats=4),
    ],
)
def test_rows_of_another_series_are_never_mixed_in(tmp_path: Path, other: Series) -> None:
    with Rows(tmp_path / "rows", SERIES, PROGRAM):
        pass
    with pytest.raises(RowsError) as error:
        Rows(tmp_path / "rows", other, PROGRAM)
    assert error.value.code == "rows/other"
    with pytest.raises(RowsError) as error:
        Rows(tmp_path / "rows", SERIES, {**PROGRAM, "content": "ff"})
    assert error.value.code == "rows/other"


def test_rows_of_another_program_with_the_same_label_are_never_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows"
    words = ["random", "--game", "nim", "--players", "2", "--games", "2", "--rows", str(rows), "--json"]
    for number, code in (("1", 0), ("2", 2), ("1", 0)):
        monkeypatch.setattr(programs, "_given", {})
        assert cli.main(["ladder", f'cmd:"{sys.executable}" -c {number}', *words]) == code
        told = json.loads(capsys.readouterr().out)
        assert told["error"]["code"] == "rows/other" if code else told["missed"] > 0, "a program that is none"
    assert len(rows.read_text().splitlines()) == 3


def test_only_one_process_goes_on_with_a_file_and_all_may_read_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, names = tmp_path / "rows", program()
    with Rows(path, SERIES, names) as rows:
        rows.add(Played(0, "with", play_task(SERIES.task(0, "with"))))
        before = path.read_bytes() + b'{"pair":0,'
        path.write_bytes(before)  # as it is while a row is written
        assert read_rows(path, SERIES, names) == rows.played
        assert cli.main(["ladder", *WORDS, "--rows", str(path), "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "rows/in-use"
        assert path.read_bytes() == before
    with Rows(path, SERIES, names) as rows:
        assert [*rows.played] == [(0, "with")]


def test_a_game_of_another_program_is_refused(tmp_path: Path) -> None:
    with Rows(tmp_path / "rows", SERIES, PROGRAM) as rows, pytest.raises(RowsError) as error:
        rows.add(Played(0, "with", replace(row(True, 1), version="9.9")))
    assert error.value.code == "rows/program"
    assert rows.played == {}


@pytest.mark.parametrize("line", [b"{}", b"[]", b"nonsense", b'{"pair":"x","side":"with"}', b"[" * 100_000])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    with Rows(tmp_path / "rows", SERIES, PROGRAM):
        pass
    with (tmp_path / "rows").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(RowsError) as error:
        Rows(tmp_path / "rows", SERIES, PROGRAM)
    assert (error.value.code, error.value.line) == ("rows/damaged", 2)


@pytest.mark.parametrize("line", [b"{}", b"[]", b"5", b'"ladder"', b'["ladder"]', b"nonsense"])
def test_a_file_whose_first_line_says_of_no_series_is_damaged_and_none_of_another_one(
    tmp_path: Path, line: bytes
) -> None:
    (tmp_path / "rows").write_bytes(line + b"\n")
    with pytest.raises(RowsError) as error:
        Rows(tmp_path / "rows", SERIES, PROGRAM)
    assert (error.value.code, error.value.line) == ("rows/damaged", 1)


# Workers -------------------------------------------------------------------------------------------------------------


def test_a_killed_process_of_the_pool_costs_no_game_and_doubles_none() -> None:
    tasks = list(SERIES.tasks(6))
    keys: list[tuple[int, Side]] = []
    for number, (key, _row) in enumerate(played(tasks, 2)):
        keys.append(key)
        if number == 2:
            multiprocessing.active_children()[0].kill()
    assert sorted(keys) == sorted(key for key, _ in tasks)


@pytest.mark.soak  # a killed process of the pool, above, holds the same in the gate
@pytest.mark.skipif(not CLUSTER.is_dir(), reason="Dask is not installed in .venv/cluster (.ci/run does it)")
def test_a_killed_machine_of_a_cluster_costs_no_game_and_doubles_none(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    command = [sys.executable, str(ROOT / "tests/client/cluster.py"), str(rows), *WORDS]
    environment = {**os.environ, "PYTHONPATH": str(CLUSTER)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()][1:]
    keys = [(line["pair"], line["side"]) for line in lines]
    assert sorted(keys) == sorted((pair, side) for pair in range(6) for side in ("with", "without"))
    here = climbed(*WORDS)
    assert {name: told[name] for name in ("won", "equal", "ahead")} == {n: here[n] for n in ("won", "equal", "ahead")}


def climbed(*words: str) -> dict[str, Any]:
    command = [sys.executable, str(ROOT / "scripts/ladder.py"), *words, "--json"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


# The command ---------------------------------------------------------------------------------------------------------


def test_the_command_tells_people_and_programs_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = str(tmp_path / "rows")
    assert cli.main(["ladder", *WORDS, "--rows", rows, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pairs"], told["seats"], told["bot"], told["field"]) == (6, 3, "greedy", ["random"])
    assert cli.main(["ladder", *WORDS, "--rows", rows]) == 0
    text = capsys.readouterr().out
    assert f"greedy won {told['won']['won']} of 6 games" in text
    assert f"random in its place won {told['equal']['won']} of 6 games" in text
    assert ("better than an equal: yes" in text) == told["better"]


@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        ("greedy deep-blue", "cli/unknown-bot", "deep-blue"),
        ("greedy raidr", "cli/unknown-bot", "“raider”"),
        ("greedy random --games 1", "cli/usage", "--games"),
        ("greedy random --workers 0", "cli/usage", "--workers"),
        ("greedy", "cli/usage", "OTHER"),
        ("greedy random --players 9", "table/seats", "9"),
    ],
)
def test_bad_input_is_one_sentence(words: str, code: str, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["ladder", *words.split(), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == code
    assert named in error["message"] + error["hint"]


def test_a_file_of_other_games_is_named_and_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    assert cli.main(["ladder", *WORDS, "--rows", str(rows), "--json"]) == 0
    before = rows.read_bytes()
    capsys.readouterr()
    assert cli.main(["ladder", *WORDS, "--rows", str(rows), "--seed", "other", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "rows/other"
    assert rows.read_bytes() == before
