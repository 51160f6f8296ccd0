"""The reference covers everything the rules know, and `rules` finds it by a word."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from client.commands import cli
from client.games.eclipse.reference.first import OWN
from client.session.lookup import abbreviates, about, looked_up, rule_text
from client.system import texts
from client.system.errors import UserError
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import use
from client.words import term
from client.words import texts as texts_of
from client.words.reference import Article, chapters, entries, ruling_entry
from client.words.sure import SURE
from engine.core.dataclass import replace
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import Match
from engine.core.registry import GAMES, game
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.catalog import Edition, first, second
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.flow import PHASES
from engine.eclipse.terms import ACTIONS, PIECES, RARE
from engine.emperor.catalog import standard
from engine.testing.gamekit import curious, some_table


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def words(kind: str, name: str = "eclipse2") -> list[str]:
    return [one.word for one in entries(name) if one.kind == kind]


def found(*typed: str) -> list[str]:
    return [f"{one.kind} {one.word}" for one in looked_up("eclipse2", entries("eclipse2"), "-".join(typed))]


# What is in it


def test_every_thing_of_eclipse_has_an_entry() -> None:
    e = second()
    assert words("technology") == list(e.technology_ids)
    assert words("part") == list(e.part_ids)
    more = second(wanderers=True)
    assert words("discovery") == list(more.discovery_ids)
    assert words("species") == list(more.species_ids)
    added = more.sector_ids[len(e.sector_ids) :]
    assert words("sector") == [*e.sector_ids, *(row.number for row in event_sectors()), *added]
    assert sorted(words("piece")) == sorted(PIECES)


def test_every_thing_of_the_first_edition_has_an_entry() -> None:
    e = first()
    assert words("technology", "eclipse1") == list(e.technology_ids)
    assert words("part", "eclipse1") == list(e.part_ids)
    assert words("discovery", "eclipse1") == list(e.discovery_ids)
    assert words("species", "eclipse1") == list(e.species_ids)
    assert words("sector", "eclipse1") == list(e.sector_ids)
    assert set(words("piece", "eclipse1")) == set(PIECES) - {"guardian"}
    assert set(OWN) <= {one.word for one in entries("eclipse1")}


def test_every_kind_of_galactic_event_has_an_article() -> None:
    assert {row.kind for row in event_sectors()} <= set(words("topic"))


def test_every_action_and_phase_has_an_article() -> None:
    assert set(ACTIONS) | {"pass"} == set(words("action"))
    assert [f"{phase}-phase" for phase in PHASES if phase in {"action", "combat", "upkeep", "cleanup"}] == words(
        "phase"
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_and_every_option_has_an_entry(name: str) -> None:
    assert words("ruling", name) == [ruling.id for ruling in game(name).rulings]
    assert words("option", name) == [option.name for option in game(name).options]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", GAMES)
def test_every_entry_says_something_and_where_it_is_from(name: str, language: str) -> None:
    use(language)
    for entry in entries(name):
        assert entry.kind in chapters(name)
        assert entry.title, entry.word
        assert len(entry.text) > 2, entry.word
        assert entry.source, entry.word
        assert not re.search(r"[{}]|None|\bTrue\b", entry.text), entry.word


def test_figures_are_those_that_are_played_with() -> None:
    e, by_word = second(), {one.word: one.text for one in entries("eclipse2")}
    assert " ".join(map(str, e.income)) in by_word["population"]
    assert " ".join(map(str, e.constants.upkeep)) in by_word["influence-track"]
    assert " ".join(map(str, e.discounts)) in by_word["tracks"]
    assert "Activations: explore 2" in by_word["planta"]
    assert "initiative 3, computer 2, shield 0, hull 2, 3 × yellow (cannon)" in by_word["guardian"]


QUOTED = {
    "rounds": {"goal"},
    "technology_slots": {"research", "tracks"},
    "colony_ship_refresh": {"influence"},
    "upkeep": {"influence-track"},
    "discounts": {"tracks"},
    "technology_vp": {"scoring", "tracks"},
    "most_draws": {"reputation"},
    "monolith_vp": {"scoring", "monolith"},
    "ambassador_vp": {"scoring"},
    "discovery_vp": {"scoring", "discovery-tiles", "money"},
    "traitor_vp": {"scoring", "diplomacy", "traitor"},
    "artifact_key": {"artifact", "artifact-key"},
}
"""Figure of the content -> words of articles that quote it."""


def told(e: Edition, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The articles of an edition by word; of those that share a word, all texts."""
    found: dict[str, str] = {}
    module = import_module(f"client.games.eclipse.reference.{'first' if RARE not in e.category else 'articles'}")
    monkeypatch.setattr(module, "first" if RARE not in e.category else "second", lambda **_: e)
    for one in module.entries():
        found[one.word] = found.get(one.word, "") + one.text
    return found


