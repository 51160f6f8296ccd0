# SPDX-License-Identifier: GPL-3.0-or-later
"""The second verifier judges recorded games with what `starlock export --told` says was asked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from volume import gated, seeds

from second.codec import encode
from second.command import told
from second.forging import other
from second.told import split
from second.verdict import Verdict, judge

STARS = Path(__file__).parents[1] / "stars"
SMALL = ("eclipse2-without-portals.1", "eclipse2-left.1")
NAMES = [*SMALL, *sorted(path.stem for path in STARS.glob("*.star") if path.stem not in SMALL)]


def judged(name: str, folder: Path) -> Verdict:
    star = STARS / f"{name}.star"
    asked = told(star, folder / "told")
    assert asked is not None
    return judge(star.read_bytes(), asked)


@pytest.mark.parametrize("name", gated(NAMES, len(SMALL)))
def test_the_second_verifier_finds_every_recorded_game_intact_and_its_end_final(name: str, tmp_path: Path) -> None:
    verdict = judged(name, tmp_path)
    assert verdict.problems == []
    assert (verdict.over, verdict.final) == (True, True)
    assert verdict.end is not None
    assert verdict.reading is not None
    assert verdict.signed_below == verdict.reading.position.height + 1


def test_the_second_verifier_finds_each_false_word_of_the_file_that_tells(tmp_path: Path) -> None:
    star = STARS / f"{SMALL[0]}.star"
    asked = told(star, tmp_path / "told")
    assert asked is not None
    rows = split(asked)
    for number in seeds(20):
        random = Random(number)
        at = random.randrange(1, len(rows))
        false = [*rows[:at], other(rows[at], random), *rows[at + 1 :]]
        file = b"".join(len(raw).to_bytes(4, "big") + raw for raw in map(encode, false))
        assert not judge(star.read_bytes(), file).intact, (rows[at], false[at])
