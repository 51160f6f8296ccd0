"""The reference of Rex says what is played."""

from __future__ import annotations

import pytest

from client.reference import entries
from client.texts import use
from engine.rex.catalog import city
from engine.rex.state import PHASES


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def words(kind: str) -> list[str]:
    return [entry.word for entry in entries("rex") if entry.kind == kind]


def test_every_phase_faction_card_and_space_has_an_article() -> None:
    const = city(6)
    assert words("phase") == [f"{phase}-phase" for phase in PHASES[1:-1]]
    assert words("faction") == [row.id for row in const.factions]
    assert words("space") == [row.id for row in const.spaces]
    assert words("topic") == ["victory"]
    assert words("card") == list(const.cards)


def test_figures_are_those_that_are_played_with() -> None:
    const, by_word = city(6), {entry.word: entry.text for entry in entries("rex")}
    assert f"up to {const.numbers.recruit_most} units" in by_word["recruitment-phase"].lower()
    assert ", ".join(map(str, const.win)) in by_word["victory"]
    assert "Fleet Marshal 6" in by_word["sol"]
    assert "hand limit 8" in by_word["letnev"]
    assert "Cards: 5." in by_word["energy-rifle"]