@pytest.mark.parametrize("edition", [first, second])
@pytest.mark.parametrize("figure", QUOTED)
def test_articles_quote_the_figures_of_the_content(
    edition: Callable[[], Edition], figure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    e = edition()
    before = getattr(e.constants, figure)
    after = tuple(each + 30 for each in before) if isinstance(before, tuple) else before + 30
    changed = copy(e)
    values: dict[str, Any] = {figure: after}
    object.__setattr__(changed, "constants", replace(e.constants, **values))
    for name in {"discounts", "technology_vp"} & {figure}:
        object.__setattr__(changed, name, after)
    old, new = told(e, monkeypatch), told(changed, monkeypatch)
    assert {word for word in QUOTED[figure] if old[word] == new[word]} == set()


@pytest.mark.parametrize("edition", [first, second])
@pytest.mark.parametrize("figure", ["outer_sectors", "technologies", "new_technologies"])
def test_the_article_on_set_up_quotes_the_figures_of_each_number_of_players(
    edition: Callable[[], Edition], figure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    e = edition()
    text = told(e, monkeypatch)["set-up"]
    assert "/".join(map(str, e.setups)) in text
    assert "/".join(str(getattr(setup, figure)) for setup in e.setups.values()) in text


# What is true of each edition


def test_no_entry_of_the_second_edition_calls_the_traitor_tile_a_card() -> None:
    told = {one.word: f"{one.title} {one.text}" for one in entries("eclipse2") if one.kind != "option"}
    assert [word for word, text in told.items() if re.search(r"\bcards?\b", text, re.IGNORECASE)] == []
    assert "while holding the tile" in told["diplomacy"]
    assert "while holding the card" in {one.word: one.text for one in entries("eclipse1")}["diplomacy"]


FOREIGN = ("portal", "portals", "rare", "Guardian", "Galactic Events", "Magellan", "leftmost", "Traitor tile")
"""Words for what only the second edition has, besides the names of its pieces."""


def numbered(document: str) -> set[str]:
    """The names of the sections of a rule document."""
    path = Path(__file__).parents[2] / "rules" / f"{document}.toml"
    return {row["section"] for row in tomllib.loads(path.read_text("utf-8"))["line"]}


def names(e: Edition) -> set[str]:
    """What the pieces of an edition are called, and the numbers of its sectors."""
    ids = (*e.technology_ids, *e.part_ids, *e.discovery_ids, *e.species_ids, *e.sector_ids)
    return {term(id, "eclipse2") for id in ids} | {row.colour for row in e.parts if row.colour}


def test_no_entry_of_the_first_edition_tells_of_pieces_that_only_the_second_has() -> None:
    foreign = [*sorted(names(second()) - names(first())), *FOREIGN]
    assert {"blue", "Warp Portal", "281"} <= {*foreign}
    told = {f"{one.kind} {one.word}": f"{one.title} {one.text}" for one in entries("eclipse1")}
    assert [
        (where, word)
        for where, text in told.items()
        for word in foreign
        if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    ] == []


@pytest.mark.parametrize(("name", "document"), [("eclipse1", "004"), ("eclipse2", "000")])
def test_sources_name_sections_that_the_document_has(name: str, document: str) -> None:
    sections = {section.split(" ")[0] for section in numbered(document)} if name == "eclipse2" else numbered(document)
    told = {one.word: one.source for one in [*map(ruling_entry, game(name).rulings), *entries(name)]}
    cited = {
        (word, section)
        for word, source in told.items()
        for cited in re.findall(r"(?<!'s )document, ([^;]*)", source)
        for section in cited.split(" and ")
    }
    assert cited
    assert [(word, section) for word, section in sorted(cited) if section not in sections] == []


def test_rulings_that_both_editions_share_have_their_figures_in_both() -> None:
    alike = {one.id: one.ruling for one in game("eclipse2").rulings}
    shared = [one for one in game("eclipse1").rulings if alike.get(one.id) == one.ruling]
    assert len(shared) > 40
    differing = {
        name
        for name in ("rounds", "pass_money", "discovery_by", "eliminated_may_win", "influence_back")
        if getattr(first().constants, name) != getattr(second().constants, name)
    }
    told = {
        "rounds": (),
        "pass_money": ("start-tile",),
        "discovery_by": ("explore-order", "combat-discovery"),
        "eliminated_may_win": ("elimination-rank",),
        "influence_back": ("influence-once",),
    }
    assert differing == set(told)
    assert not {one.id for one in shared} & {ruling for name in differing for ruling in told[name]}


def test_no_text_lists_nothing() -> None:
    for name in GAMES:
        assert [one.word for one in entries(name) if re.search(r":\s*[;.,]|\+0\b", one.text)] == [], name


# Finding it


def test_a_word_is_a_name_an_abbreviation_a_beginning_or_a_part_of_one() -> None:
    assert found("gauss-shield") == ["technology gauss-shield", "part gauss-shield"]
    assert found("plas-can") == ["technology plasma-cannon", "part plasma-cannon"]
    assert found("meta") == ["technology metasynthesis"]
    assert found("generator") == ["technology wormhole-generator"]


def test_several_words_are_one_name_whatever_their_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "eclipse2", "Wormhole", "GENERATOR"]) == 0
    assert "Wormhole Generator" in capsys.readouterr().out


