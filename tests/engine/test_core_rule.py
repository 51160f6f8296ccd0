"""Rules and segments: what a game hands to the machine."""

from __future__ import annotations

import pytest

from engine.core.errors import LocalError
from engine.core.rule import segments


def test_a_segment_that_asks_nothing_may_be_a_plain_function() -> None:
    made = segments({"plain": lambda g: g})
    with pytest.raises(StopIteration) as ended:
        next(made["plain"]("state"))
    assert ended.value.value == "state"


def test_a_segment_has_its_name_for_itself() -> None:
    with pytest.raises(LocalError, match="two segments are called plain"):
        segments({"plain": len}, {"plain": len})
