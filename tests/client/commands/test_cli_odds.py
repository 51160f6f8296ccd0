"""`starlock odds`: words and files give the same chances; bad input is refused with one clear line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from client.commands import cli
from client.commands.odds import KNOWN
from client.games.eclipse.odds import EXAMPLE
from engine.core.registry import GAMES

ANCIENT = {"ship": "ancient", "initiative": 2, "hull": 1, "computer": 1, "cannons": {"yellow": 2}}
CRUISER = {"ship": "cruiser", "initiative": 2, "hull": 1, "computer": 1, "cannons": {"yellow": 1}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = cli.main(["odds", "eclipse2", *words, "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    return code, json.loads(line)


def written(tmp_path: Path, data: object) -> str:
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return str(path)


def test_the_answer_has_all_that_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = asked(capsys, "2", "cruiser", "vs", "ancient")
    assert code == 0
    wanted = {"ok", "game", "assumption", "attacker_wins", "defender_wins", "neither", "rounds", "survivors", "exact"}
    assert wanted <= set(told)
    assert (told["assumption"], told["exact"]) == ("focus", True)
    assert told["attacker_wins"] + told["defender_wins"] + told["neither"] == pytest.approx(1)
    assert set(told["survivors"]) == {"attacker", "defender"}
    assert 0 < told["survivors"]["attacker"]["cruiser"] < 2


@pytest.mark.parametrize(
    ("attacker", "defender"), [("4 starbase", "interceptor"), ("2 dreadnought", "interceptor")], ids=["rare", "exact"]
)
def test_only_what_is_certain_is_told_as_certain(
    attacker: str, defender: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, wins, loses in (
        ((attacker, "vs", defender), ">99.99%", "<0.01%"),
        ((defender, "vs", attacker), "<0.01%", ">99.99%"),
        (("interceptor:nuclear-drive,nuclear-source", "vs", defender), "0%", "100%"),
    ):
        assert cli.main(["odds", "eclipse2", *" ".join(words).split()]) == 0
        told = capsys.readouterr().out
        assert f"The attacker wins: {wins}\nThe defender wins: {loses}\n" in told


def test_parts_named_are_the_figures_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    parts = "ion_cannon,hull,electron_computer,nuclear_drive,nuclear_source"
    words = asked(capsys, f"2 cruiser:{parts}", "vs", "3", "ancient")[1]
    listed = written(tmp_path, {"attacker": [CRUISER | {"count": 2}], "defender": [ANCIENT | {"count": 3}]})
    figures = asked(capsys, "--input", listed)[1]
    assert words["attacker_wins"] == figures["attacker_wins"]
    assert words["survivors"] == figures["survivors"]


def test_damage_taken_lowers_the_chance(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole = asked(capsys, "--input", written(tmp_path, {"attacker": [CRUISER], "defender": [ANCIENT]}))[1]
    hurt = {"attacker": [CRUISER | {"damage": [1]}], "defender": [ANCIENT]}
    assert asked(capsys, "--input", written(tmp_path, hurt))[1]["attacker_wins"] < whole["attacker_wins"]


def test_people_read_chances_and_what_was_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["odds", "eclipse2", "cruiser", "vs", "guardian:advanced"]) == 0
    told = capsys.readouterr().out
    assert "The attacker wins: " in told
    assert "nobody retreats" in told


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "odds/no-battle"),
        (("cruiser",), "odds/no-battle"),
        (("cruiser", "vs"), "odds/no-ships"),
        (("2", "vs", "ancient"), "odds/no-ships"),
        (("cruser", "vs", "ancient"), "odds/unknown-name"),
        (("cruiser:ion", "vs", "ancient"), "odds/unknown-name"),
        (("cruiser", "vs", "ancient:huge"), "odds/unknown-name"),
        (("99", "cruiser", "vs", "ancient"), "odds/count"),
        (("0", "cruiser", "vs", "ancient"), "odds/count"),
        (("9" * 5000, "cruiser", "vs", "ancient"), "odds/count"),
        (("interceptor:hull,hull,hull,hull,hull", "vs", "ancient"), "odds/too-many-parts"),
        (
            ("interceptor:antimatter-cannon,nuclear-drive,nuclear-source", "vs", "ancient"),
            "odds/not-legal",
        ),
        (("cruiser:ion-cannon,nuclear-source", "vs", "ancient"), "odds/not-legal"),
        (("starbase:nuclear-drive,nuclear-source", "vs", "ancient"), "odds/not-legal"),
        (("cruiser:ion-turret,ion-turret,nuclear-drive,nuclear-source", "vs", "ancient"), "odds/not-legal"),
        (("cruiser:muon-source,nuclear-drive", "vs", "interceptor:muon-source,nuclear-drive"), "odds/not-legal"),
        (
            ("cruiser:muon-source,nuclear-drive", "dreadnought:muon-source,nuclear-drive", "vs", "ancient"),
            "odds/not-legal",
        ),
        (("cruiser", "cruiser:nuclear-drive,nuclear-source", "vs", "ancient"), "odds/not-legal"),
        (("cruiser", "vs", "ancient", "ancient:advanced"), "odds/not-legal"),
        (("3", "dreadnought", "vs", "ancient"), "odds/count"),
        (("ancient", "vs", "gcds"), "odds/sides"),
        (("ancient", "vs", "2", "cruiser"), "odds/sides"),
        (("cruiser", "ancient", "vs", "interceptor"), "odds/sides"),
        (("2", "dreadnought", "dreadnought", "vs", "ancient"), "odds/count"),
        (("cruiser", "vs", "2", "gcds"), "odds/count"),
        (("--input", "missing.json"), "file/unreadable"),
        (("--input", __file__), "odds/unreadable"),
    ],
)
def test_bad_words_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: str) -> None:
    exit_code, told = asked(capsys, *words)
    assert (exit_code, told["ok"], told["error"]["code"]) == (2, False, code)
    assert told["error"]["hint"], "what to do next"


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"attacker": []},
        {"attacker": [CRUISER], "defender": [ANCIENT], "more": 1},
        {"attacker": [CRUISER | {"hull": -1}], "defender": [ANCIENT]},
        {"attacker": [CRUISER | {"hull": True}], "defender": [ANCIENT]},
        {"attacker": [CRUISER | {"damage": [2]}], "defender": [ANCIENT]},
        {"attacker": [CRUISER | {"cannons": {"green": 1}}], "defender": [ANCIENT]},
        {"attacker": [CRUISER | {"ship": "death-star"}], "defender": [ANCIENT]},
        {"attacker": [CRUISER | {"splitter": 1}], "defender": [ANCIENT]},
    ],
)
def test_bad_figures_are_refused_by_their_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: object
) -> None:
    exit_code, told = asked(capsys, "--input", written(tmp_path, data))
    assert (exit_code, told["error"]["code"]) == (2, "odds/input")
    assert EXAMPLE in told["error"]["hint"]


def test_figures_of_more_ships_than_there_are_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = {"attacker": [CRUISER | {"count": 3}, CRUISER | {"count": 2}], "defender": [ANCIENT]}
    exit_code, told = asked(capsys, "--input", written(tmp_path, data))
    assert (exit_code, told["error"]["code"]) == (2, "odds/count")


def test_figures_of_one_type_are_those_of_one_blueprint_and_only_damage_differs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for other, code in ((CRUISER | {"damage": [1]}, 0), (CRUISER | {"hull": 2}, 2)):
        data = {"attacker": [CRUISER, other], "defender": [ANCIENT]}
        assert asked(capsys, "--input", written(tmp_path, data))[0] == code


def test_one_discovery_tile_serves_all_ships_of_its_blueprint(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("cruiser:muon-source,nuclear-drive", "2", "cruiser:nuclear-drive,muon-source", "vs", "ancient")
    assert asked(capsys, *words)[0] == 0


def test_the_reason_is_told_for_ships_that_nobody_may_build(capsys: pytest.CaptureFixture[str]) -> None:
    for words, reason in (
        ("interceptor:antimatter-cannon,nuclear-drive", "energy"),
        ("starbase:nuclear-drive,nuclear-source", "Starbases have no drive"),
        ("cruiser:ion-cannon", "energy"),
        ("cruiser:nuclear-source", "needs a drive"),
    ):
        assert cli.main(["odds", "eclipse2", *words.split(), "vs", "ancient"]) == 2
        assert reason in capsys.readouterr().err


def test_the_example_for_figures_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert asked(capsys, "--input", written(tmp_path, json.loads(EXAMPLE)))[0] == 0


def test_other_games_have_no_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["odds", "ludo", "cruiser", "vs", "ancient", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "cli/unknown-game"
    for name in GAMES:
        code = cli.main(["odds", name, "cruiser", "vs", "ancient", "--json"])
        told = json.loads(capsys.readouterr().out)
        assert (code == 0) == (name in KNOWN), told


def test_the_help_names_the_games_that_have_odds(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["odds", "--help"])
    words = capsys.readouterr().out.replace(",", " ").split()
    assert {name for name in GAMES if name in words} == set(KNOWN)


def test_each_edition_has_its_own_ships(capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for edition in ("eclipse1", "eclipse2"):
        assert cli.main(["odds", edition, "2", "dreadnought", "4", "cruiser", "vs", "gcds", "--json"]) == 0
        told[edition] = json.loads(capsys.readouterr().out)
    assert told["eclipse1"]["attacker_wins"] > told["eclipse2"]["attacker_wins"]
    assert cli.main(["odds", "eclipse1", "cruiser", "vs", "guardian", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "odds/unknown-ship"
    assert "gcds" in error["hint"]
    assert "guardian" not in error["hint"]