def test_a_chapter_lists_all_of_it() -> None:
    assert found("actions") == [f"action {word}" for word in words("action")]
    assert found("species") == [f"species {word}" for word in words("species")]


def test_a_word_that_names_nothing_is_looked_for_in_the_texts() -> None:
    assert "topic blueprint" in found("energy")


def test_an_unknown_word_is_refused_with_what_was_probably_meant() -> None:
    for typed, meant in (("gaus-sheild", "gauss-shield"), ("enrgy", "energy"), ("upkep", "upkeep")):
        with pytest.raises(UserError) as refused:
            found(typed)
        assert refused.value.code == "rules/unknown-word"
        assert meant in str(refused.value.hint), typed


@pytest.mark.parametrize(
    ("short", "word", "fits"),
    [("plas-can", "plasma-cannon", True), ("p-c", "plasma-cannon", True), ("plas", "plasma-cannon", False)],
)
def test_an_abbreviation_shortens_every_part(short: str, word: str, fits: bool) -> None:
    assert abbreviates(short, word) is fits


def test_programs_get_the_entries_as_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "eclipse2", "ion-cannon", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["ok"] is True
    assert [set(one) for one in told["entries"]] == [{"word", "kind", "title", "text", "source"}]
    assert told["entries"][0]["word"] == "ion-cannon"


def test_without_a_word_the_contents_are_listed_within_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "eclipse2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    assert {"Actions", "Technologies", "Species", "Rulings"} <= set(lines)


def test_every_entry_is_shown_within_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in dict.fromkeys(one.kind for one in entries("eclipse2")):
        assert cli.main(["rules", "eclipse2", kind]) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) < 80, kind


def test_entries_are_grouped_by_chapter() -> None:
    kinds = [one.kind for one in entries("eclipse2")]
    assert list(dict.fromkeys(kinds)) == [*chapters("eclipse2")]
    assert isinstance(entries("eclipse2")[0], Article)


# Galactic Emperor


def test_every_number_of_galactic_emperor_stands_there_with_how_sure_it_is() -> None:
    numbers = standard().numbers
    found = {one.word: (one.text, one.source) for one in entries("emperor") if one.kind == "figure"}
    keys = {
        key.replace("prices.", "price-of-").replace("_", "-"): key for key in numbers.confidence if "unit." not in key
    }
    assert set(found) == set(keys)
    for word, key in keys.items():
        assert found[word][1] == SURE[numbers.confidence[key]], word
    assert found["round-marks"] == ("Value: 2", "two sources or more agree")
    assert found["price-of-energy"] == ("Value: 2 2 3 3 4 4", "reconstructed for this program")
    assert found["homes"][0].startswith("Value: 3: d7 g1 a1; 4: ")


