"""Who plays for the first time: an easy species is marked, and each has a sentence on what it does."""

from __future__ import annotations

import pytest
from screen_game import Solo

from client.show.styled import ASCII
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import use
from client.words.sides import side_text
from engine.core.registry import GAMES


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


@pytest.mark.parametrize("name", [name for name in GAMES if game_client(name).sides])
def test_every_species_and_faction_has_a_sentence_and_some_are_marked_as_easy(name: str) -> None:
    solo = Solo(name)
    assert solo.session.asking.choices is not None
    hints = [solo.session.asking.choices.hint(at) for at in range(len(solo.session.asking.choices.options))]
    assert all(". " in hint or hint.endswith(".") for hint in hints)
    easy = [hint.startswith("★ easy for a first game. ") for hint in hints]
    assert any(easy)
    assert not all(easy)


def test_every_easy_side_is_one_that_has_a_sentence() -> None:
    for name in ("eclipse2", "rex"):
        client = game_client(name)
        assert load(client.easy) < set(load(client.sides))
        marked = {side for side in load(client.sides) if side_text(name, side).startswith("★ easy")}
        assert marked == load(client.easy)
    assert side_text("emperor", "anything") == ""


def test_the_mark_can_be_written_without_unicode() -> None:
    solo = Solo("eclipse2", glyphs=ASCII)
    text = "\n".join("".join(part for _style, part in line) for line in solo.front.draw(120, 40).lines)
    assert "* easy for a first game" in text or text.isascii()
