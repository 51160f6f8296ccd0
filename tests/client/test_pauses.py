"""What holds up the loop besides its own work."""

from __future__ import annotations

import gc
import sys

import pytest

from client.table.pauses import FULL, TURN, YOUNG, short_pauses


def test_pauses_are_short_while_a_table_is_played_and_as_before_afterwards() -> None:
    before = gc.get_threshold(), sys.getswitchinterval()
    with short_pauses():
        assert gc.get_threshold() == (YOUNG, before[0][1], FULL)
        assert sys.getswitchinterval() == pytest.approx(TURN)
    assert (gc.get_threshold(), sys.getswitchinterval()) == before
