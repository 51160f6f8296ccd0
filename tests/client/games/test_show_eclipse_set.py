"""What the pictures of Eclipse say at positions set up by hand."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

import pytest
from eclipse_table import Play, both_editions, table

from client.games.eclipse.show.tech import gives
from client.show.pictures import Frame
from client.show.styled import UNICODE
from client.system.texts import use
from engine.core.registry import GameSpec

NAMES = "Anna", "Bob", "Carl"


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def frame(play: Play, seat: int = 0, *words: str) -> Frame:
    return Frame(play.match.view(seat), NAMES[: play.g.table.seats], UNICODE, words, width=100)


@both_editions
def test_what_a_technology_brings_is_told_with_its_figures(edition: GameSpec) -> None:
    shown = frame(table(2, game=edition))
    const = shown.g.const
    told = {id: gives(shown, tech) for tech, id in enumerate(const.technology_ids)}
    assert not [text for text in told.values() if "{" in text]
    assert told["artifact-key"] == "At once, for each artifact in your sectors: 5 of one resource."
