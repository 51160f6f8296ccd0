from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from engine.core.agenda import Table
from engine.core.dealer import HashDice, at_random
from engine.core.errors import LocalError, Refusal
from engine.core.gamelog import GameLog, record, replay, transcript
from engine.testing.gamekit import some_table
from engine.testing.toy import TOY

LOG = record(TOY, some_table(TOY, 3, 0), HashDice(1), at_random(HashDice(2)))


def test_a_log_is_read_as_it_was_written_and_plays() -> None:
    assert GameLog.read(LOG.text()) == LOG
    assert replay(TOY, LOG) is None
    assert replay(TOY, LOG, None) is None
    assert {50, len(LOG.inputs)} <= set(LOG.digests)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"rules": "toy/2"}, "log/rules", "rules"),
        ({"seats": 7}, "table/seats", "seats"),
        ({"digests": {**LOG.digests, 50: "00" * 16}}, "log/digest", "inputs.50"),
        ({"scores": ((0, 99, 1), *LOG.scores[1:])}, "log/scores", "scores"),
        ({"inputs": LOG.inputs[:-1]}, "log/unfinished", f"inputs.{len(LOG.inputs) - 1}"),
        ({"inputs": (["answer", 0, None], *LOG.inputs)}, "log/illegal", "inputs.1"),
        ({"inputs": (*LOG.inputs, ["outcome", None])}, "log/illegal", f"inputs.{len(LOG.inputs) + 1}"),
    ],
)
def test_a_log_that_does_not_play_says_where(change: dict[str, Any], code: str, path: str) -> None:
    refusal = replay(TOY, dataclasses.replace(LOG, **change))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.path) == (code, path)


def test_a_transcript_tells_answers_dice_events_and_the_result() -> None:
    text = transcript(TOY, LOG)
    assert text.startswith("toy/1, 3 seats, coins=5\n")
    assert " roll harvest: " in text
    assert "\n        toy/harvest round=1 grain=" in text
    assert text.count("\nseat ") == 3
    with pytest.raises(LocalError, match="table/seats"):
        transcript(TOY, dataclasses.replace(LOG, seats=7))


def test_options_are_kept_with_the_log() -> None:
    table = Table("toy", 2, {"coins": "9"}, 1)
    log = GameLog.read(record(TOY, table, HashDice(1), at_random(HashDice(2))).text())
    assert log.options == {"coins": "9"}
    assert replay(TOY, log) is None
