"""How long a bot waits for a member that is out of reach."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from p2p.lockstep.consent import GRACE, OUT_OF_REACH, grace


def test_a_friend_whose_link_is_lost_for_less_than_a_minute_is_left_out_by_no_bot() -> None:
    """Unless the table agreed on less; a test table, on one machine, waits as long as it takes to be sure."""

    def genesis(patience: float, *, test: bool = False) -> Any:
        return SimpleNamespace(patience=patience, test=test)

    assert grace(genesis(600.0)) == grace(genesis(float("inf"))) == GRACE == 60
    assert grace(genesis(20.0)) == 20
    assert grace(genesis(600.0, test=True)) == OUT_OF_REACH
