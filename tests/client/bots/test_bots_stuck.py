# SPDX-License-Identifier: GPL-3.0-or-later
"""A process of the bots that gives no answer: it is ended, said, answered for, and started again."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from bot_games import first_question
from test_packages import install
from trio.testing import MockClock

from client.bots.thinking import LENGTH, packed, read_answer
from client.table.thinker import HUNG, Thinker, ThinkerError
from engine.core.values import plain

ROOT = Path(__file__).resolve().parents[3]

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


TALKS = """
import os
class Talks:
    def choose(self, view, wait, rng, budget):
        print("hm", flush=True)
        os.write(1, b"hm")
        assert os.read(0, 1) == b""
        return wait.caretaker(view.g)
"""


def test_what_a_bot_of_a_package_prints_or_reads_is_no_answer_and_no_question(tmp_path: Path) -> None:
    ask, view = first_question()
    install(tmp_path, "other_talks", "[starlock.bots]\ntalks = other_talks.bot:Talks\n", bot=TALKS)
    run = subprocess.run(
        [sys.executable, "-P", "-m", "client.bots.thinking"],
        input=packed("package:talks", "1", view) * 2,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])},
        timeout=60,
        check=True,
    )
    size = LENGTH + int.from_bytes(run.stdout[:LENGTH], "big")
    assert [run.stdout[:size]] * 2 == [run.stdout[:size], run.stdout[size:]]
    value, _best, error = read_answer(run.stdout[LENGTH:size])
    assert (value, error) == (plain(ask.caretaker(view.g)), "")