KINDS_OF_ROWS = ("piece", "technology", "sector")


def test_units_technologies_and_tiles_of_galactic_emperor_say_how_sure_they_are() -> None:
    content, by_word = standard(), {one.word: one for one in entries("emperor") if one.kind in KINDS_OF_ROWS}
    for unit in content.numbers.unit:
        for sure in {content.numbers.confidence[f"unit.{column}"] for column in ("dice", "hits", "phase")}:
            assert SURE[sure] in by_word[unit.id].text
    for card in content.technologies:
        assert (by_word[card.id].source, SURE[card.named] in by_word[card.id].text) == (SURE[card.confidence], True)
    for tile in content.tiles:
        assert by_word[tile.id].source == SURE[tile.confidence]


@pytest.mark.parametrize(
    ("game", "asked", "found"),
    [
        ("eclipse2", "how-to-win", "scoring"),
        ("eclipse2", "end", "goal"),
        ("eclipse2", "influence-disc", "influence-track"),
        ("rex", "how-to-win", "victory"),
        ("emperor", "win", "end"),
    ],
)
def test_everyday_words_find_what_is_meant(game: str, asked: str, found: str) -> None:
    assert found in [one.word for one in looked_up(game, entries(game), asked)]


def test_everyday_words_are_understood_in_spanish() -> None:
    texts.use("es")
    try:
        assert "goal" in [one.word for one in looked_up("eclipse2", entries("eclipse2"), "como-ganar")]
    finally:
        texts.use("en")


SECTION = re.compile(r"(document|edition)[^;]*?, (\d|[A-Z])|ruling")
"""A section of a rule document, or a ruling of our own."""


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_of_a_game_names_its_rule_and_section(name: str) -> None:
    all_entries = entries(name)
    own = [code for part in game_client(name).texts for code in getattr(import_module(part), "REFUSALS", {})]
    rules = {code: rule_text(name, all_entries, code) for code in own if not code.startswith(("option/", "content/"))}
    # Of the events and species that only the second edition has, the first says nothing.
    foreign = ("pulsar/", "shrine/") if name == "eclipse1" else ()
    assert bool(rules) == bool(own)
    assert [code for code, rule in rules.items() if not SECTION.search(rule) and not code.startswith(foreign)] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_of_bots_refuses_names_its_rule(name: str) -> None:
    spec, dice = game(name), HashDice("refusals")
    table, dealer = some_table(spec, 4, 1), Dealer(dice)
    match, answer, met = Match.new(spec, table), curious(dice), set[str]()

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        pick, lens = answer(match, seat, ask), dealer.lens(seat)
        steps = pick if isinstance(pick, tuple) else (pick,)
        for at in range(len(steps)):
            met.update(why.code for _option, why in ask.refused(match.g, lens, steps[:at]))
        return pick

    for _input, _told in play(match, dealer, choose):
        pass
    assert len(met) > 5
    assert met <= texts_of(name).refusals.keys()
    assert [code for code in sorted(met) if not SECTION.search(rule_text(name, entries(spec), code))] == []


def test_what_is_no_matter_of_a_game_has_no_rule() -> None:
    assert rule_text("rex", entries("rex"), "pact/unknown") == ""


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["eclipse2", "emperor", "rex"])
def test_every_question_has_rules_that_are_about_it(name: str, language: str) -> None:
    use(language)
    known = entries(name)
    kinds = {word: {each.kind for each in about(name, known, word)[:1]} for word in load(game_client(name).prompts)}
    rules = {"action", "phase", "topic", "ruling", "faction", "species"}
    assert {word: kind for word, kind in kinds.items() if not kind or not kind <= rules} == {}


def test_the_rules_of_a_question_are_those_of_what_is_asked() -> None:
    use("en")
    firsts = {
        word: about("rex", entries("rex"), word)[0].word
        for word in ("move-group", "deploy", "play-card", "tell", "talk")
    }
    assert firsts == {
        "move-group": "maneuvering-phase", "deploy": "maneuvering-phase", "play-card": "strategy-cards",
        "tell": "question", "talk": "alliances",
    }  # fmt: skip
