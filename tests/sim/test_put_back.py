# SPDX-License-Identifier: GPL-3.0-or-later
"""Members who put an old copy of their home back, beside one that shows them some of what they have lost and keeps back
the rest: nobody honest is convicted or silenced by it."""

from __future__ import annotations

import pytest
from ends import heads
from volume import gated, seeds

from p2p.testing.trials_hostile import put_back


@pytest.mark.parametrize("seed", [4, pytest.param(12, marks=pytest.mark.soak)])
def test_who_is_left_no_room_for_its_last_entries_signs_nothing_twice(seed: int) -> None:
    assert heads(put_back(seed)) == 1


@pytest.mark.parametrize("seed", gated(seeds(2, 98_900_001), 1))
def test_who_puts_a_copy_back_beside_one_that_keeps_back_what_it_has_lost_is_not_convicted(seed: int) -> None:
    assert heads(put_back(seed)) == 1
