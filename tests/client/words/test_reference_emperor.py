"""The reference of Galactic Emperor tells no number that a table's own content may have changed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.games.emperor.reference.articles import ARTICLES, MAP
from client.system.texts import use
from client.words.reference import Article, entries
from engine.core.custom_content import of_file
from engine.core.registry import GAMES, GameSpec, game
from engine.emperor.spec import EMPEROR

TESTS = Path(__file__).parents[2]
MARKET = (TESTS / "content" / "emperor-market.toml").read_text("utf-8")
FOLDER = TESTS.parent / "engine" / "emperor" / "content"

WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen")
RULES = {
    "roles-left": {"six"},
    "conflict": {"three"},
    "tie-who": {"two"},
    "combat": {"two"},
}
"""Numbers of the rules themselves, which no content changes: players, roles, hits that a unit takes."""


def own(text: str) -> GameSpec:
    return of_file(EMPEROR, text.encode(), "own.toml").spec


def little() -> str:
    """A map of 19 spaces, with homes elsewhere."""
    rows = tomllib.loads((FOLDER / "tiles.toml").read_text("utf-8"))["tile"]
    kept = [row for row in rows if row["kind"] in ("home", "centre", "black-hole")]
    lines = ["radius = 2", 'homes = { 3 = ["a2", "c4", "e2"], 4 = ["a1", "a3", "e1", "e3"],']
    lines[1] += ' 5 = ["a1", "a3", "c5", "e1", "e3"], 6 = ["a1", "a3", "c5", "e3", "e1", "c1"] }'
    for row in [row for row in rows if row not in kept][:12] + kept:
        lines += ["[[tile]]", *(f"{key} = {json.dumps(value)}" for key, value in row.items())]
    return "\n".join(lines)


def numbers(text: str) -> set[str]:
    """Figures and words for numbers in a text; what stands in braces is quoted from the content."""
    return set(re.findall(r"\b(?:\d+|" + "|".join(WORDS) + r")\b", re.sub(r"\{[^{}]*\}", "", text.lower())))


def written() -> Iterator[tuple[str, str]]:
    """Every article and ruling with the words it says, whatever the content."""
    for word, _kind, title, text, _source in ARTICLES:
        yield word, f"{title} {text}"
    yield "map", MAP
    for ruling in EMPEROR.rulings:
        yield ruling.id, f"{ruling.question} {ruling.ruling}"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    use("en")
    yield
    use("en")


def by_word(spec: GameSpec) -> dict[str, Article]:
    return {one.word: one for one in entries(spec) if one.kind in ("topic", "action", "phase", "ruling")}


def test_no_ruling_and_no_article_tells_a_number_that_content_may_change() -> None:
    assert [(word, text) for word, text in written() if numbers(text) - RULES.get(word, set())] == []


def test_no_source_of_a_ruling_tells_more_numbers_than_sections_of_the_document() -> None:
    sources = [re.sub(r"document, \d( and \d)?", "", ruling.source) for ruling in EMPEROR.rulings]
    assert [source for source in sources if numbers(source) - {"two", "five"}] == []


@pytest.mark.parametrize("text", [MARKET, "duels = 3\nshown = 1\nfighters = 2\nmetal_room = 9\nbattle = 4"])
def test_rulings_read_alike_with_any_content_and_articles_quote_it(text: str) -> None:
    built_in, ours = by_word(EMPEROR), by_word(own(text))
    rulings = [word for word, entry in ours.items() if entry.kind == "ruling"]
    assert [word for word in rulings if ours[word] != built_in[word]] == []


def test_articles_quote_the_numbers_of_the_content() -> None:
    ours = by_word(own(MARKET))
    assert "gains 3 Marks" in ours["course"].text
    assert "metal (2 2 3 3 4 4)" in ours["merchant"].text
    assert "energy (3 3 4 4 5 6)" in ours["merchant"].text
    assert "holds 9 metal" in by_word(own("metal_room = 9"))["storage"].text


def test_the_figure_of_duels_counts_all_of_them_as_the_ruling_does() -> None:
    ruling = next(one.ruling for one in EMPEROR.rulings if one.id == "tie-again")
    assert "as often as the figure duels says in all" in ruling
    assert next(one.title for one in entries(EMPEROR) if one.word == "duels").endswith("is fought at most")


def test_phases_of_fire_are_those_of_the_content() -> None:
    built_in = by_word(EMPEROR)["combat"].text
    assert "(1: dreadnought; 2: cruiser, Empire, starbase; 3: fighter)" in built_in
    ours = by_word(
        own(
            '[[unit]]\nid = "fighter"\nphase = 1\n'
            + "\n".join(f'[[unit]]\nid = "{name}"' for name in ("cruiser", "dreadnought", "empire", "starbase"))
        )
    )
    assert "(1: fighter, dreadnought; 2: cruiser, Empire, starbase)" in ours["combat"].text


def test_the_map_has_as_many_spaces_as_the_content_says() -> None:
    built_in, small = by_word(EMPEROR)["map"], by_word(own(little()))["map"]
    assert built_in.text.startswith("37 spaces in 7 rows, a in the north to g in the south")
    assert "d4 is the middle" in built_in.text
    assert built_in.source == "reconstructed for this program"
    assert small.text.startswith("19 spaces in 5 rows, a in the north to e in the south")
    assert "c3 is the middle" in small.text
    assert small.source == "this table's own"


def test_every_entry_that_a_ruling_names_is_there() -> None:
    known = {one.word for one in entries(EMPEROR)}
    named = {name for ruling in EMPEROR.rulings for name in re.findall(r"\b[a-z]+(?:-[a-z]+)+\b", ruling.ruling)}
    assert {"food-room", "price-of-metal", "influence-step", "metal-room"} <= named & known
    assert named <= known
    for name in ("homes", "fighters", "shown", "battle", "duels", "fighter", "dreadnought", "starbase"):
        assert name in known


@pytest.mark.parametrize("name", GAMES)
def test_sources_of_rulings_are_told_in_the_language_in_use(name: str) -> None:
    use("es")
    told = {entry.word: entry.source for entry in entries(name) if entry.kind == "ruling"}
    english = {ruling.id: ruling.source for ruling in game(name).rulings}
    same_in_both = {"FAQ"}
    assert [word for word, source in told.items() if source == english[word] and source not in same_in_both] == []
