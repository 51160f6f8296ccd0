"""Every roll of every game is named in words, in each language."""

from __future__ import annotations

import re
from pathlib import Path

from client.system import texts
from client.words.rolls import purpose_text, purposes

ENGINE = Path(__file__).parents[3] / "engine"
ROLL = re.compile(r'\bRoll\((?:[^"\n]*), "([a-z-]+)"\)')


def test_every_roll_that_a_game_asks_for_has_words() -> None:
    asked = {
        tag
        for path in ENGINE.rglob("*.py")
        if "testing" not in path.parts
        for tag in ROLL.findall(path.read_text("utf-8"))
    }
    assert asked == purposes().keys()


def test_a_roll_is_named_in_the_language_in_use_and_by_its_id_where_no_words_are_known() -> None:
    assert purpose_text("set-up") == "set-up"
    assert purpose_text("of-a-toy") == "of a toy"
    texts.use("es")
    try:
        assert purpose_text("set-up") == "preparación"
        assert purpose_text("combat") == "dados de batalla"
    finally:
        texts.use("en")
