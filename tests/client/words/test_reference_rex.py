"""The reference of Rex says what is played."""

from __future__ import annotations

import pytest

from client.games.rex.reference.cards import BETRAYAL, betrayal_text
from client.games.rex.reference.sure import sure_text
from client.session.lookup import shown
from client.system.texts import use
from client.words import DisplayNames, refusal_text
from client.words.reference import entries
from engine.core.errors import Refusal
from engine.core.registry import game, settle_options
from engine.rex.catalog import city
from engine.rex.state import PHASES
from engine.rex.victory import CONDITIONS


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
    assert words("card") == [*const.cards, *const.betrayal, *const.influence]


def test_every_topic_of_the_rules_has_an_article_with_its_section() -> None:
    topics = [entry for entry in entries("rex") if entry.kind == "topic"]
    assert [entry.word for entry in topics] == [
        "setup", "traitors", "alliances", "demolished-location", "betrayal", "strategy-cards", "locations", "victory",
    ]  # fmt: skip
    assert all(entry.source.startswith("document, ") for entry in topics)


def test_a_faction_names_the_sections_of_its_powers() -> None:
    factions = [entry.source for entry in entries("rex") if entry.kind == "faction"]
    assert all(source.startswith("document, 5 and 7; ") for source in factions)


def test_a_betrayal_card_tells_its_number_and_condition() -> None:
    by_word = {entry.word: entry for entry in entries("rex") if entry.kind == "card"}
    for id, card in city(6).betrayal.items():
        assert f"Betrayal card {card.number}," in by_word[id].text
        assert betrayal_text(id) in by_word[id].text
    assert "more influence than each of your allies" in by_word["deep-coffers"].text


def test_every_betrayal_card_that_is_played_with_has_its_condition_in_words() -> None:
    assert list(BETRAYAL) == list(CONDITIONS) == list(city(6).betrayal)


def test_location_cards_tell_their_spaces_in_one_article_and_each_alone() -> None:
    const, by_word = city(6), {entry.word: entry.text for entry in entries("rex")}
    for id in const.locations:
        for space, influence in zip(const.influence[id].spaces, const.influence[id].influence, strict=True):
            row = const.spaces[const.space_index[space]]
            assert f"{row.name} (sector {row.sector}): {influence}" in by_word[id]
            assert f"{row.name} (sector {row.sector}): {influence}" in by_word["locations"]


def test_topics_tell_what_depends_on_the_number_of_seats() -> None:
    by_word = {entry.word: entry.text for entry in entries("rex")}
    assert "3: 1, 4: 2, 5: 3, 6: 3" in by_word["alliances"]
    assert "3: Mecatol Power South, 4: Mecatol Power South." in by_word["demolished-location"]


def test_the_reference_speaks_spanish_with_the_money_of_rex() -> None:
    use("es")
    try:
        titles = {entry.word: entry.title for entry in entries("rex") if entry.kind in ("phase", "topic")}
    finally:
        use("en")
    assert titles["influence-phase"] == "Influencia"
    assert titles["betrayal"] == "Traición"


def test_the_article_on_maneuvering_tells_how_far_each_faction_moves() -> None:
    [text] = [each.text for each in entries("rex") if "One group moves by roads" in each.text]
    for row in city(6).factions:
        assert (f"{row.move} for Sol" if row.id == "sol" else f"{row.move} spaces") in text


def test_the_article_on_maneuvering_excepts_the_galactic_council_from_the_ban_on_allies_and_the_higher_price() -> None:
    [text] = [each.text for each in entries("rex") if "One group moves by roads" in each.text]
    assert "nobody stops beside an ally. In the Galactic Council allies may meet, and a unit costs 1" in text


def test_figures_are_those_that_are_played_with() -> None:
    const, by_word = city(6), {entry.word: entry.text for entry in entries("rex")}
    assert f"up to {const.numbers.recruit_most} units" in by_word["recruitment-phase"].lower()
    assert ", ".join(map(str, const.win)) in by_word["victory"]
    assert "Fleet Marshal 6" in by_word["sol"]
    assert "hand limit 8" in by_word["letnev"]
    assert "Cards: 5." in by_word["energy-rifle"]


def test_how_sure_a_row_is_stands_in_words_with_the_parts_it_holds_for() -> None:
    assert sure_text("name single, effect agreed, count reconstructed") == (
        "two sources or more agree: effect; one source: name; reconstructed for this program: number of pieces"
    )
    assert sure_text("start space agreed / count reconstructed").startswith("two sources or more agree: space at the")
    assert sure_text("agreed") == "two sources or more agree"


def test_a_faction_tells_where_and_with_how_many_units_it_begins() -> None:
    by_word = {entry.word: entry.text for entry in entries("rex") if entry.kind == "faction"}
    assert "Begins with 10 units in sectors 13 to 17, placed as it likes." in by_word["sol"]
    assert "Begins without units on the map." in by_word["lazax"]
    assert "Begins with 1 unit in Galactic Council." in by_word["xxcha"]
    for row in city(6).factions:
        if row.start_space:
            assert f"Begins with {row.start_units} unit" in by_word[row.id]
            assert f" in {city(6).spaces[city(6).space_index[row.start_space]].name}." in by_word[row.id]


def test_lazax_recruits_one_mechanized_unit_a_turn_and_pays_its_own_bids_to_the_bank() -> None:
    by_word = {entry.word: entry.text for entry in entries("rex")}
    assert "Lazax: at most 1 Mechanized unit in a turn." in by_word["recruitment-phase"]
    assert "Lazax pays its own bids to the bank" in by_word["bidding-phase"]
    assert "one a turn may come back by recruiting" in by_word["lazax"]
    assert "pays its own bids to the bank" in by_word["lazax"]


def test_no_line_of_an_article_is_wider_than_the_page() -> None:
    assert max(len(line) for entry in entries("rex") for line in shown(entry).splitlines()) <= 80


@pytest.mark.parametrize(("name", "option"), [("rex", "factions"), ("eclipse2", "species")])
def test_an_unknown_faction_or_species_is_refused_with_the_ids_that_can_be_typed(name: str, option: str) -> None:
    refusal = settle_options(game(name), game(name).seats[0], {option: "nonesuch"})
    assert isinstance(refusal, Refusal)
    known = refusal_text(refusal, DisplayNames(name)).rpartition("known: ")[2].rstrip(".").split(", ")
    assert known[:2] == ["pick", "random"]
    for id in known[2:]:
        again = settle_options(game(name), game(name).seats[0], {option: id})
        assert not isinstance(again, Refusal) or again.code != refusal.code
