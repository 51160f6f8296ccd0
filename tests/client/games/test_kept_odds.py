"""The odds between given ships of Eclipse, and why some cannot be, as kept in tests/client/games/shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from kept import compared

from client.games.eclipse.odds import answered
from client.system.errors import UserError

KEPT: Final = Path(__file__).with_name("shown")
AXION: Final = "axion-computer,nuclear-drive,nuclear-source"
WORDS: Final = """
    2 cruiser vs ancient
    ancient vs 2 cruiser
    interceptor vs interceptor
    dreadnought vs gcds
    gcds vs 4 cruiser
    2 ancient:advanced vs 3 cruiser
    guardian:alt vs dreadnought
    cruiser cruiser vs ancient
    starbase vs cruiser
    cruiser:ion-cannon,hull,nuclear-drive,nuclear-source vs ancient
    cruiser:ion_cannon vs ancient
    cruiser:hull,hull,hull,hull,hull,hull,hull vs ancient
    cruiser:AXION vs ancient
    2 cruiser:AXION cruiser:AXION vs ancient
    interceptor:AXION cruiser:AXION vs gcds
    interceptor:AXION interceptor:axion-computer,nuclear-source,nuclear-drive vs gcds
    dreadnought:muon-source,nuclear-drive,nuclear-drive vs ancient
    cruiser:none vs ancient
    cruiser: vs ancient
    ancient:none vs cruiser
    0 cruiser vs ancient
    1000000 cruiser vs ancient
    2 2 cruiser vs ancient
    9 interceptor vs ancient
    cruiser vs
    vs cruiser
    cruiser
    cruiser vs ancient vs cruiser
    crusier vs ancient
    ancient vs ancient
    2 vs 3
    cruiser 2 vs ancient
    orbital vs ancient
"""
ANCIENT: Final = {"ship": "ancient", "initiative": 2, "hull": 1, "computer": 1, "cannons": {"yellow": 2}}
DATA: Final[tuple[Any, ...]] = (
    {"attacker": [ANCIENT], "defender": [{"ship": "cruiser", "initiative": 2, "cannons": {"yellow": 1}}]},
    {"attacker": [{**ANCIENT, "count": 2}], "defender": [{"ship": "cruiser", "missiles": {"red": 2}, "shield": 1}]},
    {"attacker": [], "defender": [ANCIENT]}, {"attacker": [ANCIENT]}, {}, [], 3, {"attacker": 1, "defender": [ANCIENT]},
    {"attacker": [{**ANCIENT, "hull": -1}], "defender": [ANCIENT]}, {"attacker": [{"ship": 3}], "defender": [ANCIENT]},
    {"attacker": [{**ANCIENT, "cannons": {"pink": 1}}], "defender": [ANCIENT]},
    {"attacker": [{**ANCIENT, "damage": [1]}], "defender": [{"ship": "dreadnought", "cannons": {"red": 1}}]},
    {"attacker": [{**ANCIENT, "colour": 1}], "defender": [ANCIENT]},
)  # fmt: skip


@pytest.mark.parametrize("game", ["eclipse2", "eclipse1"])
def test_odds_between_given_ships_are_told_as_kept(game: str) -> None:
    out = list[str]()
    written = [line.strip().replace("AXION", AXION) for line in WORDS.strip().splitlines()]
    asked: list[tuple[str, Any]] = [*((words, None) for words in written), *(("", data) for data in DATA)]
    for words, data in asked:
        given = None if data is None else ("file.json", json.dumps(data).encode())
        out.append(f"> {words or json.dumps(data)}")
        try:
            text, answer = answered(game, words.split(), given)
        except UserError as error:
            out.append(f"! {error.code}: {error.whole}")
        else:
            out += [text, json.dumps(answer)]
    compared(KEPT / f"odds-{game}.txt", "\n".join(out) + "\n")
