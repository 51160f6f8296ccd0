"""`starlock simulate`: the same seed, the same games; a broken rule is told, not hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from volume import GATE, VOLUME

from client.commands import cli
from engine.core.errors import LocalError
from engine.core.match import Match


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = cli.main(["simulate", "eclipse2", *words, "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    return code, json.loads(line)


def test_the_answer_has_all_that_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = simulated(capsys, "--players", "2", "--games", "2", "--seed", "s")
    assert code == 0
    wanted = {"ok", "game", "players", "games", "decisions", "seconds", "decisions_per_second", "errors", "results"}
    assert wanted <= set(told)
    assert (told["ok"], told["players"], told["games"], told["errors"]) == (True, 2, 2, [])
    results = told["results"]
    assert isinstance(results, list)
    for result in results:
        assert set(result) == {"seed", "rounds", "scores", "ending", "ranks", "winners", "factions", "allies", "missed"}
        assert result["missed"] == [0, 0]
        assert len(result["scores"]) == len(result["ranks"]) == len(result["factions"]) == len(result["allies"]) == 2
        assert result["winners"] == [seat for seat, rank in enumerate(result["ranks"]) if rank == 1]


def test_rounds_are_those_of_the_game_and_not_of_a_battle(capsys: pytest.CaptureFixture[str]) -> None:
    told = simulated(capsys, "--players", "2", "--games", str(VOLUME), "--seed", "ev", "--bots", "greedy")[1]
    results = told["results"]
    assert isinstance(results, list)
    assert [result["rounds"] for result in results] == [8] * VOLUME


def test_a_seed_gives_the_same_games_again_and_another_one_others(capsys: pytest.CaptureFixture[str]) -> None:
    first = simulated(capsys, "--seed", "one", "--games", "2")[1]
    again = simulated(capsys, "--seed", "one", "--games", "2")[1]
    other = simulated(capsys, "--seed", "two", "--games", "2")[1]
    assert first["results"] == again["results"]
    assert first["decisions"] == again["decisions"]
    assert first["results"] != other["results"]


def test_two_hash_seeds_play_the_same_games(home: Path) -> None:
    told = [
        json.loads(
            subprocess.run(
                [sys.executable, "-P", "-m", "client", "simulate", "eclipse2", "--seed", "h", "--json"],
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
        )
        for seed in ("1", "2")
    ]
    assert told[0]["results"] == told[1]["results"]


def test_people_get_a_table_of_points(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "eclipse2", "--seed", "s", "--players", "3"]) == 0
    out = capsys.readouterr().out
    assert "eclipse2, 3 seats, bots: random" in out
    assert "decisions in" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--players", "9"), "table/seats", "2 to 6"),
        (("-o", "ancint=limited"), "table/unknown-option", "ancients"),
        (("-o", "ancients=many"), "table/option-value", "unlimited"),
        (("-o", "species=draco,nobody"), "option/unknown-species", "nobody"),
        (("-o", "ancients=limited", "-o", "ancients=unlimited"), "cli/option-twice", "ancients"),
        (("--bots", "gready"), "cli/unknown-bot", "gready"),
    ],
)
def test_what_does_not_fit_is_named(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: str, said: str
) -> None:
    exit_code, told = simulated(capsys, *words)
    assert exit_code == 2
    error = told["error"]
    assert isinstance(error, dict)
    assert error["code"] == code
    assert said in error["message"] + error["hint"]
    assert error["hint"]


def test_a_broken_rule_is_an_error_of_its_game_and_a_failed_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Match, given: object, *, checked: bool = False, heard: bool = True) -> list[object]:
        raise LocalError("a rule broke")

    monkeypatch.setattr(Match, "apply", broken)
    code, told = simulated(capsys, "--games", "2", "--seed", "s")
    assert code == 1
    assert told["ok"] is False
    assert told["errors"] == ["s/0: LocalError: a rule broke", "s/1: LocalError: a rule broke"]


def test_it_starts_without_trio_prompt_toolkit_and_cryptography() -> None:
    code = (
        "import sys; from client.commands import cli; code = cli.main(['simulate', 'eclipse2', '--json'])\n"
        "heavy = [name for name in ('trio', 'prompt_toolkit', 'cryptography', 'asyncio') if name in sys.modules]\n"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.soak  # test_bots.py holds it for every level
def test_bots_leave_the_position_alone_that_they_are_shown() -> None:
    """They see the state itself, for speed: a digest around every choice watches that they only look."""
    from random import Random

    from client.bots import LEVELS, bot, chooser
    from engine.core.agenda import Table
    from engine.core.dealer import Dealer, HashDice, play
    from engine.core.registry import game, settle_options

    spec = game("eclipse2")
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table)
    for level in LEVELS:
        match, dealer = Match.new(spec, table), Dealer(HashDice(level))
        choose = chooser([bot(level)] * 3, dealer, Random(level))

        def watched(match: Match, seat: int, ask: object, choose: object = choose) -> object:
            before = match.g.dump()
            answer = choose(match, seat, ask)  # type: ignore[operator]
            assert match.g.dump() == before
            return answer

        for _given, _told in zip(range(60), play(match, dealer, watched), strict=False):
            pass


def test_a_game_that_ends_in_several_ways_says_in_which(capsys: pytest.CaptureFixture[str]) -> None:
    games = str(3 if VOLUME == GATE else 12)
    assert cli.main(["simulate", "rex", "--players", "4", "--games", games, "--seed", "how", "--json"]) == 0
    endings = {result["ending"] for result in json.loads(capsys.readouterr().out)["results"]}
    assert len(endings) > 1
    assert endings <= {"strongholds", "sol", "hacan", "xxcha", "betrayal", "most-strongholds"}
