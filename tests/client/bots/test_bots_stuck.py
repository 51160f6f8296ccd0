# SPDX-License-Identifier: GPL-3.0-or-later
"""A process of the bots that gives no answer: it is ended, said, answered for, and started again."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
import trio
from test_machines import first_question
from trio.testing import MockClock

from client.table.thinker import HUNG, Thinker, ThinkerError

STUCK = "import sys, time\nsys.stdin.buffer.read(1)\nwhile True: time.sleep(1000)"


async def stuck() -> trio.Process:
    """A process that takes the question and never answers."""
    return await trio.lowlevel.open_process(
        [sys.executable, "-c", STUCK], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


async def test_a_process_that_hangs_is_ended_by_the_clock_named_in_the_log_and_started_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ask, view = first_question()
    noted = list[tuple[str, Any]]()

    def log(event: str, /, **fields: Any) -> None:
        noted.append((event, fields))

    thinker = Thinker(log)
    with monkeypatch.context() as patched:
        patched.setattr(thinker, "_start", stuck)
        begun = trio.current_time()
        with pytest.raises(ThinkerError, match="no answer for 300 seconds"):
            await thinker.choose("greedy", "1", view)
        assert trio.current_time() - begun == pytest.approx(HUNG)
    assert thinker.pid is None, "it was ended"
    assert [event for event, _fields in noted] == ["bots/hung"]
    assert noted[0][1]["pid"] is not None
    autojump_clock.autojump_threshold = math.inf
    try:
        assert await thinker.choose("random", "1", view) is not None
        assert [event for event, _fields in noted] == ["bots/hung", "bots/started"]
    finally:
        await thinker.end()
