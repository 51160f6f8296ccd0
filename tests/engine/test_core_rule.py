"""Rules and segments: what a game hands to the machine."""

from __future__ import annotations

import dataclasses

import pytest

from engine.core.agenda import Again
from engine.core.errors import LocalError
from engine.core.match import Match
from engine.core.rule import segments
from engine.testing.gamekit import some_table
from engine.testing.toy import TOY, Toy


def test_a_segment_that_asks_nothing_may_be_a_plain_function() -> None:
    def again_until_harvest(g: Toy) -> Again | None:
        g.farm.round += 1
        return g.again() if g.farm.round < 3 else None

    spec = dataclasses.replace(TOY, segments=segments({"deal": again_until_harvest}))
    match = Match.new(spec, some_table(TOY, 2, 0))
    assert match.over
    assert match.g.farm.round == 3


def test_a_segment_has_its_name_for_itself() -> None:
    with pytest.raises(LocalError, match="two segments are called plain"):
        segments({"plain": len}, {"plain": len})
