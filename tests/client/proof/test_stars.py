"""Saved games verify for ever: those kept in tests/stars, also in a program whose content has grown since."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stars import KINDS, STARS, path_of

from client.proof.audit import judged, read_game
from engine.core.agenda import Table
from engine.core.handicap import HANDICAP
from engine.core.registry import DICE, GAMES, PATIENCE, game, settle_options

ROOT = Path(__file__).parents[3]
LONG = 300_000
"""Bytes of a saved game from which on its verdict takes a second: for the soak."""
NEW_SECTOR = """
[[sector]]
number = "390"
name = "New Pulsar"
place = "outer"
vp = 9
wormholes = ["N"]
population = []
kind = "pulsar"
confidence = "one"
"""
NEW_OPTION = 'OPTIONS = (\n    Option("expansion", "off", "option/species", ("off", "on"), later=True),\n'


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.soak] if path.stat().st_size > LONG else [])
        for path in sorted(STARS.glob("*.star"))
    ],
)
def test_every_saved_game_that_is_kept_verifies_and_was_played_with_the_options_of_its_kind(path: Path) -> None:
    kept = read_game(path)
    found = judged(kept)
    assert found.ok, found.problems
    assert found.complete
    kind = KINDS[path.name.split(".")[0]]
    table = settle_options(game(kind.game), kind.seats, kind.options)
    assert isinstance(table, Table)
    assert kept.genesis is not None
    played = kept.genesis.game, kept.genesis.seats, kept.genesis.options
    assert played == (kind.game, kind.seats, table.options)


def test_each_kind_of_game_is_kept_for_the_rules_of_today() -> None:
    assert [name for name in KINDS if not path_of(name).exists()] == []


def test_every_star_that_is_kept_is_of_a_kind_and_of_rules_that_there_are() -> None:
    wanted = {
        f"{name}.{version}.star"
        for name, kind in KINDS.items()
        for version in range(1, game(kind.game).rules_version + 1)
    }
    assert sorted(path.name for path in STARS.glob("*.star") if path.name not in wanted) == []


def test_every_game_has_a_kind_and_so_has_a_game_that_somebody_leaves() -> None:
    assert {kind.game for kind in KINDS.values()} == set(GAMES), "each game has a line in KINDS of scripts/stars.py"
    assert {kind.game for kind in KINDS.values() if kind.leaves >= 0} == {"eclipse2", "emperor", "rex"}


def test_every_value_of_every_option_has_a_kind() -> None:
    """Dice and patience, which no rule reads, are the same options in all games: each value is in some game."""
    played: set[tuple[str, str, str]] = set()
    wanted: set[tuple[str, str, str]] = set()
    for id in GAMES:
        for option in game(id).options:
            place = "any" if option in (DICE, PATIENCE) else id
            named = ("by name",) if option == HANDICAP else ("random", "by name")
            values = option.values or (option.default, *named)
            wanted |= {(place, option.name, value) for value in values}
            given = [kind.options.get(option.name, option.default) for kind in KINDS.values() if kind.game == id]
            played |= {(place, option.name, value if value in values else "by name") for value in given}
    assert sorted(wanted - played) == [], "name a kind in scripts/stars.py"


def test_the_options_of_every_kind_are_accepted_by_its_game() -> None:
    for name, kind in KINDS.items():
        assert isinstance(settle_options(game(kind.game), kind.seats, kind.options), Table), name


@pytest.mark.slow
def test_new_names_rows_and_options_lock_no_saved_game_out(tmp_path: Path) -> None:
    grown(tmp_path / "program")
    for path in map(path_of, ("eclipse2", "emperor", "rex-betrayal")):
        words = [sys.executable, "-m", "client", "verify", str(path), "--json"]
        run = subprocess.run(words, cwd=tmp_path / "program", capture_output=True, text=True, check=False)
        answer = json.loads(run.stdout)
        assert answer["ok"], (path.name, answer)


def grown(program: Path) -> None:
    """A copy of the program with other names of everything, a sector for an option, and an option more."""
    for part in ("engine", "client", "p2p", "seeds"):
        shutil.copytree(ROOT / part, program / part, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    for file in (program / "engine").rglob("*.toml"):
        text = file.read_text("utf-8")
        file.write_text(re.sub(r'^name = "', 'name = "New ', text, flags=re.MULTILINE), "utf-8")
    with (program / "engine/eclipse/content/events/sectors.toml").open("a", encoding="utf-8") as sectors:
        sectors.write(NEW_SECTOR)
    for name in ("eclipse", "emperor", "rex"):
        options = program / "engine" / name / "options.py"
        text = options.read_text("utf-8")
        assert text.count("OPTIONS = (\n") == 1
        options.write_text(text.replace("OPTIONS = (\n", NEW_OPTION), "utf-8")
