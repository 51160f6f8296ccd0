# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of the bots: it gets a view and no key, answers alike from equal stores, and may end or fail."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from bot_games import first_question

from client.bots.thinking import LENGTH, packed, read_answer
from client.system.journal import no_log
from client.table.thinker import Thinker, ThinkerError, bot_seed
from engine.core.registry import game


async def test_bots_pick_the_same_again_from_equal_stores() -> None:
    """A machine that has lost its last entries signs the same answers again, and no second history."""
    secret, table = b"s" * 32, b"t" * 32
    assert bot_seed(secret, table) == bot_seed(secret, table)
    assert bot_seed(secret, table) != bot_seed(b"o" * 32, table)
    ask, view = first_question()
    thinkers = Thinker(no_log), Thinker(no_log)
    try:
        answers = [await each.choose(level, "seed/0/1", view) for each in thinkers for level in ("random", "greedy")]
        assert answers[:2] == answers[2:]
        assert thinkers[0].pid != thinkers[1].pid
        assert ask.validate(view.g, game("rex").words.value(answers[0].value), view.lens) is None
    finally:
        for each in thinkers:
            await each.end()


@pytest.mark.parametrize("name", ["eclipse2", "eclipse1", "emperor", "rex"])
async def test_the_process_of_the_bots_gets_a_view_and_no_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", "/somewhere/secret")
    _ask, view = first_question(name)
    assert packed("random", "1", view)[LENGTH:].count(b"STARLOCK") == 0
    thinker = Thinker(no_log)
    try:
        await thinker.choose("greedy", "1", view)
        assert thinker.pid is not None
        if sys.platform == "linux":
            only_pipes(Path(f"/proc/{thinker.pid}"))
    finally:
        await thinker.end()


def only_pipes(process: Path) -> None:
    """The process has been told no home, and has nothing open but the pipes to its parent."""
    assert b"STARLOCK_HOME" not in (process / "environ").read_bytes()
    files = {str(each.readlink()) for each in (process / "fd").iterdir()}
    assert all(each.startswith("pipe:") or each == os.devnull for each in files), files


async def test_a_process_that_is_killed_is_told_and_started_again_at_the_next_question() -> None:
    _ask, view = first_question()
    thinker = Thinker(no_log)
    try:
        answer = await thinker.choose("random", "1", view)
        assert thinker.pid is not None
        os.kill(thinker.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        with pytest.raises(ThinkerError):
            await thinker.choose("random", "1", view)
        assert await thinker.choose("random", "1", view) == answer
    finally:
        await thinker.end()
    assert thinker.pid is None


async def test_a_bot_that_raises_an_error_says_which() -> None:
    _ask, view = first_question()
    thinker = Thinker(no_log)
    try:
        with pytest.raises(ThinkerError, match="KeyError"):
            await thinker.choose("no-such-level", "1", view)
        assert await thinker.choose("random", "1", view) is not None
    finally:
        await thinker.end()


def test_bytes_that_are_no_answer_are_refused() -> None:
    for data in (b"", b"{", b"[]", b'{"error": 5}'):
        with pytest.raises(ValueError):
            read_answer(data)
    assert read_answer(b'{"value": null, "best": []}') == (None, [], "")
