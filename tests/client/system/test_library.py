"""What a person hears whose machine has no libsodium."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import chapters, engine

from client.table.beginning import lacking_library
from client.table.words import lobby_trouble
from seeds import group, sodium


@pytest.fixture
def no_libsodium(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def missing() -> None:
        raise OSError("no such file")

    monkeypatch.setattr(sodium, "candidates", lambda: [("rbcl", missing)])
    group.load_library.cache_clear()
    yield
    group.load_library.cache_clear()


@pytest.mark.usefixtures("no_libsodium")
def test_who_has_no_libsodium_is_told_what_to_install_before_sitting_down() -> None:
    refusal = lacking_library("sealed", 2)
    assert refusal is not None
    trouble = lobby_trouble(refusal.code, refusal.detail)
    assert "rbcl: no such file" in str(trouble.message)
    assert "rbcl" in str(trouble.hint)


@pytest.mark.usefixtures("no_libsodium")
def test_two_who_play_with_open_draws_need_no_libsodium() -> None:
    assert lacking_library("open", 2) is None
    assert lacking_library("open", 3) is not None


@pytest.mark.usefixtures("no_libsodium")
@pytest.mark.parametrize("wanted", [(), ("fairness",), ("logs",), ("starts",), ("tables",), ("engine", "tables")])
def test_a_bench_that_needs_libsodium_says_so_before_it_measures_anything(
    wanted: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    monkeypatch.setattr(chapters, "measured", lambda *_: pytest.fail("something was measured"))
    assert chapters.main([*wanted, "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "group/no-library"
    assert "rbcl: no such file" in error["message"]
    assert "scripts/bench engine" in error["hint"]


@pytest.mark.usefixtures("no_libsodium")
def test_a_bench_of_the_rules_alone_needs_no_libsodium(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    monkeypatch.setattr(engine, "GAMES", 1)
    monkeypatch.setattr("bench.ROUNDS", 1)
    assert chapters.main(["engine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
