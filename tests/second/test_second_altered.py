# SPDX-License-Identifier: GPL-3.0-or-later
"""The second verifier and `starlock verify` say the same of games that were altered and signed again.

What they compare is whether the game is intact, and which entry is at fault for what. `verify` knows the rules
besides, so that it alone finds some faults; RULES_ALONE names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from volume import gated, pieces, seeds

from second.command import evidence, told, verify
from second.evidence import proven, read_evidence
from second.forging import Forger, altered, keys_of
from second.genesis import Genesis
from second.savedgame import read_star
from second.test_second_stars import NAMES, SMALL, STARS
from second.verdict import Verdict, judge

RULES_ALONE = {
    "answer/illegal": "the rules refuse the answer; the second verifier finds nothing owed where the game stops",
    "result/other-points": "where members sign different points, the rules know who is right",
}

FEW = 20
MANY = 90
SMALL_FILE = 100_000


def told_apart(known: dict[str, Any], found: Verdict) -> str | None:
    """How the verdicts differ, or None. `known` is the answer of `verify`."""
    faults = Counter((problem["entry"], problem["code"]) for problem in known["problems"])
    codes = {code for _, code in faults}
    if "answer/illegal" in codes:
        return "an illegal answer is not seen" if found.intact else None
    mine = Counter((number, code) for number, code in found.problems if not code.startswith("told/"))
    if "result/other-points" in codes:
        faults = Counter({fault: count for fault, count in faults.items() if fault[1] != "result/other-points"})
        mine = Counter({fault: count for fault, count in mine.items() if fault[1] != "result/other-points"})
    elif known["ok"] != found.intact:
        return f"verify says {known['ok']}, {dict(faults)}, the second verifier {found.intact}, {found.problems}"
    named = {fault for fault in faults if fault[0] is not None}
    also = {fault for fault in mine if fault[0] is not None}
    return None if named == also else f"verify names {named}, the second verifier {also}"


def forged(name: str, folder: Path) -> tuple[Forger, bytes, bytes]:
    """Who alters a recorded game, the game, and what was asked in it."""
    star = (STARS / f"{name}.star").read_bytes()
    asked = told(STARS / f"{name}.star", folder / "told")
    assert asked is not None
    return Forger(star, asked), star, asked


def compare(name: str, numbers: range, folder: Path) -> Counter[str]:
    """Compares the verdicts on these altered games; how many of each kind of alteration there were."""
    forger, star, asked = forged(name, folder)
    seen: Counter[str] = Counter()
    for number in numbers:
        game = altered(forger, star, number)
        file = folder / "altered.star"
        file.write_bytes(game.star)
        found = judge(game.star, told(file, folder / "told") or asked)
        difference = told_apart(verify(file), found)
        assert difference is None, f"{name} {number} ({game.name}): {difference}"
        seen[game.name] += 1
    return seen


@pytest.mark.parametrize("name", SMALL)
def test_both_verifiers_say_the_same_of_some_altered_games(name: str, tmp_path: Path) -> None:
    compare(name, range(4), tmp_path)


PIECES = [
    pytest.param(name, numbers, id=f"{name}-{numbers.start}")
    for name in NAMES
    for numbers in pieces(MANY if (STARS / f"{name}.star").stat().st_size < SMALL_FILE else FEW, 15)
]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "numbers"), PIECES)
def test_both_verifiers_say_the_same_of_a_thousand_altered_games(
    name: str, numbers: range, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    tally("altered games judged alike by verify and the second verifier", compare(name, numbers, tmp_path).total())


@pytest.mark.parametrize("name", gated(SMALL, 1))
def test_the_second_verifier_finds_what_the_evidence_of_verify_proves(name: str, tmp_path: Path) -> None:
    forger, star, asked = forged(name, tmp_path)
    found: Counter[str | None] = Counter()
    for number in seeds(8, start=100):
        file = tmp_path / "altered.star"
        file.write_bytes(altered(forger, star, number).star)
        for proof in evidence(file, tmp_path / f"evidence {number}"):
            read = read_evidence(proof)
            code = proven(read, asked)
            found[code] += 1
            claimed = {"entry/twice": "evidence/slot"}.get(read.code, read.code)
            assert code == claimed or (code is None and claimed in RULES_ALONE), (name, number, claimed, code)
    assert len(found) > 1


@pytest.mark.parametrize("name", NAMES)
def test_the_keys_of_every_recorded_game_follow_from_its_number(name: str) -> None:
    game = read_star((STARS / f"{name}.star").read_bytes())
    body = next(entry.body for entry in game.entries if entry.kind == "genesis")
    assert {entry.author for entry in game.entries} <= keys_of(Genesis(body)).keys()


def test_a_thousand_games_are_altered_in_all() -> None:
    assert len({(piece.values[0], number) for piece in PIECES for number in piece.values[1]}) >= 1000  # type: ignore[union-attr]
