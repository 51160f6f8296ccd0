"""`starlock export --rows`: saved games as tables of data that join, agree with the game and follow their schema."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from stars import path_of

from client.commands import cli
from client.proof.audit import read_game
from client.proof.walk import Walk, walk_of
from client.report.rows.files import write
from client.report.rows.reader import rows_of
from client.report.rows.schema import TABLES, VERSION, Rows

ROOT = Path(__file__).parents[3]
STARS = ("eclipse2-left", "emperor-left", "rex-left")


def silent(done: int, total: int, word: str) -> None:
    """No progress is shown."""


@pytest.fixture(scope="module")
def walks() -> Sequence[Walk]:
    return [walk_of(read_game(path_of(name)), name, silent) for name in STARS]


@pytest.fixture(scope="module")
def games(walks: Sequence[Walk]) -> Sequence[Rows]:
    return [rows_of(walk) for walk in walks]


def records(rows: Rows, table: str) -> list[dict[str, Any]]:
    names = [column.name for column in TABLES[table]]
    return [dict(zip(names, row, strict=True)) for row in rows[table]]


def test_every_cell_is_of_the_kind_that_the_schema_says(games: Sequence[Rows]) -> None:
    kinds = {"text": str, "number": int, "truth": bool, "json": str}
    for rows in games:
        assert set(rows) == set(TABLES)
        for name, columns in TABLES.items():
            for row in rows[name]:
                assert len(row) == len(columns)
                for column, cell in zip(columns, row, strict=True):
                    assert cell is None or type(cell) is kinds[column.kind], (name, column.name, cell)
                    if column.kind == "json" and isinstance(cell, str):
                        json.loads(cell)


def test_only_cells_that_the_schema_calls_possibly_empty_are_empty(games: Sequence[Rows]) -> None:
    empty = {
        (name, column.name)
        for rows in games
        for name, columns in TABLES.items()
        for row in rows[name]
        for column, cell in zip(columns, row, strict=True)
        if cell is None
    }
    told = {(name, column.name) for name, columns in TABLES.items() for column in columns if "empty" in column.holds}
    assert empty <= told


def test_the_seats_have_the_points_and_ranks_of_the_game(walks: Sequence[Walk], games: Sequence[Rows]) -> None:
    for walk, rows in zip(walks, games, strict=True):
        match = walk.match_at(walk.last)
        assert match is not None
        scores = {score.seat: (score.total, score.rank) for score in match.spec.scores(match.g)}
        seats = records(rows, "seats")
        assert {row["seat"]: (row["points"], row["rank"]) for row in seats} == scores
        assert [row["won"] for row in seats] == [row["rank"] == 1 for row in seats]
        assert all(row["points"] == sum(json.loads(row["parts"]).values()) for row in seats)
        assert [row["name"] for row in seats] == walk.names
        (game,) = records(rows, "games")
        assert game["digest"] == match.digest().hex()
        assert (game["schema"], game["decisions"]) == (VERSION, len(rows["decisions"]))


def test_every_event_roll_and_answer_of_the_game_is_a_row(walks: Sequence[Walk], games: Sequence[Rows]) -> None:
    for walk, rows in zip(walks, games, strict=True):
        events = [(height, event.id) for height, told in walk.history for event in told]
        assert [(row["step"], row["event"]) for row in records(rows, "events")] == events
        faces = [row["face"] for row in records(rows, "rolls")]
        assert all(1 <= face <= row["sides"] for face, row in zip(faces, records(rows, "rolls"), strict=True))
        asked = [row for row in records(rows, "decisions") if row["wait"] != "seal"]
        assert all(row["taken"] is not None for row in asked)
        assert all(min(json.loads(row["options"])) >= 1 for row in asked)


def test_answers_of_a_stand_in_are_told_from_those_of_a_person(games: Sequence[Rows]) -> None:
    for rows in games:
        by = {row["seat"] for row in records(rows, "decisions") if row["caretaker"]}
        assert len(by) == 1, "one member of each of these games drops out"


def test_a_sealed_choice_has_its_value_from_the_step_that_opens_it(games: Sequence[Rows]) -> None:
    rex = records(games[STARS.index("rex-left")], "decisions")
    sealed = [row for row in rex if row["wait"] == "seal"]
    opened = [row for row in sealed if row["opened"] is not None]
    assert opened
    assert all(row["opened"] > row["step"] and row["taken"] is not None for row in opened)
    assert all(row["taken"] is None and row["value"] is None for row in sealed if row["opened"] is None)


def test_factions_and_allies_are_those_of_the_end(games: Sequence[Rows]) -> None:
    eclipse, emperor, rex = (records(rows, "seats") for rows in games)
    assert all(row["faction"] for row in eclipse)
    assert {row["faction"] for row in emperor} == {""}
    assert len({row["faction"] for row in rex}) == len(rex)
    allies = {row["seat"]: json.loads(row["allies"]) for row in rex}
    assert all(seat in allies[other] for seat, others in allies.items() for other in others)


def test_rounds_and_battles_lie_within_the_game(games: Sequence[Rows]) -> None:
    for rows in games:
        (game,) = records(rows, "games")
        rounds = records(rows, "rounds")
        assert {row["round"] for row in rounds} == set(range(min(r["round"] for r in rounds), game["rounds"] + 1))
        assert len([row for row in rounds if row["final"]]) == game["seats"]
        for battle in records(rows, "battles"):
            assert 0 <= battle["step"] <= battle["last"] < game["steps"]
            assert 0 < battle["round"] <= game["rounds"]


def test_both_text_forms_hold_the_same_rows(walks: Sequence[Walk], tmp_path: Path) -> None:
    counts = write(walks[:2], tmp_path, "csv")
    assert counts == write(walks[:2], tmp_path, "jsonl")
    for name, columns in TABLES.items():
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        lines = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()]
        assert len(rows) == len(lines) == counts[name]
        assert rows == [_texts(line, {column.name: column.kind for column in columns}) for line in lines]


def _texts(record: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, str]:
    """A record of JSON lines as CSV has it."""

    def text(name: str, value: Any) -> str:
        if kinds[name] == "json" and (value is not None or record["taken"] is not None):
            return json.dumps(value, separators=(",", ":"))
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    return {name: text(name, value) for name, value in record.items()}


def test_the_guide_names_every_table_and_column() -> None:
    guide = (ROOT / "docs" / "API.md").read_text("utf-8")
    for name, columns in TABLES.items():
        rows = [f"| `{column.name}` | {column.kind} | {column.holds} |" for column in columns]
        assert "\n".join([f"## The table {name}", "", "| column | kind | holds |", "|---|---|---|", *rows]) in guide


def test_the_command_writes_a_file_for_each_table_once(
    tmp_path: Path, starlock_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    star, folder = str(path_of("emperor-left")), tmp_path / "data"
    assert cli.main(["export", "--rows", str(folder), star, star, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["form"], told["schema"]) == (1, "csv", VERSION), (
        "a game that is named twice is one game"
    )
    assert {path.name for path in folder.iterdir()} == {f"{name}.csv" for name in TABLES}
    assert cli.main(["export", "--rows", str(folder), star]) == 2
    assert "--force" in capsys.readouterr().err
    assert cli.main(["export", "--rows", str(folder), star, "--force"]) == 0


def test_parquet_without_its_package_is_refused_before_anything_is_written(
    tmp_path: Path, starlock_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    folder = tmp_path / "data"
    assert cli.main(["export", "--rows", str(folder), str(path_of("emperor-left")), "--form", "parquet"]) == 2
    assert "pyarrow" in capsys.readouterr().err
    assert not folder.exists()


def test_parquet_holds_the_same_rows(
    walks: Sequence[Walk], games: Sequence[Rows], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / ".venv" / "parquet")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not in .venv/parquet (.ci/run installs it)")
    write(walks, tmp_path, "parquet")
    for name, columns in TABLES.items():
        read = parquet.read_table(tmp_path / f"{name}.parquet").to_pylist()
        assert [tuple(record[column.name] for column in columns) for record in read] == [
            row for rows in games for row in rows[name]
        ]


def test_export_without_a_file_says_what_it_takes(starlock_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", "game"]) == 2
    assert "TABLE game.star" in capsys.readouterr().err
